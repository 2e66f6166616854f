//! The engine's own cost, in CPU time, written to BENCHMARKS.md: `cargo bench --bench engine`.
//!
//! Each figure is measured in a process of its own, several times; the median counts. CPU time is used since wall clocks on a
//! shared machine measure the neighbours too.

mod figures;
mod page;
mod part;
mod usage;
mod whole;

use std::path::Path;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--part") {
        return part::run(&arguments[at + 1..]);
    }
    let only = arguments.iter().find(|argument| !argument.starts_with('-'));
    let measured = figures::measure(only.map(String::as_str))?;
    if only.is_none() {
        page::write(Path::new(env!("CARGO_MANIFEST_DIR")), &measured)?;
    }
    Ok(())
}
