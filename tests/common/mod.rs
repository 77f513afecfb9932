//! What several test files use.

pub mod random;

use chainrule::graph::{Definition, Env, Kind, NodeId, Program, build};
use chainrule::shape::Shape;

/// A program from inputs with shapes and definitions in order; the last is the result.
pub fn program(inputs: &[(&str, &str)], lets: &[(&str, &str)]) -> Program {
    let mut program = Program::new();
    let mut env = Env::new();
    for (name, shape) in inputs {
        let node = program.input(name, Shape::parse(shape).unwrap());
        env = env.node(name, node);
    }
    let mut last = NodeId::new(0);
    for (name, text) in lets {
        last = build(&mut program, text, &env).unwrap_or_else(|d| panic!("{text}: {d}"));
        env = env.node(name, last);
        program.definitions.push(Definition { name: (*name).into(), node: last, text: (*text).into() });
    }
    program.output = last;
    program
}

/// A number that two nodes share if and only if (up to chance) they are the same
/// expression in the same inputs.
pub fn fingerprint(program: &Program, node: NodeId) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut found: Vec<u64> = Vec::new();
    for index in 0..=node.index() {
        let (id, mut hash) = (NodeId::new(index), DefaultHasher::new());
        let node = program.node(id);
        match &node.kind {
            Kind::Input(name) => name.hash(&mut hash),
            kind => kind.hash(&mut hash),
        }
        node.args.iter().for_each(|arg| found[arg.index()].hash(&mut hash));
        found.push(hash.finish());
    }
    found[node.index()]
}

/// The definition of a node in the input language: the text of its operation in
/// the values it names.
pub fn written(program: &Program, node: NodeId) -> String {
    let mut program = program.clone();
    program.unname(node);
    chainrule::reading::text(&program, node)
}
