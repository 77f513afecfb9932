//! The problems of the corpus by numbers: values, and derivatives pushed
//! forward through the rules of the table, against independent systems.

use chainrule::array::Array;
use chainrule::derive::{moving, rules};
use chainrule::evaluate::{Inputs, evaluate};
use chainrule::graph::{NodeId, Program, Request, read_expression};
use chainrule::ops::Number;
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
}

#[derive(Deserialize)]
struct Numbers {
    inputs: BTreeMap<String, Flat>,
    value: Flat,
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

/// Every problem as a program at its point, with the numbers it should give.
fn problems() -> Vec<(Case, Program, Inputs, Numbers)> {
    let cases = toml::from_str::<Corpus>(include_str!("../corpus/cases.toml")).unwrap().case;
    let mut numbers: HashMap<String, Numbers> = serde_json::from_str(include_str!("../corpus/values.json")).unwrap();
    let with_numbers = |case: Case| {
        let mut request = Request { strict: true, lets: case.lets.clone(), ..Request::default() };
        request.assumptions = case.assume.clone();
        case.inputs.iter().for_each(|(name, shape)| request.declare(name, shape).unwrap());
        let program = read_expression(&case.expr, &request).unwrap_or_else(|told| panic!("{}: {told:?}", case.id));
        let sizes: Sizes = case.sizes.iter().map(|(name, size)| (Name::from(name.as_str()), *size)).collect();
        let mut inputs = Inputs::new(sizes);
        let given = numbers.remove(&case.id).unwrap();
        given.inputs.iter().for_each(|(name, flat)| inputs.set(program.input_named(name).unwrap(), flat.array()));
        (case, program, inputs, given)
    };
    cases.into_iter().map(with_numbers).collect()
}

/// How far two arrays are apart, relative to the larger.
fn apart(found: &Array, wanted: &Array) -> f64 {
    if found.sizes() != wanted.sizes() {
        return f64::INFINITY;
    }
    let difference = found.zip(wanted, |a, b| a - b).map_or(f64::NAN, |d| d.max_abs());
    if difference == 0.0 { 0.0 } else { difference / wanted.max_abs().max(1e-300) }
}

#[test]
fn values_agree() {
    let mut wrong = Vec::new();
    for (case, program, inputs, numbers) in problems() {
        let values =
            evaluate(&program, &[program.output], &inputs).unwrap_or_else(|told| panic!("{}: {told}", case.id));
        let error = apart(values.get(program.output), &numbers.value.array());
        if error.is_nan() || error > 1e-9 {
            wrong.push(format!("{}: {} off by {error}", case.id, case.expr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// d out[s…] / d x[t…] at the point, axes of out first: each entry of x is
/// moved by itself and its movement pushed through the local rules in order.
fn forward(mut program: Program, wrt: NodeId, inputs: &Inputs) -> Result<Array, String> {
    let moves = moving(&program, program.output, wrt);
    let chain: Vec<NodeId> = program.graph().node_indices().filter(|id| moves[id.index()] && *id != wrt).collect();
    let mut locals = Vec::new();
    for id in &chain {
        let local = rules::local(&mut program, *id, &|arg| moves[arg.index()]).map_err(|told| told.to_string())?;
        locals.push((*id, local));
    }
    let mut base = evaluate(&program, &[program.output], inputs).map_err(|told| told.to_string())?;
    // Nodes that only rules need, and that hold no differential, are shared by all directions.
    base.extend(&program, &[&chain[..], &[wrt]].concat(), inputs).map_err(|told| told.to_string())?;
    let (x, out) = (base.get(wrt).clone(), base.get(program.output).clone());
    let mut columns = Vec::new();
    for entry in 0..x.data().len() {
        let mut at = inputs.clone();
        let unit = Array::from_fn(x.sizes(), |i| f64::from(u8::from(i == entry)));
        let mut tangents = HashMap::from([(wrt, unit)]);
        let mut values = base.clone();
        for (id, local) in &locals {
            for arg in program.node(*id).args.iter().filter(|arg| moves[arg.index()]) {
                at.set_hole(*arg, tangents[arg].clone());
            }
            values.extend(&program, &[*local], &at).map_err(|told| told.to_string())?;
            let tangent = values.get(*local).broadcast_to(values.get(*id).sizes()).ok_or("another shape")?;
            tangents.insert(*id, tangent);
        }
        let still = || Array::filled(out.sizes(), 0.0);
        columns.push(tangents.remove(&program.output).unwrap_or_else(still));
    }
    let entries = columns.len();
    let data = (0..out.data().len() * entries).map(|at| columns[at % entries].data()[at / entries]).collect();
    Array::new([out.sizes(), x.sizes()].concat(), data).ok_or("too large".to_string())
}

#[test]
fn first_derivatives_agree() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (case, program, inputs, numbers) in problems().into_iter().filter(|(case, ..)| case.order == 1) {
        let wrt = program.named(&case.wrt).unwrap();
        compared += 1;
        match forward(program, wrt, &inputs) {
            Ok(found) => {
                let error = apart(&found, &numbers.derivative.array());
                if error.is_nan() || error > 1e-9 {
                    wrong.push(format!("{}: {} by {} off by {error}", case.id, case.expr, case.wrt));
                }
            }
            Err(told) => wrong.push(format!("{}: {} by {}: {told}", case.id, case.expr, case.wrt)),
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 400, "{compared}");
}

#[test]
fn settings_are_numbers_in_every_entry() {
    let program = read_expression("x @ w", &Request::default()).unwrap();
    let mut set = program.clone();
    set.settings = vec![(program.input_named("w").unwrap(), Number::ZERO)];
    let mut inputs = chainrule::evaluate::points::draw(&set, "set", 0).unwrap();
    chainrule::evaluate::points::apply_settings(&set, &mut inputs);
    let values = evaluate(&set, &[set.output], &inputs).unwrap();
    assert_eq!(values.get(set.output).max_abs(), 0.0);
}
