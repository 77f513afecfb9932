//! Numbers that modules hold.

use super::elaborate::Elaborator;
use super::value::Value;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::Span;
use crate::ops::{Attrs, Number, by_name};

/// The digits of e.
const E: &str = "2.71828182845904523536028747135266250";

impl Elaborator<'_> {
    /// The number called `path`, if it is one: `math.pi` and `math.tau`, which are
    /// operations without arguments, `np.e`.
    pub(super) fn number_named(&mut self, path: &str, span: Span) -> Result<Option<Value>, Diagnostic> {
        let Some((module, name)) = path.rsplit_once('.') else { return Ok(None) };
        if module.contains('.') && module != "jax.numpy" {
            return Ok(None);
        }
        match (name, by_name(name)) {
            ("e", _) => Ok(Number::parse(E).map(Value::Number)),
            ("pi" | "tau", Some(op)) => {
                self.apply(op, &[], Attrs::default(), span, span).map(|node| Some(Value::Node(node)))
            }
            _ => Ok(None),
        }
    }
}

/// A number that stands for an infinite one: `-inf` as a word, `math.inf`.
pub(super) fn infinity(text: &str) -> Option<Number> {
    let bare = text.trim_start_matches('-');
    let large =
        matches!(bare, "inf" | "Infinity" | "infinity" | "torch.inf" | "math.inf" | "numpy.inf" | "jax.numpy.inf");
    let number = if text.starts_with('-') { Number::INFINITE.negated() } else { Number::INFINITE };
    Some(number).filter(|_| large)
}
