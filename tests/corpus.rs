//! The problems of the corpus by closed forms: right, in matrix notation, and no
//! longer than what is published.

use chainrule::array::Array;
use chainrule::evaluate::{Inputs, evaluate};
use chainrule::graph::{Program, Request, read_expression};
use chainrule::reading::{Reading, derivative, size, text};
use chainrule::shape::{Name, Sizes};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

#[derive(Deserialize)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    inputs: BTreeMap<String, String>,
    sizes: BTreeMap<String, usize>,
    #[serde(default, rename = "let")]
    lets: Vec<String>,
    expr: String,
    wrt: String,
    order: usize,
    #[serde(default)]
    assume: Vec<String>,
    expected: Option<String>,
    #[serde(default)]
    expected_let: Vec<String>,
}

#[derive(Deserialize)]
struct Numbers {
    inputs: BTreeMap<String, Flat>,
    derivative: Flat,
}

#[derive(Deserialize)]
struct Flat {
    shape: Vec<usize>,
    data: Vec<f64>,
}

impl Flat {
    fn array(&self) -> Array {
        Array::new(self.shape.clone(), self.data.clone()).unwrap()
    }
}

/// How one problem came out.
struct Outcome {
    right: bool,
    closed: bool,
    /// Our size and the published one, where there is one.
    sizes: Option<(usize, usize)>,
    note: String,
}

fn request(case: &Case) -> Request {
    let mut request = Request { strict: true, lets: case.lets.clone(), ..Request::default() };
    request.assumptions.clone_from(&case.assume);
    case.inputs.iter().for_each(|(name, shape)| request.declare(name, shape).unwrap());
    request
}

/// `text` with a name replaced by an expression.
fn substituted(text: &str, name: &str, by: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let after = &rest[at + name.len()..];
        let whole = !rest[..at].chars().next_back().is_some_and(word) && !after.chars().next().is_some_and(word);
        result += &rest[..at];
        result += &if whole { format!("({by})") } else { name.to_string() };
        rest = after;
    }
    result + rest
}

/// The size of the published form, its own definitions substituted.
fn expected_size(case: &Case) -> Option<usize> {
    let mut expected = case.expected.clone()?;
    for line in case.expected_let.iter().rev() {
        let (name, by) = line.split_once('=')?;
        expected = substituted(&expected, name.trim(), by.trim());
    }
    let program = read_expression(&expected, &request(case)).ok()?;
    Some(size(&program, program.output))
}

fn evaluated(program: &Program, reading: &Reading, inputs: &Inputs) -> Option<Array> {
    match &reading.index {
        None => Some(evaluate(program, &[reading.node], inputs).ok()?.get(reading.node).clone()),
        Some(index) => {
            let values = evaluate(program, &index.nodes(), inputs).ok()?;
            index.evaluate(&inputs.sizes, &|node| values.find(node).cloned())
        }
    }
}

fn apart(found: &Array, wanted: &Array) -> f64 {
    if found.sizes() != wanted.sizes() {
        return f64::INFINITY;
    }
    let difference = found.zip(wanted, |a, b| a - b).map_or(f64::NAN, |d| d.max_abs());
    if difference == 0.0 { 0.0 } else { difference / wanted.max_abs().max(1e-300) }
}

fn solve(case: &Case, numbers: &Numbers) -> Outcome {
    let failed = |note: String| Outcome { right: false, closed: false, sizes: None, note };
    let mut program = match read_expression(&case.expr, &request(case)) {
        Ok(program) => program,
        Err(told) => return failed(format!("not read: {told:?}")),
    };
    let sizes: Sizes = case.sizes.iter().map(|(name, size)| (Name::from(name.as_str()), *size)).collect();
    let mut inputs = Inputs::new(sizes);
    numbers.inputs.iter().for_each(|(name, flat)| inputs.set(program.input_named(name).unwrap(), flat.array()));
    let (out, wrt) = (program.output, program.named(&case.wrt).unwrap());
    let reading = match derivative(&mut program, out, wrt, case.order) {
        Ok(reading) => reading,
        Err(why) => return failed(format!("refused: {why}")),
    };
    let printed = match &reading.index {
        None => text(&program, reading.node),
        Some(index) => index.text(&program),
    };
    let Some(found) = evaluated(&program, &reading, &inputs) else { return failed(format!("no value: {printed}")) };
    let wanted = numbers.derivative.array();
    let error = apart(&found, &wanted);
    let own = size(&program, reading.node);
    let sizes = expected_size(case).filter(|_| reading.matrix).map(|expected| (own, expected));
    let note = match error <= 1e-9 {
        true => printed,
        false => format!("off by {error:.1e} {:?} for {:?}: {printed}", found.sizes(), wanted.sizes()),
    };
    Outcome { right: error <= 1e-9, closed: reading.matrix, sizes, note }
}

#[test]
fn problems_are_right_closed_and_short() {
    let cases = toml::from_str::<Corpus>(include_str!("corpus/cases.toml")).unwrap().case;
    let numbers: HashMap<String, Numbers> = serde_json::from_str(include_str!("corpus/values.json")).unwrap();
    let (mut right, mut closed, mut short, mut published) = (0, 0, 0, 0);
    let mut report = String::new();
    for case in &cases {
        let outcome = solve(case, &numbers[&case.id]);
        let with_form = case.expected.is_some();
        published += usize::from(with_form);
        right += usize::from(outcome.right);
        closed += usize::from(outcome.closed && with_form && outcome.right);
        let is_short = outcome.sizes.is_some_and(|(own, expected)| own <= expected);
        short += usize::from(is_short && outcome.right);
        if !outcome.right || with_form && !(outcome.closed && is_short) {
            let expected = case.expected.as_deref().unwrap_or("-");
            let sizes = outcome.sizes.map_or(String::new(), |(a, b)| format!("{a} > {b}"));
            report += &format!("{} {sizes}\n    {}\n    {expected} {:?}\n", case.id, outcome.note, case.expected_let);
        }
    }
    println!("{report}right {right}, closed {closed}, short {short} of {} and {published}", cases.len());
    assert!(right >= RIGHT && closed >= CLOSED && short >= SHORT, "right {right}, closed {closed}, short {short}");
}

/// What was reached; it may not fall.
const RIGHT: usize = 525;
const CLOSED: usize = 469;
const SHORT: usize = 468;
