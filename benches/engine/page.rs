//! BENCHMARKS.md: the figures with the machine, the date and the load that they were measured under.

use std::fmt::Write;
use std::path::Path;

use crate::figures::Measured;

const HEAD: &str = "# Benchmarks

What Velodrome's own engine costs, so that a comparison does not measure the client. Written by `cargo bench --bench engine`; do not
edit by hand.

CPU time of threads or of the whole process, not wall clock: each figure is the median of three to five runs, each in a process of its
own. Values are generated (every value is computed from seed, device, sensor and row; none comes from a pool), in equal shares of the
five value functions. \"Bound\" is what the project promises itself.
";

const TAIL: &str = "
For comparison, iot-benchmark (Java) on its own fake database, without encoding anything: 0.198 CPU s a million points at 100 devices ×
10 sensors × 100 rows and 10 clients, 320 MB; 1 row × 10 sensors an operation: 108 µs of CPU an operation.
";

/// Writes the page into the project's folder.
pub(crate) fn write(folder: &Path, measured: &[Measured]) -> anyhow::Result<()> {
    let mut page = String::from(HEAD);
    writeln!(
        page,
        "\nMachine: {}. Date: {}. Load average before and after: {}.",
        machine()?,
        today(),
        load(measured)?
    )?;
    let mut group = "";
    for Measured { figure, values, .. } in measured {
        if figure.group != group {
            group = figure.group;
            writeln!(page, "\n## {group}\n\n| what | figure | bound |\n|---|---:|---:|")?;
        }
        for ((unit, most), value) in figure.units.iter().zip(values) {
            let most = most.map_or("–".to_owned(), |most| format!("≤ {most}"));
            let digits = if *value < 1.0 { 4 } else { 1 };
            writeln!(page, "| {} | {value:.digits$} {} | {most} |", figure.name, unit.name())?;
        }
    }
    page.push_str(TAIL);
    std::fs::write(folder.join("BENCHMARKS.md"), page)?;
    Ok(())
}

fn machine() -> anyhow::Result<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo")?;
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
    let cores = info.lines().filter(|line| line.starts_with("processor")).count();
    let memory = std::fs::read_to_string("/proc/meminfo")?;
    let total =
        memory.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?.parse().ok());
    let gigabytes = total.unwrap_or(0u64) as f64 / 1e6;
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease")?;
    let model = model.unwrap_or("unknown processor");
    Ok(format!("{model}, {cores} cores, {gigabytes:.1} GB, Linux {}, release build", kernel.trim()))
}

fn today() -> String {
    jiff::Timestamp::now().to_string().chars().take(10).collect()
}

/// The one-minute load average.
pub(crate) fn load_average() -> anyhow::Result<f64> {
    let text = std::fs::read_to_string("/proc/loadavg")?;
    Ok(text.split_whitespace().next().unwrap_or_default().parse()?)
}

fn load(measured: &[Measured]) -> anyhow::Result<String> {
    let before = measured.first().map_or(0.0, |first| first.load_before);
    Ok(format!("{before:.1} and {:.1}", load_average()?))
}
