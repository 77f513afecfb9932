//! Properties of random programs.

use chainrule::derive::{self, Derivation, Reason};
use chainrule::diagnostic::Kind;
use chainrule::graph::{self, Program};
use chainrule::reading;
use chainrule::witness;
use proptest::prelude::{ProptestConfig, any, prop, prop_assert, prop_assert_eq, proptest};
use proptest::test_runner::RngSeed;

fn program(tape: &[u8], names: &[&str]) -> Program {
    let source = crate::random::function(&crate::random::lines(tape), names);
    graph::read(&source, &graph::Request::default()).unwrap_or_else(|d| panic!("{source}\n{d:?}"))
}

const NAMES: &[&str] = &["x", "y", "v", "A", "B", "a"];
/// Names that the tool itself uses.
const TAKEN: &[&str] = &["dx", "out", "J_1", "I", "M", "z"];

fn derived(program: &Program, wrt: &str) -> Derivation {
    let wrt = program.input_named(wrt).unwrap();
    derive::derive(program, program.output, wrt).unwrap_or_else(|d| panic!("{d}"))
}

/// The operation of each rule, line by line.
fn rules(derivation: &Derivation) -> Vec<&'static str> {
    let steps = derivation.paragraphs.iter().flat_map(|p| &p.steps);
    let rule = |reason: &Reason| if let Reason::Rule(title, _) = reason { Some(*title) } else { None };
    steps.flat_map(|step| step.reasons.iter().filter_map(rule)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, rng_seed: RngSeed::Fixed(20), ..ProptestConfig::default() })]

    /// The derived Jacobian is that of differences, its transpose the pullback:
    /// the check compares both, along each entry of the variable.
    #[test]
    fn derivatives_are_those_of_differences(tape in prop::collection::vec(any::<u8>(), 1..70), by in 0usize..6) {
        let p = program(&tape, NAMES);
        let mut derivation = derived(&p, NAMES[by]);
        let answers = reading::answers(&mut derivation);
        prop_assert!(answers.is_ok(), "{:?}", answers.err());
        match witness::check(derivation, answers.unwrap()) {
            Ok(checked) => prop_assert_eq!(checked.report().map(|r| r.unchecked), Some(0), "{}", crate::random::function(&crate::random::lines(&tape), NAMES)),
            Err(refused) => prop_assert_eq!(refused.kind, Kind::NotFinite, "{}", refused),
        }
    }

    /// Other names of the inputs, even names the tool uses, change names only.
    #[test]
    fn names_do_not_matter(tape in prop::collection::vec(any::<u8>(), 1..70), by in 0usize..6) {
        let (one, other) = (derived(&program(&tape, NAMES), NAMES[by]), derived(&program(&tape, TAKEN), TAKEN[by]));
        prop_assert_eq!(&one.result, &other.result);
        prop_assert_eq!(rules(&one), rules(&other));
    }

    /// Printed and parsed again, line by line, a program is the same graph up to sharing.
    #[test]
    fn printing_then_parsing_gives_the_same_graph(tape in prop::collection::vec(any::<u8>(), 1..70)) {
        let p = program(&tape, NAMES);
        let mut request = graph::Request { strict: true, ..graph::Request::default() };
        for (name, shape) in crate::random::INPUTS {
            request.declare(name, shape).unwrap();
        }
        // One value written twice is one node with one name.
        let mut seen = std::collections::BTreeSet::new();
        let mut definitions: Vec<_> = p.definitions.iter().filter(|d| seen.insert(d.node)).collect();
        // A value written within an earlier line is an earlier node.
        definitions.sort_by_key(|d| d.node);
        for definition in definitions {
            let name = p.name(definition.node).unwrap_or(&definition.name);
            request.lets.push(format!("{name} = {}", crate::graph::written(&p, definition.node)));
        }
        let last = p.name(p.output).unwrap();
        let again = graph::read_expression(last, &request).unwrap_or_else(|d| panic!("{:?}\n{d:?}", request.lets));
        prop_assert_eq!(crate::graph::fingerprint(&p, p.output), crate::graph::fingerprint(&again, again.output), "{:?}", request.lets);
    }
}
