//! What an annotation says of a parameter.

use super::statements::Converter;
use crate::diagnostic::Span;
use crate::shape::Name;
use crate::source::ast::Annotation;
use crate::source::is_name;
use ruff_python_ast::{Expr, ExprStringLiteral};
use ruff_text_size::Ranged;

impl Converter<'_> {
    /// `Float[Tensor, "batch d"]`, `"batch d"`, `float`, `int`, `Callable`; others say nothing.
    pub fn annotation(&self, annotation: Option<&Expr>) -> Annotation {
        match annotation {
            Some(Expr::StringLiteral(text)) => self.shape(text),
            Some(Expr::Subscript(subscript)) => match &*subscript.slice {
                Expr::StringLiteral(text) => self.shape(text),
                Expr::Tuple(parts) => match parts.elts.last() {
                    Some(Expr::StringLiteral(text)) => self.shape(text),
                    _ => self.annotation(Some(&subscript.value)),
                },
                _ => self.annotation(Some(&subscript.value)),
            },
            Some(Expr::Name(name)) => by_name(name.id.as_str()),
            Some(Expr::Attribute(attribute)) => by_name(attribute.attr.as_str()),
            _ => Annotation::None,
        }
    }

    fn shape(&self, text: &ExprStringLiteral) -> Annotation {
        let value = text.value.to_str();
        // A type in quotes: "torch.Tensor", "Tensor".
        let dotted = value.contains('.') && value.split('.').all(is_name);
        if dotted || value.ends_with("Tensor") || value.ends_with("Array") {
            return Annotation::None;
        }
        let span = self.span(text.range());
        let quotes = if self.text(text.range()).ends_with("\"\"\"") { 3 } else { 1 };
        let inner = Span { start: span.start + quotes, end: span.end.saturating_sub(quotes) };
        let inner = if value.is_empty() { span } else { inner };
        Annotation::Shape(Name::from(value), inner)
    }
}

fn by_name(name: &str) -> Annotation {
    match name {
        "float" => Annotation::Number,
        "int" => Annotation::Whole,
        "Callable" | "Module" => Annotation::Function,
        _ => Annotation::None,
    }
}
