//! Functions as tutorials write them, against numbers of an independent system.

use chainrule::array::Array;
use chainrule::derive;
use chainrule::evaluate::{At, Nested, check_inputs, evaluate, jacobian, values_for};
use chainrule::graph::{Program, Request, read};
use chainrule::{reading, witness};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The functions and their numbers, by name.
fn files() -> Vec<(String, String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pasted");
    let text = std::fs::read_to_string(folder.join("values.json")).unwrap();
    let values: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    let mut found: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".py").map(str::to_string))
        .collect();
    found.sort();
    assert_eq!(found, values.keys().cloned().collect::<Vec<_>>(), "each file has numbers");
    let read = |name: &String| std::fs::read_to_string(folder.join(format!("{name}.py"))).unwrap();
    values.into_iter().map(|(name, value)| (name.clone(), read(&name), value)).collect()
}

fn nested(value: &Value) -> Nested {
    match value {
        Value::Array(items) => Nested::List(items.iter().map(nested).collect()),
        number => Nested::Number(number.as_f64().unwrap()),
    }
}

fn array(value: &Value) -> Array {
    nested(value).to_array("").unwrap()
}

fn near(found: &Array, wanted: &Array, what: &str) -> Result<(), String> {
    if found.data().len() != wanted.data().len() {
        return Err(format!("{what} is {:?}, not {:?}", found.sizes(), wanted.sizes()));
    }
    let scale = wanted.max_abs().max(1e-3);
    let far = |(a, b): &(&f64, &f64)| (*a - *b).abs() > 1e-9 * scale || a.is_nan();
    found.data().iter().zip(wanted.data()).find(far).map_or(Ok(()), |(a, b)| Err(format!("{what}: {a} is not {b}")))
}

/// Σ k ∂out_k, k = 1, 2, 3, …
fn weighted(jacobian: &Array, wanted: &Array) -> Array {
    let by = wanted.data().len().max(1);
    let rows = jacobian.data().chunks(by).enumerate();
    let mut sum = vec![0.0; by];
    rows.for_each(|(k, row)| row.iter().zip(&mut sum).for_each(|(x, sum)| *sum += (k + 1) as f64 * x));
    Array::new(wanted.sizes().to_vec(), sum).unwrap()
}

fn program(text: &str) -> Result<Program, String> {
    read(text, &Request::default()).map_err(|told| told[0].to_string())
}

/// Value and derivative at the inputs given.
fn compared(text: &str, numbers: &Value) -> Result<(), String> {
    let program = program(text)?;
    let given = numbers["inputs"].as_object().unwrap();
    let given = given.iter().map(|(name, value)| (name.as_str().into(), nested(value))).collect();
    let inputs = check_inputs(&program, &given, &program.sizes).map_err(|told| told[0].to_string())?;
    let value = evaluate(&program, &[program.output], &inputs).map_err(|told| told.to_string())?;
    near(value.get(program.output), &array(&numbers["value"]), "value")?;
    let wrt = program.input_named(numbers["wrt"].as_str().unwrap()).unwrap();
    let derivation = derive::without_rows(&program, program.output, wrt).map_err(|told| told.to_string())?;
    let values = values_for(&derivation, &inputs).map_err(|told| told.to_string())?;
    let found = jacobian(&derivation, At { values: &values, inputs: &inputs }).map_err(|told| told.to_string())?;
    let wanted = array(&numbers["gradient"]);
    near(&weighted(&found, &wanted), &wanted, "derivative")
}

#[test]
fn values_and_derivatives_are_those_of_another_system() {
    let files = files();
    assert!(files.len() >= 60, "{}", files.len());
    let wrong = files.iter().filter_map(|(name, text, numbers)| {
        compared(text, numbers).err().map(|told| format!("{name} by {}: {told}", numbers["wrt"]))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Derives by one input, and checks every step and every reading. A loop as one
/// node has no backward pass: that of its turns is checked beside it.
fn checked(program: &Program, wrt: chainrule::graph::NodeId, asked: bool) -> Result<(), String> {
    let mut derivation = derive::derive(program, program.output, wrt).map_err(|told| told.to_string())?;
    let answers = reading::answers(&mut derivation).map_err(|told| told.to_string())?;
    let backward = answers.pullback.is_some() || !answers.backward.is_empty();
    if derivation.result != derive::Map::Zero && !backward && derivation.loops.is_empty() {
        return Err("no backward pass".to_string());
    }
    let checked = witness::check(derivation, answers).map_err(|told| told.to_string())?;
    let report = checked.report().unwrap();
    if asked && (!report.answer || report.unchecked > 0) { Err(format!("{report:?}")) } else { Ok(()) }
}

fn has_loop(program: &Program) -> bool {
    program.graph().node_weights().any(|node| matches!(node.kind, chainrule::graph::Kind::Repeat(_)))
}

#[test]
fn every_step_and_every_reading_passes_the_check() {
    let mut wrong = Vec::new();
    for (name, text, numbers) in files() {
        let program = match program(&text) {
            Ok(program) => program,
            Err(told) => {
                wrong.push(format!("{name}: {told}"));
                continue;
            }
        };
        let unrolled = read(&text, &Request { unroll: true, ..Request::default() }).unwrap();
        for wrt in unrolled.inputs.clone().into_iter().filter(|_| has_loop(&program)) {
            let told = checked(&unrolled, wrt, false).err();
            wrong.extend(told.map(|told| format!("{name} turn by turn: {told}")));
        }
        for wrt in program.inputs.clone() {
            let by = program.name(wrt).unwrap().to_string();
            let told = checked(&program, wrt, numbers["wrt"] == by.as_str()).err();
            wrong.extend(told.map(|told| format!("{name} by {by}: {told}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
