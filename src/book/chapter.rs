//! A chapter: Markdown in, Markdown out.

use super::block::derived;
use super::find::{Found, Sort, What, find};
use super::generated::generated;
use super::html::{failure, one_line, section};
use super::options::{OnFailure, Options, Settings};
use super::words::{Word, words};
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span};
use crate::task::{Refusal, complaints};

/// What is around a chapter.
pub struct Surroundings<'a> {
    /// The file of the chapter, as it is named in messages.
    pub path: &'a str,
    /// The options of the book.
    pub settings: &'a Settings,
    /// The text of a file beside the chapter; or why there is none.
    pub file: &'a (dyn Fn(&str) -> Result<String, String> + Sync),
    /// The command, for its reference.
    pub command: &'a clap::Command,
}

/// What takes the place of a block.
pub enum Part {
    /// HTML that stands on one line.
    Html(String),
    /// Markdown in lines.
    Markdown(String),
}

/// Why a block has no page, and what is to become of it.
pub struct Failure {
    /// The mistakes.
    pub refusal: Refusal,
    /// What the book or the block asks for.
    pub on_failure: OnFailure,
}

/// The chapter with every block and directive replaced by what it stands for; all
/// else as it was, byte for byte.
///
/// # Errors
/// The blocks that cannot be derived, where the book is not to show mistakes.
pub fn chapter(text: &str, around: &Surroundings) -> Result<String, Vec<Refusal>> {
    let mut out = String::with_capacity(text.len());
    let (mut told, mut done, mut styled) = (Vec::new(), 0, false);
    for found in find(text) {
        let html = match part(text, &found, around) {
            Ok(Part::Markdown(markdown)) => {
                out += &text[done..found.range.start];
                out += &markdown.trim_end().replace('\n', &format!("\n{}", found.prefix));
                done = found.range.end;
                out += &separator(&found);
                continue;
            }
            Ok(Part::Html(html)) => html,
            Err(Failure { refusal, on_failure: OnFailure::Stop }) => {
                told.push(refusal);
                continue;
            }
            Err(Failure { refusal, on_failure: OnFailure::Show }) => failure(&complaints(&refusal, false)),
        };
        out += &text[done..found.range.start];
        out += &one_line(&section(&html, !styled));
        out += &separator(&found);
        styled = true;
        done = found.range.end;
    }
    out += &text[done..];
    if told.is_empty() { Ok(out) } else { Err(told) }
}

/// An empty line, within the quotes around it, so that what follows is no part of
/// what stands here now.
fn separator(found: &Found) -> String {
    if found.followed { format!("\n{}", found.prefix.trim_end()) } else { String::new() }
}

fn part(text: &str, found: &Found, around: &Surroundings) -> Result<Part, Failure> {
    let at = At { text, found, around };
    match &found.what {
        What::Fence(said, code, line) => at.fenced(said, code, *line),
        What::Directive(Sort::Derive, said) => at.included(said),
        What::Directive(Sort::Generated, said) => generated(said, around.command).map_err(|told| at.general(told)),
        What::Misplaced => {
            let told = Diagnostic::new(Kind::Syntax, "a directive stands on a line of its own");
            Err(at.general(told.help("between backticks it is shown as it is written")))
        }
    }
}

/// A block in its chapter.
struct At<'a> {
    text: &'a str,
    found: &'a Found,
    around: &'a Surroundings<'a>,
}

impl At<'_> {
    fn fenced(&self, said: &str, code: &str, line: usize) -> Result<Part, Failure> {
        let options = self.options(&self.words(said)?)?;
        if code.lines().any(|line| line.trim_start().starts_with("{{#")) {
            let told = Diagnostic::new(Kind::Syntax, "what the block includes is not included yet");
            let help = "name the file, as in {{#derive FILE.py}}, or say after = [\"links\"] in book.toml";
            return Err(self.failure(told.help(help).into(), &options));
        }
        let html = derived(code, self.around.path, line, None, &options);
        html.map(Part::Html).map_err(|refusal| self.failure(refusal, &options))
    }

    fn included(&self, said: &str) -> Result<Part, Failure> {
        let mut words = self.words(said)?;
        let named = match words.first() {
            Some(word) if word.value.is_none() => words.remove(0).name,
            _ => {
                let told = Diagnostic::new(Kind::Syntax, "a directive names a file");
                return Err(self.general(told.help("write it as {{#derive FILE.py:FUNCTION wrt=x}}")));
            }
        };
        let options = self.options(&words)?;
        let (path, function) = match named.rsplit_once(':') {
            Some((path, function)) => (path, Some(function.to_string())),
            None => (named.as_str(), None),
        };
        let unread = |why: String| self.failure(Diagnostic::new(Kind::BadArgument, why).into(), &options);
        let code = (self.around.file)(path).map_err(unread)?;
        derived(&code, path, 1, function, &options).map(Part::Html).map_err(|mut refusal| {
            if let Some(told) = refusal.told.first_mut().filter(|_| !refusal.source.is_empty()) {
                told.message += &format!(", asked for in {}, line {}", self.around.path, self.found.line);
            }
            self.failure(refusal, &options)
        })
    }

    fn words(&self, said: &str) -> Result<Vec<Word>, Failure> {
        words(said).map_err(|why| self.general(Diagnostic::new(Kind::Syntax, why)))
    }

    fn options(&self, words: &[Word]) -> Result<Options, Failure> {
        let own = Settings::read(words).map_err(|told| self.general(told))?;
        self.around.settings.with(&own).map_err(|told| self.general(told))
    }

    /// A mistake in the words of a block is shown at its first line.
    fn at_line(&self, told: Diagnostics) -> Refusal {
        let line = self.text[self.found.range.clone()].lines().next().unwrap_or_default();
        let span = Span { start: 0, end: line.len() as u32 };
        let told = told.into_iter().map(|told| Diagnostic { span: Some(span), ..told }).collect();
        Refusal { line: self.found.line, ..Refusal::within(told, line, self.around.path) }
    }

    /// A mistake before the block's own options are known.
    fn general(&self, told: Diagnostic) -> Failure {
        Failure { refusal: self.at_line(vec![told]), on_failure: self.around.settings.on_failure() }
    }

    /// A mistake that stands in no text is one in the words.
    fn failure(&self, refusal: Refusal, options: &Options) -> Failure {
        let refusal = if refusal.source.is_empty() { self.at_line(refusal.told) } else { refusal };
        Failure { refusal, on_failure: options.look.on_failure }
    }
}
