//! The smaller maps: where a target runs, load, policy, what is checked and shown.
//!
//! They must not read anything. Invariant: each has an id of its own; a default is what the model's `Default` or the reader gives.

use super::types::Shape::{
    Duration, Either, Entries, Integer, Map, Number, OneOrMore, Path, Rate, Share, Size, Switch, Text, Value, WordList,
    Words,
};
use super::types::{Field, Table};

/// `docker:` of a target.
pub(crate) static DOCKER: Table = Table {
    name: "`docker:`",
    id: "docker",
    about: "How the container is made.",
    fields: &[
        Field::new("image", Text, "The image in place of the adapter's."),
        Field::new("image_tar", Path, "A tarball to load the image from, for hosts without a network."),
        Field::new(
            "port",
            Integer(1),
            "The port on 127.0.0.1 that the server is published on; a free one where none is given.",
        ),
        Field::new("cpus", Number, "Processors' worth of time."),
        Field::new("cpuset", Text, "Cores, such as `0-3,5`."),
        Field::new("memory", Size, "The most memory."),
        Field::new("environment", Entries { key: "a variable", value: &Text }, "Further environment."),
        Field::new("volumes", OneOrMore(&Text), "Bind mounts, as Docker writes them."),
        Field::new("command", OneOrMore(&Text), "Further arguments of the server's command."),
    ],
};

/// `existing:` of a target.
pub(crate) static EXISTING: Table = Table {
    name: "`existing:`",
    id: "existing",
    about: "A server that runs already.",
    fields: &[
        Field::new("hosts", OneOrMore(&Text), "`host:port`, one or more.").required(),
        Field::new("user", Text, "The user."),
        Field::new("password", Map(&SECRET), "The password."),
        Field::new("token", Map(&SECRET), "The token."),
        Field::new("org", Text, "The organisation."),
        Field::new("database", Text, "The database to use in place of a new one."),
        Field::new("drop_existing", Switch, "Whether that database may be emptied.").or("off"),
        Field::new("tls", Switch, "Whether to talk TLS; no driver does so yet, so only off is taken.").or("off"),
    ],
};

/// A secret.
pub(crate) static SECRET: Table = Table {
    name: "a secret",
    id: "secret",
    about: "A secret by reference: exactly one of these.",
    fields: &[
        Field::new("env", Text, "The name of an environment variable that holds it."),
        Field::new("file", Path, "A file that holds it."),
    ],
};

/// `load:` of a scenario.
pub(crate) static LOAD: Table = Table {
    name: "`load:`",
    id: "load",
    about: "How many clients, how paced, how long. Templates may stand in its values.",
    fields: &[
        Field::new("clients", Integer(1), "How many clients there are.")
            .or("10, or the devices' number where that is less"),
        Field::new("cores", OneOrMore(&Text), "The cores that the clients may use, such as `0-3,5`.")
            .or("all that are free"),
        Field::new("duration", Duration, "The measured part ends after this time, if not before by itself."),
        Field::new("warmup", Either(&[Duration, Map(&WARMUP)]), "Extra work before the measured part."),
        Field::new(
            "pacing",
            Either(&[Words(&[("closed", "a client starts its next operation when the last has ended")]), Map(&PACING)]),
            "When operations start.",
        )
        .or("closed"),
    ],
};

/// `warmup:` by operations.
pub(crate) static WARMUP: Table = Table {
    name: "`warmup:`",
    id: "warmup",
    about: "A warm-up of so many operations.",
    fields: &[Field::new("operations", Integer(1), "How many, over all clients.").required()],
};

/// `pacing:` of a load.
pub(crate) static PACING: Table = Table {
    name: "`pacing:`",
    id: "pacing",
    about: "Either `rate`, with `arrival`, or `min_interval`.",
    fields: &[
        Field::new("rate", Rate, "Operations start on a schedule, so many a second over all clients."),
        Field::new(
            "arrival",
            Words(&[("uniform", "evenly"), ("poisson", "as a seeded Poisson process")]),
            "How intended starts are spaced.",
        )
        .or("uniform"),
        Field::new(
            "min_interval",
            Either(&[Duration, Words(&[("point_step", "as far apart as the rows of a device")])]),
            "A client's operations start at least so far apart.",
        ),
    ],
};

