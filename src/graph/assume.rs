//! What is assumed of values: "A symmetric", "det(X) positive".

use super::elaborate::{Elaborator, Mode};
use super::program::Property;
use super::request::Request;
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, did_you_mean};

/// The properties as they are written; the longer ones before those they end with.
const PROPERTIES: &[(&str, Property)] = &[
    ("positive definite", Property::PositiveDefinite),
    ("full column rank", Property::FullColumnRank),
    ("full row rank", Property::FullRowRank),
    ("labels -1/+1", Property::SignLabels),
    ("symmetric", Property::Symmetric),
    ("orthogonal", Property::Orthogonal),
    ("diagonal", Property::Diagonal),
    ("invertible", Property::Invertible),
    ("positive", Property::Positive),
    ("nonzero", Property::Nonzero),
    ("one-hot", Property::OneHot),
    ("probability", Property::Probability),
    ("sums to one", Property::Probability),
    ("binary", Property::Binary),
];

impl Property {
    /// The property as it is written in an assumption.
    pub fn as_str(&self) -> &'static str {
        PROPERTIES.iter().find(|(_, property)| property == self).map_or("", |(text, _)| text)
    }
}

/// Notes the assumptions and settings of the request in the program.
pub(super) fn assume(elaborator: &mut Elaborator, request: &Request) -> Diagnostics {
    elaborator.mode = Mode::Aside;
    let mut told = Diagnostics::new();
    for text in &request.assumptions {
        told.extend(assumption(elaborator, text).err());
    }
    for (name, number) in &request.settings {
        match elaborator.program.input_named(name) {
            Some(input) => elaborator.program.settings.push((input, *number)),
            None => {
                let names = elaborator.program.inputs.iter().filter_map(|id| elaborator.program.name(*id));
                let near = did_you_mean(name, names.map(|name| &**name)).map(|near| format!("did you mean {near}?"));
                let message = format!("{name} cannot be set: there is no input of that name");
                told.push(Diagnostic { help: near, ..Diagnostic::new(Kind::UnknownName, message) });
            }
        }
    }
    told
}

fn assumption(elaborator: &mut Elaborator, text: &str) -> Result<(), Diagnostic> {
    let bad = |message: String| Diagnostic::new(Kind::BadDeclaration, message);
    let told = |inner: Diagnostic| Diagnostic {
        message: format!("in the assumption \"{text}\": {}", inner.message),
        span: None,
        labels: Vec::new(),
        ..inner
    };
    let split = PROPERTIES.iter().find_map(|(words, property)| {
        let subject = text.trim_end().strip_suffix(words)?;
        let ends = subject.ends_with(char::is_whitespace) || subject.ends_with(')');
        let subject = subject.trim();
        ends.then(|| (subject.strip_suffix(" is").unwrap_or(subject), property.clone()))
    });
    let Some((subject, property)) = split else {
        let known = PROPERTIES.iter().map(|(words, _)| *words).collect::<Vec<_>>().join(", ");
        return Err(bad(format!("\"{text}\" is no assumption")).help(format!("say of a value that it is {known}")));
    };
    let expr = crate::source::expression(subject).map_err(told)?;
    let source = std::mem::take(&mut elaborator.text);
    let node = elaborator.operand(&expr).and_then(|operand| elaborator.node(&operand));
    elaborator.text = source;
    let node = node.map_err(told)?;
    if is_of_matrices(&property) {
        let shape = elaborator.program.unknowns.resolve_shape(elaborator.program.shape(node));
        let square = match shape.0.as_slice() {
            [.., rows, columns] => elaborator.program.unknowns.equal(rows, columns),
            _ => false,
        };
        if !square {
            let message = format!("\"{text}\" needs a square matrix: {subject} is {}", shape.as_tuple());
            return Err(Diagnostic::new(Kind::NotSquare, message));
        }
    }
    elaborator.program.properties.push((node, property));
    Ok(())
}

/// Does the property speak of square matrices?
fn is_of_matrices(property: &Property) -> bool {
    use Property::{Diagonal, Invertible, Orthogonal, PositiveDefinite, Symmetric};
    matches!(property, Symmetric | PositiveDefinite | Orthogonal | Diagonal | Invertible)
}
