//! `velodrome adapters`: lists the databases, or shows one.
//!
//! It must not hold logic of its own. Invariant: see the exit codes in the design.

use std::process::ExitCode;

use super::load::{self, AdapterArgs};
use super::output::out;
use crate::adapter::describe;
use crate::diagnostic::{Diagnostic, SourceMap, nearest};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    adapters: AdapterArgs,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Show all that is known of one: tuning, operations, limits, what it can't do.
    Show(ShowArgs),
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// The adapter's name.
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    adapters: AdapterArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    Ok(match &args.what {
        None => list(&args.adapters),
        Some(What::Show(show_args)) => {
            let adapters = if args.adapters.is_given() { &args.adapters } else { &show_args.adapters };
            show(&show_args.name, adapters)
        }
    })
}

fn list(adapters: &AdapterArgs) -> ExitCode {
    match load::catalogue(adapters) {
        Ok(catalogue) => {
            out(&describe::list(catalogue.iter().map(AsRef::as_ref)));
            ExitCode::SUCCESS
        }
        Err(code) => code,
    }
}

fn show(name: &str, adapters: &AdapterArgs) -> ExitCode {
    let catalogue = match load::catalogue(adapters) {
        Ok(catalogue) => catalogue,
        Err(code) => return code,
    };
    if let Some(adapter) = catalogue.get(name) {
        out(&describe::show(adapter));
        return ExitCode::SUCCESS;
    }
    let mut said = Diagnostic::error("unknown-adapter", format!("there is no adapter `{name}`"));
    if let Some(near) = nearest(name, catalogue.names()) {
        said = said.help(format!("did you mean `{near}`?"));
    }
    let known = catalogue.names().collect::<Vec<_>>().join(", ");
    load::show(&[said.help(format!("the adapters are {known}"))], &SourceMap::default());
    ExitCode::from(2)
}
