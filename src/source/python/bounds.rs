//! What is looked at before the parser may see a text: size, nesting, brackets,
//! stray characters. The parser recurses, so it must not see what is too deep.

use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::source::expression::{MAX_NESTING, too_deep};
use crate::source::lexer::{MAX_BYTES, is_invisible, refused_letter, too_long};

/// How deep blocks may be indented.
const MAX_BLOCKS: usize = 100;
/// How many operators one expression may have outside of further brackets: the
/// parser's tree is as deep as that.
const MAX_OPERATORS: usize = 5_000;

/// Lines of a pasted session outside of any string: the bytes they take.
pub type Sessions = Vec<std::ops::Range<usize>>;

/// Checks `text`.
///
/// # Errors
/// What is too long, too deep, not closed, or no character of a program.
pub fn check(text: &str) -> Result<Sessions, Diagnostic> {
    if text.len() > MAX_BYTES {
        return Err(too_long(text.len()));
    }
    let mut scan =
        Scan { text, at: 0, levels: vec![Level::default()], depth: 0, indents: vec![0], before: Before::Start };
    let mut sessions = Sessions::new();
    if text.starts_with('\u{feff}') {
        scan.at = '\u{feff}'.len_utf8();
    }
    scan.line_start(&mut sessions)?;
    while let Some(c) = scan.text[scan.at..].chars().next() {
        scan.step(c, &mut sessions)?;
    }
    match scan.levels.get(1) {
        Some(level) => Err(scan.unclosed(level)),
        None => Ok(sessions),
    }
}

/// What is open inside one pair of brackets.
#[derive(Default)]
struct Level {
    /// The bracket, its place, and the name it calls.
    open: Option<(char, usize, Span)>,
    /// What the levels outside add to the depth.
    outside: usize,
    /// Signs and powers of the operand at hand.
    run: usize,
    /// Words that nest to the right: `lambda`, `else`, `not`.
    words: usize,
    /// Calls, indices and attributes of the operand at hand.
    postfix: usize,
    /// Binary operators.
    operators: usize,
}

impl Level {
    fn depth(&self) -> usize {
        self.run + self.words + self.postfix
    }
}

