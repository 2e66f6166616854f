//! Which figures there are, and how each is measured.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use crate::part::Sample;

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// CPU nanoseconds a point.
    NanosPerPoint,
    /// CPU nanoseconds an operation.
    NanosPerOperation,
    /// CPU seconds a million points.
    SecondsPerMillion,
    /// Megabytes of resident memory.
    Megabytes,
    /// Milliseconds from the start of the process to the first measured operation.
    MillisToFirst,
}

impl Unit {
    fn of(self, sample: Sample) -> f64 {
        match self {
            Unit::NanosPerPoint => sample.cpu * 1e9 / sample.points as f64,
            Unit::NanosPerOperation => sample.cpu * 1e9 / sample.operations as f64,
            Unit::SecondsPerMillion => sample.cpu * 1e6 / sample.points as f64,
            Unit::Megabytes => sample.memory as f64 / 1e6,
            Unit::MillisToFirst => sample.to_first.as_secs_f64() * 1e3,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::NanosPerPoint => "ns a point",
            Unit::NanosPerOperation => "ns an operation",
            Unit::SecondsPerMillion => "CPU s a million points",
            Unit::Megabytes => "MB of memory",
            Unit::MillisToFirst => "ms to the first operation",
        }
    }
}

/// One figure: what it is, how it is had, what it is to be at most.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) group: &'static str,
    pub(crate) name: &'static str,
    part: &'static str,
    format: &'static str,
    parameters: &'static [&'static str],
    pub(crate) units: &'static [(Unit, Option<f64>)],
    runs: usize,
}

/// A figure with its values, one a unit.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) figure: &'static Figure,
    pub(crate) values: Vec<f64>,
    /// The load average before it was measured.
    pub(crate) load_before: f64,
}

const DOUBLES: [&str; 6] = [
    "CLIENTS=1",
    "DEVICE_NUMBER=100",
    "SENSOR_NUMBER=10",
    "BATCH_SIZE_PER_WRITE=100",
    "INSERT_DATATYPE_PROPORTION=0:0:0:0:1:0",
    "LOOP=40",
];
const MIX: [&str; 6] = [
    "CLIENTS=1",
    "DEVICE_NUMBER=100",
    "SENSOR_NUMBER=12",
    "BATCH_SIZE_PER_WRITE=100",
    "INSERT_DATATYPE_PROPORTION=1:1:1:1:1:1",
    "LOOP=40",
];
const INGEST: [&str; 6] = [
    "CLIENTS=10",
    "DEVICE_NUMBER=100",
    "SENSOR_NUMBER=10",
    "BATCH_SIZE_PER_WRITE=100",
    "INSERT_DATATYPE_PROPORTION=0:0:0:0:1:0",
    "LOOP=1000",
];
const RANDOM: [&str; 10] = [
    "CLIENTS=10",
    "DEVICE_NUMBER=100",
    "SENSOR_NUMBER=10",
    "BATCH_SIZE_PER_WRITE=100",
    "INSERT_DATATYPE_PROPORTION=0:0:0:0:1:0",
    "LOOP=1000",
    "CONSTANT_RATIO=0",
    "LINE_RATIO=0",
    "SIN_RATIO=0",
    "SQUARE_RATIO=0",
];
const SINGLE_ROWS: [&str; 6] = [
    "CLIENTS=10",
    "DEVICE_NUMBER=100",
    "SENSOR_NUMBER=10",
    "BATCH_SIZE_PER_WRITE=1",
    "INSERT_DATATYPE_PROPORTION=0:0:0:0:1:0",
    "LOOP=20000",
];

const WIDE: [&str; 5] = ["CLIENTS=10", "DEVICE_NUMBER=100", "SENSOR_NUMBER=300", "BATCH_SIZE_PER_WRITE=100", "LOOP=20"];
const MANY: [&str; 8] = [
    "CLIENTS=10",
    "DEVICE_NUMBER=1000000",
    "SENSOR_NUMBER=10",
    "BATCH_SIZE_PER_WRITE=10",
    "INSERT_DATATYPE_PROPORTION=0:0:0:0:1:0",
    "LOOP=1",
    "TAG_NUMBER=2",
    "TAG_VALUE_CARDINALITY=100,100",
];
const TINY: [&str; 5] = ["CLIENTS=1", "DEVICE_NUMBER=10", "SENSOR_NUMBER=1", "BATCH_SIZE_PER_WRITE=1", "LOOP=1"];

const ENCODERS: &str = "Generated and encoded on one thread, DOUBLE with 2 decimals";
const MIXED: &str = "Generated and encoded on one thread, two sensors of each of six types";
const WHOLE: &str = "`velodrome run` of a suite with one trial on blackhole, from start to exit, `--no-calibration`";
const CELLS: &str = "The workload in a plan";
const ENGINE: &str = "The whole engine into blackhole, measuring on, all threads";

const fn encode(format: &'static str, most: &'static [(Unit, Option<f64>)], mix: bool) -> Figure {
    Figure {
        group: if mix { MIXED } else { ENCODERS },
        name: format,
        part: "encode",
        format,
        parameters: if mix { &MIX } else { &DOUBLES },
        units: most,
        runs: 5,
    }
}

