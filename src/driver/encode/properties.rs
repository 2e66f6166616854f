//! What was encoded is decoded again and compared, for batches of any shape.

use std::sync::Arc;

use proptest::prelude::*;

use super::buffer::Buffer;
use super::format::Format;
use crate::workload::batch::{Batch, Block, Column, Decimals, DeviceRun, Texts, Values};
use crate::workload::model::{DataType, Precision, Schema, Sensor, Table, Tag};

/// A row as texts: time, device, tag, values; none where null.
type Row = (String, String, String, Vec<Option<String>>);

fn schema(types: &[DataType]) -> Schema {
    let sensor = |(at, data_type): (usize, &DataType)| Sensor { name: format!("s {at}"), data_type: *data_type };
    let sensors = types.iter().enumerate().map(sensor).collect();
    let tags = vec![Tag { name: "tag,0".to_owned(), value_prefix: "v_".to_owned(), cardinality: 5 }];
    Schema {
        tables: vec![Table { name: "g 0".to_owned(), sensors, tags }],
        devices: 1 << 40,
        device_prefix: "d_".to_owned(),
        precision: Precision::Ms,
        span: (0, 0),
    }
}

fn values(data_type: DataType, rows: usize) -> BoxedStrategy<Values> {
    let decimals = move || {
        // Fifteen digits, which a double holds exactly.
        let scaled = prop::collection::vec(-999_999_999_999_999i64..=999_999_999_999_999, rows);
        (scaled, 0u8..=15).prop_map(|(scaled, scale)| Decimals { scaled, scale })
    };
    match data_type {
        DataType::Boolean => prop::collection::vec(any::<bool>(), rows).prop_map(Values::Boolean).boxed(),
        DataType::Int32 => prop::collection::vec(any::<i32>(), rows).prop_map(Values::Int32).boxed(),
        DataType::Int64 => prop::collection::vec(any::<i64>(), rows).prop_map(Values::Int64).boxed(),
        DataType::Float => decimals().prop_map(Values::Float).boxed(),
        DataType::Double => decimals().prop_map(Values::Double).boxed(),
        DataType::Text => prop::collection::vec("[ -~é\"\\\\',\n]{0,9}", rows)
            .prop_map(|all| {
                let mut texts = Texts::default();
                for text in all {
                    texts.bytes.push_str(&text);
                    texts.end();
                }
                Values::Text(texts)
            })
            .boxed(),
    }
}

fn column(sensor: u32, data_type: DataType, rows: usize) -> impl Strategy<Value = Column> {
    let nulls = prop::option::weighted(0.3, prop::collection::vec(any::<bool>(), rows));
    (values(data_type, rows), nulls).prop_map(move |(values, nulls)| Column { sensor, values, nulls })
}

/// A schema and a batch of one block of it, with rows of up to three devices.
fn batch() -> impl Strategy<Value = (Schema, Batch)> {
    let types = prop::collection::vec(prop::sample::select(DataType::ALL.to_vec()), 1..7);
    let runs = prop::collection::vec((0u64..1 << 40, 1u32..5), 1..4);
    (types, runs).prop_flat_map(|(types, runs)| {
        let rows = runs.iter().map(|(_, rows)| *rows as usize).sum();
        let runs: Vec<DeviceRun> = runs.into_iter().map(|(device, rows)| DeviceRun { device, rows }).collect();
        let columns: Vec<_> =
            (0u32..).zip(&types).map(|(sensor, data_type)| column(sensor, *data_type, rows)).collect();
        let times = prop::collection::vec(any::<i64>(), rows);
        (Just(schema(&types)), Just(runs), times, columns).prop_map(|(schema, runs, times, columns)| {
            (schema, Batch { blocks: vec![Block { table: 0, runs, times, columns }] })
        })
    })
}

