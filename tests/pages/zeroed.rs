//! The block whose branch is set to zero, in numbers: bits, not differences.

use chainrule::array::Array;
use chainrule::derive::{Map, derive, without_rows};
use chainrule::evaluate::{At, points, pulled, values_for};
use chainrule::graph::{Request, read};
use chainrule::reading::answers;

const BLOCK: &str = include_str!("../../docs/examples/residual_block.py");

#[test]
fn a_zeroed_branch_leaves_exactly_the_identity() {
    let mut request = Request::default();
    for flag in ["w2=0", "b2=0"] {
        request.setting_flag(flag).unwrap();
    }
    let program = read(BLOCK, &request).unwrap();
    let x = program.input_named("x").unwrap();
    assert_eq!(derive(&program, program.output, x).unwrap().result, Map::Identity);
    let mut derivation = without_rows(&program, program.output, x).unwrap();
    let found = answers(&mut derivation).unwrap();
    for seed in ["one", "two", "three", "four"] {
        let mut inputs = points::draw(&program, seed, 0).unwrap();
        points::apply_settings(&program, &mut inputs);
        let values = values_for(&derivation, &inputs).unwrap();
        let bits = |array: &Array| array.data().iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
        assert_eq!(bits(values.get(program.output)), bits(inputs.get(x).unwrap()), "{seed}");
        let ones = values.get(program.output).map(|_| 1.0);
        let gradient = pulled(&found, At { values: &values, inputs: &inputs }, &ones).unwrap().unwrap();
        assert_eq!(bits(&gradient), bits(&ones), "{seed}");
    }
}

#[test]
fn the_identity_is_a_term_of_the_tree() {
    let program = read(BLOCK, &Request::default()).unwrap();
    let derivation = derive(&program, program.output, program.inputs[0]).unwrap();
    let Map::Sum(terms) = &derivation.result else { panic!("{:?}", derivation.result) };
    assert_eq!(terms[0], Map::Identity);
    assert!(matches!(&terms[1], Map::Compose(factors) if factors.len() == 3));
}
