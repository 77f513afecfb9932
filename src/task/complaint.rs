//! Mistakes as snippets of the source with the place marked.

use super::Refusal;
use crate::diagnostic::{Diagnostic, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// A line longer than this is shown only around the place.
const LONG: usize = 240;
/// So many mistakes are told at most.
const MOST: usize = 12;

/// The mistakes as text, with escape codes where `styled`.
pub fn complaints(refusal: &Refusal, styled: bool) -> String {
    let told = &refusal.told;
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for diagnostic in told.iter().take(MOST) {
        let report = group(diagnostic, refusal);
        text += &renderer.render(&[report]);
        text += "\n";
    }
    if told.len() > MOST {
        text += &format!("error: {} more mistakes\n", told.len() - MOST);
    }
    text
}

fn group<'a>(told: &'a Diagnostic, refusal: &'a Refusal) -> Group<'a> {
    let title = Level::ERROR.primary_title(told.message.as_str());
    let mut group = match told.span.filter(|_| !refusal.source.is_empty()) {
        None => Group::with_title(title),
        Some(span) => title.element(snippet(told, span, refusal)),
    };
    if let Some(help) = &told.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

fn snippet<'a>(
    told: &'a Diagnostic,
    span: Span,
    refusal: &'a Refusal,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let source = refusal.source.as_str();
    let place = clamped(span, source);
    let window = window(source, &place);
    let within = |range: Range<usize>| {
        let clip = |at: usize| at.clamp(window.start, window.end) - window.start;
        clip(range.start)..clip(range.end)
    };
    let line = source[..window.start].matches('\n').count() + refusal.line;
    let primary = AnnotationKind::Primary.span(within(place));
    let mut snippet = Snippet::source(&source[window.clone()]).line_start(line).annotation(match told.label.as_str() {
        "" => primary,
        label => primary.label(label),
    });
    if !refusal.origin.is_empty() {
        snippet = snippet.path(refusal.origin.as_str());
    }
    for (also, text) in &told.labels {
        let place = clamped(*also, source);
        if window.start <= place.start && place.end <= window.end {
            snippet = snippet.annotation(AnnotationKind::Context.span(within(place)).label(text.as_str()));
        }
    }
    snippet
}

/// A span as a range that fits the source: on boundaries of characters, not
/// past the end.
fn clamped(span: Span, source: &str) -> Range<usize> {
    let start = source.floor_char_boundary((span.start as usize).min(source.len()));
    let end = source.ceil_char_boundary((span.end as usize).clamp(start, source.len()));
    // A place that spans lines is marked on its first.
    let line = source[start..end].find('\n').map_or(end, |at| start + at);
    start..line.max(start)
}

/// The part of the source that is shown: all of it, or what is around the place
/// where lines are too long to read.
fn window(source: &str, place: &Range<usize>) -> Range<usize> {
    let start = source[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let end = source[place.end..].find('\n').map_or(source.len(), |at| place.end + at);
    if end - start <= LONG {
        // A few lines around the place hold the other places too.
        let from = source[..start].rmatch_indices('\n').nth(40).map_or(0, |(at, _)| at + 1);
        let to = source[end..].match_indices('\n').nth(40).map_or(source.len(), |(at, _)| end + at);
        let long = source[from..to].lines().any(|line| line.len() > LONG);
        return if long { start..end } else { from..to };
    }
    let from = place.start.saturating_sub(LONG / 3).max(start);
    let to = (place.start + LONG / 2).min(end);
    source.floor_char_boundary(from)..source.ceil_char_boundary(to)
}

#[cfg(test)]
mod tests {
    use super::{Refusal, complaints};
    use crate::diagnostic::{Diagnostic, Kind, Span};

    fn at(start: u32, end: u32) -> Vec<Diagnostic> {
        vec![Diagnostic::at(Kind::Syntax, Span { start, end }, "wrong").help("right")]
    }

    #[test]
    fn the_caret_lines_up_after_other_letters() {
        let text = complaints(&Refusal::within(at(8, 9), "αβγ + x", ""), false);
        let lines: Vec<&str> = text.lines().collect();
        let code = lines.iter().position(|l| l.contains("αβγ")).unwrap();
        let column = |line: &str, c: char| line.chars().position(|other| other == c);
        assert_eq!(column(lines[code], '+'), column(lines[code + 1], '^').map(|at| at - 1));
    }

    #[test]
    fn no_place_makes_it_fall_over() {
        let long = format!("{} + y", "x".repeat(100_000));
        for source in ["", "x", "α", "x\ny\n", long.as_str()] {
            for (start, end) in [(0, 0), (0, 1), (1, 1), (1, 9), (5, 2), (100_000, 100_003), (u32::MAX, u32::MAX)] {
                let text = complaints(&Refusal::within(at(start, end), source, "f.py"), false);
                assert!(text.contains("wrong") && text.len() < 4000, "{source:.9} {start} {end}");
            }
        }
    }
}
