//! Syntax errors in words that help.

use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span};
use crate::source::expression::expression_in;
use crate::source::is_name;
use ruff_python_parser::ParseError;
use std::ops::Range;

/// The most mistakes told at once.
const MOST: usize = 10;

/// The mistakes of a file, one a line, in order.
pub fn told(text: &str, errors: &[ParseError]) -> Diagnostics {
    let mut told: Diagnostics = Vec::new();
    let mut last = None;
    for error in errors {
        let start = usize::from(error.location.start()).min(text.len());
        let line = line_at(text, start);
        if last == Some(line.start) || told.len() == MOST {
            continue;
        }
        last = Some(line.start);
        told.push(better(text, line).unwrap_or_else(|| plain(text, error)));
    }
    told
}

/// The line that holds the byte `at`; at the end of a line, that line.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let from = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let to = bytes[from..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |length| from + length);
    // An error at the end of input stands on the empty line after the last.
    if from == to && from > 0 && at == bytes.len() { line_at(text, from - 1) } else { from..to }
}

/// What our own reader says of the expression in the line, if it finds fault.
fn better(text: &str, line: Range<usize>) -> Option<Diagnostic> {
    let code = &text[line.clone()];
    let lead = code.len() - code.trim_start().len();
    let start = match code.trim_start().strip_prefix("return") {
        Some(rest) if !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') => lead + "return".len(),
        _ => match code.find('=') {
            Some(equals) if code[..equals].split(',').all(|name| is_name(name.trim())) => equals + 1,
            _ => lead,
        },
    };
    let told = expression_in(text, line.start + start..line.end).err()?;
    let kinds = [Kind::Syntax, Kind::UnsupportedCharacter, Kind::UnsupportedStatement];
    kinds.contains(&told.kind).then_some(told)
}

/// What the parser says.
fn plain(text: &str, error: &ParseError) -> Diagnostic {
    let message = error.error.to_string();
    let mut letters = message.chars();
    let first = letters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    let start = u32::from(error.location.start());
    let end = u32::from(error.location.end()).max(start + 1).min(text.len() as u32);
    Diagnostic::at(Kind::Syntax, Span { start: start.min(end), end }, first + letters.as_str())
}
