//! Composites derived from their definitions: the answer is that of the shortcut.

use crate::cases::{Case, cases, gap};
use chainrule::derive::{self, Derivation};
use chainrule::evaluate::{At, Inputs, jacobian, values_for};
use chainrule::graph::{NodeId, Program};
use chainrule::notation::{Detail, Sheet, page};
use chainrule::ops::{self, OpRef};
use chainrule::witness::Checked;
use chainrule::{reading, render};

fn composites() -> Vec<OpRef> {
    ops::all().filter(|op| op.definition.is_some()).collect()
}

fn derived(case: &Case, program: &Program, wrt: NodeId) -> Derivation {
    derive::without_rows(program, program.output, wrt).unwrap_or_else(|told| panic!("{}: {told}", case.says))
}

fn numbers(case: &Case, derivation: &Derivation, at: &Inputs) -> chainrule::array::Array {
    let values = values_for(derivation, at).unwrap_or_else(|told| panic!("{}: {told}", case.says));
    let found = jacobian(derivation, At { values: &values, inputs: at });
    found.unwrap_or_else(|told| panic!("{}: {told}", case.says))
}

#[test]
fn derived_from_the_definition_the_answer_is_that_of_the_shortcut() {
    for op in composites() {
        let mut compared = 0;
        for case in cases(op) {
            let spelled =
                derive::spelled_out(&case.program, &[op]).unwrap_or_else(|told| panic!("{}: {told}", case.says));
            assert_eq!(spelled.inputs, case.program.inputs, "{}", case.says);
            let at = case.point(0);
            for i in (0..case.args.len()).filter(|i| case.moves(*i)) {
                let wrt = case.args[i];
                let shortcut = numbers(&case, &derived(&case, &case.program, wrt), &at);
                let defined = numbers(&case, &derived(&case, &spelled, wrt), &at);
                if !shortcut.data().iter().chain(defined.data()).all(|x| x.is_finite()) {
                    continue;
                }
                let scale = shortcut.max_abs().max(1.0);
                assert!(
                    gap(&shortcut, &defined) <= 1e-9 * scale,
                    "{} by {i}: {:?} is not {:?}",
                    case.says,
                    defined.data(),
                    shortcut.data()
                );
                compared += 1;
            }
        }
        assert!(compared > 0, "{} was never compared", op.name);
    }
}

#[test]
fn the_page_of_every_definition_renders() {
    for op in composites() {
        let vector = |case: &Case| case.program.shape(case.args[0]).rank() == 1 && case.moves(0);
        let Some(case) = cases(op).into_iter().find(vector).or_else(|| cases(op).into_iter().find(|c| c.moves(0)))
        else {
            panic!("{} has no case", op.name);
        };
        let spelled = derive::spelled_out(&case.program, &[op]).unwrap();
        let mut derivation = derived(&case, &spelled, case.args[0]);
        let answers = reading::answers(&mut derivation).unwrap_or_else(|told| panic!("{}: {told}", case.says));
        let found = Checked::unchecked((derivation, answers));
        for detail in [Detail::Answer, Detail::Steps, Detail::Full] {
            let text = render::text(&page(&found, &Sheet { detail, ..Sheet::default() }), 100).to_string();
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(&format!("{}(", op.name)) && text.contains("spelled out"), "{text}");
        }
    }
}

#[test]
fn what_has_no_definition_is_refused() {
    let matmul = ops::by_name("matmul").unwrap();
    let softmax = ops::by_name("softmax").unwrap();
    let case = cases(matmul).into_iter().next().unwrap();
    let told = |op| derive::spelled_out(&case.program, &[op]).unwrap_err().message;
    assert_eq!(told(matmul), "matmul is not made of simpler operations: it has its rule alone");
    assert_eq!(told(softmax), "softmax does not occur in the program");
}
