//! Where pages go: a terminal, a pipe, a file.

use super::args::Paper;
use crate::render::{Ink, Text};
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

/// Columns where no terminal says otherwise.
const IN_A_PIPE: usize = 100;
/// Wider lines are hard to read.
const WIDEST: usize = 120;
/// Narrower ones hold no derivation.
const NARROWEST: usize = 40;

/// How many columns a page has.
pub fn columns(paper: &Paper) -> usize {
    let terminal = || {
        let wide = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
        wide.map_or(IN_A_PIPE, |wide| wide.clamp(NARROWEST, WIDEST))
    };
    match (paper.width, &paper.output) {
        (Some(width), _) => usize::from(width),
        (None, Some(_)) => IN_A_PIPE,
        (None, None) => terminal(),
    }
}

/// Are escape codes welcome on standard error?
pub fn styled_errors() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never && io::stderr().is_terminal()
}

/// Writes a page where it should go.
///
/// # Errors
/// A file that cannot be written.
pub fn show(page: &Text, paper: &Paper) -> io::Result<()> {
    if let Some(path) = &paper.output {
        return std::fs::write(path, page.to_string());
    }
    let stdout = io::stdout();
    let colour = stdout.is_terminal() && anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
    let text = if colour { painted(page) } else { page.to_string() };
    write(text.as_bytes())
}

/// Writes to standard output. A closed pipe is no error: whoever read has read enough.
///
/// # Errors
/// Any other trouble of the stream.
pub fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// The page with escape codes.
fn painted(page: &Text) -> String {
    let mut text = String::new();
    for line in &page.0 {
        for span in &line.0 {
            let style = style(span.ink);
            // Writing to a string does not fail.
            let _ = write!(text, "{style}{}{style:#}", span.text);
        }
        text.push('\n');
    }
    text
}

fn style(ink: Ink) -> Style {
    match ink {
        Ink::Plain => Style::new(),
        Ink::Title => Style::new().bold(),
        Ink::Identity => Style::new().bold().fg_color(Some(AnsiColor::Green.into())),
        Ink::Changed => Style::new().fg_color(Some(AnsiColor::Cyan.into())),
        Ink::Quiet => Style::new().dimmed(),
    }
}
