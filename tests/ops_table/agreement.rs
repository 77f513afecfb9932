//! Rules against differences; definitions and lowerings against values.

use crate::cases::{Case, cases, gap, sizes, sizes_of};
use chainrule::array::{Array, contract};
use chainrule::derive::rules;
use chainrule::evaluate::{Inputs, evaluate, infinite_slope, points};
use chainrule::graph::{Env, NodeId, build};
use chainrule::ops::{self, Axes, Lower, Op, OpRef, Rule};

/// Does the rule of the operation agree with central differences of its value,
/// in every case and for every set of moving arguments? The first disagreement if not.
pub fn rule_agrees(op: OpRef) -> Result<usize, String> {
    let mut compared = 0;
    for case in cases(op) {
        let count = case.args.len();
        let movable: Vec<usize> = (0..count).filter(|i| case.moves(*i)).collect();
        let alone = movable.iter().map(|i| vec![*i]);
        for moving in alone.chain((movable.len() > 1).then(|| movable.clone())) {
            compared += usize::from(compare(&case, &moving, false)?);
        }
        // At 0 exactly, the first argument at rest: what a step holds there moves.
        if op.kink.is_some() && count > 1 {
            compare(&case, &(1..count).collect::<Vec<_>>(), true)?;
        }
    }
    Ok(compared)
}

/// One comparison; false if no point was found on which it can be made.
fn compare(case: &Case, moving: &[usize], first_at_zero: bool) -> Result<bool, String> {
    let says = format!("{}, moving {moving:?}", case.says);
    for attempt in 0..20 {
        let mut at = case.point(attempt);
        if first_at_zero {
            at.set(case.args[0], Array::filled(&sizes_of(&case.program, case.args[0]), 0.0));
        }
        let directions: Vec<(NodeId, Array)> = moving
            .iter()
            .map(|i| (case.args[*i], points::direction(&sizes_of(&case.program, case.args[*i]), &case.says, 7 + i)))
            .collect();
        let Some((quotient, error)) = difference_quotient(case, &at, &directions) else { continue };
        let mut program = case.program.clone();
        let moves = |node: NodeId| directions.iter().any(|(arg, _)| *arg == node);
        let local =
            rules::local(&mut program, case.program.output, &moves).map_err(|told| format!("{says}: {told}"))?;
        directions.iter().for_each(|(arg, v)| at.set_hole(*arg, v.clone()));
        let values = evaluate(&program, &[local], &at).map_err(|told| format!("{says}: {told}"))?;
        let found =
            values.get(local).broadcast_to(quotient.sizes()).ok_or(format!("{says}: the rule has another shape"))?;
        let scale = quotient.max_abs().max(1e-3);
        let allowed = 1e-8 * scale + 3.0 * error;
        if error > 1e-5 * scale {
            continue;
        }
        let apart = gap(&found, &quotient);
        if apart <= allowed {
            return Ok(true);
        }
        return Err(format!("{says}: rule {:?}, differences {:?}", found.data(), quotient.data()));
    }
    Ok(false)
}

/// The derivative of the value along the directions, by fourth-order differences
/// at two step sizes, and how far these are apart; `None` where the value is not
/// finite or steep, or a kink lies between the points.
fn difference_quotient(case: &Case, at: &Inputs, directions: &[(NodeId, Array)]) -> Option<(Array, f64)> {
    let signs = case.signs(at);
    if infinite_slope(&case.program, &case.values(at)).is_some() {
        return None;
    }
    let value = |step: f64| {
        let mut moved = at.clone();
        for (arg, v) in directions {
            moved.set(*arg, at.get(*arg)?.zip(v, |x, v| x + step * v)?);
        }
        let value = case.value(&moved);
        (case.signs(&moved) == signs && value.max_abs() < 100.0).then_some(value)
    };
    let quotient = |h: f64| {
        let near = value(h)?.zip(&value(-h)?, |a, b| (a - b) * 8.0)?;
        let far = value(2.0 * h)?.zip(&value(-2.0 * h)?, |a, b| a - b)?;
        near.zip(&far, |near, far| (near - far) / (12.0 * h))
    };
    let (coarse, fine) = (quotient(2e-3)?, quotient(1e-3)?);
    Some((fine.clone(), gap(&coarse, &fine)))
}

