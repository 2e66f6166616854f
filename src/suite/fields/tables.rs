//! The suite itself, its targets, scenarios and sweeps.
//!
//! They must not read anything. Invariant: a key that lowering asks for stands here; debug builds check it.

use super::parts::{DOCKER, EXISTING, LOAD, POLICY, RANGE, REPORT, ROUTINE, VERIFY};
use super::types::Shape::{Either, Entries, Integer, List, Map, OneOrMore, Path, Text, Value, Words, Workload};
use super::types::{Field, Shape, Table};

/// A suite.
pub(crate) static SUITE: Table = Table {
    name: "a suite",
    id: "suite",
    about: "Which databases are compared, under which load, over which parameters.",
    fields: &[
        Field::new("suite", Text, "The suite's name.").required(),
        Field::new("description", Text, "One sentence for the report."),
        Field::new(
            "extends",
            Path,
            "Another suite that this one changes: maps merge by key, targets and scenarios by name, other lists replace; an \
             empty value takes a key away.",
        ),
        Field::new(
            "seed",
            Integer(0),
            "The seed of data and queries; DATA_SEED and QUERY_SEED override it. Every round uses the same.",
        )
        .or("666"),
        Field::new(
            "vars",
            Entries { key: "a name", value: &Value },
            "Variables for templates; later ones may use earlier ones.",
        ),
        Field::new(
            "targets",
            List(&Either(&[Text, Map(&TARGET)])),
            "The databases: an adapter's name alone, or a map.",
        )
        .required(),
        Field::new("scenarios", List(&Map(&SCENARIO)), "What they are asked to do.").required(),
        Field::new("sweep", Map(&SWEEP), "Axes for all loading scenarios that know them."),
        Field::new("rounds", Integer(1), "How often each case is run.").or("1"),
        Field::new(
            "order",
            Words(&[
                ("interleaved", "round by round, and in a round target by target: A B C A B C"),
                ("sequential", "all rounds of a case one after the other"),
            ]),
            "The order of trials.",
        )
        .or("interleaved"),
        Field::new("policy", Map(&POLICY), "Failures, time limits and resets."),
        Field::new("verify", Map(&VERIFY), "What is checked."),
        Field::new("report", Map(&REPORT), "What the report shows."),
        Field::new(
            "assert",
            OneOrMore(&Text),
            "What must hold, such as `p99(scenario=ingest) <= 50ms` or `throughput(sqlite) >= 0.9 * baseline`: for every case \
             that is selected.",
        ),
    ],
};

/// A target.
pub(crate) static TARGET: Table = Table {
    name: "a target",
    id: "target",
    about: "A database in the suite: adapter, version, tuning, and where it runs.",
    fields: &[
        Field::new("name", Text, "Its name; the adapter's where none is given."),
        Field::new("adapter", Text, "The adapter: see `velodrome adapters`.").required(),
        Field::new("version", Text, "The version; the adapter's default where none is given."),
        Field::new("docker", Map(&DOCKER), "It runs in a container."),
        Field::new("existing", Map(&EXISTING), "It is a server that runs already."),
        Field::new(
            "tuning",
            Entries { key: "a tuning parameter of the adapter", value: &Value },
            "Tuning values: see `velodrome adapters show NAME`.",
        ),
        Field::new("write_method", Text, "How it is written to, where the adapter has several ways."),
    ],
};

const AXIS: Shape = Either(&[List(&Value), Map(&RANGE)]);
const AXES: Shape =
    Entries { key: "a workload parameter, a name in vars, or a path such as load.clients", value: &AXIS };
const CELLS: Shape = List(&Entries { key: "an axis", value: &Value });
const TUNING: Shape = Entries { key: "a tuning parameter of the adapter", value: &Value };

/// A scenario.
pub(crate) static SCENARIO: Table = Table {
    name: "a scenario",
    id: "scenario",
    about: "A workload with parameters, load shape and phases.",
    fields: &[
        Field::new("name", Text, "Its name; no target has it.").required(),
        Field::new("on", Text, "The scenario whose data it stands on."),
        Field::new(
            "state",
            Words(&[
                ("warm", "as the load left the server"),
                ("cold", "the server restarted, the page cache dropped where that is allowed"),
            ]),
            "What it finds there.",
        )
        .or("warm"),
        Field::new("workload", Workload, "The workload with its parameters; names may be typed in either case.")
            .required(),
        Field::new("load", Map(&LOAD), "The load's shape."),
        Field::new(
            "tuning",
            Entries { key: "a target's name, or an adapter's", value: &TUNING },
            "What this scenario needs of a target.",
        ),
        Field::new("sweep", Map(&SWEEP), "Axes of this scenario."),
        Field::new("policy", Map(&POLICY), "What it has of its own over the suite's policy."),
    ],
};

/// A sweep.
pub(crate) static SWEEP: Table = Table {
    name: "`sweep:`",
    id: "sweep",
    about: "Which cells there are. `matrix`, `zip` and `routine` exclude one another.",
    fields: &[
        Field::new("matrix", AXES, "Every combination of the axes' values."),
        Field::new("zip", AXES, "The axes' values side by side; all axes are of one length."),
        Field::new(
            "routine",
            Either(&[Text, Map(&ROUTINE)]),
            "iot-benchmark's routine: lines of `KEY=VALUE … TEST`, whose settings stay for later tests.",
        ),
        Field::new("exclude", CELLS, "Cells to leave out: each must match something."),
        Field::new("include", CELLS, "Whole cells to add after that."),
        Field::new(
            "per_target",
            Entries { key: "a target's name, or an adapter's", value: &AXES },
            "Further axes of some targets only.",
        ),
    ],
};
