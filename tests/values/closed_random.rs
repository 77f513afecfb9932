//! Random programs: closed derivatives against difference quotients, and answers
//! read back from their text.

use crate::closed::{Random, SHAPES, expression};

use chainrule::array::Array;
use chainrule::evaluate::{Inputs, evaluate};
use chainrule::graph::{NodeId, Program, Request, read_expression};
use chainrule::reading::{Reading, derivative, text};
use chainrule::shape::{Name, Sizes};

const SIZES: &[(&str, usize)] = &[("n", 3), ("m", 2)];

/// A number between −1 and 1.
fn number(random: &mut Random) -> f64 {
    random.below(4001) as f64 / 2000.0 - 1.0
}

fn request() -> Request {
    let mut request = Request { strict: true, ..Request::default() };
    SHAPES.iter().for_each(|(name, shape)| request.declare(name, shape).unwrap());
    request
}

fn point(program: &Program, random: &mut Random) -> Inputs {
    let sizes: Sizes = SIZES.iter().map(|(name, size)| (Name::from(*name), *size)).collect();
    let mut inputs = Inputs::new(sizes.clone());
    for input in &program.inputs {
        let sizes = program.shape(*input).eval(&sizes).unwrap();
        let data = (0..sizes.iter().product()).map(|_| number(random)).collect();
        inputs.set(*input, Array::new(sizes, data).unwrap());
    }
    inputs
}

fn value(program: &Program, node: NodeId, inputs: &Inputs) -> Array {
    evaluate(program, &[node], inputs).unwrap().get(node).clone()
}

/// d(out)/d(wrt), out first, by differences of fourth order.
fn differences(program: &Program, node: NodeId, wrt: NodeId, inputs: &Inputs, h: f64) -> Vec<f64> {
    let start = inputs.get(wrt).unwrap().clone();
    let mut columns = Vec::new();
    for place in 0..start.data().len() {
        let at = |step: f64| {
            let mut moved = start.clone();
            moved.data_mut()[place] += step;
            let mut inputs = inputs.clone();
            inputs.set(wrt, moved);
            value(program, node, &inputs).data().to_vec()
        };
        let (a, b, c, d) = (at(-2.0 * h), at(-h), at(h), at(2.0 * h));
        columns.push((0..a.len()).map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h)).collect::<Vec<f64>>());
    }
    (0..columns[0].len()).flat_map(|i| columns.iter().map(move |column| column[i])).collect()
}

fn numbers(program: &Program, reading: &Reading, inputs: &Inputs) -> Vec<f64> {
    match &reading.index {
        None => value(program, reading.node, inputs).data().to_vec(),
        Some(index) => {
            let values = evaluate(program, &index.nodes(), inputs).unwrap();
            let sizes = &inputs.sizes;
            index.evaluate(sizes, &|node| values.find(node).cloned()).unwrap().data().to_vec()
        }
    }
}

/// Largest difference relative to the largest entry.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    let scale = b.iter().fold(1.0f64, |m, v| m.max(v.abs()));
    a.iter().zip(b).fold(0.0f64, |m, (a, b)| m.max((a - b).abs())) / scale
}

/// What is wrong with one random program, if anything is.
fn trial(seed: u64) -> Option<String> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1));
    (0..4).for_each(|_| _ = random.below(9));
    let shape = random.pick(&["", "", "", "n", "m n"]);
    let depth = 1 + random.below(3);
    let source = expression(&mut random, shape, depth);
    let wrt_name = random.pick(&["s", "x", "x", "A", "S"]);
    let mut program = read_expression(&source, &request()).unwrap_or_else(|told| panic!("{source}: {told:?}"));
    let (out, wrt) = (program.output, program.named(wrt_name).unwrap());
    let order = if shape.is_empty() && random.below(3) == 0 && program.shape(wrt).rank() < 2 { 2 } else { 1 };
    let reading = match derivative(&mut program, out, wrt, order) {
        Ok(reading) => reading,
        Err(why) => return Some(format!("{source} by {wrt_name}, order {order}: refused: {why}")),
    };
    let inputs = point(&program, &mut random);
    let found = numbers(&program, &reading, &inputs);
    let printed = reading.index.as_ref().map_or_else(|| text(&program, reading.node), |index| index.text(&program));
    let of = if order == 1 { out } else { derivative(&mut program, out, wrt, 1).ok()?.node };
    let fine = differences(&program, of, wrt, &inputs, 1e-3);
    let coarse = differences(&program, of, wrt, &inputs, 2e-3);
    // Near a kink the two step sizes disagree: nothing can be said there.
    let reliable = apart(&fine, &coarse) < 1e-5 && fine.iter().all(|v| v.is_finite());
    if reliable && apart(&found, &fine) > 1e-4 {
        return Some(format!("{source} by {wrt_name}, order {order}: {printed}\n  {found:?}\n  {fine:?}"));
    }
    if reading.index.is_none() {
        let back = match read_expression(&printed, &request()) {
            Ok(back) => back,
            Err(told) => return Some(format!("{source}: {printed}: {told:?}")),
        };
        let mut again = Inputs::new(inputs.sizes.clone());
        for (name, _) in SHAPES {
            let (there, here) = (back.input_named(name), program.input_named(name));
            if let (Some(there), Some(value)) = (there, here.and_then(|id| inputs.get(id))) {
                again.set(there, value.clone());
            }
        }
        let there = value(&back, back.output, &again);
        if apart(there.data(), &found) > 1e-9 {
            return Some(format!("{source}: read back differently: {printed}"));
        }
    }
    None
}

#[test]
fn closed_derivatives_agree_with_differences() {
    let count: u64 = std::env::var("TRIALS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let wrong: Vec<String> = (0..count).filter_map(trial).collect();
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n")
    );
}
