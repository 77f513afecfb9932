//! One expression of the input language, for command lines, rules and answers.

use super::ast::{Argument, Expr, ExprKind, IndexItem};
use super::lexer::{Token, TokenKind, tokens};
use super::operators::{BINARY, POWER, STATEMENTS, is_keyword};
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::ops::Number;
use crate::shape::Name;
use std::ops::Range;

/// How deep brackets, signs, powers and calls may be nested.
pub const MAX_NESTING: usize = 200;

/// Parses one expression.
///
/// # Errors
/// What is no expression of the language, with its place.
///
/// ```
/// assert!(chainrule::source::expression("x + relu(x @ w1 + b1) @ w2").is_ok());
/// assert_eq!(chainrule::source::expression("relu(x").unwrap_err().span.unwrap().start, 4);
/// ```
pub fn expression(text: &str) -> Result<Expr, Diagnostic> {
    expression_in(text, 0..text.len())
}

/// Parses the expression that stands in `range` of `text`; places are those in `text`.
///
/// # Errors
/// As [`expression`].
pub fn expression_in(text: &str, range: Range<usize>) -> Result<Expr, Diagnostic> {
    let tokens = tokens(text.get(..range.end).unwrap_or(text), range.start)?;
    if tokens.len() == 1 {
        return Err(Diagnostic::at(Kind::Syntax, tokens[0].span, "the expression is empty"));
    }
    let mut parser = Parser { tokens, at: 0, nesting: 0, open: Vec::new() };
    parser.statement_word()?;
    let first = parser.binary(0)?;
    let whole = if parser.peek().text == "," { parser.tuple(first)? } else { first };
    match parser.peek() {
        token if token.kind == TokenKind::End => Ok(whole),
        token => Err(parser.unexpected(token)),
    }
}

/// A number as written; one that does not fit is told when it is used.
pub fn number(text: &str, span: Span) -> ExprKind {
    match Number::parse(text) {
        Some(number) => ExprKind::Number(number),
        None => {
            let infinite = text.replace('_', "").parse::<f64>().is_ok_and(f64::is_infinite);
            let message = match infinite {
                true => format!("the number {text} is too large for a double"),
                false => format!("the number {text} has too many digits to be kept exactly"),
            };
            ExprKind::BadNumber(Box::new(Diagnostic::at(Kind::Overflow, span, message)))
        }
    }
}

