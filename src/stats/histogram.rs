//! Latency histograms of three digits from a microsecond up, mergeable, kept as HDR V2.
//!
//! They must not know what was timed. Invariant: min ≤ every percentile ≤ max, min and max exact.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
use serde::{Deserialize, Serialize};

/// A distribution of durations, kept in nanoseconds.
#[derive(Clone, Debug)]
pub struct Latencies {
    histogram: Histogram<u64>,
    min: u64,
    max: u64,
    sum: u128,
}

/// A histogram that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("not an HDR V2 histogram: {0}")]
pub struct HistogramError(String);

impl Default for Latencies {
    fn default() -> Self {
        Latencies::new()
    }
}

impl Latencies {
    /// An empty distribution.
    ///
    /// # Panics
    /// Never: the bounds are constants that the histogram accepts.
    pub fn new() -> Self {
        #[expect(clippy::expect_used, reason = "the bounds are constants")]
        let mut histogram = Histogram::new_with_bounds(1, 60_000_000_000, 3).expect("constant bounds");
        histogram.auto(true);
        Latencies { histogram, min: u64::MAX, max: 0, sum: 0 }
    }

    /// Records one duration.
    #[inline]
    pub fn record(&mut self, value: Duration) {
        self.record_nanos(u64::try_from(value.as_nanos()).unwrap_or(u64::MAX));
    }

    /// Records one duration in nanoseconds.
    #[inline]
    pub fn record_nanos(&mut self, nanos: u64) {
        self.histogram.saturating_record(nanos);
        self.min = self.min.min(nanos);
        self.max = self.max.max(nanos);
        self.sum += u128::from(nanos);
    }

    /// Adds all of another.
    pub fn merge(&mut self, other: &Latencies) {
        if other.count() == 0 {
            return;
        }
        // Both resize by themselves, so adding can't fail.
        let _ = self.histogram.add(&other.histogram);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.sum += other.sum;
    }

    /// How many were recorded.
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// The least; none when empty.
    pub fn min(&self) -> Option<Duration> {
        (self.count() > 0).then(|| Duration::from_nanos(self.min))
    }

    /// The greatest; none when empty.
    pub fn max(&self) -> Option<Duration> {
        (self.count() > 0).then(|| Duration::from_nanos(self.max))
    }

    /// The exact mean; none when empty.
    pub fn mean(&self) -> Option<Duration> {
        let count = u128::from(self.count());
        (count > 0).then(|| Duration::from_nanos((self.sum / count) as u64))
    }

    /// The sum of all.
    pub fn total(&self) -> Duration {
        Duration::from_nanos(u64::try_from(self.sum).unwrap_or(u64::MAX))
    }

    /// The value that `percentile` percent do not exceed, within min and max; none when empty.
    pub fn percentile(&self, percentile: f64) -> Option<Duration> {
        (self.count() > 0)
            .then(|| Duration::from_nanos(self.histogram.value_at_percentile(percentile).clamp(self.min, self.max)))
    }

    /// As it is kept in journals.
    pub fn to_record(&self) -> HistogramRecord {
        let mut bytes = Vec::with_capacity(1024);
        // Writing into memory can't fail.
        let _ = V2Serializer::new().serialize(&self.histogram, &mut bytes);
        HistogramRecord {
            count: self.count(),
            min_ns: self.min,
            max_ns: self.max,
            sum_ns: self.sum.to_string(),
            hdr_v2: BASE64.encode(bytes),
        }
    }

    /// Reads what `to_record` wrote.
    ///
    /// # Errors
    /// When the record holds something else.
    pub fn from_record(record: &HistogramRecord) -> Result<Self, HistogramError> {
        let bytes = BASE64.decode(&record.hdr_v2).map_err(|e| HistogramError(e.to_string()))?;
        let mut histogram: Histogram<u64> =
            Deserializer::new().deserialize(&mut bytes.as_slice()).map_err(|e| HistogramError(e.to_string()))?;
        histogram.auto(true);
        let sum = record.sum_ns.parse().map_err(|_| HistogramError(format!("sum {}", record.sum_ns)))?;
        Ok(Latencies { histogram, min: record.min_ns, max: record.max_ns, sum })
    }
}

