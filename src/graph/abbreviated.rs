//! Calls that stand for an expression, read as that expression.

use super::arguments::{default, missing_attribute, slots, wrong_arity};
use super::build::{Bound, Env, build};
use super::elaborate::Elaborator;
use super::rearrange::Call;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind};
use crate::ops::{self, Abbreviation, Number, ParamKind, Preset};

impl Elaborator<'_> {
    /// Reads a call that abbreviates an expression, if it is one.
    pub fn abbreviated(&mut self, call: &Call) -> Result<Option<Value>, Diagnostic> {
        let meant = ops::abbreviations(call.name, call.framework).find(|a| {
            a.given.iter().all(|(name, value)| value.fits(given(a, name, call).and_then(|o| o.value.preset())))
        });
        match meant {
            Some(abbreviation) => self.expression_of(abbreviation, call).map(Some),
            None => Ok(None),
        }
    }

    fn expression_of(&mut self, meant: &'static Abbreviation, call: &Call) -> Result<Value, Diagnostic> {
        for (name, value) in meant.fixed {
            let Some(operand) = given(meant, name, call) else { continue };
            let same = match operand.value.preset() {
                Some(Preset::Absent) => true,
                found => value.fits(found),
            };
            if !same {
                let message = format!("{} with this {name} is not supported", call.name);
                return Err(Diagnostic::at(Kind::BadArgument, operand.span, message));
            }
        }
        let positional = call.given.positional.clone();
        let copy = super::callee::Given { positional, keywords: call.given.keywords.clone() };
        let mut slots = slots(meant.params, &[], copy, call.name, call.whole)?;
        // `None` is the same as nothing.
        slots.iter_mut().for_each(|slot| *slot = slot.take().filter(|operand| operand.value != Value::Nothing));
        let (mut env, mut rank, mut reduction) = (Env::new(), None, None);
        for (param, slot) in meant.params.iter().zip(&slots) {
            let bound = match (slot, param.kind) {
                (Some(operand), _) if param.is_array() => {
                    let node = self.node(operand)?;
                    rank = rank.or(Some(self.program.shape(node).rank()));
                    Bound::Node(node)
                }
                (None, ParamKind::ArrayOr(rest)) => {
                    Bound::Node(self.program.number(Number::parse(rest).unwrap_or(Number::ZERO)))
                }
                (None, _) if param.is_array() => return Err(wrong_arity(meant.params, &slots, call.name, call.whole)),
                (Some(operand), ParamKind::Text(_)) if meant.reduces && param.name == "reduction" => {
                    reduction = Some(operand.clone());
                    continue;
                }
                (Some(operand), _) => Bound::Attr(self.attribute_value(param, operand.clone(), rank.unwrap_or(0))?),
                (None, _) => {
                    let rank = rank.unwrap_or(0);
                    let attr = default(param, None, rank);
                    Bound::Attr(attr.ok_or_else(|| missing_attribute(param, call.name, rank, call.whole))?)
                }
            };
            env.bind(param.name, bound);
        }
        let text = if meant.reduces { reduced(meant.text, reduction.as_ref(), call)? } else { meant.text.to_string() };
        let told = |told: Diagnostic| Diagnostic { span: Some(call.whole), labels: Vec::new(), ..told };
        let node = build(self.program, &text, &env).map_err(told)?;
        if !matches!(self.program.node(node).kind, super::program::Kind::Input(_)) {
            self.program.place(node, call.whole);
        }
        Ok(Value::Node(node))
    }
}

/// What the call gives for a parameter.
fn given<'c>(meant: &Abbreviation, name: &str, call: &'c Call) -> Option<&'c Operand> {
    let at = meant.params.iter().position(|param| param.name == name)?;
    let words: Vec<&str> = meant.params[at].aliases.iter().copied().chain([name]).collect();
    call.named(at, &words)
}

/// The text as the loss that `reduction` makes of its entries.
fn reduced(text: &str, reduction: Option<&Operand>, call: &Call) -> Result<String, Diagnostic> {
    let word = match reduction.map(|operand| &operand.value) {
        None => "mean",
        Some(Value::Text(word)) => word,
        Some(_) => "",
    };
    match word {
        "mean" => Ok(format!("mean({text})")),
        "sum" => Ok(format!("sum({text})")),
        "none" => Ok(text.to_string()),
        _ => {
            let span = reduction.map_or(call.whole, |operand| operand.span);
            Err(Diagnostic::at(Kind::BadArgument, span, "reduction is 'mean', 'sum' or 'none'"))
        }
    }
}