const fn engine(
    name: &'static str,
    format: &'static str,
    parameters: &'static [&'static str],
    units: &'static [(Unit, Option<f64>)],
) -> Figure {
    Figure { group: ENGINE, name, part: "engine", format, parameters, units, runs: 3 }
}

const FREE: &[(Unit, Option<f64>)] = &[(Unit::NanosPerPoint, None)];

static FIGURES: &[Figure] = &[
    encode("none", FREE, false),
    encode("line_protocol", &[(Unit::NanosPerPoint, Some(15.0))], false),
    encode("copy_binary", &[(Unit::NanosPerPoint, Some(2.0))], false),
    encode("csv", &[(Unit::NanosPerPoint, Some(8.0))], false),
    encode("json", &[(Unit::NanosPerPoint, Some(25.0))], false),
    encode("tablet", &[(Unit::NanosPerPoint, Some(3.5))], false),
    encode("sql", FREE, false),
    encode("none", FREE, true),
    encode("line_protocol", FREE, true),
    encode("copy_binary", FREE, true),
    encode("csv", FREE, true),
    encode("json", FREE, true),
    encode("tablet", FREE, true),
    encode("sql", FREE, true),
    engine(
        "100 devices × 10 DOUBLE × 100 rows, 10 clients, 10⁸ points, line_protocol",
        "line_protocol",
        &INGEST,
        &[(Unit::SecondsPerMillion, Some(0.02)), (Unit::Megabytes, Some(40.0))],
    ),
    engine(
        "the same, every value random",
        "line_protocol",
        &RANDOM,
        &[(Unit::SecondsPerMillion, Some(0.02)), (Unit::Megabytes, Some(40.0))],
    ),
    engine(
        "1 row × 10 DOUBLE an operation, 10 clients, 2 · 10⁶ operations, line_protocol",
        "line_protocol",
        &SINGLE_ROWS,
        &[(Unit::NanosPerOperation, Some(500.0))],
    ),
    engine("1 row × 10 DOUBLE an operation, nothing encoded", "none", &SINGLE_ROWS, &[(Unit::NanosPerOperation, None)]),
    engine(
        "100 devices × 300 sensors of six types × 100 rows, 10 clients, line_protocol",
        "line_protocol",
        &WIDE,
        &[(Unit::SecondsPerMillion, None), (Unit::Megabytes, Some(40.0))],
    ),
    engine(
        "10⁶ devices × 10 DOUBLE × 10 rows, two tags, 10 clients, line_protocol",
        "line_protocol",
        &MANY,
        &[(Unit::SecondsPerMillion, None), (Unit::Megabytes, Some(64.0))],
    ),
    engine(
        "10 devices × 1 sensor × 1 row, 1 loop, 1 client: next to nothing",
        "line_protocol",
        &TINY,
        &[(Unit::Megabytes, None)],
    ),
    Figure {
        group: WHOLE,
        name: "100 devices × 10 DOUBLE × 100 rows, 10 clients, 10⁸ points, line_protocol",
        part: "whole",
        format: "line_protocol",
        parameters: &[],
        units: &[
            (Unit::SecondsPerMillion, Some(0.02)),
            (Unit::Megabytes, Some(40.0)),
            (Unit::MillisToFirst, Some(100.0)),
        ],
        runs: 3,
    },
    Figure {
        group: CELLS,
        name: "one cell of a sweep over LOOP and DEVICE_NUMBER: changed, checked, counted",
        part: "cells",
        format: "none",
        parameters: &[],
        units: &[(Unit::NanosPerOperation, Some(500.0))],
        runs: 5,
    },
];

/// Measures all figures, or those whose name holds a text.
pub(crate) fn measure(only: Option<&str>) -> anyhow::Result<Vec<Measured>> {
    let mut all = Vec::new();
    for figure in FIGURES.iter().filter(|figure| only.is_none_or(|text| figure.name.contains(text))) {
        let load_before = crate::page::load_average()?;
        let mut samples = Vec::new();
        for _ in 0..figure.runs {
            samples.push(sample(figure)?);
        }
        let values: Vec<f64> = figure.units.iter().map(|(unit, _)| median(&samples, *unit)).collect();
        for ((unit, _), value) in figure.units.iter().zip(&values) {
            writeln!(std::io::stdout(), "{value:>9.3} {:<24} {} ({})", unit.name(), figure.name, figure.group)?;
        }
        all.push(Measured { figure, values, load_before });
    }
    Ok(all)
}

fn median(samples: &[Sample], unit: Unit) -> f64 {
    let mut values: Vec<f64> = samples.iter().map(|sample| unit.of(*sample)).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn sample(figure: &Figure) -> anyhow::Result<Sample> {
    if figure.part == "whole" {
        return crate::whole::run(Path::new(env!("CARGO_BIN_EXE_velodrome")));
    }
    let program = std::env::current_exe().context("the bench's own path")?;
    let output = Command::new(program).args(["--part", figure.part, figure.format]).args(figure.parameters).output()?;
    if !output.status.success() {
        bail!("{}: {}", figure.name, String::from_utf8_lossy(&output.stderr));
    }
    Sample::read(&String::from_utf8_lossy(&output.stdout))
}
