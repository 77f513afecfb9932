//! Calls of linear algebra and statistics that give several values, take lists, or
//! mean one thing or another by the ranks of what they are given.

use super::build::Env;
use super::elaborate::Elaborator;
use super::rearrange::{Call, axis_of};
use super::value::{Operand, Value};
use crate::diagnostic::Diagnostic;
use crate::ops::{Attr, Number};
use crate::shape::Dim;

type Read = fn(&mut Elaborator, &Call) -> Result<Option<Value>, Diagnostic>;

/// The names of what slogdet gives, in order.
const SLOGDET: &[&str] = &["sign", "logabsdet"];

/// The place of a value of slogdet by name.
pub(super) fn part_of_slogdet(name: &str) -> Option<usize> {
    SLOGDET.iter().position(|known| *known == name)
}

/// The calls read here.
pub(super) const READERS: &[(&[&str], Read)] = &[
    (&["slogdet", "linalg.slogdet"], |e, call| {
        let env = Env::new().node("x", e.first(call)?);
        let sign = e.of_text("sign(det(x))", &env, call)?;
        let size = e.of_text("log(abs(det(x)))", &env, call)?;
        Ok(Some(Value::Tuple(vec![sign, size])))
    }),
    (&["multi_dot", "linalg.multi_dot", "chain_matmul"], |e, call| {
        let factors = match call.named(0, &["arrays", "tensors"]) {
            Some(Operand { value: Value::Tuple(items), .. }) => items.clone(),
            _ => call.rest(0),
        };
        let mut factors = factors.into_iter();
        let Some(first) = factors.next() else { return Err(call.refuse("a product needs factors")) };
        factors.try_fold(first, |product, factor| e.both("matmul", product, factor, call)).map(Some)
    }),
    (&["average"], |e, call| {
        let Some(weights) = call.named(2, &["weights"]).filter(|weights| weights.value != Value::Nothing) else {
            return Ok(None);
        };
        let (x, w) = (e.first(call)?, e.node(weights)?);
        let (dims, own) = (e.dims(x), e.dims(w));
        let axis = match call.named(1, &["axis"]).filter(|axis| axis.value != Value::Nothing) {
            Some(_) => Some(axis_of(call.whole_needed(1, &["axis"])?, dims.len(), call)?),
            None => None,
        };
        let env = Env::new().node("x", x).node("w", w);
        let text = match axis {
            None if own == dims => "sum(x * w) / sum(w)",
            Some(0) if dims.len() == 1 && own == dims => "sum(x * w) / sum(w)",
            Some(axis) if own.len() == 1 && dims.get(axis) == own.first() => match (axis, dims.len()) {
                (1, 2) => "x @ w / sum(w)",
                (0, 2) => "w @ x / sum(w)",
                _ => return Err(call.refuse("a weighted average is of a vector or a matrix")),
            },
            _ => return Err(call.refuse("there is one weight for each entry, or for each place of the axis")),
        };
        e.of_text(text, &env, call).map(Some)
    }),
    (&["diff"], |e, call| {
        let x = e.first(call)?;
        let dims = e.dims(x);
        let times = usize::try_from(call.whole_or(1, &["n"], 1)?).ok().filter(|times| *times > 0);
        let times = times.ok_or_else(|| call.refuse("diff is taken a whole number of times"))?;
        let known = |name: &str| ["n", "axis", "dim", "a", "input", "x"].contains(&name);
        if let Some((name, ..)) = call.given.keywords.iter().find(|(name, ..)| !known(name)) {
            return Err(call.refuse(&format!("diff with {name} is not supported")));
        }
        let axis = axis_of(call.whole_or(2, &["axis", "dim"], -1)?, dims.len(), call)?;
        let mut value = Value::Node(x);
        for turn in 1..=times {
            let node = e.node(&Operand { value, span: call.whole })?;
            let length = dims[axis].clone() - Dim::size(turn);
            let later = e.slice(node, axis, Dim::size(1), length.clone(), 1, call)?;
            let before = e.slice(node, axis, Dim::size(0), length, 1, call)?;
            value = e.both("sub", later, before, call)?;
        }
        Ok(Some(value))
    }),
    (&["norm", "linalg.norm", "linalg.vector_norm"], |e, call| {
        // The orders 1 and 2 are operations of their own.
        let Some(Operand { value: Value::Number(p), .. }) = call.named(1, &["ord", "p"]) else { return Ok(None) };
        let plain = *p == Number::ONE || *p == Number::whole(2) || *p == Number::ZERO || p.is_negative();
        let alone = call.given.positional.len() + call.given.keywords.len() == 2;
        if plain || !alone {
            return Ok(None);
        }
        let x = e.first(call)?;
        if e.dims(x).len() != 1 {
            return Ok(None);
        }
        let env = Env::new().node("x", x).node("p", e.program.number(*p));
        let largest = super::constant::infinity("inf") == Some(*p);
        e.of_text(if largest { "amax(abs(x))" } else { "sum(abs(x) ** p) ** (1 / p)" }, &env, call).map(Some)
    }),
    (&["masked_select"], |e, call| {
        let (Some(array), Some(mask)) = (call.named(0, &["input"]), call.named(1, &["mask"])) else {
            return Err(call.refuse("masked_select takes an array and a condition"));
        };
        let (array, mask) = (e.node(array)?, e.node(mask)?);
        match e.is_condition(mask) {
            true => e.picked(array, mask, call.whole).map(Some),
            false => Err(call.refuse("the mask is a condition: x > 0")),
        }
    }),
    (&["cov"], |e, call| {
        let x = e.first(call)?;
        if e.dims(x).len() != 2 {
            return Err(call.refuse("the covariance is of a matrix").help("for a vector write var(x)"));
        }
        let flag = |name: &str| call.named(usize::MAX, &[name]).map(|operand| operand.value.clone());
        let columns = flag("rowvar") == Some(Value::Flag(false));
        let biased = flag("bias") == Some(Value::Flag(true));
        let by = match (call.named(usize::MAX, &["ddof", "correction"]), biased) {
            (Some(_), _) => call.whole_or(usize::MAX, &["ddof", "correction"], 1)?,
            (None, biased) => i64::from(!biased),
        };
        let known = |name: &str| ["rowvar", "bias", "ddof", "correction"].contains(&name);
        if call.given.positional.len() > 1 || call.given.keywords.iter().any(|(name, ..)| !known(name)) {
            return Err(call.refuse("cov takes a matrix, rowvar, bias and ddof"));
        }
        let axis = usize::from(!columns);
        let centred = "x - mean(x, axis, keepdims=True)";
        let n = e.node(&Operand { value: super::fold::size(e.dims(x)[axis].clone()), span: call.whole })?;
        let by = e.program.number(Number::whole(by));
        let mut env = Env::new().node("x", x).node("n", n).node("by", by).attr("axis", Attr::Axes(vec![axis]));
        let centred = e.of_text(centred, &env, call)?;
        env = env.node("z", e.node(&Operand { value: centred, span: call.whole })?);
        e.of_text(if columns { "z.T @ z / (n - by)" } else { "z @ z.T / (n - by)" }, &env, call).map(Some)
    }),
];