/// What stands before the place at hand.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Start,
    Operator,
    /// The place of the word, empty for others.
    Operand(Span),
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    levels: Vec<Level>,
    /// The levels outside the innermost, with all that is open in them.
    depth: usize,
    indents: Vec<usize>,
    before: Before,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn here(&self, length: usize) -> Span {
        Span { start: self.at as u32, end: (self.at + length) as u32 }
    }

    fn step(&mut self, c: char, sessions: &mut Sessions) -> Result<(), Diagnostic> {
        match c {
            '\n' => {
                self.at += 1;
                if self.levels.len() == 1 {
                    self.levels[0] = Level::default();
                    self.before = Before::Start;
                    self.line_start(sessions)?;
                }
                return Ok(());
            }
            ' ' | '\t' | '\r' | '\u{c}' => self.at += 1,
            '\\' => self.at += 1 + usize::from(self.rest().starts_with("\\\n")),
            '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
            '"' | '\'' => self.string(c, false)?,
            '(' | '[' | '{' => self.open(c)?,
            ')' | ']' | '}' => self.close(c)?,
            _ if c.is_alphanumeric() || c == '_' => self.word()?,
            _ if c.is_ascii_punctuation() => self.sign(c)?,
            _ => return Err(refused_letter(c, self.here(c.len_utf8()))),
        }
        Ok(())
    }

    /// The start of a line outside brackets: indentation, lines of a session.
    fn line_start(&mut self, sessions: &mut Sessions) -> Result<(), Diagnostic> {
        let rest = &self.text[self.at..];
        let line = rest.lines().next().unwrap_or("");
        let code = line.trim_start_matches([' ', '\t', '\u{c}']);
        if code.is_empty() || code.starts_with('#') {
            return Ok(());
        }
        if code.starts_with(">>>") {
            let lines = rest.split_inclusive('\n').take_while(|line| !line.trim().is_empty());
            let length: usize = lines.map(str::len).sum();
            sessions.push(self.at..self.at + length);
            self.at += length;
            return self.line_start(sessions);
        }
        let indent = line.len() - code.len();
        while self.indents.last().is_some_and(|last| *last > indent) {
            self.indents.pop();
        }
        if self.indents.last() != Some(&indent) {
            self.indents.push(indent);
        }
        if self.indents.len() > MAX_BLOCKS {
            let message = format!("blocks are nested too deeply: at most {MAX_BLOCKS} are read");
            return Err(Diagnostic::at(Kind::TooLarge, self.here(line.len()), message));
        }
        Ok(())
    }

    fn level(&mut self) -> &mut Level {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn deeper(&self, span: Span) -> Result<(), Diagnostic> {
        let here = self.levels.last().map_or(0, Level::depth);
        if self.depth + here > MAX_NESTING { Err(too_deep(span)) } else { Ok(()) }
    }

    fn open(&mut self, c: char) -> Result<(), Diagnostic> {
        let span = self.here(1);
        let name = match self.before {
            Before::Operand(name) => {
                self.level().postfix += 1;
                name
            }
            _ => Span::default(),
        };
        // A call counts as postfix, other brackets as themselves.
        let itself = usize::from(!matches!(self.before, Before::Operand(_)));
        let outside = self.level().depth() + itself;
        self.depth += outside;
        self.levels.push(Level { open: Some((c, self.at, name)), outside, ..Level::default() });
        self.before = Before::Start;
        self.at += 1;
        self.deeper(if name == Span::default() { span } else { name })
    }

    fn close(&mut self, c: char) -> Result<(), Diagnostic> {
        let Some((open, at, _)) = self.level().open else {
            return Err(Diagnostic::at(Kind::Syntax, self.here(1), format!("unmatched '{c}'")));
        };
        let fits = matches!((open, c), ('(', ')') | ('[', ']') | ('{', '}'));
        if !fits {
            let span = Span { start: at as u32, end: at as u32 + 1 };
            let message = format!("'{c}' does not close '{open}'");
            return Err(Diagnostic::at(Kind::Syntax, self.here(1), message).also(span, "opened here"));
        }
        self.depth -= self.levels.pop().map_or(0, |level| level.outside);
        self.before = Before::Operand(Span::default());
        self.at += 1;
        Ok(())
    }

    fn unclosed(&self, level: &Level) -> Diagnostic {
        let (open, at, name) = level.open.unwrap_or_default();
        let span = Span { start: at as u32, end: at as u32 + 1 };
        let name = name.of(self.text);
        let message = match (name, open) {
            ("", _) | (_, '{') => format!("'{open}' is never closed"),
            (name, '(') => format!("'(' of the call to {name} is never closed"),
            (name, _) => format!("'{open}' after {name} is never closed"),
        };
        Diagnostic::at(Kind::Syntax, span, message)
    }

    fn word(&mut self) -> Result<(), Diagnostic> {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, span) = (&rest[..length], self.here(length));
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        let bad = word.char_indices().find(|(_, c)| !c.is_ascii() && is_disguised(*c));
        if let Some((at, c)) = bad {
            let start = span.start + at as u32;
            return Err(refused_letter(c, Span { start, end: start + c.len_utf8() as u32 }));
        }
        let quote = rest[length..].chars().next().filter(|c| matches!(c, '"' | '\''));
        if let Some(quote) = quote.filter(|_| length <= 2 && word.chars().all(|c| "rRbBuUfFtT".contains(c))) {
            let formatted = word.contains(['f', 'F', 't', 'T']);
            self.at += length;
            return self.string(quote, formatted);
        }
        self.before = match word {
            "not" | "lambda" | "else" | "await" | "yield" => {
                self.level().words += 1;
                self.deeper(span)?;
                Before::Operator
            }
            "and" | "or" | "in" | "is" | "if" | "for" | "return" | "from" | "import" | "assert" | "elif" | "while" => {
                self.operator();
                Before::Operator
            }
            _ => Before::Operand(if number { Span::default() } else { span }),
        };
        self.at += length;
        Ok(())
    }

    /// A binary operator ends the operand before it.
    fn operator(&mut self) {
        let level = self.level();
        (level.run, level.postfix) = (0, 0);
        self.before = Before::Operator;
    }

    fn sign(&mut self, c: char) -> Result<(), Diagnostic> {
        let power = self.rest().starts_with("**");
        let (length, span) = (1 + usize::from(power), self.here(1 + usize::from(power)));
        let operand = matches!(self.before, Before::Operand(_));
        match c {
            '.' if operand && !self.rest().starts_with("...") => {
                self.level().postfix += 1;
                self.deeper(span)?;
                self.before = Before::Operator;
            }
            '*' if power && operand => {
                self.level().postfix = 0;
                self.level().run += 1;
                self.deeper(span)?;
                self.before = Before::Operator;
            }
            '+' | '-' | '~' | '*' if !operand => {
                self.level().run += 1;
                self.deeper(span)?;
            }
            ',' | ';' | '=' | ':' => {
                self.level().operators = 0;
                self.operator();
            }
            _ => {
                self.operator();
                self.level().operators += 1;
                if self.level().operators > MAX_OPERATORS {
                    let message = format!("this expression is too long: at most {MAX_OPERATORS} operators are read");
                    return Err(Diagnostic::at(Kind::TooLarge, span, message).help("give parts of it names"));
                }
            }
        }
        self.at += length;
        Ok(())
    }

    /// A string from its quote on.
    fn string(&mut self, quote: char, formatted: bool) -> Result<(), Diagnostic> {
        let start = self.at;
        let triple = [quote; 3].iter().collect::<String>();
        let rest = self.rest();
        let close = if rest.starts_with(&triple) { triple } else { quote.to_string() };
        let body = &rest[close.len()..];
        let (mut escaped, mut length) = (false, None);
        for (at, c) in body.char_indices() {
            match c {
                '\0' => {
                    return Err(refused_letter(
                        c,
                        Span { start: (start + close.len() + at) as u32, end: (start + close.len() + at) as u32 + 1 },
                    ));
                }
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' if close.len() == 1 => break,
                _ if body[at..].starts_with(&close) => {
                    length = Some(at);
                    break;
                }
                _ => {}
            }
        }
        let Some(length) = length else { return Err(self.unclosed_string(quote, close.len())) };
        if formatted && busy(&body[..length]) {
            return Err(too_deep(self.here(1)));
        }
        self.at = start + 2 * close.len() + length;
        self.before = Before::Operand(Span::default());
        Ok(())
    }

    fn unclosed_string(&self, quote: char, length: usize) -> Diagnostic {
        let message = format!("the quote {quote} starts a string that is never closed");
        let told = Diagnostic::at(Kind::Syntax, self.here(length), message);
        match self.before {
            Before::Operand(name) if name.end as usize == self.at => {
                told.help(format!("transpose is written {}.T", name.of(self.text)))
            }
            _ => told,
        }
    }
}

/// Is the code inside the braces of a formatted string too much to be safe?
fn busy(body: &str) -> bool {
    let (mut braces, mut signs) = (0usize, 0usize);
    for c in body.chars() {
        match c {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        signs += usize::from(braces > 0 && !c.is_alphanumeric());
    }
    signs > 2 * MAX_NESTING
}

/// Is this a character that Python takes for another one, or a digit that is none?
fn is_disguised(c: char) -> bool {
    c.is_numeric() || is_invisible(c) || matches!(c, '\u{FF00}'..='\u{FFEF}' | '\u{1D400}'..='\u{1D7FF}')
}
