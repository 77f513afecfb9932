//! The answers to every pasted function in the input language, and a few whole pages.
//! A file more in the folder is a test more.

use crate::pinned::pinned;
use chainrule::derive::{Map, derive};
use chainrule::graph::{NodeId, Program, Request, read};
use chainrule::reading::{Answers, answers, has_text, parts, text};
use chainrule::{notation, render, witness};
use std::path::Path;

/// Functions whose whole page is kept, and the variable.
const WHOLE: &[(&str, &str)] = &[
    ("lora", "a"),
    ("label_smoothing", "logits"),
    ("mlp_of_lists", "w0"),
    ("rms_norm_by_hand", "x"),
    ("rnn_loss_over_time", "wh"),
    ("state_space_step", "h"),
    ("swiglu", "x"),
    ("vector_quantised", "x"),
];

fn program(path: &Path) -> Program {
    let source = std::fs::read_to_string(path).unwrap();
    read(&source, &Request::default()).unwrap_or_else(|told| panic!("{}: {told:?}", path.display()))
}

/// A reading and the named parts it uses.
fn written(program: &Program, label: &str, nodes: &[(String, NodeId)]) -> String {
    let named = parts(program, &nodes.iter().map(|(_, node)| *node).collect::<Vec<_>>());
    let mut lines = String::new();
    for (name, node) in nodes {
        lines += &format!("    {label}{name} = {}\n", text(&named.program, *node));
    }
    for line in named.lines() {
        lines += &format!("        where {line}\n");
    }
    lines
}

fn readings(answers: &Answers, zero: bool) -> String {
    let program = &answers.program;
    let name = |node: NodeId| program.name(node).map_or_else(|| "?".to_string(), |name| name.to_string());
    let one = |label: &str, node: Option<NodeId>| match node {
        Some(node) => written(program, label, &[(String::new(), node)]),
        None => String::new(),
    };
    if zero {
        return "    0\n".to_string();
    }
    let mut lines = one("gradient", answers.gradient);
    lines += &one("differential", answers.differential);
    if answers.gradient.is_none() {
        let sayable = answers.backward.iter().filter(|c| has_text(program, c.value));
        let pass: Vec<(String, NodeId)> = sayable.map(|c| (name(c.of), c.value)).collect();
        lines += &if pass.is_empty() { one("pullback", answers.pullback) } else { written(program, "bar ", &pass) };
    }
    lines
}

#[test]
fn answers_by_every_input() {
    insta::glob!("../pasted", "*.py", |path| {
        let program = program(path);
        let mut page = String::new();
        for wrt in &program.inputs {
            let mut derivation = derive(&program, program.output, *wrt).unwrap();
            let zero = derivation.result == Map::Zero;
            let found = answers(&mut derivation).unwrap();
            let rows = derivation.whole.as_ref().map_or(String::new(), |whole| format!(", one row of {}", whole.rows));
            page += &format!("by {}{rows}\n{}", program.name(*wrt).unwrap(), readings(&found, zero));
        }
        pinned("pasted", &path.file_stem().unwrap().to_string_lossy(), &page);
    });
}

#[test]
fn whole_pages_of_a_few() {
    for (file, wrt) in WHOLE {
        let path = format!("{}/tests/pasted/{file}.py", env!("CARGO_MANIFEST_DIR"));
        let program = program(Path::new(&path));
        let wrt = program.input_named(wrt).unwrap_or_else(|| panic!("{file} has no input {wrt}"));
        let mut derivation = derive(&program, program.output, wrt).unwrap();
        let found = answers(&mut derivation).unwrap();
        let checked = witness::check(derivation, found).unwrap_or_else(|told| panic!("{file}: {told}"));
        let page = notation::page(&checked, &notation::Sheet::default());
        pinned("pasted_pages", file, &render::text(&page, 100).to_string());
    }
}