/// A distribution as journals keep it: nanoseconds; `hdr_v2` is base64 of the public HDR V2 encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistogramRecord {
    /// How many were recorded.
    pub count: u64,
    /// The exact least.
    pub min_ns: u64,
    /// The exact greatest.
    pub max_ns: u64,
    /// The exact sum, as text: it can exceed 64 bits.
    pub sum_ns: String,
    /// The buckets.
    pub hdr_v2: String,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ASCENDING: [f64; 8] = [10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9];

    fn of(nanos: impl IntoIterator<Item = u64>) -> Latencies {
        let mut latencies = Latencies::new();
        nanos.into_iter().for_each(|value| latencies.record_nanos(value));
        latencies
    }

    fn assert_in_order(latencies: &Latencies) {
        let mut told = vec![latencies.min().unwrap()];
        told.extend(ASCENDING.map(|percentile| latencies.percentile(percentile).unwrap()));
        told.push(latencies.max().unwrap());
        assert!(told.is_sorted(), "{told:?}");
    }

    #[test]
    fn m02_no_percentile_is_below_the_least_or_negative() {
        let latencies = of([0, 1, 999, 1_000, 5_000_000]);
        assert_in_order(&latencies);
        assert_eq!(latencies.min(), Some(Duration::ZERO));
    }

    #[test]
    fn m10_with_eight_samples_p99_is_the_greatest() {
        let latencies = of((1..=8).map(|value| value * 1_000_003));
        assert_eq!(latencies.percentile(99.0), latencies.max());
        assert_eq!(latencies.percentile(99.9), Some(Duration::from_nanos(8_000_024)));
        assert_eq!(Latencies::new().percentile(99.0), None);
    }

    #[test]
    fn a_few_microseconds_keep_three_digits() {
        for nanos in [1_234, 6_789, 43_210, 987_654] {
            // The greater value beside it keeps the clamp to the exact maximum out of play.
            let told = of([nanos, 10_000_000]).percentile(50.0).unwrap().as_nanos() as f64;
            assert!((told / nanos as f64 - 1.0).abs() < 1e-3, "{nanos} is told as {told}");
        }
    }

    #[test]
    fn percentiles_of_a_million_stay_in_order() {
        // A seeded scramble of 20 bits, squared: a long tail.
        assert_in_order(&of((0..1_000_000u64).map(|i| (i.wrapping_mul(0x9e37_79b9) % (1 << 20)).pow(2))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn percentiles_stay_between_least_and_greatest(
            values in prop_oneof![
                prop::collection::vec(0u64..100_000_000_000, 1..=1),
                prop::collection::vec(0u64..100_000_000_000, 2..=2),
                prop::collection::vec(0u64..100_000_000_000, 200..=200),
            ]
        ) {
            assert_in_order(&of(values));
        }

        #[test]
        fn merging_is_the_union(
            left in prop::collection::vec(0u64..100_000_000_000, 0..50),
            right in prop::collection::vec(0u64..100_000_000_000, 0..50),
        ) {
            let mut merged = of(left.clone());
            merged.merge(&of(right.clone()));
            let union = of(left.into_iter().chain(right));
            prop_assert_eq!(merged.to_record(), union.to_record());
            prop_assert_eq!(merged.percentile(90.0), union.percentile(90.0));
        }

        #[test]
        fn a_record_reads_back_as_it_was(values in prop::collection::vec(0u64..100_000_000_000, 0..50)) {
            let record = of(values).to_record();
            prop_assert_eq!(Latencies::from_record(&record).unwrap().to_record(), record);
        }
    }
}
