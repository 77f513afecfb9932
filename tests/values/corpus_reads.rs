//! Every problem of the corpus can be read: problem, definitions, assumptions.

use chainrule::diagnostic::Kind;
use chainrule::graph::{Program, Request, read_expression, resolve_wrt};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    inputs: BTreeMap<String, String>,
    #[serde(default, rename = "let")]
    lets: Vec<String>,
    expr: String,
    wrt: String,
    #[serde(default)]
    assume: Vec<String>,
    expected: Option<String>,
    #[serde(default)]
    expected_let: Vec<String>,
}

fn corpus() -> Vec<Case> {
    toml::from_str::<Corpus>(include_str!("../corpus/cases.toml")).unwrap().case
}

fn request(case: &Case) -> Request {
    let mut request = Request { strict: true, lets: case.lets.clone(), ..Request::default() };
    request.assumptions = case.assume.clone();
    for (name, shape) in &case.inputs {
        request.declare(name, shape).unwrap();
    }
    request
}

/// The program, or the function that the table does not have.
fn read(id: &str, text: &str, request: &Request) -> Result<Program, String> {
    read_expression(text, request).map_err(|told| {
        let unknown = told.iter().find(|d| d.kind == Kind::UnknownFunction);
        unknown.unwrap_or_else(|| panic!("{id}: {text}: {told:?}")).message.clone()
    })
}

#[test]
fn every_problem_reads_as_declared() {
    let mut missing = BTreeSet::new();
    for case in corpus() {
        match read(&case.id, &case.expr, &request(&case)) {
            Ok(program) => {
                assert_eq!(program.inputs.len(), case.inputs.len(), "{}", case.id);
                assert_eq!(program.properties.len(), case.assume.len(), "{}", case.id);
                assert_eq!(program.definitions.len(), case.lets.len(), "{}", case.id);
                assert!(resolve_wrt(&program, &case.wrt).is_ok(), "{}", case.id);
            }
            Err(told) => _ = missing.insert(told),
        }
    }
    assert_eq!(missing, BTreeSet::new());
}

#[test]
fn every_closed_form_reads_too() {
    let mut missing = BTreeSet::new();
    for case in corpus() {
        let Some(expected) = &case.expected else { continue };
        let mut request = request(&case);
        request.lets.extend(case.expected_let.clone());
        missing.extend(read(&case.id, expected, &request).err());
    }
    assert_eq!(missing, BTreeSet::new());
}
