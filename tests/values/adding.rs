//! Adding an operation takes one record and nothing else.

use chainrule::derive::{self, Map};
use chainrule::ops::{self, Attrs, Axes, Lower, Notation, Op, Param, Rule, Spelling, Value};
use chainrule::reading::Answers;
use chainrule::witness;

/// softsign(x) = x / (1 + |x|), as torch.nn.functional has it.
static SOFTSIGN: Op = Op {
    name: "softsign",
    spellings: &[Spelling::everywhere("softsign")],
    params: &[Param::array("x")],
    shape: |_, args, _| Ok(args[0].clone()),
    value: Value::Unary(|x| x / (1.0 + x.abs())),
    rule: Rule::Text("dx / (1 + abs(x)) ** 2"),
    lower: Lower::Atom,
    definition: Some("x / (1 + abs(x))"),
    notation: Notation::Call("softsign"),
    letter: "",
    axes: Axes::Elementwise,
    domain: &[(-2.0, 2.0)],
    kink: None,
    undefined: &[],
    steep: &[],
    conditioned: false,
    title: "softsign",
    sentence: "softsign bends a line to the interval −1 … 1.",
};

#[test]
fn a_new_record_is_derived_and_checked_like_any_other() {
    let mut p = crate::program::program(&[("x", "n"), ("A", "n n")], &[("y", "A @ x")]);
    let y = p.output;
    p.output = p.apply(&SOFTSIGN, &[y], Attrs::default()).unwrap();
    let x = p.input_named("x").unwrap();
    let derivation = derive::derive(&p, p.output, x).unwrap();
    assert!(matches!(&derivation.result, Map::Compose(factors) if factors.len() == 2));
    let titles: Vec<String> = derivation.paragraphs[0]
        .steps
        .iter()
        .flat_map(|step| step.reasons.iter().map(|r| r.says(&derivation.program, &derivation.parts)))
        .collect();
    assert!(titles.contains(&"softsign".to_string()), "{titles:?}");
    let answers = Answers::none(&derivation);
    let checked = witness::check(derivation, answers).unwrap();
    assert_eq!(checked.report().map(|r| (r.unchecked, r.answer)), Some((0, true)));
}

#[test]
fn the_page_on_silu_shows_the_record_as_it_stands_in_its_one_file() {
    let page = include_str!("../../docs/src/adding-silu.md");
    let files: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("+++ b/")).collect();
    assert_eq!(files, ["src/ops/activation.rs"], "the change touches one file");
    let added: Vec<&str> = page.lines().filter(|l| !l.starts_with("+++")).filter_map(|l| l.strip_prefix('+')).collect();
    let file = include_str!("../../src/ops/activation.rs");
    assert!(added.len() > 8 && file.contains(&added.join("\n")), "the page is out of date");
    assert_eq!(ops::by_name("silu").map(|op| op.title), Some("silu"));
}
