//! Why a word cannot stand where it does.

use super::lexer::{Token, TokenKind};
use super::operators::refused_operator;
use crate::diagnostic::{Diagnostic, Kind};

/// Signs that want an operand on each side.
const INFIX: &[&str] = &["+", "-", "*", "/", "@", "**", "<", ">", "<=", ">=", "==", "!="];

/// Why `token` cannot stand after `before`, inside the bracket `open` with the
/// name it calls.
pub fn unexpected(token: Token, before: Option<Token>, open: Option<(Token, Option<&str>)>) -> Diagnostic {
    let syntax = |message: String| Diagnostic::at(Kind::Syntax, token.span, message);
    let wants_operand = before.is_none_or(|t| t.kind == TokenKind::Sign && !matches!(t.text, ")" | "]" | "}" | "..."));
    let dangling = before.filter(|t| INFIX.contains(&t.text) && t.kind == TokenKind::Sign);
    if token.kind == TokenKind::End {
        return at_end(token, dangling, open);
    }
    if let Some(told) = refused_word(token, wants_operand) {
        return told;
    }
    if token.kind == TokenKind::Sign {
        if INFIX.contains(&token.text) {
            return syntax(match dangling {
                Some(t) if t.text == token.text => format!("an operand is missing between the two '{}'", t.text),
                Some(t) => format!("an operand is missing between '{}' and '{}'", t.text, token.text),
                None => format!("an operand is missing before '{}'", token.text),
            });
        }
        if let (")" | "]" | "}", Some(t)) = (token.text, dangling) {
            return Diagnostic::at(Kind::Syntax, t.span, format!("an operand is missing after '{}'", t.text));
        }
        return syntax(match (token.text, open) {
            (")" | "]" | "}", Some((open, _))) => format!("'{}' does not close '{}'", token.text, open.text),
            (")" | "]" | "}", None) => format!("unmatched '{}'", token.text),
            _ => format!("'{}' cannot stand here", token.text),
        });
    }
    let told = syntax(match before {
        Some(t) => format!("an operator or a comma is missing between {} and {}", t.text, token.text),
        None => format!("{} cannot stand here", token.text),
    });
    match before {
        Some(t) if !wants_operand => told.help(format!("a product is written {} * {}", t.text, token.text)),
        _ => told,
    }
}

fn at_end(token: Token, dangling: Option<Token>, open: Option<(Token, Option<&str>)>) -> Diagnostic {
    if let Some(t) = dangling {
        let message = format!("an operand is missing after '{}', at the end of the input", t.text);
        return Diagnostic::at(Kind::Syntax, t.span, message);
    }
    match open {
        Some((bracket, Some(name))) => {
            let message = format!("'{}' of the call to {name} is never closed", bracket.text);
            Diagnostic::at(Kind::Syntax, bracket.span, message)
        }
        Some((bracket, None)) => {
            Diagnostic::at(Kind::Syntax, bracket.span, format!("'{}' is never closed", bracket.text))
        }
        None => Diagnostic::at(Kind::Syntax, token.span, "the expression ends too early"),
    }
}

/// Words and signs of Python that the language leaves out.
fn refused_word(token: Token, wants_operand: bool) -> Option<Diagnostic> {
    let refuse = |kind, message: &str| Some(Diagnostic::at(kind, token.span, message));
    if token.kind == TokenKind::Text {
        return None;
    }
    match token.text {
        "if" => refuse(Kind::UnsupportedSyntax, "a conditional is not supported: use where(condition, a, b)"),
        "for" => refuse(Kind::UnsupportedSyntax, "comprehensions are not supported"),
        "lambda" => refuse(Kind::UnsupportedSyntax, "lambda is not supported: write the expression itself"),
        "{" => refuse(Kind::UnsupportedSyntax, "sets and dictionaries are not supported"),
        ":=" => refuse(Kind::UnsupportedSyntax, "definitions belong in their own line"),
        ":" => refuse(Kind::UnsupportedSyntax, "':' stands only inside an index"),
        "=" => refuse(
            Kind::UnsupportedStatement,
            "an expression was expected, not a definition; definitions belong in their own line",
        )
        .map(|told| told.help("a comparison is written ==")),
        ";" => refuse(Kind::UnsupportedStatement, "one expression only"),
        sign if sign.ends_with('=') && !matches!(sign, "==" | "!=" | "<=" | ">=") => {
            refuse(Kind::UnsupportedStatement, "an in-place update is no expression: its right side is")
        }
        sign if !wants_operand || matches!(sign, "not" | "~") => refused_operator(sign, token.span),
        _ => None,
    }
}
