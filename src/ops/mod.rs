//! The records: everything known about each operation, and nothing else.
//!
//! One operation is one [`Op`] in one table below. Parser, shapes, derivation,
//! formats, evaluation and the table-wide tests all read the record; none of
//! them matches on an operation's name.

mod abbreviation;
mod activation;
mod arithmetic;
mod choice;
mod common;
mod constant;
mod describe;
mod einsum;
mod extreme;
mod function;
mod lanes;
mod layout;
mod loss;
mod matrix;
mod number;
mod opaque;
mod param;
mod product;
mod record;
mod reduce;
mod softmax;
mod statistics;

pub use abbreviation::{Abbreviation, abbreviations, all_abbreviations};
pub use describe::{meant, rule_text, spelling_text};
pub use einsum::MatrixProduct;
pub use number::Number;
pub use param::{Attr, Attrs, EVERYWHERE, Framework, JAX, MATH, NUMPY, Param, ParamKind, Preset, Spelling, TORCH};
pub use record::{Axes, Contraction, Gap, Kink, Lower, Misfit, Notation, Op, OpRef, Rule, Value};

/// The table, by family.
const FAMILIES: &[&[Op]] = &[
    arithmetic::OPS,
    product::OPS,
    function::OPS,
    activation::OPS,
    choice::OPS,
    reduce::OPS,
    reduce::PRODUCTS,
    extreme::OPS,
    statistics::OPS,
    softmax::OPS,
    loss::OPS,
    matrix::OPS,
    constant::OPS,
    einsum::OPS,
    layout::OPS,
    opaque::OPS,
    opaque::HELD,
];

/// All operations, in the table's order.
pub fn all() -> impl Iterator<Item = OpRef> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The operation called `name` in rules and answers.
pub fn by_name(name: &str) -> Option<OpRef> {
    all().find(|op| op.name == name)
}

/// The operations that `name` can mean, each with the spelling, in the table's order.
/// `framework` is the one the prefix or the imports tell; `None` for a bare name.
/// Spellings that need a keyword are left out: see [`spelled_given`].
pub fn spelled(name: &str, framework: Option<Framework>) -> Vec<(OpRef, &'static Spelling)> {
    spellings(name, framework).filter(|(_, spelling)| spelling.given.is_empty()).collect()
}

/// The operation that `name` means because of a keyword (`approximate='tanh'`), if there is one:
/// `keyword` tells the value a keyword has in this call.
pub fn spelled_given(
    name: &str,
    framework: Option<Framework>,
    keyword: &dyn Fn(&str) -> Option<Preset>,
) -> Option<(OpRef, &'static Spelling)> {
    // Nothing given means nothing in particular where the framework is not known.
    let says = |s: &Spelling| s.given.iter().any(|(_, value)| framework.is_some() || *value != Preset::Absent);
    let fits = |s: &Spelling| says(s) && s.given.iter().all(|(name, value)| value.fits(keyword(name)));
    spellings(name, framework).find(|(_, spelling)| fits(spelling))
}

fn spellings(name: &str, framework: Option<Framework>) -> impl Iterator<Item = (OpRef, &'static Spelling)> {
    let fits = move |s: &Spelling| s.name == name && framework.is_none_or(|f| s.frameworks.contains(&f));
    all().flat_map(|op| op.spellings.iter().map(move |s| (op, s))).filter(move |(_, s)| fits(s))
}
