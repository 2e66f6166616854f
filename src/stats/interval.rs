//! Ratios of rounds as pairs, their intervals, and what may be concluded from them.
//!
//! They must not know what was measured. Invariant: fewer than three pairs give a ratio and no verdict; of equal things about one in
//! twenty is called different, not more.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::student::{normal_probability, t_quantile};

/// The level of every interval.
pub const LEVEL: f64 = 0.95;
/// How many pairs (or rounds) an interval needs.
pub const ENOUGH: usize = 3;
/// From how many pairs on an interval is drawn by a bootstrap. Below, a bootstrap is far too narrow.
pub const BOOTSTRAP_FROM: usize = 20;
const RESAMPLES: usize = 2_000;

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// More is better, as of a throughput.
    Higher,
    /// Less is better, as of a latency.
    Lower,
}

/// What a comparison concludes of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Better than the baseline.
    Faster,
    /// Worse than the baseline.
    Slower,
    /// The interval holds 1.
    Tie,
    /// Nothing: too few pairs.
    None,
}

/// A 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Whether a value lies in it.
    pub fn holds(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// A mean, and its interval where there are enough values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The geometric mean.
    pub mean: f64,
    /// None: fewer than [`ENOUGH`] values.
    pub interval: Option<Interval>,
    /// How many values it rests on.
    pub values: usize,
}

/// A target against a baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// value(target) ÷ value(baseline), with its interval.
    pub ratio: Estimate,
    /// What that concludes.
    pub verdict: Verdict,
}

/// The geometric mean of positive values, with its interval; none where no value is positive and finite. Values that are not positive
/// have no logarithm: any of them leaves no estimate.
pub fn geometric(values: &[f64], seed: u64) -> Option<Estimate> {
    if values.is_empty() || values.iter().any(|value| !value.is_finite() || *value <= 0.0) {
        return None;
    }
    let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let mean = mean(&logs);
    let interval = log_interval(&logs, mean, seed);
    Some(Estimate {
        mean: mean.exp(),
        interval: interval.map(|(low, high)| Interval { low: low.exp(), high: high.exp() }),
        values: values.len(),
    })
}

