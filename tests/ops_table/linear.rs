//! Operations that say their own transpose: ⟨A u, v⟩ = ⟨u, Aᵀ v⟩.

use crate::cases::{Case, cases, gap, sizes_of};
use chainrule::derive::{self, rules};
use chainrule::evaluate::{Inputs, evaluate, points};
use chainrule::graph::NodeId;
use chainrule::ops::{self, Lower, Rule};

/// A v for the differential A of the case in one argument alone.
fn pushed(case: &Case, arg: NodeId, u: &chainrule::array::Array) -> chainrule::array::Array {
    let mut program = case.program.clone();
    let local = rules::local(&mut program, case.program.output, &|node| node == arg).unwrap();
    let mut at = case.point(0);
    at.set_hole(arg, u.clone());
    evaluate(&program, &[local], &at).unwrap().get(local).clone()
}

/// Aᵀ v by the record's transpose.
fn pulled(case: &Case, place: usize, v: &chainrule::array::Array, at: &Inputs) -> chainrule::array::Array {
    let mut program = case.program.clone();
    let g = program.cotangent(program.output);
    let node = rules::transposed(&mut program, case.program.output, place, g).unwrap();
    let mut at = at.clone();
    at.set_cotangent(case.program.output, v.clone());
    let told = |told| panic!("{}: {told}", case.says);
    evaluate(&program, &[node], &at).unwrap_or_else(told).get(node).clone()
}

#[test]
fn a_record_and_its_transpose_are_adjoint() {
    let mut count = 0;
    for op in ops::all().filter(|op| matches!(op.lower, Lower::Linear { .. })) {
        let before = count;
        for case in cases(op) {
            for (place, arg) in case.args.iter().enumerate() {
                let u = points::direction(&sizes_of(&case.program, *arg), "u", place);
                let v = points::direction(&sizes_of(&case.program, case.program.output), "v", place);
                let (forward, back) = (pushed(&case, *arg, &u), pulled(&case, place, &v, &case.point(0)));
                assert_eq!(back.sizes(), u.sizes(), "{}", case.says);
                let (left, right) = (forward.inner(&v), back.inner(&u));
                assert!((left - right).abs() < 1e-12 * left.abs().max(1.0), "{}: {left} is not {right}", case.says);
                count += 1;
            }
        }
        assert!(count > before, "{}: no case", op.name);
    }
    assert!(count > 300, "{count}");
}

/// Every rule is linear in its differential; read backwards it is the adjoint, in any rank.
#[test]
fn every_differential_has_its_adjoint() {
    let mut count = 0;
    for op in ops::all().filter(|op| !matches!(op.rule, Rule::Refused(_) | Rule::Zero | Rule::Held)) {
        for case in cases(op) {
            let at = case.point(0);
            if case.value(&at).data().iter().any(|x| !x.is_finite()) {
                continue;
            }
            for (place, arg) in case.args.iter().enumerate().filter(|(place, _)| case.moves(*place)) {
                let mut program = case.program.clone();
                let out = program.output;
                let local = rules::local(&mut program, out, &|node| node == *arg).unwrap();
                if program.number_of(local).is_some() {
                    continue;
                }
                let g = program.cotangent(local);
                let back =
                    derive::adjoint(&mut program, local, *arg, g).unwrap_or_else(|d| panic!("{}: {d}", case.says));
                assert_eq!(program.shape(back), program.shape(*arg), "{}, {place}", case.says);
                let u = points::direction(&sizes_of(&program, *arg), "u", place);
                let v = points::direction(&sizes_of(&program, local), "v", place);
                let mut feed = at.clone();
                feed.set_hole(*arg, u.clone());
                feed.set_cotangent(local, v.clone());
                let values = evaluate(&program, &[local, back], &feed).unwrap();
                let (left, right) = (values.get(local).inner(&v), values.get(back).inner(&u));
                if !left.is_finite() {
                    continue;
                }
                let scale = values.get(local).max_abs().max(1.0) * v.data().len() as f64;
                assert!((left - right).abs() < 1e-11 * scale, "{}, {place}: {left} is not {right}", case.says);
                count += 1;
            }
        }
    }
    assert!(count > 1500, "{count}");
}

#[test]
fn the_transpose_of_the_transpose_is_the_operation() {
    for op in ops::all().filter(|op| matches!(op.lower, Lower::Linear { .. })) {
        for case in cases(op).into_iter().filter(|case| case.args.len() == 1) {
            let mut program = case.program.clone();
            let g = program.input("g", program.shape(program.output).clone());
            let back = rules::transposed(&mut program, case.program.output, 0, g).unwrap();
            // Only where it is one operation: a running sum turns round, sums, turns back.
            if program.node(back).args != [g] {
                continue;
            }
            let again = rules::transposed(&mut program, back, 0, case.args[0]).unwrap();
            let at = case.point(0);
            let mut with = at.clone();
            with.set(g, case.value(&at));
            let found = evaluate(&program, &[again], &with).unwrap().get(again).clone();
            assert!(gap(&found, &case.value(&at)) < 1e-12, "{}", case.says);
        }
    }
}
