//! Student's t and the normal distribution: their probabilities and quantiles.
//!
//! They must not know what is compared. Invariant: a quantile's probability is the one asked for, within 1e-12.

/// Degrees of freedom from which on Student's t is the normal distribution, for our purposes.
const NORMAL_FROM: f64 = 1e7;

/// The probability that a Student's t variable with `df` degrees of freedom (above 0, perhaps infinite) is at most `t`.
pub fn t_probability(t: f64, df: f64) -> f64 {
    if df >= NORMAL_FROM {
        return normal_probability(t);
    }
    let tail = 0.5 * incomplete_beta(df / (df + t * t), df / 2.0, 0.5);
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The value that a Student's t variable with `df` degrees of freedom exceeds with probability `1 - p`; `p` between 0 and 1.
pub fn t_quantile(p: f64, df: f64) -> f64 {
    if p < 0.5 {
        return -t_quantile(1.0 - p, df);
    }
    let mut high = 1.0;
    while t_probability(high, df) < p && high < 1e12 {
        high *= 2.0;
    }
    let mut low = 0.0;
    // Bisection: 80 halvings reach the last bit, whatever the tail looks like.
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if t_probability(middle, df) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The probability that a standard normal variable is at most `x`.
pub fn normal_probability(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x.abs() > 6.0 {
        // Beyond six, the first terms of the tail's asymptotic series are exact to double precision of the whole.
        let tail = density / x.abs() * (1.0 - 1.0 / (x * x) + 3.0 / x.powi(4));
        return if x > 0.0 { 1.0 - tail } else { tail };
    }
    let (mut term, mut sum, mut k) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        k += 2.0;
        term *= x * x / k;
        sum += term;
    }
    0.5 + density * sum
}

/// The regularised incomplete beta function, by Lentz's continued fraction.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    // The fraction converges fast on one side only; the other is its mirror.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    }
}

fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let guard = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..100_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

/// The logarithm of the gamma function, by Lanczos's approximation (g = 7, nine terms).
fn ln_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let mut sum = COEFFICIENTS[0];
    for (index, coefficient) in COEFFICIENTS.iter().enumerate().skip(1) {
        sum += coefficient / (x + index as f64);
    }
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        // Two-sided 95 %, as every table of Student's t prints them.
        let known = [
            (1.0, 12.706_204_736),
            (2.0, 4.302_652_730),
            (3.0, 3.182_446_305),
            (4.0, 2.776_445_105),
            (5.0, 2.570_581_836),
            (9.0, 2.262_157_163),
            (19.0, 2.093_024_054),
            (29.0, 2.045_229_642),
            (100.0, 1.983_971_519),
            (1_000.0, 1.962_339_081),
            (f64::INFINITY, 1.959_963_985),
        ];
        for (df, t) in known {
            assert!((t_quantile(0.975, df) - t).abs() < 2e-9, "df {df}: {} is not {t}", t_quantile(0.975, df));
            assert!((t_quantile(0.025, df) + t).abs() < 2e-9);
        }
    }

    #[test]
    fn other_levels_hold_too() {
        assert!((t_quantile(0.95, 7.0) - 1.894_578_605).abs() < 2e-9);
        assert!((t_quantile(0.995, 3.0) - 5.840_909_310).abs() < 2e-9);
        assert!(t_quantile(0.5, 4.0).abs() < 1e-12);
    }

    #[test]
    fn the_normal_distribution_is_the_limit() {
        assert!((normal_probability(1.0) - 0.841_344_746_068_542_9).abs() < 1e-15);
        assert!((normal_probability(-2.0) - 0.022_750_131_948_179_2).abs() < 1e-15);
        assert!(normal_probability(-9.0) > 0.0 && normal_probability(9.0) <= 1.0);
        assert!((t_probability(1.5, 9e6) - normal_probability(1.5)).abs() < 1e-7);
    }
}
