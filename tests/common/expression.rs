//! One-line programs for tests.

use chainrule::graph::{Program, Request, read_expression};

/// A program of one expression whose names all have shapes, with assumptions.
pub fn expression(text: &str, inputs: &[(&str, &str)], assume: &[&str]) -> Program {
    let assumptions = assume.iter().map(|one| (*one).to_string()).collect();
    let mut request = Request { strict: true, assumptions, ..Request::default() };
    for (name, shape) in inputs {
        request.declare(name, shape).unwrap();
    }
    read_expression(text, &request).unwrap_or_else(|told| panic!("{text}: {told:?}"))
}
