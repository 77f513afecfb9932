//! Operators and words of Python, kept and refused.

use crate::diagnostic::{Diagnostic, Kind, Span};

/// Binary operators: sign, the operation's name, strength.
pub const BINARY: &[(&str, &str, u8)] = &[
    ("<", "lt", 1),
    (">", "gt", 1),
    ("<=", "le", 1),
    (">=", "ge", 1),
    ("==", "eq", 1),
    ("!=", "ne", 1),
    ("+", "add", 2),
    ("-", "sub", 2),
    ("*", "mul", 3),
    ("/", "div", 3),
    ("@", "matmul", 3),
    ("**", "power", POWER),
];
/// The strength of a power.
pub const POWER: u8 = 4;

/// Operators of Python that have no derivative here, and what helps.
const REFUSED: &[(&str, &str)] = &[
    ("//", "floor division is constant between jumps: it has no derivative here"),
    ("%", "the remainder jumps: it has no derivative here"),
    ("^", "^ is not supported: a power is written **"),
    ("&", "& is not supported"),
    ("|", "| is not supported"),
    ("~", "~ is not supported"),
    ("<<", "<< is not supported"),
    (">>", ">> is not supported"),
    ("and", "'and' is not supported: use where(condition, a, b)"),
    ("or", "'or' is not supported: use where(condition, a, b)"),
    ("not", "'not' is not supported: use where(condition, a, b)"),
    ("in", "'in' is not supported"),
    ("is", "'is' is not supported"),
];

/// Words that begin a statement.
pub const STATEMENTS: &[(&str, &str)] = &[
    ("while", "a while loop is no expression"),
    ("for", "a loop is no expression"),
    ("def", "functions cannot be defined in an expression"),
    ("class", "classes cannot be defined in an expression"),
    ("return", "an expression was expected, without return"),
    ("import", "nothing is imported in an expression"),
    ("from", "nothing is imported in an expression"),
    ("if", "an if statement is no expression"),
    ("with", "a with statement is no expression"),
    ("try", "a try statement is no expression"),
    ("del", "del is no expression"),
    ("assert", "assert is no expression"),
    ("raise", "raise is no expression"),
    ("pass", "pass is no expression"),
    ("global", "global is no expression"),
];

/// What the operator `sign` is refused with.
pub fn refused_operator(sign: &str, span: Span) -> Option<Diagnostic> {
    let (_, message) = REFUSED.iter().find(|(refused, _)| *refused == sign)?;
    Some(Diagnostic::at(Kind::UnsupportedOperator, span, *message))
}

/// Is the word no name?
pub fn is_keyword(word: &str) -> bool {
    let others = ["else", "elif", "lambda", "await", "yield", "async", "except", "finally", "nonlocal", "as"];
    let listed = |table: &[(&str, &str)]| table.iter().any(|(name, _)| *name == word);
    listed(REFUSED) || listed(STATEMENTS) || others.contains(&word)
}
