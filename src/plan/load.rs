//! A case's load shape and policy, read from the texts that its scenario and axes give.
//!
//! It must not know where a text stands. Invariant: what is read here is positive and complete but for the clients' number,
//! whose default the workload knows.

use std::time::Duration;

use crate::suite::model::{Policy, Reset};
use crate::value;
use crate::workload::kind::ParameterSpec;
use crate::workload::load::{Arrival, Load, Pacing, Warmup};

/// How a load is paced, as far as that is known without the workload.
#[derive(Clone, Debug, Default, PartialEq)]
enum Paced {
    #[default]
    Closed,
    MinInterval(Duration),
    /// As far apart as the rows of one device are.
    PointStep,
    Rate(f64),
}

/// A load shape without what only the workload knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shape {
    /// `load.clients`, where it is given.
    pub(super) clients: Option<u32>,
    cores: Vec<u32>,
    paced: Paced,
    arrival: Arrival,
    warmup: Option<Warmup>,
    duration: Option<Duration>,
}

impl Shape {
    /// Reads one entry; `spec` is the parameter that named it, where it was not named by its path.
    ///
    /// # Errors
    /// What is wrong with the text, in words.
    pub(super) fn set(&mut self, path: &str, text: &str, spec: Option<&ParameterSpec>) -> Result<(), String> {
        match (path, spec) {
            ("clients", _) => self.clients = Some(clients(text)?),
            ("cores", _) => self.cores = cores(text)?,
            ("duration", Some(_)) => self.duration = milliseconds(text)?,
            ("duration", None) => self.duration = Some(positive(text)?),
            ("warmup", _) => {
                self.warmup = Some(words(value::duration(text))?).filter(|t| !t.is_zero()).map(Warmup::Time)
            }
            ("warmup.operations", _) => {
                let operations = words(value::unsigned(text))?;
                self.warmup = Some(operations).filter(|count| *count > 0).map(Warmup::Operations);
            }
            ("pacing" | "pacing.min_interval", Some(_)) => self.paced = interval(text)?,
            ("pacing", None) => self.paced = pacing(text)?,
            ("pacing.min_interval", None) => {
                let paced = || positive(text).map(Paced::MinInterval);
                self.paced = if text == "point_step" { Paced::PointStep } else { paced()? };
            }
            ("pacing.rate", _) => self.paced = Paced::Rate(words(value::rate(text))?),
            ("pacing.arrival", _) => self.arrival = arrival(text)?,
            _ => return Err(format!("nothing is called `load.{path}`")),
        }
        Ok(())
    }

    /// The whole load, with the workload's number of clients and the time between two rows of a device.
    pub(super) fn load(&self, clients: u32, point_step: Duration) -> Load {
        let pacing = match self.paced {
            Paced::Closed => Pacing::Closed,
            Paced::MinInterval(interval) => Pacing::MinInterval(interval),
            Paced::PointStep => Pacing::MinInterval(point_step),
            Paced::Rate(rate) => Pacing::Open { rate, arrival: self.arrival },
        };
        Load { clients, cores: self.cores.clone(), pacing, warmup: self.warmup, duration: self.duration }
    }

    /// Whether the time between two rows of a device matters.
    pub(super) fn needs_point_step(&self) -> bool {
        self.paced == Paced::PointStep
    }
}

fn words<T>(read: Result<T, value::ValueError>) -> Result<T, String> {
    read.map_err(|error| error.to_string())
}

fn clients(text: &str) -> Result<u32, String> {
    let number = words(value::unsigned(text))?;
    let fits = u32::try_from(number).ok().filter(|clients| *clients > 0);
    fits.ok_or_else(|| format!("`{text}` clients: at least 1 is needed, and no more than 4294967295 make sense"))
}

fn positive(text: &str) -> Result<Duration, String> {
    let time = words(value::duration(text))?;
    if time.is_zero() { Err(format!("`{text}` is no time: a duration above 0 is needed")) } else { Ok(time) }
}

/// iot-benchmark's milliseconds; 0 is none.
fn milliseconds(text: &str) -> Result<Option<Duration>, String> {
    let time = words(value::unsigned(text))?;
    Ok(Some(time).filter(|time| *time > 0).map(Duration::from_millis))
}

/// OP_MIN_INTERVAL: milliseconds; 0 is none, -1 is POINT_STEP.
fn interval(text: &str) -> Result<Paced, String> {
    match words(value::integer(text))? {
        -1 => Ok(Paced::PointStep),
        0 => Ok(Paced::Closed),
        time => u64::try_from(time)
            .map(|time| Paced::MinInterval(Duration::from_millis(time)))
            .map_err(|_| format!("`{text}` is no interval: milliseconds from 0 on are meant, or -1 for POINT_STEP")),
    }
}

/// `closed`, or a rate.
fn pacing(text: &str) -> Result<Paced, String> {
    if text == "closed" {
        return Ok(Paced::Closed);
    }
    value::rate(text).map(Paced::Rate).map_err(|_| format!("`{text}` is neither `closed` nor a rate such as 2000/s"))
}

fn arrival(text: &str) -> Result<Arrival, String> {
    match text {
        "uniform" => Ok(Arrival::Uniform),
        "poisson" => Ok(Arrival::Poisson),
        _ => Err(format!("`{text}` is neither `uniform` nor `poisson`")),
    }
}