/// The refusal of what is nested deeper than [`MAX_NESTING`].
pub fn too_deep(span: Span) -> Diagnostic {
    let message = format!("nested too deeply: at most {MAX_NESTING} levels are read");
    Diagnostic::at(Kind::TooLarge, span, message).help("give parts of it names")
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    nesting: usize,
    /// The brackets open here: place, and the name called if it is a call.
    open: Vec<(Token<'a>, Option<&'a str>)>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.at]
    }

    fn ahead(&self) -> Token<'a> {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn deeper(&mut self, span: Span) -> Result<(), Diagnostic> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING { Err(too_deep(span)) } else { Ok(()) }
    }

    fn statement_word(&self) -> Result<(), Diagnostic> {
        let token = self.peek();
        match STATEMENTS.iter().find(|(word, _)| token.kind == TokenKind::Name && *word == token.text) {
            Some((_, message)) => Err(Diagnostic::at(Kind::UnsupportedStatement, token.span, *message)),
            None => Ok(()),
        }
    }

    /// Operators at least as strong as `strength`. Those of one strength that
    /// follow each other become one flat chain.
    fn binary(&mut self, strength: u8) -> Result<Expr, Diagnostic> {
        let mut left = self.operand()?;
        let mut chain: Option<u8> = None;
        while let Some((_, name, level)) = BINARY.iter().find(|(sign, _, _)| *sign == self.peek().text) {
            if *level < strength || self.peek().kind != TokenKind::Sign {
                break;
            }
            let sign = self.next();
            let right = if *level == POWER { self.power(sign)? } else { self.binary(level + 1)? };
            let span = left.span.to(right.span);
            if chain == Some(*level) {
                if *level == 1 {
                    let message = "a chain of comparisons is not supported";
                    return Err(Diagnostic::at(Kind::UnsupportedSyntax, sign.span, message)
                        .help("multiply the comparisons: (a < b) * (b < c)"));
                }
                if let ExprKind::Chain(_, links) = &mut left.kind {
                    links.push((name, sign.span, right));
                    left.span = span;
                }
            } else {
                left = Expr { kind: ExprKind::Chain(Box::new(left), vec![(name, sign.span, right)]), span };
                chain = Some(*level);
            }
        }
        Ok(left)
    }

    /// The right side of `**`, which binds from the right.
    fn power(&mut self, sign: Token<'a>) -> Result<Expr, Diagnostic> {
        self.deeper(sign.span)?;
        let right = self.binary(POWER);
        self.nesting -= 1;
        right
    }

    fn operand(&mut self) -> Result<Expr, Diagnostic> {
        let token = self.peek();
        match token.text {
            "-" | "+" | "~" if token.kind == TokenKind::Sign => {
                self.next();
                self.deeper(token.span)?;
                let inner = self.binary(POWER)?;
                self.nesting -= 1;
                if token.text == "+" {
                    return Ok(inner);
                }
                let span = token.span.to(inner.span);
                let name = if token.text == "~" { "invert" } else { "neg" };
                Ok(Expr { kind: ExprKind::Unary(name, Box::new(inner)), span })
            }
            _ => {
                let atom = self.atom()?;
                let before = self.nesting;
                let whole = self.postfix(atom)?;
                self.nesting = before;
                Ok(whole)
            }
        }
    }

    fn postfix(&mut self, mut base: Expr) -> Result<Expr, Diagnostic> {
        loop {
            let token = self.peek();
            if token.kind != TokenKind::Sign || !matches!(token.text, "." | "(" | "[") {
                return Ok(base);
            }
            let called = matches!((&base.kind, token.text), (ExprKind::Name(_), "("));
            self.deeper(if called { base.span } else { token.span })?;
            self.next();
            let start = base.span;
            let (kind, end) = match token.text {
                "." => {
                    let name = self.next();
                    if name.kind != TokenKind::Name {
                        return Err(Diagnostic::at(Kind::Syntax, token.span, "a name is missing after '.'"));
                    }
                    (ExprKind::Attribute(Box::new(base), Name::from(name.text), name.span), name.span)
                }
                "(" => {
                    let called = self.tokens[self.at.saturating_sub(2)];
                    self.open.push((token, (called.kind == TokenKind::Name).then_some(called.text)));
                    let arguments = self.list(")", Parser::argument)?;
                    (ExprKind::Call(Box::new(base), arguments), self.close())
                }
                _ => {
                    self.open.push((token, None));
                    let items = self.list("]", Parser::index_item)?;
                    (ExprKind::Index(Box::new(base), items), self.close())
                }
            };
            base = Expr { kind, span: start.to(end) };
        }
    }

    /// Items separated by commas up to the bracket `end`, which is not consumed.
    fn list<T>(&mut self, end: &str, item: fn(&mut Parser<'a>) -> Result<T, Diagnostic>) -> Result<Vec<T>, Diagnostic> {
        let mut items = Vec::new();
        while self.peek().text != end || self.peek().kind == TokenKind::Text {
            items.push(item(self)?);
            match self.peek() {
                comma if comma.text == "," => self.next(),
                token if token.text == end => break,
                token => return Err(self.unexpected(token)),
            };
        }
        Ok(items)
    }

    fn close(&mut self) -> Span {
        self.open.pop();
        self.next().span
    }

    fn argument(&mut self) -> Result<Argument, Diagnostic> {
        let token = self.peek();
        if matches!(token.text, "*" | "**") && token.kind == TokenKind::Sign {
            let message = "arguments are not unpacked: write them out";
            return Err(Diagnostic::at(Kind::UnsupportedSyntax, token.span, message));
        }
        let keyword = token.kind == TokenKind::Name && self.ahead().text == "=";
        let keyword = keyword.then(|| {
            self.next();
            self.next();
            (Name::from(token.text), token.span)
        });
        Ok(Argument { keyword, value: self.binary(0)? })
    }

    fn index_item(&mut self) -> Result<IndexItem, Diagnostic> {
        let part = |parser: &mut Self| match parser.peek().text {
            ":" | "]" | "," => Ok(None),
            _ => parser.binary(0).map(Some),
        };
        let start = part(self)?;
        if self.peek().text != ":" {
            return start.map(IndexItem::At).ok_or_else(|| self.unexpected(self.peek()));
        }
        self.next();
        let end = part(self)?;
        let step = match self.peek().text {
            ":" => {
                self.next();
                part(self)?
            }
            _ => None,
        };
        Ok(IndexItem::Slice(start, end, step))
    }

    fn atom(&mut self) -> Result<Expr, Diagnostic> {
        let token = self.peek();
        let kind = match (token.kind, token.text) {
            (TokenKind::Name, "True" | "False") => ExprKind::Flag(token.text == "True"),
            (TokenKind::Name, "None") => ExprKind::None,
            (TokenKind::Name, word) if is_keyword(word) => return Err(self.unexpected(token)),
            (TokenKind::Name, word) => ExprKind::Name(Name::from(word)),
            (TokenKind::Number, text) => number(text, token.span),
            (TokenKind::Text, text) => ExprKind::Text(Name::from(&text[1..text.len() - 1])),
            (TokenKind::Sign, "...") => ExprKind::Ellipsis,
            (TokenKind::Sign, "(") => return self.brackets(")"),
            (TokenKind::Sign, "[") => return self.brackets("]"),
            _ => return Err(self.unexpected(token)),
        };
        self.next();
        Ok(Expr { kind, span: token.span })
    }

    /// `(e)`, `(a, b)`, `[a, b]`. The span of `(e)` includes its brackets.
    fn brackets(&mut self, end: &str) -> Result<Expr, Diagnostic> {
        let open = self.next();
        self.deeper(open.span)?;
        self.open.push((open, None));
        let mut items = self.list(end, |parser| parser.binary(0))?;
        self.nesting -= 1;
        let comma = self.at > 0 && self.tokens[self.at - 1].text == ",";
        let span = open.span.to(self.close());
        match items.pop() {
            Some(one) if items.is_empty() && end == ")" && !comma => Ok(Expr { kind: one.kind, span }),
            last => Ok(Expr { kind: ExprKind::Tuple(items.into_iter().chain(last).collect()), span }),
        }
    }

    fn tuple(&mut self, first: Expr) -> Result<Expr, Diagnostic> {
        let mut items = vec![first];
        while self.peek().text == "," {
            self.next();
            if self.peek().kind == TokenKind::End {
                break;
            }
            items.push(self.binary(0)?);
        }
        let span = items[0].span.to(items[items.len() - 1].span);
        Ok(Expr { kind: ExprKind::Tuple(items), span })
    }

    /// Why `token` cannot stand where it does.
    fn unexpected(&self, token: Token<'a>) -> Diagnostic {
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        super::unexpected::unexpected(token, before, self.open.last().copied())
    }
}
