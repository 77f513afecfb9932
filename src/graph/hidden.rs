//! Calls that take a value out of reach of the derivative.

use super::elaborate::Elaborator;
use super::rearrange::Call;
use super::value::{Operand, Value};
use crate::diagnostic::Diagnostic;
use crate::ops::{Attr, Framework};

type Read = fn(&mut Elaborator, &Call) -> Result<Option<Value>, Diagnostic>;

/// The calls read here.
pub(super) const READERS: &[(&[&str], Read)] = &[
    (&["item"], |e, call| {
        let x = e.first(call)?;
        let dims = e.dims(x);
        if dims.iter().any(|dim| !dim.is_one()) {
            return Err(call.refuse("item() is of an array of one entry").help("name the entry: x[i]"));
        }
        let attrs = vec![("axis", Attr::Axes((0..dims.len()).collect())), ("keepdims", Attr::Flag(false))];
        let entry = e.made("sum", &[x], attrs, call)?;
        // In PyTorch the number leaves the graph.
        match e.dialect.home() {
            Some(Framework::Torch) => e.hidden(entry, call).map(Some),
            _ => Ok(Some(entry)),
        }
    }),
    (&["detach", "stop_gradient", "lax.stop_gradient"], |e, call| {
        if let Some(given) = call.named(0, &["input", "x"]).filter(|o| !matches!(o.value, Value::Node(_))) {
            return Ok(Some(given.value.clone()));
        }
        let x = e.first(call)?;
        e.hidden(Value::Node(x), call).map(Some)
    }),
];

impl Elaborator<'_> {
    /// A value out of reach of the derivative.
    fn hidden(&mut self, value: Value, call: &Call) -> Result<Value, Diagnostic> {
        if !self.loops.is_empty() {
            let told = call.refuse(&format!("{} is not supported inside a loop of unknown length", call.name));
            return Err(told.help("give the number of turns: then it is read turn by turn"));
        }
        let x = self.node(&Operand { value, span: call.whole })?;
        let note = format!("what {} hides counts as a constant", call.name);
        if !self.program.assumptions.contains(&note) {
            self.program.assumptions.push(note);
        }
        self.made("detach", &[x], Vec::new(), call)
    }
}