/// A decimal with all its digits.
fn decimal(decimals: &Decimals, row: usize) -> String {
    let (scaled, scale) = (decimals.scaled[row], usize::from(decimals.scale));
    let digits = format!("{:0>width$}", scaled.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let point = if scale > 0 { "." } else { "" };
    format!("{}{whole}{point}{fraction}", if scaled < 0 { "-" } else { "" })
}

/// The rows that a batch holds; booleans as the format writes them.
fn rows(schema: &Schema, batch: &Batch, booleans: [&str; 2]) -> Vec<Row> {
    let block = &batch.blocks[0];
    let devices = block.runs.iter().flat_map(|run| std::iter::repeat_n(run.device, run.rows as usize));
    let value = |column: &Column, row: usize| match &column.values {
        _ if column.is_null(row) => None,
        Values::Boolean(values) => Some(booleans[usize::from(values[row])].to_owned()),
        Values::Int32(values) => Some(values[row].to_string()),
        Values::Int64(values) => Some(values[row].to_string()),
        Values::Float(values) | Values::Double(values) => Some(decimal(values, row)),
        Values::Text(values) => Some(values.get(row).to_owned()),
    };
    let row = |(row, device): (usize, u64)| {
        let tag = format!("v_{}", schema.tag_value(0, 0, device));
        let values = block.columns.iter().map(|column| value(column, row)).collect();
        (block.times[row].to_string(), schema.device_name(device), tag, values)
    };
    devices.enumerate().map(row).collect()
}

/// The batch encoded into a buffer that another has been in before.
fn encoded(name: &str, schema: &Schema, batch: &Batch) -> Vec<u8> {
    let mut format = Format::new(name, Arc::new(schema.clone())).unwrap();
    let mut out = Buffer::default();
    format.encode(batch, &mut out);
    out.clear();
    format.encode(batch, &mut out);
    out.as_bytes().to_vec()
}

/// Cuts at a separator that stands outside quotes and is not escaped.
fn cut(text: &str, separator: char) -> Vec<String> {
    let (mut parts, mut quoted, mut escaped) = (vec![String::new()], false, false);
    for character in text.chars() {
        if character == separator && !quoted && !escaped {
            parts.push(String::new());
            continue;
        }
        quoted ^= character == '"' && !escaped;
        escaped = character == '\\' && !escaped;
        parts.last_mut().unwrap().push(character);
    }
    parts
}

fn read_lines(text: &str, sensors: usize) -> Vec<Row> {
    let unquoted = |value: &str| {
        let mut text = String::new();
        let mut characters = value[1..value.len() - 1].chars();
        while let Some(character) = characters.next() {
            text.push(if character == '\\' { characters.next().unwrap() } else { character });
        }
        text
    };
    let line = |line: &String| {
        let parts = cut(line, ' ');
        let [key, fields, time] = &parts[..] else { panic!("{line}") };
        let tags = cut(key, ',');
        assert_eq!(tags[0], "g\\ 0");
        let mut values = vec![None; sensors];
        for field in cut(fields, ',') {
            let (name, value) = field.split_once('=').unwrap();
            let sensor: usize = name.strip_prefix("s\\ ").unwrap().parse().unwrap();
            let value = match value.as_bytes()[0] {
                b'"' => unquoted(value),
                b't' | b'f' => value.to_owned(),
                _ => value.trim_end_matches('i').to_owned(),
            };
            values[sensor] = Some(value);
        }
        let tag = |at: usize, key: &str| tags[at].strip_prefix(key).unwrap().to_owned();
        (time.clone(), tag(1, "device="), tag(2, "tag\\,0="), values)
    };
    cut(text, '\n').iter().filter(|text| !text.is_empty()).map(line).collect()
}

/// Values in parentheses: `(1,'a',NULL),(…)`.
fn read_sql(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut fields: Vec<Option<String>> = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '(' => fields.clear(),
            ')' => {
                let mut row = fields.drain(..);
                let mut next = || row.next().unwrap().unwrap();
                let (time, device, tag) = (next(), next(), next());
                rows.push((time, device, tag, row.collect()));
            }
            '\'' => {
                let mut text = String::new();
                loop {
                    match characters.next().unwrap() {
                        '\'' if characters.peek() == Some(&'\'') => text.extend(characters.next()),
                        '\'' => break,
                        other => text.push(other),
                    }
                }
                fields.push(Some(text));
            }
            ',' | '\n' => {}
            first => {
                let mut word = String::from(first);
                while let Some(next) = characters.next_if(|next| !matches!(next, ',' | ')')) {
                    word.push(next);
                }
                fields.push((word != "NULL").then_some(word));
            }
        }
    }
    rows
}

/// A row of COPY: time, device, tag, values as bytes.
type CopyRow = (i64, String, String, Vec<Option<Vec<u8>>>);

/// COPY's rows, each with so many values.
fn read_copy(bytes: &[u8], columns: usize) -> Vec<CopyRow> {
    let mut rest = &bytes[19..];
    let mut take = |count: usize| {
        let (head, tail) = rest.split_at(count);
        rest = tail;
        head.to_vec()
    };
    let mut rows = Vec::new();
    loop {
        let fields = i16::from_be_bytes(take(2).try_into().unwrap());
        if fields == -1 {
            return rows;
        }
        assert_eq!(fields as usize, 3 + columns);
        let mut field = || match i32::from_be_bytes(take(4).try_into().unwrap()) {
            -1 => None,
            length => Some(take(length as usize)),
        };
        let time = i64::from_be_bytes(field().unwrap().try_into().unwrap());
        let mut text = || String::from_utf8(field().unwrap()).unwrap();
        let (device, tag) = (text(), text());
        rows.push((time, device, tag, (0..columns).map(|_| field()).collect()));
    }
}

/// A value as COPY and tablets hold it.
fn binary(column: &Column, row: usize) -> Option<Vec<u8>> {
    (!column.is_null(row)).then(|| match &column.values {
        Values::Boolean(values) => vec![u8::from(values[row])],
        Values::Int32(values) => values[row].to_be_bytes().to_vec(),
        Values::Int64(values) => values[row].to_be_bytes().to_vec(),
        Values::Float(values) => (values.value(row) as f32).to_be_bytes().to_vec(),
        Values::Double(values) => values.value(row).to_be_bytes().to_vec(),
        Values::Text(values) => values.get(row).as_bytes().to_vec(),
    })
}

