//! Programs for tests.

use chainrule::graph::{Definition, Env, NodeId, Program, build};
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