/// `policy:`.
pub(crate) static POLICY: Table = Table {
    name: "`policy:`",
    id: "policy",
    about: "What is done about failures, and how long things may take.",
    fields: &[
        Field::new(
            "on_error",
            Either(&[
                Words(&[
                    ("continue", "a trial goes on until 5 % of its operations have failed"),
                    ("abort", "a trial ends with its first failed operation"),
                ]),
                Map(&ON_ERROR),
            ]),
            "What a trial does about failed operations.",
        )
        .or("continue"),
        Field::new("timeout", Duration, "A trial may take this long in all."),
        Field::new("retries", Integer(0), "How often a transient failure is tried again.").or("3"),
        Field::new("write_timeout", Duration, "One write may take this long.").or("2m"),
        Field::new("query_timeout", Duration, "One query may take this long.").or("5m"),
        Field::new("stall_timeout", Duration, "A trial without any progress for this long is ended.").or("10m"),
        Field::new("suite_timeout", Duration, "The whole suite may take this long (at the top of the suite only)."),
        Field::new(
            "reset",
            Words(&[
                ("case", "a new empty database in the running server"),
                ("target", "a new container and volume each time the target's turn comes"),
                ("truncate", "the tables are emptied, the schema stays"),
                ("never", "the data stays"),
            ]),
            "When a loading case's database is made new.",
        )
        .or("case"),
        Field::new(
            "on_refused",
            Words(&[("fail", "the cell fails with the server's words"), ("default", "the server's default is used")]),
            "What a refused tuning value leads to.",
        )
        .or("fail"),
    ],
};

/// `on_error:` with a threshold.
pub(crate) static ON_ERROR: Table = Table {
    name: "`on_error:`",
    id: "on_error",
    about: "A trial goes on until more than this share of its operations has failed.",
    fields: &[Field::new("threshold", Share, "The share.").required()],
};

/// `verify:`.
pub(crate) static VERIFY: Table = Table {
    name: "`verify:`",
    id: "verify",
    about: "What is checked after a load and in answers.",
    fields: &[
        Field::new("counts", Switch, "Whether stored points are counted after each load.").or("on"),
        Field::new(
            "answers",
            Words(&[("all", "each"), ("sample", "some"), ("none", "not at all")]),
            "Which answers are compared across databases.",
        )
        .or("sample"),
    ],
};

/// `report:`.
pub(crate) static REPORT: Table = Table {
    name: "`report:`",
    id: "report",
    about: "What the report shows.",
    fields: &[
        Field::new("baseline", Text, "The target that the others are compared with."),
        Field::new(
            "formats",
            WordList(&[
                ("html", "one page that needs no network"),
                ("md", "Markdown"),
                ("csv", "tables for spreadsheets"),
                ("json", "everything, with a schema"),
            ]),
            "Which files are written.",
        )
        .or("[html, md, csv, json]"),
    ],
};

/// A range of values.
pub(crate) static RANGE: Table = Table {
    name: "an axis",
    id: "range",
    about: "An axis by its first and last value and the step between.",
    fields: &[Field::new("range", Map(&BOUNDS), "The range.").required()],
};

/// `range:` of an axis.
pub(crate) static BOUNDS: Table = Table {
    name: "`range:`",
    id: "bounds",
    about: "Numbers, durations or sizes, all of one kind.",
    fields: &[
        Field::new("from", Value, "The first value.").required(),
        Field::new("to", Value, "The last value, where the steps meet it.").required(),
        Field::new("step", Value, "The step; it may be below 0.").or("1"),
    ],
};

/// `routine:` by file.
pub(crate) static ROUTINE: Table = Table {
    name: "`routine:`",
    id: "routine",
    about: "A routine in a file of its own.",
    fields: &[Field::new("file", Path, "The file.").required()],
};
