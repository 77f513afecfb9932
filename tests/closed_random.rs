//! Random programs: closed derivatives against difference quotients, and answers
//! read back from their text.

use chainrule::array::Array;
use chainrule::evaluate::{Inputs, evaluate};
use chainrule::graph::{NodeId, Program, Request, read_expression};
use chainrule::reading::{Reading, derivative, text};
use chainrule::shape::{Name, Sizes};

/// A fixed generator, so that every run tries the same programs.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    fn value(&mut self) -> f64 {
        self.below(4001) as f64 / 2000.0 - 1.0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const SHAPES: &[(&str, &str)] = &[
    ("s", ""),
    ("t", ""),
    ("x", "n"),
    ("y", "n"),
    ("u", "m"),
    ("A", "m n"),
    ("B", "m n"),
    ("S", "n n"),
    ("T", "n n"),
    ("R", "m m"),
];
const SIZES: &[(&str, usize)] = &[("n", 3), ("m", 2)];

/// An expression of a shape given in words: "", "n", "m", "m n", "n n", "m m", "n m".
fn expression(random: &mut Random, shape: &str, depth: usize) -> String {
    let leaves: Vec<&str> = SHAPES.iter().filter(|(_, s)| *s == shape).map(|(name, _)| *name).collect();
    if depth == 0 || random.below(6) == 0 {
        return match leaves.is_empty() {
            true => "A.T".to_string(),
            false => random.pick(&leaves).to_string(),
        };
    }
    let axes: Vec<&str> = shape.split_whitespace().collect();
    let mut sub = |shape: &str| {
        random.below(3);
        expression(random, shape, depth - 1)
    };
    let (same, other, scalar) = (sub(shape), sub(shape), sub(""));
    let general = [
        format!("({same} + {other})"),
        format!("({same} - {other})"),
        format!("({same} * {other})"),
        format!("({scalar} * {same})"),
        format!("({same} / (2 + {other} ** 2))"),
        format!("sin({same})"),
        format!("tanh({same})"),
        format!("exp(-({same}) ** 2)"),
        format!("({same}) ** 2"),
        format!("sigmoid({same})"),
        format!("where({same} > 0.3, {same}, {other})"),
        format!("maximum({same}, {other})"),
        format!("(1 + {scalar}) * {same}"),
        format!("relu({same})"),
        format!("softplus({same})"),
    ];
    let special: Vec<String> = match axes.as_slice() {
        [] => {
            let (v, w, m) = (sub("n"), sub("n"), sub("m n"));
            let q = sub("n n");
            vec![
                format!("({v}) @ ({w})"),
                format!("sum({v})"),
                format!("mean({m})"),
                format!("trace({q})"),
                format!("({v}) @ ({q}) @ ({w})"),
                format!("logsumexp({v}, 0)"),
                format!("logdet(({q}) @ ({q}).T + eye(n))"),
                format!("norm({v})"),
                format!("var({v})"),
                format!("sum(({m}) * ({m}))"),
            ]
        }
        [n] => {
            let v = sub(n);
            let other = if *n == "n" { "m" } else { "n" };
            let matrix = if *n == "n" { sub("n m") } else { sub("m n") };
            let w = sub(other);
            let square = sub(&format!("{n} {n}"));
            vec![
                format!("({matrix}) @ ({w})"),
                format!("({w}) @ ({matrix}).T"),
                format!("sum({matrix}, 1)"),
                format!("mean(({matrix}).T, 0)"),
                format!("softmax({v}, 0)"),
                format!("layer_norm({v})"),
                format!("diag({square})"),
                format!("({v}) / (1 + norm({v}))"),
                format!("({v}) - mean({v})"),
                format!("inv(({square}) @ ({square}).T + eye({n})) @ ({v})"),
            ]
        }
        [a, b] => {
            let (v, w) = (sub(a), sub(b));
            let turned = sub(&format!("{b} {a}"));
            let left = sub(&format!("{a} {a}"));
            let mut all = vec![
                format!("outer({v}, {w})"),
                format!("({turned}).T"),
                format!("({left}) @ ({same})"),
                format!("({same}) * ({w})"),
                format!("({same}) + ({w})"),
                format!("diag({v}) @ ({same})"),
                format!("softmax({same}, 1)"),
                format!("(({same}) - mean({same}, 0))"),
                format!("({same}) * sum({same}, 1, keepdims=True)"),
            ];
            if a == b {
                all.push(format!("inv(({left}) @ ({left}).T + eye({a}))"));
                all.push(format!("diag({v})"));
            }
            all
        }
        _ => Vec::new(),
    };
    let all: Vec<String> = general.into_iter().chain(special).collect();
    format!("({})", all[random.below(all.len())])
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
        let data = (0..sizes.iter().product()).map(|_| random.value()).collect();
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