proptest! {
    #[test]
    fn line_protocol_reads_back((schema, batch) in batch()) {
        let text = String::from_utf8(encoded("line_protocol", &schema, &batch)).unwrap();
        let mut expected = rows(&schema, &batch, ["f", "t"]);
        expected.retain(|row| row.3.iter().any(Option::is_some));
        prop_assert_eq!(read_lines(&text, batch.blocks[0].columns.len()), expected);
    }

    #[test]
    fn sql_reads_back((schema, batch) in batch()) {
        let text = String::from_utf8(encoded("sql", &schema, &batch)).unwrap();
        let (head, values) = text.split_once(" VALUES ").unwrap();
        prop_assert!(head.starts_with("INSERT INTO \"g 0\" (\"time\",\"device\",\"tag,0\",\"s 0\""));
        prop_assert_eq!(read_sql(values), rows(&schema, &batch, ["false", "true"]));
    }

    #[test]
    fn csv_reads_back((schema, batch) in batch()) {
        let bytes = encoded("csv", &schema, &batch);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
        let expected = rows(&schema, &batch, ["0", "1"]);
        let read: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        prop_assert_eq!(read.len(), expected.len());
        for (record, (time, device, tag, values)) in read.iter().zip(&expected) {
            let values = values.iter().map(|value| value.as_deref().unwrap_or_default());
            let expected: Vec<&str> = [time.as_str(), device, tag].into_iter().chain(values).collect();
            prop_assert_eq!(record.iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn json_reads_back((schema, batch) in batch()) {
        let points: Vec<serde_json::Value> = serde_json::from_slice(&encoded("json", &schema, &batch)).unwrap();
        let expected = rows(&schema, &batch, ["false", "true"]);
        let values = expected.iter().flat_map(|row| {
            row.3.iter().enumerate().filter_map(move |(sensor, value)| Some((row, sensor, value.as_ref()?)))
        });
        let values: Vec<_> = values.collect();
        prop_assert_eq!(points.len(), values.len());
        for (point, ((time, device, tag, _), sensor, value)) in points.iter().zip(values) {
            prop_assert_eq!(&point["metric"], &format!("g 0.s {sensor}"));
            prop_assert_eq!(&point["timestamp"].to_string(), time);
            prop_assert_eq!(&point["tags"]["device"], device);
            prop_assert_eq!(&point["tags"]["tag,0"], tag);
            match &point["value"] {
                serde_json::Value::String(text) => prop_assert_eq!(text, value),
                serde_json::Value::Number(number) => {
                    prop_assert_eq!(number.as_f64(), Some(value.parse::<f64>().unwrap()));
                }
                other => prop_assert_eq!(&other.to_string(), value),
            }
        }
    }

    #[test]
    fn copy_binary_reads_back((schema, batch) in batch()) {
        let read = read_copy(&encoded("copy_binary", &schema, &batch), batch.blocks[0].columns.len());
        let expected = rows(&schema, &batch, ["f", "t"]);
        prop_assert_eq!(read.len(), expected.len());
        for (row, ((time, device, tag, values), expected)) in read.into_iter().zip(expected).enumerate() {
            prop_assert_eq!((time.to_string(), device, tag), (expected.0, expected.1, expected.2));
            let expected: Vec<_> = batch.blocks[0].columns.iter().map(|column| binary(column, row)).collect();
            prop_assert_eq!(values, expected);
        }
    }

    #[test]
    fn a_tablet_reads_back((schema, batch) in batch()) {
        let bytes = encoded("tablet", &schema, &batch);
        let mut rest = bytes.as_slice();
        let mut take = |count: usize| {
            let (head, tail) = rest.split_at(count);
            rest = tail;
            head
        };
        let block = &batch.blocks[0];
        let mut first = 0;
        for run in &block.runs {
            let name = schema.device_name(run.device);
            prop_assert_eq!(take(name.len()), name.as_bytes());
            prop_assert_eq!(take(4), run.rows.to_be_bytes());
            let rows = first..first + run.rows as usize;
            for row in rows.clone() {
                prop_assert_eq!(take(8), block.times[row].to_be_bytes());
            }
            for column in &block.columns {
                for row in rows.clone() {
                    let value = binary(&Column { nulls: None, ..column.clone() }, row).unwrap();
                    if matches!(column.values, Values::Text(_)) {
                        prop_assert_eq!(take(4), (value.len() as u32).to_be_bytes());
                    }
                    prop_assert_eq!(take(value.len()), value);
                }
                if column.nulls.is_some() {
                    let bits = take(rows.len().div_ceil(8)).to_vec();
                    let nulls = rows.clone().enumerate().map(|(at, row)| (bits[at / 8] >> (at % 8) & 1 == 1, column.is_null(row)));
                    prop_assert!(nulls.into_iter().all(|(written, is)| written == is));
                }
            }
            first = rows.end;
        }
        prop_assert!(rest.is_empty());
    }
}
