//! Lines of text whose parts stand out.

use std::fmt;
use unicode_width::UnicodeWidthStr;

/// How a piece of text stands out where that can be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ink {
    /// Not at all.
    #[default]
    Plain,
    /// A title.
    Title,
    /// The identity.
    Identity,
    /// What changed in this line.
    Changed,
    /// What stands back: reasons, shapes.
    Quiet,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Its text, without line breaks.
    pub text: String,
    /// How it stands out.
    pub ink: Ink,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line(pub Vec<Span>);

impl Line {
    /// A line of one piece.
    pub fn of(text: impl Into<String>, ink: Ink) -> Line {
        let mut line = Line::default();
        line.push(text, ink);
        line
    }

    /// How many columns of a terminal it takes.
    pub fn width(&self) -> usize {
        self.0.iter().map(|span| width(&span.text)).sum()
    }

    /// Adds a piece at the end.
    pub fn push(&mut self, text: impl Into<String>, ink: Ink) {
        let text = text.into();
        match self.0.last_mut() {
            Some(last) if last.ink == ink => last.text.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.0.push(Span { text, ink }),
        }
    }

    /// Adds another line's pieces at the end.
    pub fn append(&mut self, other: Line) {
        other.0.into_iter().for_each(|span| self.push(span.text, span.ink));
    }

    /// Fills up with blanks to `column`.
    pub fn pad(&mut self, column: usize) {
        let missing = column.saturating_sub(self.width());
        self.push(" ".repeat(missing), Ink::Plain);
    }

    /// Takes off the blanks at the end.
    pub fn trim(&mut self) {
        while let Some(last) = self.0.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                return;
            }
            self.0.pop();
        }
    }
}

/// Lines of text. [`fmt::Display`] gives them without any mark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text(pub Vec<Line>);

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.0 {
            line.0.iter().try_for_each(|span| f.write_str(&span.text))?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// How many columns of a terminal a text takes.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// A blank at which no line ends; it is written as any other.
pub const HELD: &str = "\u{a0}";

/// Words in lines of at most `room` columns; a longer word has its own line.
pub fn wrapped(words: &Line, room: usize) -> Vec<Line> {
    let (mut lines, mut line, mut used) = (Vec::new(), Line::default(), 0);
    for (word, ink) in words.0.iter().flat_map(|span| span.text.split_inclusive(' ').map(|word| (word, span.ink))) {
        let bare = width(word.trim_end());
        if used > 0 && used + bare > room {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        line.push(word, ink);
        used += width(word);
    }
    lines.push(line);
    lines.iter_mut().flat_map(|line| &mut line.0).for_each(|span| span.text = span.text.replace(HELD, " "));
    lines.iter_mut().for_each(Line::trim);
    lines
}

#[cfg(test)]
mod tests {
    use super::{Ink, Line, wrapped};

    #[test]
    fn words_wrap_at_the_margin_and_leave_no_blanks() {
        let lines = wrapped(&Line::of("one two three four", Ink::Plain), 9);
        let texts: Vec<String> = lines.iter().map(|l| l.0.iter().map(|s| s.text.as_str()).collect()).collect();
        assert_eq!(texts, ["one two", "three", "four"]);
    }

    #[test]
    fn a_formula_among_words_stays_in_one_piece() {
        let lines = wrapped(&Line::of("layout, d\u{a0}×\u{a0}d", Ink::Plain), 11);
        let texts: Vec<String> = lines.iter().map(|l| l.0.iter().map(|s| s.text.as_str()).collect()).collect();
        assert_eq!(texts, ["layout,", "d × d"]);
    }

    #[test]
    fn a_bar_over_a_letter_takes_no_column() {
        assert_eq!(Line::of("x\u{304} = w1ᵀ", Ink::Plain).width(), 7);
    }
}
