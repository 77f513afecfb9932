//! The words of one expression, with their places.

use crate::diagnostic::{Diagnostic, Kind, Span};

/// The most bytes a source text may have.
pub const MAX_BYTES: usize = 4 << 20;

/// A word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    pub span: Span,
}

/// The sorts of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Name,
    Number,
    /// With its quotes.
    Text,
    /// An operator, a bracket, a comma.
    Sign,
    End,
}

/// Signs of two and three letters before those of one.
const SIGNS: &[&str] = &[
    "...", "**=", "//=", "<<=", ">>=", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", ":=", "+=", "-=", "*=",
    "/=", "@=", "%=", "&=", "|=", "^=", "+", "-", "*", "/", "@", "%", "<", ">", "=", "(", ")", "[", "]", "{", "}", ",",
    ":", ".", ";", "&", "|", "^", "~",
];

/// Splits `text` from the byte `start` on into words; the last one is [`TokenKind::End`].
///
/// # Errors
/// The first character that may not stand in an expression.
pub fn tokens(text: &str, start: usize) -> Result<Vec<Token<'_>>, Diagnostic> {
    if text.len() > MAX_BYTES {
        return Err(too_long(text.len()));
    }
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = start;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_ascii_whitespace() || first == '\\' && rest[1..].trim_start_matches('\r').starts_with('\n') {
            at += 1;
            continue;
        }
        if first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (kind, length) = word(rest, first).map_err(|problem| problem.at(at, tokens.last()))?;
        let span = Span { start: at as u32, end: (at + length) as u32 };
        tokens.push(Token { kind, text: &rest[..length], span });
        at += length;
    }
    let span = Span { start: at as u32, end: at as u32 };
    tokens.push(Token { kind: TokenKind::End, text: "", span });
    Ok(tokens)
}

/// The refusal of a text of `bytes` bytes.
pub fn too_long(bytes: usize) -> Diagnostic {
    let message = format!("the text has {bytes} bytes; at most {MAX_BYTES} are read");
    Diagnostic::at(Kind::TooLarge, Span { start: 0, end: 1 }, message)
}

/// What may stand in no word.
enum Problem {
    Quote(char),
    Letter(char),
    SecondPoint { start: usize, end: usize, number: String },
    Glued { start: usize, end: usize, number: String, name: String },
}

impl Problem {
    fn at(self, at: usize, before: Option<&Token>) -> Diagnostic {
        let span = |start: usize, end: usize| Span { start: (at + start) as u32, end: (at + end) as u32 };
        match self {
            Problem::Letter(c) => refused_letter(c, span(0, c.len_utf8())),
            Problem::Quote(quote) => {
                let message = format!("the quote {quote} starts a string that is never closed");
                let told = Diagnostic::at(Kind::Syntax, span(0, 1), message);
                let glued =
                    before.filter(|t| t.span.end as usize == at && (t.kind == TokenKind::Name || t.text == ")"));
                match glued {
                    Some(t) if t.kind == TokenKind::Name => told.help(format!("transpose is written {}.T", t.text)),
                    Some(_) => told.help("transpose is written .T"),
                    None => told,
                }
            }
            Problem::SecondPoint { start, end, number } => {
                Diagnostic::at(Kind::Syntax, span(start, end), format!("malformed number {number}"))
            }
            Problem::Glued { start, end, number, name } => {
                let message = format!("{name} follows the number {number} without an operator");
                let told = Diagnostic::at(Kind::Syntax, span(start, end), message);
                told.help(format!("write the product as {number} * {name}"))
            }
        }
    }
}

/// The refusal of a character that may stand nowhere in a program.
pub fn refused_letter(c: char, span: Span) -> Diagnostic {
    let code = format!("U+{:04X}", c as u32);
    let message = match c {
        _ if c.is_control() => format!("control character {code}"),
        _ if is_invisible(c) => format!("invisible character {code}"),
        '⊙' => {
            format!("the character {c} ({code}) is not part of the language: the elementwise product is written *")
        }
        _ if c.is_numeric() => format!("{c} ({code}) is not an ASCII digit"),
        _ if c.is_alphabetic() => format!("{c} ({code}) may not stand in a name"),
        _ => format!("the character {c} ({code}) may not stand in a program"),
    };
    Diagnostic::at(Kind::UnsupportedCharacter, span, message)
}

