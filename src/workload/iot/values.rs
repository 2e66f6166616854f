//! Values: each a pure function of (seed, device, sensor, row number).
//!
//! They must not know times or the order of writing. Invariant: only whole-number arithmetic, so every machine gives the same
//! values; nothing is stored a device.

use std::sync::LazyLock;

use super::parameters::IotParameters;
use super::shape;
use crate::workload::batch::{Column, Decimals, Texts, Values};
use crate::workload::model::{DataType, mix};

/// How a sensor's values go on from row to row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Constant,
    Line,
    Random,
    Sine,
    Square,
}

const FUNCTIONS: [Function; 5] =
    [Function::Constant, Function::Line, Function::Random, Function::Sine, Function::Square];

/// Least and greatest values; a sensor has one of these.
const RANGES: [(i64, i64); 8] = [(0, 1), (-1, 1), (0, 10), (-50, 50), (0, 100), (0, 500), (-1000, 1000), (0, 10_000)];

/// The sine has so many steps a period.
const SINE_STEPS: usize = 1024;

/// One period of the sine, times 2^30, by series alone: library sines differ from machine to machine.
static SINE: LazyLock<[i64; SINE_STEPS]> = LazyLock::new(|| {
    let quarter = SINE_STEPS / 4;
    let sine = |step: usize| {
        let x = step as f64 * std::f64::consts::FRAC_PI_2 / quarter as f64;
        let (mut term, mut sum) = (x, x);
        for n in 1..12 {
            term = -term * x * x / f64::from(2 * n * (2 * n + 1));
            sum += term;
        }
        (sum * f64::from(1 << 30)) as i64
    };
    std::array::from_fn(|step| {
        let within = step % (2 * quarter);
        let value = sine(if within > quarter { 2 * quarter - within } else { within });
        if step >= 2 * quarter { -value } else { value }
    })
});

/// A hash of a row: one widening multiplication.
#[inline]
pub(super) fn draw(state: u64, row: u64) -> u64 {
    let x = state.wrapping_add(row.wrapping_mul(0xa076_1d64_78bd_642f));
    let product = u128::from(x) * u128::from(x ^ 0xe703_7ed1_a0b4_28db);
    (product >> 64) as u64 ^ product as u64
}

/// A hash as a number from 0, below `below`.
#[inline]
pub(super) fn scaled(hash: u64, below: u64) -> u64 {
    ((u128::from(hash) * u128::from(below)) >> 64) as u64
}

/// One sensor's values.
#[derive(Clone, Debug)]
struct Generator {
    data_type: DataType,
    function: Function,
    key: u64,
    /// The least value, times 10^scale.
    least: i64,
    /// Greatest minus least, times 10^scale.
    width: u64,
    /// A period is 2^period rows.
    period: u32,
    /// Decimals.
    scale: u8,
    /// Characters of a TEXT.
    length: u32,
}

impl Generator {
    fn new(p: &IotParameters, sensor: u32) -> Self {
        let key = mix(p.data_seed() ^ mix(u64::from(sensor) ^ 0x7365_6e73_6f72));
        let data_type = shape::sensor_type(p, sensor);
        let scale = if matches!(data_type, DataType::Float | DataType::Double) { p.double_length } else { 0 };
        let (least, most) = RANGES[scaled(mix(key ^ 1), RANGES.len() as u64) as usize];
        // Fifteen digits in all, so that a double holds every value exactly. Whole numbers have a wider range.
        let widest = 10i64.pow(15 - u32::from(scale));
        let wider = if data_type.is_numeric() && scale == 0 { 10 } else { 1 };
        let unit = 10i64.pow(u32::from(scale));
        let bound = |value: i64| (value * wider).clamp(-widest, widest) * unit;
        let (least, most) = (bound(least), bound(most));
        Generator {
            data_type,
            function: function(p, mix(key ^ 2)),
            key,
            least,
            width: most.abs_diff(least),
            period: 6 + scaled(mix(key ^ 3), 7) as u32,
            scale,
            length: p.string_length,
        }
    }

