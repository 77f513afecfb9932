//! Exact numbers: a decimal literal is the exact decimal.

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, ToPrimitive};
use std::fmt;

/// A rational number with 128-bit parts. Arithmetic that would not fit gives `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(Ratio<i128>);

impl Number {
    /// 0.
    pub const ZERO: Number = Number(Ratio::new_raw(0, 1));
    /// 1.
    pub const ONE: Number = Number(Ratio::new_raw(1, 1));

    /// What stands for ∞: 1e30, which a softmax takes to 0 just the same, and 1 more, by which
    /// it is told from a 1e30 that somebody wrote; as a double it is the same.
    pub const INFINITE: Number = Number(Ratio::new_raw(10i128.pow(30) + 1, 1));

    /// Does it stand for ∞ or −∞?
    pub fn is_infinite(self) -> bool {
        self.abs() == Number::INFINITE
    }

    /// A whole number.
    pub fn whole(n: i64) -> Number {
        Number(Ratio::from_integer(i128::from(n)))
    }

    /// A fraction; `None` if the denominator is 0.
    pub fn ratio(numerator: i128, denominator: i128) -> Option<Number> {
        (denominator != 0).then(|| Number(Ratio::new(numerator, denominator)))
    }

    /// The number a Python literal stands for: digits, `_`, `.`, an exponent.
    /// `None` if it is malformed or does not fit.
    pub fn parse(text: &str) -> Option<Number> {
        let text = text.replace('_', "").to_ascii_lowercase();
        let (mantissa, exponent) = match text.split_once('e') {
            Some((mantissa, exponent)) => (mantissa.to_string(), exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((&mantissa, ""));
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        let shift = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        let power = 10i128.checked_pow(shift.unsigned_abs())?;
        if shift < 0 {
            Number::ratio(digits, power)
        } else {
            Some(Number(Ratio::from_integer(digits.checked_mul(power)?)))
        }
    }

    /// The numerator, in lowest terms; it carries the sign.
    pub fn numerator(self) -> i128 {
        *self.0.numer()
    }

    /// The denominator, in lowest terms, positive.
    pub fn denominator(self) -> i128 {
        *self.0.denom()
    }

    /// The nearest double.
    pub fn value(self) -> f64 {
        // Both parts of a decimal literal are exact doubles far more often than
        // their quotient: one division then rounds correctly.
        match (self.numerator().to_f64(), self.denominator().to_f64()) {
            (Some(n), Some(d)) => n / d,
            _ => f64::NAN,
        }
    }

    /// The whole number, if it is one.
    pub fn as_whole(self) -> Option<i64> {
        self.0.is_integer().then(|| i64::try_from(self.numerator()).ok()).flatten()
    }

    /// Is it below 0?
    pub fn is_negative(self) -> bool {
        self.numerator() < 0
    }

    /// Its size without its sign.
    pub fn abs(self) -> Number {
        if self.is_negative() { self.negated() } else { self }
    }

    /// With the other sign.
    pub fn negated(self) -> Number {
        Number(Ratio::new_raw(self.numerator().wrapping_neg(), self.denominator()))
    }

    /// The sum, if it fits.
    pub fn plus(self, other: Number) -> Option<Number> {
        self.0.checked_add(&other.0).map(Number)
    }

    /// The product, if it fits.
    pub fn times(self, other: Number) -> Option<Number> {
        self.0.checked_mul(&other.0).map(Number)
    }

    /// The quotient, if it fits and `other` is not 0.
    pub fn over(self, other: Number) -> Option<Number> {
        if other == Number::ZERO { None } else { self.0.checked_div(&other.0).map(Number) }
    }

    /// A whole power, if it fits (0 to a negative power does not).
    pub fn power(self, exponent: i64) -> Option<Number> {
        let size = u32::try_from(exponent.unsigned_abs()).ok()?;
        let (n, d) = (self.numerator().checked_pow(size)?, self.denominator().checked_pow(size)?);
        if exponent < 0 { Number::ratio(d, n) } else { Number::ratio(n, d) }
    }
}

impl fmt::Display for Number {
    /// A terminating decimal as a decimal (`0.044715`), halves and thirds as
    /// fractions (`1/3`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, d) = (self.numerator(), self.denominator());
        if d == 1 {
            let zeros = (1..=38).take_while(|k| n != 0 && n % 10i128.pow(*k) == 0).count();
            // A long row of zeros is counted.
            return if zeros > 8 { write!(f, "{}e{zeros}", n / 10i128.pow(zeros as u32)) } else { write!(f, "{n}") };
        }
        let (mut rest, mut places) = (d, 0usize);
        while rest % 10 == 0 {
            (rest, places) = (rest / 10, places + 1);
        }
        let (mut twos, mut fives) = (0usize, 0usize);
        while rest % 2 == 0 {
            (rest, twos) = (rest / 2, twos + 1);
        }
        while rest % 5 == 0 {
            (rest, fives) = (rest / 5, fives + 1);
        }
        places += twos.max(fives);
        let scaled = u32::try_from(places).ok().and_then(|p| 10i128.checked_pow(p)).and_then(|p| n.checked_mul(p / d));
        match scaled {
            Some(digits) if rest == 1 && (d > 8 || places > 2) => {
                let sign = if n < 0 { "-" } else { "" };
                let digits = format!("{:0width$}", digits.unsigned_abs(), width = places + 1);
                let (whole, fraction) = digits.split_at(digits.len() - places);
                write!(f, "{sign}{whole}.{fraction}")
            }
            _ => write!(f, "{n}/{d}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn literals_are_exact_and_print_as_written() {
        let table = [
            ("0.044715", "0.044715"),
            ("2", "2"),
            ("2.0", "2"),
            ("0.5", "1/2"),
            ("1e-5", "0.00001"),
            ("1_000", "1000"),
            ("0.2", "1/5"),
            ("0.01", "0.01"),
            ("-1e30", "-1e30"),
            ("100000", "100000"),
        ];
        for (text, printed) in table {
            assert_eq!(Number::parse(text).unwrap().to_string(), printed, "{text}");
        }
        assert_eq!(Number::parse("1.2.3"), None);
        assert_eq!(Number::parse("0.1").unwrap().value(), 0.1);
    }
}