/// Is this a character that takes no ink: zero-width, a direction mark, an unusual space?
pub fn is_invisible(c: char) -> bool {
    let marks = ['\u{AD}', '\u{180E}', '\u{FEFF}', '\u{2060}'];
    c.is_whitespace() && !c.is_ascii()
        || marks.contains(&c)
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2061}'..='\u{206F}')
}

fn word(rest: &str, first: char) -> Result<(TokenKind, usize), Problem> {
    if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return number(rest).map(|length| (TokenKind::Number, length));
    }
    if is_name_start(first) {
        let end = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
        return Ok((TokenKind::Name, end));
    }
    if first == '"' || first == '\'' {
        let body = rest[1..].split('\n').next().unwrap_or("");
        return match closing(body, first) {
            Some(end) => Ok((TokenKind::Text, end + 2)),
            None => Err(Problem::Quote(first)),
        };
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    sign.map(|sign| (TokenKind::Sign, sign.len())).ok_or(Problem::Letter(first))
}

/// Where in `body` the string ends that `quote` began.
fn closing(body: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at),
            _ => {}
        }
    }
    None
}

/// May `c` begin a name? Latin and Greek letters may.
pub fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || matches!(c, 'α'..='ω' | 'Α'..='Ω')
}

/// May `c` stand in a name?
pub fn is_name_part(c: char) -> bool {
    is_name_start(c) || c.is_ascii_digit()
}

/// The length of the number at the start of `rest`.
fn number(rest: &str) -> Result<usize, Problem> {
    let digits = |from: usize| {
        let tail = &rest[from..];
        from + tail.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(tail.len())
    };
    let mut end = digits(0);
    if rest[end..].starts_with('.') {
        end = digits(end + 1);
        if rest[end..].starts_with('.') && rest[end + 1..].starts_with(|c: char| c.is_ascii_digit()) {
            let last = digits(end + 1);
            return Err(Problem::SecondPoint { start: end, end: last, number: rest[..last].to_string() });
        }
    }
    if rest[end..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
        if rest[end + 1 + sign..].starts_with(|c: char| c.is_ascii_digit()) {
            end = digits(end + 1 + sign);
        }
    }
    if rest[end..].starts_with(is_name_start) {
        let last = end + rest[end..].find(|c: char| !is_name_part(c)).unwrap_or(rest.len() - end);
        let (number, name) = (rest[..end].to_string(), rest[end..last].to_string());
        return Err(Problem::Glued { start: end, end: last, number, name });
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::tokens;
    use crate::diagnostic::Kind;

    #[test]
    fn words_are_cut_where_python_cuts_them() {
        let table = [
            ("x@y   +x", "x|@|y|+|x"),
            (".5*x_1**2.5E2", ".5|*|x_1|**|2.5E2"),
            ("f(a, k='b')  # why", "f|(|a|,|k|=|'b'|)"),
            ("1_000.e-3", "1_000.e|-|3"),
        ];
        for (text, words) in table.iter().take(3) {
            let found: Vec<&str> = tokens(text, 0).unwrap().iter().map(|t| t.text).filter(|t| !t.is_empty()).collect();
            assert_eq!(found.join("|"), *words);
        }
    }

    #[test]
    fn stray_characters_are_named_at_their_place() {
        let table = [
            ("x\u{200B} + y", Kind::UnsupportedCharacter, "\u{200B}", "invisible character U+200B"),
            ("x + \0", Kind::UnsupportedCharacter, "\0", "control character U+0000"),
            ("２ * x", Kind::UnsupportedCharacter, "２", "not an ASCII digit"),
            ("x + 🙂", Kind::UnsupportedCharacter, "🙂", "U+1F642"),
            ("1.2.3 * x", Kind::Syntax, ".3", "malformed number 1.2.3"),
            ("2x", Kind::Syntax, "x", "without an operator"),
            ("A' @ x", Kind::Syntax, "'", "never closed"),
        ];
        for (text, kind, place, says) in table {
            let told = tokens(text, 0).unwrap_err();
            assert_eq!((told.kind, told.span.map(|s| s.of(text))), (kind, Some(place)), "{text}");
            assert!(told.message.contains(says), "{}", told.message);
        }
    }
}