/// Compares pairs (target, baseline), one a round. Pairs that hold a value without a logarithm are dropped; none where all are.
pub fn compare(pairs: &[(f64, f64)], better: Better, seed: u64) -> Option<Comparison> {
    let ratios: Vec<f64> = pairs
        .iter()
        .filter(|(target, baseline)| *target > 0.0 && *baseline > 0.0)
        .map(|(target, baseline)| target / baseline)
        .filter(|ratio| ratio.is_finite() && *ratio > 0.0)
        .collect();
    let ratio = geometric(&ratios, seed)?;
    let verdict = match ratio.interval {
        None => Verdict::None,
        Some(interval) if interval.holds(1.0) => Verdict::Tie,
        Some(interval) if (interval.low > 1.0) == (better == Better::Higher) => Verdict::Faster,
        Some(_) => Verdict::Slower,
    };
    Some(Comparison { ratio, verdict })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn log_interval(logs: &[f64], mean: f64, seed: u64) -> Option<(f64, f64)> {
    if logs.len() < ENOUGH {
        return None;
    }
    if logs.len() >= BOOTSTRAP_FROM {
        return Some(bootstrap(logs, seed));
    }
    let count = logs.len() as f64;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = t_quantile(0.5 + LEVEL / 2.0, count - 1.0) * (variance / count).sqrt();
    Some((mean - half, mean + half))
}

/// The percentile bootstrap of the mean, its tails widened so that it covers what it promises at small counts too.
fn bootstrap(logs: &[f64], seed: u64) -> (f64, f64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let count = logs.len() as u64;
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            // Multiply and shift: a fair enough index, and the same one everywhere.
            let draw = |random: &mut Xoshiro256PlusPlus| {
                logs[((u128::from(random.next_u64()) * u128::from(count)) >> 64) as usize]
            };
            (0..count).map(|_| draw(&mut random)).sum::<f64>() / count as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let n = count as f64;
    let tail = normal_probability(-(n / (n - 1.0)).sqrt() * t_quantile(0.5 + LEVEL / 2.0, n - 1.0));
    let last = (RESAMPLES - 1) as f64;
    (means[(tail * last).round() as usize], means[((1.0 - tail) * last).round() as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
        let mut uniform = || ((random.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        let (a, b) = (uniform(), uniform());
        (-2.0 * a.ln()).sqrt() * (2.0 * std::f64::consts::PI * b).cos()
    }

    fn called_different(rounds: usize, draws: usize) -> f64 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(666);
        let different = (0..draws)
            .filter(|_| {
                let mut value = || (0.05 * normal(&mut random)).exp() * 1_000.0;
                let pairs: Vec<(f64, f64)> = (0..rounds).map(|_| (value(), value())).collect();
                compare(&pairs, Better::Higher, 1).unwrap().verdict != Verdict::Tie
            })
            .count();
        different as f64 / draws as f64
    }

    #[test]
    fn of_equal_pairs_about_one_in_twenty_is_called_different() {
        for rounds in [3, 5, 10] {
            let share = called_different(rounds, 2_000);
            assert!((0.03..=0.07).contains(&share), "{rounds} rounds: {share}");
        }
    }

    #[test]
    fn the_bootstrap_promises_no_more_than_it_holds() {
        let share = called_different(BOOTSTRAP_FROM, 400);
        assert!((0.02..=0.08).contains(&share), "{share}");
    }

    #[test]
    fn two_pairs_give_a_ratio_and_no_verdict() {
        let comparison = compare(&[(2.0, 1.0), (8.0, 1.0)], Better::Higher, 1).unwrap();
        assert!((comparison.ratio.mean - 4.0).abs() < 1e-12);
        assert_eq!(comparison.ratio.interval, None);
        assert_eq!(comparison.verdict, Verdict::None);
    }

    #[test]
    fn the_direction_decides_who_is_faster() {
        let pairs = [(2.0, 1.0), (2.1, 1.0), (1.9, 1.0)];
        assert_eq!(compare(&pairs, Better::Higher, 1).unwrap().verdict, Verdict::Faster);
        assert_eq!(compare(&pairs, Better::Lower, 1).unwrap().verdict, Verdict::Slower);
        let swapped: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        assert_eq!(compare(&swapped, Better::Lower, 1).unwrap().verdict, Verdict::Faster);
    }

    #[test]
    fn swapping_sides_turns_the_interval_over() {
        let pairs = [(2.0, 1.0), (2.4, 1.1), (1.9, 1.2)];
        let swapped: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        let there = compare(&pairs, Better::Higher, 1).unwrap().ratio;
        let back = compare(&swapped, Better::Higher, 1).unwrap().ratio;
        assert!((there.mean * back.mean - 1.0).abs() < 1e-12);
        assert!((there.interval.unwrap().low * back.interval.unwrap().high - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_value_without_a_logarithm_drops_its_pair() {
        let comparison = compare(&[(0.0, 1.0), (2.0, 1.0), (2.0, f64::NAN)], Better::Higher, 1).unwrap();
        assert_eq!(comparison.ratio.values, 1);
        assert_eq!(compare(&[(0.0, 1.0)], Better::Higher, 1), None);
        assert_eq!(geometric(&[], 1), None);
    }

    #[test]
    fn equal_values_tie_and_constant_factors_do_not() {
        let same = compare(&[(5.0, 5.0); 3], Better::Higher, 1).unwrap();
        assert_eq!(same.verdict, Verdict::Tie);
        assert_eq!(compare(&[(6.0, 5.0); 3], Better::Higher, 1).unwrap().verdict, Verdict::Faster);
    }

    #[test]
    fn the_same_seed_gives_the_same_bootstrap() {
        let values: Vec<f64> = (1..=30).map(f64::from).collect();
        assert_eq!(geometric(&values, 7), geometric(&values, 7));
        let interval = geometric(&values, 7).unwrap().interval.unwrap();
        assert!(interval.low < interval.high);
    }
}