/// Core numbers and ranges of them: `0,1,4-7`.
fn cores(text: &str) -> Result<Vec<u32>, String> {
    let malformed = || format!("`{text}` names no cores: numbers and ranges are meant, such as 0,1,4-7");
    let mut cores = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse::<u32>(), last.trim().parse::<u32>());
        let (first, last) = (first.map_err(|_| malformed())?, last.map_err(|_| malformed())?);
        if last < first || last - first > 4096 {
            return Err(malformed());
        }
        cores.extend(first..=last);
    }
    cores.sort_unstable();
    cores.dedup();
    Ok(cores)
}

/// Sets one part of a policy from a text; `spec` as in [`Shape::set`].
///
/// # Errors
/// What is wrong with the text, in words.
pub(super) fn set_policy(
    policy: &mut Policy,
    path: &str,
    text: &str,
    spec: Option<&ParameterSpec>,
) -> Result<(), String> {
    let one_of = |first: &str, second: &str| match text {
        _ if text == first => Ok(true),
        _ if text == second => Ok(false),
        _ => Err(format!("`{text}` is neither `{first}` nor `{second}`")),
    };
    match (path, spec) {
        ("reset", Some(_)) => policy.reset = if words(value::switch(text))? { Reset::Case } else { Reset::Never },
        ("reset", None) => policy.reset = reset(text)?,
        ("on_error", _) => policy.abort = one_of("abort", "continue")?,
        ("on_refused", _) => policy.refused_to_default = one_of("default", "fail")?,
        ("on_error.threshold", _) => (policy.abort, policy.threshold) = (false, words(value::share(text))?),
        ("retries", _) => {
            let retries = words(value::unsigned(text))?;
            policy.retries = u32::try_from(retries).map_err(|_| format!("`{text}` retries are too many"))?;
        }
        ("timeout", _) => policy.timeout = Some(positive(text)?),
        ("write_timeout", None) => policy.write_timeout = positive(text)?,
        ("query_timeout", None) => policy.query_timeout = positive(text)?,
        ("write_timeout", Some(_)) => policy.write_timeout = milliseconds(text)?.unwrap_or(policy.write_timeout),
        ("query_timeout", Some(_)) => policy.query_timeout = milliseconds(text)?.unwrap_or(policy.query_timeout),
        ("stall_timeout", _) => policy.stall_timeout = positive(text)?,
        _ => return Err(format!("nothing is called `policy.{path}`")),
    }
    Ok(())
}

fn reset(text: &str) -> Result<Reset, String> {
    match text {
        "case" => Ok(Reset::Case),
        "target" => Ok(Reset::Target),
        "truncate" => Ok(Reset::Truncate),
        "never" => Ok(Reset::Never),
        _ => Err(format!("`{text}` is none of `case`, `target`, `truncate` and `never`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(entries: &[(&str, &str)]) -> Result<Shape, String> {
        let mut shape = Shape::default();
        entries.iter().try_for_each(|(path, text)| shape.set(path, text, None))?;
        Ok(shape)
    }

    #[test]
    fn a_load_has_its_clients_cores_pace_and_times() {
        let read = shape(&[("clients", "1e1"), ("cores", "0, 2-3"), ("warmup", "5s"), ("duration", "1m")]).unwrap();
        let load = read.load(read.clients.unwrap(), Duration::ZERO);
        assert_eq!((load.clients, load.cores), (10, vec![0, 2, 3]));
        assert_eq!(load.warmup, Some(Warmup::Time(Duration::from_secs(5))));
        assert_eq!((load.pacing, load.duration), (Pacing::Closed, Some(Duration::from_secs(60))));
    }

    #[test]
    fn an_open_loop_has_a_rate() {
        let read = shape(&[("pacing", "closed"), ("pacing.rate", "2k/s"), ("pacing.arrival", "poisson")]).unwrap();
        let wanted = Pacing::Open { rate: 2000.0, arrival: Arrival::Poisson };
        assert_eq!(read.load(1, Duration::ZERO).pacing, wanted);
    }

    #[test]
    fn an_interval_can_be_the_point_step() {
        let read = shape(&[("pacing.min_interval", "point_step")]).unwrap();
        assert!(read.needs_point_step());
        assert_eq!(read.load(1, Duration::from_secs(5)).pacing, Pacing::MinInterval(Duration::from_secs(5)));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (path, text) in [
            ("clients", "0"),
            ("clients", "many"),
            ("duration", "0s"),
            ("pacing", "open"),
            ("cores", "3-1"),
            ("warmup", "5"),
            ("pacing.arrival", "often"),
            ("nothing", "1"),
        ] {
            assert!(shape(&[(path, text)]).is_err(), "{path}: {text}");
        }
    }

    #[test]
    fn policies_are_set_by_path() {
        let mut policy = Policy::default();
        for (path, text) in
            [("reset", "truncate"), ("on_error", "abort"), ("on_error.threshold", "1%"), ("timeout", "30m")]
        {
            set_policy(&mut policy, path, text, None).unwrap();
        }
        assert_eq!((policy.reset, policy.abort, policy.threshold), (Reset::Truncate, false, 0.01));
        assert_eq!(policy.timeout, Some(Duration::from_secs(1800)));
        assert!(set_policy(&mut policy, "reset", "often", None).is_err());
    }
}