#[test]
fn rules_agree_with_differences() {
    let told: Vec<String> = ops::all()
        .filter(|op| !matches!(op.rule, Rule::Refused(_) | Rule::Held))
        .filter_map(|op| match rule_agrees(op) {
            Ok(0) if op.params.iter().any(|p| p.is_array() && !matches!(p.kind, ops::ParamKind::Index)) => {
                Some(format!("{}: never compared", op.name))
            }
            Ok(_) => None,
            Err(told) => Some(told),
        })
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// The value of a text over the case's arguments and attributes.
fn value_of_text(case: &Case, text: &str, at: &Inputs) -> Array {
    let mut program = case.program.clone();
    let mut env = Env::new();
    for (param, arg) in case.op.params.iter().filter(|param| param.is_array()).zip(&case.args) {
        env = env.node(param.name, *arg);
    }
    for (name, attr) in &case.attrs.0 {
        env = env.attr(name, attr.clone());
    }
    let node = build(&mut program, text, &env).unwrap_or_else(|told| panic!("{}: {text}: {told}", case.says));
    assert_eq!(sizes_of(&program, node), sizes_of(&program, case.program.output), "{}: {text}", case.says);
    evaluate(&program, &[node], at).unwrap_or_else(|told| panic!("{}: {told}", case.says)).get(node).clone()
}

fn assert_same(case: &Case, what: &str, found: &Array, value: &Array) {
    let scale = value.max_abs().max(1.0);
    assert!(gap(found, value) <= 1e-12 * scale, "{}: {what}: {:?} is not {:?}", case.says, found.data(), value.data());
}

/// A point of the domain at which the value is finite.
fn finite_point(case: &Case) -> Option<(Inputs, Array)> {
    let points = (0..20).map(|attempt| case.point(attempt)).map(|at| (case.value(&at), at));
    points.filter(|(value, _)| value.max_abs() < 100.0).map(|(value, at)| (at, value)).next()
}

#[test]
fn definitions_and_lowerings_agree_with_values() {
    for op in ops::all() {
        for case in cases(op) {
            let Some((at, value)) = finite_point(&case) else { continue };
            if let Some(text) = op.definition {
                assert_same(&case, text, &value_of_text(&case, text, &at), &value);
            }
            match op.lower {
                Lower::As(text) => assert_same(&case, text, &value_of_text(&case, text, &at), &value),
                Lower::Labels(labels) => {
                    let shapes: Vec<_> = case.args.iter().map(|arg| case.program.shape(*arg)).collect();
                    let labels = labels(&shapes, &case.attrs);
                    let args: Vec<_> = case.args.iter().filter_map(|arg| at.get(*arg)).collect();
                    let pairs: Vec<_> = args.iter().copied().zip(labels.args.iter().map(Vec::as_slice)).collect();
                    let found = contract(&pairs, &labels.out, value.sizes()).unwrap();
                    let size = |label: &u8| labels.args[0].iter().position(|l| l == label).map(|i| args[0].sizes()[i]);
                    let count: usize = labels.divide.iter().filter_map(size).product();
                    assert_same(&case, "labels", &found.map(|x| x / count as f64), &value);
                }
                Lower::Sum(_) | Lower::Power | Lower::Atom | Lower::Linear { .. } => {}
            }
        }
    }
}

#[test]
fn values_are_finite_in_the_domain() {
    for op in ops::all().filter(|op| op.axes == Axes::Elementwise) {
        for case in cases(op) {
            let value = case.value(&case.point(0));
            assert!(value.data().iter().all(|x| x.is_finite()), "{}", case.says);
        }
    }
}

#[test]
fn entries_apart_stay_apart() {
    for op in ops::all().filter(|op| op.params.iter().filter(|param| param.is_array()).count() == 1) {
        for case in cases(op) {
            let Some((at, value)) = finite_point(&case) else { continue };
            let x = at.get(case.args[0]).unwrap();
            let mixed: Vec<usize> = match op.axes {
                Axes::Elementwise => Vec::new(),
                Axes::ButAxis => case.attrs.axes().to_vec(),
                Axes::ButLast => vec![x.rank() - 1],
                Axes::Labels | Axes::Mixed => continue,
            };
            let kept = |indices: Vec<usize>, rank: usize| -> Vec<usize> {
                let here = |axis: &usize| rank < x.rank() || !mixed.contains(axis);
                indices.iter().enumerate().filter(|(axis, _)| here(axis)).map(|(_, index)| *index).collect()
            };
            for moved in 0..x.data().len() {
                let mut shifted = x.clone();
                shifted.data_mut()[moved] += 0.01;
                let apart: Vec<usize> = x
                    .indices(moved)
                    .iter()
                    .enumerate()
                    .filter(|(axis, _)| !mixed.contains(axis))
                    .map(|(_, i)| *i)
                    .collect();
                let mut inputs = at.clone();
                inputs.set(case.args[0], shifted);
                let other = case.value(&inputs);
                for place in 0..value.data().len() {
                    let same = kept(value.indices(place), value.rank()) == apart;
                    assert!(
                        same || value.data()[place] == other.data()[place],
                        "{}: {place} moves with {moved}",
                        case.says
                    );
                }
            }
        }
    }
}

/// A record that the table does not have.
static CUBE: Op = Op {
    name: "cube",
    value: chainrule::ops::Value::Unary(|x| x * x * x),
    rule: Rule::Text("3 * x ** 2 * dx"),
    lower: Lower::As("x ** 3"),
    definition: Some("x * x * x"),
    notation: chainrule::ops::Notation::Call("cube"),
    letter: "",
    title: "cube",
    sentence: "The derivative of x³ is 3 x².",
    params: &[chainrule::ops::Param::array("x")],
    spellings: &[],
    shape: |_, args, _| Ok(args[0].clone()),
    axes: Axes::Elementwise,
    domain: &[(-2.0, 2.0)],
    kink: None,
    undefined: &[],
    steep: &[],
    conditioned: false,
};

#[test]
fn a_record_is_all_an_operation_needs() {
    assert_eq!(rule_agrees(&CUBE), Ok(10));
    for case in cases(&CUBE) {
        let (at, value) = finite_point(&case).unwrap();
        assert_same(&case, "definition", &value_of_text(&case, "x * x * x", &at), &value);
    }
    assert!(!sizes().is_empty());
}
