//! The operations that cancellations speak of, and what is known of their values.
//!
//! Everything general about an operation is in its record; here stands only the
//! vocabulary of the named cancellations.

use crate::ops::{OpRef, by_name};

pub const ABS: &str = "abs";
pub const ADJ: &str = "adj";
pub const CONCATENATE: &str = "concatenate";
pub const COS: &str = "cos";
pub const COSH: &str = "cosh";
pub const DIAG: &str = "diag";
pub const DET: &str = "det";
pub const EXP: &str = "exp";
pub const GT: &str = "gt";
pub const INV: &str = "inv";
pub const LOG: &str = "log";
pub const LOGDET: &str = "logdet";
pub const LOGSUMEXP: &str = "logsumexp";
pub const LOG_SOFTMAX: &str = "log_softmax";
pub const LT: &str = "lt";
pub const NE: &str = "ne";
pub const NOT: &str = "logical_not";
pub const ONE_HOT: &str = "one_hot";
pub const PI: &str = "pi";
pub const PLACE: &str = "place";
pub const MAXIMUM: &str = "maximum";
pub const MINIMUM: &str = "minimum";
pub const RELU: &str = "relu";
pub const RESHAPE: &str = "reshape";
pub const SIGMOID: &str = "sigmoid";
pub const SIGN: &str = "sign";
pub const SIN: &str = "sin";
pub const SINH: &str = "sinh";
pub const SLICE: &str = "slice";
pub const SOFTMAX: &str = "softmax";
pub const STD: &str = "std";
pub const STEP: &str = "heaviside";
pub const TAN: &str = "tan";
pub const TANH: &str = "tanh";
pub const TAU: &str = "tau";
pub const VAR: &str = "var";

/// Comparisons: name, the one with sides exchanged, the opposite.
pub const COMPARISONS: &[(&str, &str, &str)] = &[
    ("gt", "lt", "le"),
    ("lt", "gt", "ge"),
    ("ge", "le", "lt"),
    ("le", "ge", "gt"),
    ("eq", "eq", "ne"),
    ("ne", "ne", "eq"),
];

/// Operations whose value is above 0 wherever they are used.
pub const POSITIVE: &[&str] = &["exp", "sigmoid", "softmax", "softplus", "norm", "cosh", TAU, PI];

/// Operations with f(−u) = −f(u).
pub const ODD: &[&str] = &[SIGN, SIN, SINH, TAN, TANH, "arcsin", "arctan", "arcsinh", "arctanh", "erf", "cbrt"];

/// Operations with f(−u) = f(u).
pub const EVEN: &[&str] = &[ABS, COS, COSH];

/// Operations whose value is nowhere below 0.
pub const NONNEGATIVE: &[&str] = &[ABS, RELU, "sqrt", "square", "std", "std_unbiased", "var", "var_unbiased"];

/// Is this a comparison, 0 or 1 in every entry?
pub fn comparison(op: OpRef) -> Option<&'static (&'static str, &'static str, &'static str)> {
    COMPARISONS.iter().find(|(name, _, _)| *name == op.name)
}

/// Is its value 0 or 1 in every entry?
pub fn is_mask(op: OpRef) -> bool {
    op.name == NOT || comparison(op).is_some()
}

/// The record of a word.
pub fn word(name: &str) -> Option<OpRef> {
    by_name(name)
}
