//! The parameters that this workload reads, one key each.
//!
//! It must not know their values. Invariant: a key's position is its place in [`Key::ALL`].

macro_rules! keys {
    ($($key:ident $name:literal $(| $alias:literal)*),* $(,)?) => {
        /// A parameter of workload `iot`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(super) enum Key { $($key),* }

        impl Key {
            /// All keys.
            pub(super) const ALL: &[Key] = &[$(Key::$key),*];

            /// The canonical name.
            pub(super) fn name(self) -> &'static str {
                match self { $(Key::$key => $name),* }
            }

            /// The names that iot-benchmark once had for the same value.
            pub(super) fn aliases(self) -> &'static [&'static str] {
                match self { $(Key::$key => &[$($alias),*]),* }
            }
        }
    };
}

keys! {
    DeviceNumber "DEVICE_NUMBER",
    RealInsertRate "REAL_INSERT_RATE",
    SensorNumber "SENSOR_NUMBER",
    GroupNumber "GROUP_NUMBER",
    GroupNamePrefix "GROUP_NAME_PREFIX",
    DeviceNamePrefix "DEVICE_NAME_PREFIX",
    SensorNamePrefix "SENSOR_NAME_PREFIX",
    TagNumber "TAG_NUMBER",
    TagKeyPrefix "TAG_KEY_PREFIX",
    TagValuePrefix "TAG_VALUE_PREFIX",
    TagValueCardinality "TAG_VALUE_CARDINALITY",
    PointStep "POINT_STEP",
    TimestampPrecision "TIMESTAMP_PRECISION",
    StartTime "START_TIME",
    StringLength "STRING_LENGTH",
    DoubleLength "DOUBLE_LENGTH" | "NUMBER_OF_DECIMAL_DIGIT",
    InsertDatatypeProportion "INSERT_DATATYPE_PROPORTION",
    ConstantRatio "CONSTANT_RATIO",
    LineRatio "LINE_RATIO",
    RandomRatio "RANDOM_RATIO",
    SinRatio "SIN_RATIO",
    SquareRatio "SQUARE_RATIO",
    DataSeed "DATA_SEED",
    BatchSizePerWrite "BATCH_SIZE_PER_WRITE" | "BATCH_SIZE",
    IsOutOfOrder "IS_OUT_OF_ORDER" | "IS_OVERFLOW",
    OutOfOrderMode "OUT_OF_ORDER_MODE" | "OVERFLOW_MODE",
    OutOfOrderRatio "OUT_OF_ORDER_RATIO" | "OVERFLOW_RATIO",
    Lambda "LAMBDA",
    MaxK "MAX_K",
    IsRegularFrequency "IS_REGULAR_FREQUENCY",
    Loop "LOOP",
    OperationProportion "OPERATION_PROPORTION",
    IsClientBind "IS_CLIENT_BIND",
    StepSize "STEP_SIZE",
    QuerySensorNum "QUERY_SENSOR_NUM",
    QueryDeviceNum "QUERY_DEVICE_NUM",
    QueryAggregateFun "QUERY_AGGREGATE_FUN",
    QueryInterval "QUERY_INTERVAL",
    QueryLowerValue "QUERY_LOWER_VALUE" | "QUERY_LOWER_LIMIT",
    GroupByTimeUnit "GROUP_BY_TIME_UNIT" | "TIME_UNIT",
    QuerySeed "QUERY_SEED",
    ResultRowLimit "RESULT_ROW_LIMIT",
    EnableFixedQuery "ENABLE_FIXED_QUERY",
}

/// The longest name.
const LONGEST: usize = 32;

/// All names, upper case and sorted, with their keys.
fn names() -> &'static [(&'static str, Key)] {
    static NAMES: std::sync::LazyLock<Vec<(&'static str, Key)>> = std::sync::LazyLock::new(|| {
        let mut names: Vec<_> = Key::ALL
            .iter()
            .flat_map(|key| {
                std::iter::once(key.name()).chain(key.aliases().iter().copied()).map(move |name| (name, *key))
            })
            .collect();
        names.sort_unstable();
        names
    });
    &NAMES
}

/// The key by a name in either case, or by an alias.
pub(super) fn find(name: &str) -> Option<Key> {
    let mut upper = [0u8; LONGEST];
    let upper = upper.get_mut(..name.len())?;
    upper.copy_from_slice(name.as_bytes());
    upper.make_ascii_uppercase();
    let names = names();
    let at = names.binary_search_by(|(known, _)| known.as_bytes().cmp(upper)).ok()?;
    Some(names[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_key_in_either_case() {
        for (name, key) in names() {
            assert!(name.len() <= LONGEST, "{name}");
            assert_eq!(find(name), Some(*key));
            assert_eq!(find(&name.to_lowercase()), Some(*key));
        }
        assert_eq!(find("DEVISE_NUMBER"), None);
        assert_eq!(find(&"X".repeat(99)), None);
    }
}
