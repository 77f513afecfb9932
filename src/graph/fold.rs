//! Arithmetic that needs no node: numbers, sizes and neutral elements.

use super::program::{NodeId, Program};
use super::value::Value;
use crate::ops::Number;
use crate::shape::{Dim, Unknowns};

/// `a op b` where both are known numbers or sizes and the result is one.
pub(super) fn constants(op: &str, a: &Value, b: &Value) -> Option<Value> {
    if let (Value::Number(a), Value::Number(b)) = (a, b) {
        let folded = match op {
            "add" => a.plus(*b),
            "sub" => a.plus(b.negated()),
            "mul" => a.times(*b),
            "div" => a.over(*b),
            "floordiv" => a.over(*b).and_then(|q| {
                let whole = q.numerator().div_euclid(q.denominator());
                i64::try_from(whole).ok().map(Number::whole)
            }),
            "power" => b.as_whole().and_then(|n| a.power(n)),
            _ => None,
        };
        return folded.map(Value::Number);
    }
    let (a, b) = (a.dim()?, b.dim()?);
    let folded = match op {
        "add" => Some(a + b),
        "sub" => Some(a - b),
        "mul" => Some(a * b),
        "div" => a.divided_by(&b),
        "floordiv" => a.divided_by(&b).or_else(|| a.floor_divided_by(b.as_size()?)),
        _ => None,
    };
    folded.map(size)
}

/// A dimension as a number, an exact one where it is fixed.
pub(super) fn size(dim: Dim) -> Value {
    match dim.as_size().and_then(|n| i64::try_from(n).ok()) {
        Some(n) => Value::Number(Number::whole(n)),
        None => Value::Size(dim),
    }
}

/// `a op b` where one side is neutral, in rules: 1 · x = x, x + 0 = x, x¹ = x,
/// and where the shape stays what it is, 0 · x = 0 and x⁰ = 1.
pub(super) fn neutral(program: &Program, op: &str, a: &Value, b: &Value) -> Option<Value> {
    let (one, zero) = (number_is(Number::ONE), number_is(Number::ZERO));
    let keeps = |kept: &Value, dropped: &Value| covers(program, kept, dropped).then(|| kept.clone());
    match op {
        "mul" if one(a) => Some(b.clone()),
        "mul" | "div" if one(b) => Some(a.clone()),
        "mul" if zero(a) && is_scalar(program, b) || zero(b) && is_scalar(program, a) => {
            Some(Value::Number(Number::ZERO))
        }
        "div" if zero(a) && is_scalar(program, b) => Some(Value::Number(Number::ZERO)),
        "add" if is_zero(program, a) && covers(program, b, a) => Some(b.clone()),
        "add" | "sub" if is_zero(program, b) => keeps(a, b),
        "power" if one(b) => Some(a.clone()),
        "power" if zero(b) && is_scalar(program, a) => Some(Value::Number(Number::ONE)),
        _ => None,
    }
}

fn number_is(number: Number) -> impl Fn(&Value) -> bool {
    move |value| matches!(value, Value::Number(n) if *n == number)
}

/// Is every entry 0: the number, or its product with an array?
fn is_zero(program: &Program, value: &Value) -> bool {
    match value {
        Value::Number(number) => *number == Number::ZERO,
        Value::Node(node) => is_zero_node(program, *node),
        _ => false,
    }
}

fn is_zero_node(program: &Program, node: NodeId) -> bool {
    let factors = program.op(node).filter(|(op, _)| op.name == "mul").map(|_| &program.node(node).args);
    factors.is_some_and(|args| args.iter().any(|arg| program.number_of(*arg) == Some(Number::ZERO)))
}

fn is_scalar(program: &Program, value: &Value) -> bool {
    match value {
        Value::Node(node) => program.shape(*node).rank() == 0,
        Value::Number(_) | Value::Size(_) => true,
        _ => false,
    }
}

/// Has `kept` the shape of the two used elementwise together?
fn covers(program: &Program, kept: &Value, dropped: &Value) -> bool {
    if is_scalar(program, dropped) {
        return true;
    }
    let (Value::Node(kept), Value::Node(dropped)) = (kept, dropped) else { return false };
    let (kept, dropped) = (program.shape(*kept), program.shape(*dropped));
    let named = kept.0.iter().chain(&dropped.0).all(|dim| !dim.names().any(|name| name.starts_with('?')));
    named && Unknowns::default().broadcast(kept, dropped).as_ref() == Some(kept)
}