    /// Appends the values of `count` rows from `row` on.
    fn numbers<T>(&self, device: u64, row: u64, count: u32, out: &mut Vec<T>, as_value: impl Fn(i64) -> T) {
        let state = mix(self.key ^ device.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (least, width, period) = (self.least, self.width, self.period);
        let mask = (1u64 << period) - 1;
        let rows = || (0..u64::from(count)).map(|at| row.wrapping_add(at));
        let phase = |row: u64| row.wrapping_add(state) & mask;
        let add = |above: u64| as_value(least.wrapping_add(above as i64));
        match self.function {
            Function::Constant => {
                let above = scaled(state, width + 1);
                out.extend(rows().map(|_| add(above)));
            }
            Function::Line => out.extend(rows().map(|row| add((width * phase(row)) >> period))),
            Function::Random => out.extend(rows().map(|row| add(scaled(draw(state, row), width + 1)))),
            Function::Sine => {
                let table: &[i64; SINE_STEPS] = &SINE;
                let half = (width / 2) as i64;
                out.extend(rows().map(|row| {
                    let sine = table[((phase(row) << 10) >> period) as usize % SINE_STEPS];
                    as_value(least + half + ((i128::from(half) * i128::from(sine)) >> 30) as i64)
                }));
            }
            Function::Square => {
                out.extend(rows().map(|row| add(if phase(row) > mask >> 1 { 0 } else { width })));
            }
        }
    }

    fn texts(&self, device: u64, row: u64, count: u32, out: &mut Texts) {
        const CHARACTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        let state = mix(self.key ^ device.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for at in 0..u64::from(count) {
            let mut hash = draw(state, row.wrapping_add(at));
            for character in 0..self.length {
                if character % 4 == 3 {
                    hash = mix(hash);
                }
                let index = ((hash & 0xffff) * 62) >> 16;
                out.bytes.push(CHARACTERS[index as usize] as char);
                hash >>= 16;
            }
            out.end();
        }
    }

    /// An empty column of the right type.
    fn column(&self) -> Values {
        let decimals = Decimals { scaled: Vec::new(), scale: self.scale };
        match self.data_type {
            DataType::Boolean => Values::Boolean(Vec::new()),
            DataType::Int32 => Values::Int32(Vec::new()),
            DataType::Int64 => Values::Int64(Vec::new()),
            DataType::Float => Values::Float(decimals),
            DataType::Double => Values::Double(decimals),
            DataType::Text => Values::Text(Texts::default()),
        }
    }

    /// Appends values to a column of the right type.
    fn extend(&self, device: u64, row: u64, count: u32, values: &mut Values) {
        match values {
            Values::Boolean(out) => {
                let middle = self.least + (self.width / 2) as i64;
                self.numbers(device, row, count, out, |value| value > middle);
            }
            Values::Int32(out) => self.numbers(device, row, count, out, |value| value as i32),
            Values::Int64(out) => self.numbers(device, row, count, out, |value| value),
            Values::Float(out) | Values::Double(out) => {
                self.numbers(device, row, count, &mut out.scaled, |value| value);
            }
            Values::Text(out) => self.texts(device, row, count, out),
        }
    }
}

/// The function of a sensor, in proportion.
fn function(p: &IotParameters, hash: u64) -> Function {
    let total: f64 = p.mix.functions.iter().sum();
    let drawn = (hash >> 11) as f64 / (1u64 << 53) as f64 * total;
    let mut reached = 0.0;
    let mut last = Function::Constant;
    for (function, ratio) in FUNCTIONS.into_iter().zip(p.mix.functions) {
        if ratio > 0.0 {
            reached += ratio;
            last = function;
            if drawn < reached {
                break;
            }
        }
    }
    last
}

/// Empties a column, keeping its memory.
fn clear(values: &mut Values) {
    match values {
        Values::Boolean(values) => values.clear(),
        Values::Int32(values) => values.clear(),
        Values::Int64(values) => values.clear(),
        Values::Float(values) | Values::Double(values) => values.scaled.clear(),
        Values::Text(values) => values.clear(),
    }
}

/// All sensors' values.
#[derive(Clone, Debug)]
pub(super) struct Generators {
    sensors: Vec<Generator>,
}

impl Generators {
    pub(super) fn new(p: &IotParameters) -> Self {
        Generators { sensors: (0..p.sensors).map(|sensor| Generator::new(p, sensor)).collect() }
    }

    /// The sensors whose values are numbers.
    pub(super) fn numeric(&self) -> Vec<u32> {
        let all = (0u32..).zip(&self.sensors);
        all.filter(|(_, generator)| generator.data_type.is_numeric()).map(|(sensor, _)| sensor).collect()
    }

    /// Refills columns, one a sensor, with the rows of `runs`: each a first row and how many from there on.
    pub(super) fn fill(&self, device: u64, runs: &[(u64, u32)], columns: &mut Vec<Column>) {
        if !self.fits(columns) {
            *columns = (0u32..)
                .zip(&self.sensors)
                .map(|(sensor, generator)| Column { sensor, values: generator.column(), nulls: None })
                .collect();
        }
        for (generator, column) in self.sensors.iter().zip(columns) {
            clear(&mut column.values);
            for (row, count) in runs {
                generator.extend(device, *row, *count, &mut column.values);
            }
        }
    }

    /// Whether the columns are those of an earlier fill.
    fn fits(&self, columns: &[Column]) -> bool {
        let fits = |generator: &Generator, column: &Column| match (&column.values, generator.data_type) {
            (Values::Boolean(_), DataType::Boolean)
            | (Values::Int32(_), DataType::Int32)
            | (Values::Int64(_), DataType::Int64)
            | (Values::Text(_), DataType::Text) => true,
            (Values::Float(decimals), DataType::Float) | (Values::Double(decimals), DataType::Double) => {
                decimals.scale == generator.scale
            }
            _ => false,
        };
        columns.len() == self.sensors.len() && self.sensors.iter().zip(columns).all(|(g, c)| fits(g, c))
    }
}
