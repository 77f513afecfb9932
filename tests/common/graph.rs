//! What tests ask of graphs.

use chainrule::graph::{Kind, NodeId, Program};

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
