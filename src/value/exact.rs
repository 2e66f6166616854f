//! Exact fractions: decimals and divisions lose nothing until they are printed.
//!
//! They must not know units. Invariant: the denominator is positive and shares no factor with the numerator.

use std::cmp::Ordering;
use std::fmt;

/// An exact fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    numerator: i128,
    denominator: i128,
}

impl Exact {
    /// Zero.
    pub const ZERO: Exact = Exact::whole(0);

    /// A whole number.
    pub const fn whole(value: i128) -> Self {
        Exact { numerator: value, denominator: 1 }
    }

    /// A fraction; none where the denominator is 0 or a number grows too large.
    pub fn fraction(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 1 {
            return Some(Exact::whole(numerator));
        }
        if denominator == 0 {
            return None;
        }
        let common = common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
        let common = i128::try_from(common).ok()?;
        let sign = denominator.signum();
        Some(Exact {
            numerator: (numerator / common).checked_mul(sign)?,
            denominator: (denominator / common).checked_mul(sign)?,
        })
    }

    /// The sum; none where it grows too large.
    pub fn plus(self, other: Exact) -> Option<Exact> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Exact::fraction(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The difference; none where it grows too large.
    pub fn minus(self, other: Exact) -> Option<Exact> {
        self.plus(Exact { numerator: other.numerator.checked_neg()?, denominator: other.denominator })
    }

    /// The product; none where it grows too large.
    pub fn times(self, other: Exact) -> Option<Exact> {
        Exact::fraction(self.numerator.checked_mul(other.numerator)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The quotient; none for a division by 0 or where it grows too large.
    pub fn over(self, other: Exact) -> Option<Exact> {
        Exact::fraction(self.numerator.checked_mul(other.denominator)?, self.denominator.checked_mul(other.numerator)?)
    }

    /// The next whole number towards minus infinity.
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// The next whole number towards plus infinity.
    pub fn ceiling(self) -> i128 {
        self.floor() + i128::from(!self.is_whole())
    }

    /// The nearest whole number; halves go away from 0.
    pub fn round(self) -> i128 {
        let rest = self.numerator.unsigned_abs() % self.denominator.unsigned_abs();
        let up = i128::from(rest >= self.denominator.unsigned_abs() - rest);
        self.numerator / self.denominator + up * self.numerator.signum()
    }

    /// Whether it is a whole number.
    pub fn is_whole(self) -> bool {
        self.denominator == 1
    }

    /// The whole number, where it is one.
    pub fn as_whole(self) -> Option<i128> {
        self.is_whole().then_some(self.numerator)
    }

    /// Whether it is below 0.
    pub fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// The nearest float.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The digits after the point that print it exactly; none where they would not end.
    fn decimals(self) -> Option<u32> {
        let (mut rest, mut twos, mut fives) = (self.denominator, 0, 0);
        while rest % 2 == 0 {
            (rest, twos) = (rest / 2, twos + 1);
        }
        while rest % 5 == 0 {
            (rest, fives) = (rest / 5, fives + 1);
        }
        (rest == 1).then_some(std::cmp::max(twos, fives))
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.numerator.checked_mul(other.denominator), other.numerator.checked_mul(self.denominator)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => self.as_f64().total_cmp(&other.as_f64()),
        }
    }
}

/// Whole numbers without a point, ending decimals exactly, the others as the nearest float prints.
impl fmt::Display for Exact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_whole() {
            return write!(formatter, "{}", self.numerator);
        }
        let exact = self.decimals().filter(|digits| *digits <= 30).and_then(|digits| {
            let scaled = self.numerator.checked_mul(10_i128.checked_pow(digits)?)? / self.denominator;
            Some((digits as usize, scaled))
        });
        let Some((digits, scaled)) = exact else { return write!(formatter, "{}", self.as_f64()) };
        let sign = if scaled < 0 { "-" } else { "" };
        let text = format!("{:0width$}", scaled.unsigned_abs(), width = digits + 1);
        let (whole, part) = text.split_at(text.len() - digits);
        write!(formatter, "{sign}{whole}.{part}")
    }
}

fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    // Almost all numbers fit in 64 bits, where the remainder is an instruction and no call.
    while b != 0 {
        if let (Ok(small_a), Ok(small_b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(common_divisor_64(small_a, small_b));
        }
        (a, b) = (b, a % b);
    }
    a.max(1)
}

fn common_divisor_64(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::Exact;

    #[test]
    fn decimals_stay_exact() {
        let tenth = Exact::fraction(1, 10).unwrap();
        let fifth = Exact::fraction(1, 5).unwrap();
        assert_eq!(tenth.plus(fifth).unwrap().to_string(), "0.3");
        assert_eq!(Exact::fraction(-1, 8).unwrap().to_string(), "-0.125");
        assert_eq!(Exact::fraction(10, 3).unwrap().to_string(), "3.3333333333333335");
        assert_eq!(Exact::fraction(10, -5).unwrap().to_string(), "-2");
        assert_eq!(Exact::fraction(1, 0), None);
    }

    #[test]
    fn rounding_goes_away_from_zero_at_halves() {
        let half = |n| Exact::fraction(n, 2).unwrap();
        assert_eq!([half(3).round(), half(-3).round(), half(5).round()], [2, -2, 3]);
        assert_eq!([half(3).floor(), half(-3).floor(), half(3).ceiling(), half(-3).ceiling()], [1, -2, 2, -1]);
        assert_eq!(Exact::fraction(1, 3).unwrap().round(), 0);
    }

    #[test]
    fn order_is_that_of_the_numbers() {
        assert!(Exact::fraction(1, 3).unwrap() < Exact::fraction(34, 100).unwrap());
        assert!(Exact::whole(-2) < Exact::ZERO);
        assert!(Exact::whole(i128::MAX) > Exact::fraction(1, 3).unwrap());
    }
}
