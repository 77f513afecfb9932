//! Blocks and directives of a chapter, where Markdown sees them.

use super::words::after;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Directives, with what closes them.
const DIRECTIVES: [(&str, Sort); 2] = [("{{#derive", Sort::Derive), ("{{#chainrule", Sort::Generated)];
const CLOSING: &str = "}}";

/// What is to be replaced in a chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The line at which they begin, from 1.
    pub line: usize,
    /// What stands there.
    pub what: What,
    /// What goes before the second and any further line: the quotes and lists
    /// around it.
    pub prefix: String,
    /// Does something follow that must be kept apart by an empty line?
    pub followed: bool,
}

/// What stands in a chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A fenced block: the words after its name, the code, the line where the code begins.
    Fence(String, String, usize),
    /// A directive: what it is, and its words.
    Directive(Sort, String),
    /// A directive that is no line of its own.
    Misplaced,
}

/// The sorts of directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A derivation of a program in a file.
    Derive,
    /// A page made of definitions.
    Generated,
}

/// All blocks and directives, in the order of the text.
pub fn find(text: &str) -> Vec<Found> {
    if !text.contains("derive") && !text.contains("{{#chainrule") {
        return Vec::new();
    }
    let known = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES;
    let events: Vec<(Event, Range<usize>)> = Parser::new_ext(text, known).into_offset_iter().collect();
    let mut found = Vec::new();
    let mut at = 0;
    // May a directive begin here, as the first thing of a line of a paragraph?
    let (mut fresh, mut heading) = (false, false);
    let mut done = 0;
    while let Some((event, range)) = events.get(at) {
        at += 1;
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let begun = at;
                at = events[at..].iter().position(ends_code).map_or(events.len(), |i| at + i + 1);
                if let CodeBlockKind::Fenced(info) = kind
                    && let Some(words) = after(info, "derive")
                {
                    found.push(fence(text, range, words, &events[begun..at], &events[at..]));
                }
            }
            Event::Text(_) if range.start >= done => {
                if let Some(one) = directive(text, range, fresh && !heading, &events[at..]) {
                    done = one.range.end;
                    found.push(one);
                }
            }
            Event::Start(Tag::Heading { .. }) => heading = true,
            Event::End(TagEnd::Heading(_)) => heading = false,
            _ => {}
        }
        fresh = matches!(event, Event::Start(Tag::Paragraph | Tag::Item) | Event::SoftBreak | Event::HardBreak);
    }
    found
}

fn ends_code((event, _): &(Event, Range<usize>)) -> bool {
    matches!(event, Event::End(TagEnd::CodeBlock))
}

type Events<'a> = [(Event<'a>, Range<usize>)];

fn fence(text: &str, range: &Range<usize>, words: &str, inner: &Events, rest: &Events) -> Found {
    let mut code = String::new();
    let mut start = None;
    for (event, range) in inner {
        if let Event::Text(part) = event {
            start = start.or(Some(range.start));
            code.push_str(part);
        }
    }
    let line = line_of(text, range.start);
    let first = start.map_or(line + 1, |start| line_of(text, start));
    let range = range.start..range.start + text[range.clone()].trim_end().len();
    found(text, range, What::Fence(words.to_string(), code, first), rest)
}

/// The directive in a piece of text, if there is one.
fn directive(text: &str, range: &Range<usize>, fresh: bool, rest: &Events) -> Option<Found> {
    let piece = &text[range.clone()];
    let (offset, name, sort) =
        DIRECTIVES.iter().filter_map(|(name, sort)| Some((piece.find(name)?, *name, *sort))).min_by_key(|one| one.0)?;
    let start = range.start + offset;
    // As for mdBook's own directives, a backslash says that this is none.
    if text[..start].ends_with('\\') {
        return None;
    }
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = text[start..end].trim_end();
    let words = line.strip_suffix(CLOSING).and_then(|line| after(line, name));
    let what = match words {
        Some(words) if fresh && offset == 0 && !words.contains(CLOSING) => What::Directive(sort, words.to_string()),
        _ => What::Misplaced,
    };
    Some(found(text, start..start + line.len(), what, rest))
}

fn found(text: &str, range: Range<usize>, what: What, rest: &Events) -> Found {
    let below = text[range.end..].split_once('\n').map_or("", |(_, below)| below);
    let next = below.lines().next().unwrap_or_default();
    let blank = next.trim_start_matches([' ', '\t', '>']).is_empty();
    let closes = |event: &Event| {
        matches!(event, Event::End(TagEnd::Item | TagEnd::List(_) | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition))
    };
    let next_event = rest.iter().find(|(event, at)| closes(event) || at.start >= range.end);
    let followed = !blank && next_event.is_some_and(|(event, _)| !closes(event));
    let begins = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let prefix = text[begins..range.start].chars().map(|c| if c == '>' || c == '\t' { c } else { ' ' }).collect();
    Found { line: line_of(text, range.start), range, what, prefix, followed }
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}
