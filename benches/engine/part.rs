//! One measurement in a process of its own: prints `seconds points operations bytes` of the measured part, CPU seconds, and the
//! peak of memory.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use velodrome::diagnostic::{FileId, Span};
use velodrome::driver::blackhole::Blackhole;
use velodrome::driver::encode::buffer::Buffer;
use velodrome::driver::encode::format::Format;
use velodrome::driver::error::DriverError;
use velodrome::driver::types::{Endpoint, SessionOptions};
use velodrome::engine::types::{Control, Ending, ErrorPolicy, Job, Statements};
use velodrome::workload::batch::Batch;
use velodrome::workload::kind::{Configured, Surroundings, find};
use velodrome::workload::load::{Load, Pacing};
use velodrome::workload::operation::Query;
use velodrome::workload::parameters::RawParameter;
use velodrome::workload::stream::Part;

use crate::usage;

/// What one measurement used and did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) cpu: f64,
    pub(crate) points: u64,
    pub(crate) operations: u64,
    pub(crate) bytes: u64,
    pub(crate) memory: u64,
    /// Until the first measured operation; zero where that is not looked at.
    pub(crate) to_first: Duration,
}

impl Sample {
    fn print(self) -> anyhow::Result<()> {
        let Sample { cpu, points, operations, bytes, memory, .. } = self;
        writeln!(std::io::stdout(), "{cpu} {points} {operations} {bytes} {memory}")?;
        Ok(())
    }

    pub(crate) fn read(line: &str) -> anyhow::Result<Self> {
        let mut words = line.split_whitespace();
        let cpu = words.next().context("cpu")?.parse()?;
        let mut next = || -> anyhow::Result<u64> { Ok(words.next().context("a number")?.parse()?) };
        let (points, operations, bytes, memory) = (next()?, next()?, next()?, next()?);
        Ok(Sample { cpu, points, operations, bytes, memory, ..Sample::default() })
    }
}

/// `encode FORMAT NAME=VALUE…`, `engine FORMAT NAME=VALUE…` or `cells - NAME=VALUE…`; CLIENTS is load.clients.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let (what, rest) = arguments.split_first().context("which part?")?;
    let (format, parameters) = rest.split_first().context("which format?")?;
    let configured = configure(parameters)?;
    match what.as_str() {
        "encode" => encode(&*configured, format)?.print(),
        "engine" => engine(&*configured, format)?.print(),
        "cells" => cells(&*configured)?.print(),
        other => bail!("no part {other}"),
    }
}

fn configure(parameters: &[String]) -> anyhow::Result<Arc<dyn Configured>> {
    let span = Span { file: FileId(0), start: 0, end: 0 };
    let mut clients = None;
    let mut raw = Vec::new();
    for parameter in parameters {
        let (name, value) = parameter.split_once('=').context("NAME=VALUE")?;
        if name == "CLIENTS" {
            clients = Some(value.parse()?);
        } else {
            let (name, value) = (name.to_owned(), value.to_owned());
            raw.push(RawParameter { name, name_span: span, value, value_span: span });
        }
    }
    let kind = find("iot").context("workload iot")?;
    kind.configure(&raw, Surroundings { clients, seed: 666 }).map_err(|found| anyhow::anyhow!("{found:?}"))
}

/// Client 0's stream encoded on this thread, without clock, histogram or checksum.
fn encode(configured: &dyn Configured, format: &str) -> anyhow::Result<Sample> {
    let mut format = Format::new(format, configured.schema()).context("no such format")?;
    let workload = configured.build();
    let mut stream = workload.stream(0, Part::Measured);
    let (mut batch, mut out) = (Batch::default(), Buffer::default());
    let mut sample = Sample::default();
    // The first batch grows the buffers.
    stream.next(&mut batch);
    format.encode(&batch, &mut out);
    let before = usage::thread_cpu();
    while stream.next(&mut batch).is_some() {
        out.clear();
        format.encode(&batch, &mut out);
        sample.points += batch.points();
        sample.operations += 1;
        sample.bytes += out.len() as u64;
        std::hint::black_box(out.as_bytes());
        std::hint::black_box(&batch);
    }
    sample.cpu = (usage::thread_cpu() - before).as_secs_f64();
    sample.memory = usage::peak_memory()?;
    Ok(sample)
}

/// A million cells of a sweep over two parameters: changed, checked, counted.
fn cells(configured: &dyn Configured) -> anyhow::Result<Sample> {
    let span = Span { file: FileId(0), start: 0, end: 0 };
    let change = |name: &str, value: u32| RawParameter {
        name: name.to_owned(),
        name_span: span,
        value: value.to_string(),
        value_span: span,
    };
    let changes: Vec<_> = (0..1000).map(|n| [change("LOOP", n + 1), change("DEVICE_NUMBER", n + 10)]).collect();
    let around = Surroundings { clients: None, seed: 666 };
    let before = usage::thread_cpu();
    let mut sample = Sample::default();
    for _ in 0..1000 {
        for change in &changes {
            let cell = configured.with(change, around).map_err(|found| anyhow::anyhow!("{found:?}"))?;
            sample.points = sample.points.max(cell.totals().points);
            sample.operations += 1;
        }
    }
    sample.cpu = (usage::thread_cpu() - before).as_secs_f64();
    Ok(sample)
}

struct NoStatements;

impl Statements for NoStatements {
    fn statement(&self, _query: &Query) -> Result<String, DriverError> {
        Ok(String::new())
    }
}

/// The whole engine on the blackhole, measuring on; the CPU time is the whole process's.
fn engine(configured: &dyn Configured, format: &str) -> anyhow::Result<Sample> {
    let workload = configured.build();
    let options = SessionOptions {
        settings: [("encode".to_owned(), format.to_owned())].into(),
        schema: Some(configured.schema()),
        ..SessionOptions::default()
    };
    let load =
        Load { clients: configured.clients(), cores: Vec::new(), pacing: Pacing::Closed, warmup: None, duration: None };
    let job = Job {
        workload,
        driver: Arc::new(Blackhole),
        endpoint: Endpoint::default(),
        options,
        statements: Arc::new(NoStatements),
        load,
        errors: ErrorPolicy { abort: true, threshold: 0.0, after: 1, retries: 0 },
        seed: 666,
    };
    let outcome = velodrome::engine::run(job, Arc::new(Control::default()));
    if outcome.ending != Ending::Finished {
        bail!("ended with {:?}", outcome.ending);
    }
    let totals = configured.totals();
    let points = outcome.operations.iter().map(|operation| operation.ok_points).sum();
    let operations = outcome.operations.iter().map(|operation| operation.ok_operations).sum();
    if (points, operations) != (totals.points, totals.all_operations()) {
        bail!("{points} points and {operations} operations in place of {totals:?}");
    }
    let cpu = usage::process_cpu().as_secs_f64();
    Ok(Sample { cpu, points, operations, bytes: outcome.bytes, memory: usage::peak_memory()?, ..Sample::default() })
}
