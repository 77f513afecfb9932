//! Numbers that modules hold.

use super::value::Value;
use crate::ops::Number;

/// Names and their digits.
const CONSTANTS: &[(&str, &str)] =
    &[("pi", "3.14159265358979323846264338327950288"), ("e", "2.71828182845904523536028747135266250")];

/// The number called `path`: `math.pi`, `torch.pi`, `np.e`.
pub(super) fn named(path: &str) -> Option<Value> {
    let (module, name) = path.rsplit_once('.')?;
    if module.contains('.') && module != "jax.numpy" {
        return None;
    }
    let (_, digits) = CONSTANTS.iter().find(|(known, _)| *known == name)?;
    Number::parse(digits).map(Value::Number)
}

/// A number that stands for an infinite one: `-inf` as a word, `math.inf`.
pub(super) fn infinity(text: &str) -> Option<Number> {
    let bare = text.trim_start_matches('-');
    let large =
        matches!(bare, "inf" | "Infinity" | "infinity" | "torch.inf" | "math.inf" | "numpy.inf" | "jax.numpy.inf");
    let number = Number::parse("1e30").filter(|_| large)?;
    Some(if text.starts_with('-') { number.negated() } else { number })
}
