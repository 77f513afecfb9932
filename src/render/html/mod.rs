//! Pages in HTML with MathML: nothing is run and nothing is fetched to read them.
//!
//! The names of a formula bear the class `from-N` of the line of the source they come
//! from, which is row `line-N` of the listing. A rule of the style sheet a line joins
//! them: pointing at the one, or going to it with the keyboard, marks the other.
//!
//! A derivation can be folded away, and each of its lines unfolds into the steps that
//! it stands for: `details` in `details`, which need no script.

mod mathml;

use super::latex::{place_of, tex};
use super::math::flat;
use super::names::Names;
use super::numbers::rows;
use super::typeset::{Mark, Place, Set, Setter};
use crate::notation::{Block, Branch, Entry, Fact, Found, Math, Page, Piece, Row, Says};
use mathml::{display, escaped, math};
use std::collections::BTreeSet;

const STYLE: &str = include_str!("style.css");
/// So many columns are numbers given.
const COLUMNS: usize = 90;
/// A formula with more letters than this may stand on several lines, …
const LONG: usize = 40;
/// … and a part of it that has more breaks in its turn.
const PART: usize = 24;

/// How formulas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulas {
    /// In MathML.
    MathMl,
    /// In LaTeX between these, for a script that draws it.
    Tex(&'static str, &'static str),
}

/// The page as a part of one, or as a whole one.
pub fn html(page: &Page, standalone: bool) -> String {
    let body = section(Paper { page, formulas: Formulas::MathMl });
    let style = format!("{STYLE}{}", joined(page));
    if !standalone {
        return format!("<section class=\"chainrule\">\n<style>\n{style}</style>\n{body}</section>\n");
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{}</title>\n<style>\n:root {{ color-scheme: light dark; }}\n\
         body {{ margin: 1.5rem auto; max-width: 60rem; padding: 0 1rem; font-family: Georgia, serif; }}\n{style}</style>\n</head>\n\
         <body>\n<main class=\"chainrule\">\n{body}</main>\n</body>\n</html>\n",
        escaped(&page.title)
    )
}

/// The page without an element around it and without the style that all pages share,
/// [`html_style`].
pub fn html_part(page: &Page, formulas: Formulas) -> String {
    let own = if formulas == Formulas::MathMl { joined(page) } else { String::new() };
    let style = if own.is_empty() { own } else { format!("<style>\n{own}</style>\n") };
    style + &section(Paper { page, formulas })
}

/// The style of a part whose element has the class `chainrule`.
pub fn html_style() -> &'static str {
    STYLE
}

/// Text as HTML reads it.
pub fn html_escaped(text: &str) -> String {
    escaped(text)
}

/// A page, and how its formulas are written.
#[derive(Clone, Copy)]
struct Paper<'a> {
    page: &'a Page,
    formulas: Formulas,
}

/// Marks a line where what comes from it is pointed at, or is new in the row that has
/// the focus; and the names where the line is.
fn joined(page: &Page) -> String {
    let lines: BTreeSet<usize> = page.lines.values().copied().collect();
    let rule = |n: usize| {
        let marked = format!(".line:focus .changed .from-{n}, .line.whole:focus .from-{n}");
        format!(
            ".chainrule:has(.from-{n}:hover, {marked}) .line-{n}, .chainrule:has(.line-{n}:hover, .line-{n}:focus) .from-{n} \
             {{ background: var(--marked); outline: 1px solid; }}\n"
        )
    };
    lines.into_iter().map(rule).collect()
}

fn section(paper: Paper) -> String {
    let page = paper.page;
    let mut out = String::new();
    let mut listed = false;
    if !page.title.is_empty() {
        out += &format!("<h2>{}</h2>\n", escaped(&page.title));
        if !page.origin.is_empty() && page.origin != page.title {
            out += &format!("<p class=\"origin\"><code>{}</code></p>\n", escaped(&page.origin));
        }
    }
    for block in &page.blocks {
        out += &match block {
            Block::Prose(pieces) => format!("<p>{}</p>\n", prose(paper, pieces)),
            Block::Listing(entries) => listing(entries, !std::mem::replace(&mut listed, true)),
            Block::Equations(all) => {
                let row =
                    |(left, right): &(Math, Math)| line(paper, Some(left), right, &Says::default(), Place::Display);
                steps(&all.iter().map(row).collect::<String>())
            }
            Block::Steps(all) => {
                let row = |(left, right, why): &(Math, Math, Says)| line(paper, Some(left), right, why, Place::Display);
                steps(&all.iter().map(row).collect::<String>())
            }
            Block::Lines(left, rows) => lines(paper, left, rows),
            Block::Facts(facts) => fact_list(paper, facts),
            Block::Tree(branch) => format!("<ul>\n{}</ul>\n", tree(paper, branch)),
            Block::Numbers(what, array) => {
                let head =
                    if *what == Math::Ellipsis { String::new() } else { format!("<p>{} =</p>\n", inline(paper, what)) };
                let numbers = rows(array, COLUMNS).join("\n");
                format!(
                    "{head}<div class=\"scroll\"><pre>{}</pre></div>\n",
                    numbers.lines().map(|l| escaped(l) + "\n").collect::<String>()
                )
            }
        };
    }
    out
}

fn inline(page: Paper, formula: &Math) -> String {
    let set = Setter { names: Names(page.page), place: Place::Inline }.set(formula);
    match page.formulas {
        Formulas::MathMl => math(&set, &flat(formula)),
        Formulas::Tex(open, close) => format!("{open}{}{close}", in_tex(&set)),
    }
}

/// A long formula is several, so that a line may end before a sign.
fn displayed(page: Paper, formula: &Math, place: Place) -> String {
    let set = match formula.plain() {
        // An identity by itself is the only term.
        Math::Identity => Set::Identity(Mark::Term),
        _ => Setter { names: Names(page.page), place }.set(formula),
    };
    match page.formulas {
        Formulas::MathMl if flat(formula).chars().count() > LONG => broken(&set),
        Formulas::MathMl => display(&set, &flat(formula)),
        Formulas::Tex(open, close) => format!("{open}\\displaystyle {}{close}", in_tex(&set)),
    }
}

/// Formulas between which a line may end. What is long itself goes to the next line as
/// a whole, and breaks only where it is longer than a line.
fn broken(set: &Set) -> String {
    let written = |part: &Set| match part.parts().len() {
        2.. if part.letters() > PART => format!("<span class=\"part\">{}</span>", broken(part)),
        _ => display(part, part.text().trim()),
    };
    match set.parts().as_slice() {
        [] | [_] => display(set, set.text().trim()),
        parts => parts.iter().map(written).collect::<Vec<_>>().join("<wbr/>"),
    }
}

/// Nothing in it is read as HTML.
fn in_tex(set: &Set) -> String {
    tex(set).replace('<', "\\lt ").replace('>', "\\gt ").replace('&', "&amp;")
}

fn prose(page: Paper, pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(words) => escaped(words),
        Piece::Math(formula) => inline(page, formula),
    };
    pieces.iter().map(piece).collect()
}

/// Values in rows; those of the first listing are the lines of the source.
fn listing(entries: &[Entry], source: bool) -> String {
    let row = |(i, entry): (usize, &Entry)| {
        let written = match entry.written.as_str() {
            "" => String::new(),
            written => format!("<code>= {}</code>", escaped(written)),
        };
        let (name, aside) = (escaped(&entry.name), escaped(&entry.aside));
        let line = if source { format!(" class=\"line-{i}\" tabindex=\"0\"") } else { String::new() };
        format!("<tr{line}><td><code>{name}</code></td><td>{written}</td><td>{aside}</td></tr>\n")
    };
    let rows: String = entries.iter().enumerate().map(row).collect();
    format!("<div class=\"scroll\"><table class=\"listing\"><tbody>\n{rows}</tbody></table></div>\n")
}

/// Equations below one another.
fn steps(lines: &str) -> String {
    format!("<div class=\"lines\">\n{lines}</div>\n")
}

/// A line that stands by itself.
fn line(page: Paper, left: Option<&Math>, right: &Math, why: &Says, place: Place) -> String {
    let (class, parts) = parts(page, left, right, why, place);
    format!("<div class=\"{class}\" tabindex=\"0\">{parts}</div>\n")
}

/// A line that unfolds into the steps behind it.
fn unfolding(page: Paper, left: Option<&Math>, row: &Row, place: Place) -> String {
    if row.found.is_empty() {
        return line(page, left, &row.math, &row.why, place);
    }
    let (class, parts) = parts(page, left, &row.math, &row.why, place);
    let found: String = row.found.iter().map(|found| step(page, found)).collect();
    format!(
        "<details class=\"step\">\n<summary class=\"{class}\">{parts}</summary>\n<ol class=\"found\">\n{found}</ol>\n</details>\n"
    )
}

/// The class of a line and what stands in it, part by part.
fn parts(page: Paper, left: Option<&Math>, right: &Math, why: &Says, place: Place) -> (&'static str, String) {
    let left = left.map_or(String::new(), |left| displayed(page, left, Place::Display));
    let right = displayed(page, right, place);
    let class = if right.contains("class=\"changed\"") { "line" } else { "line whole" };
    let parts = format!(
        "<span class=\"of\">{left}</span><span class=\"equals\">=</span><span class=\"to\">{right}</span>\
         <span class=\"why\">{}</span>",
        prose(page, &why.0)
    );
    (class, parts)
}

/// One step behind a line.
fn step(page: Paper, found: &Found) -> String {
    let place = found.place.as_ref().map(|(line, written)| format!("line {line}: <code>{}</code>", escaped(written)));
    let says = [prose(page, &found.shape.0), place.unwrap_or_default(), escaped(&found.checked)];
    let says = says.into_iter().filter(|says| !says.is_empty()).collect::<Vec<_>>();
    format!(
        "<li><span>{} = {}</span> <span class=\"why\">{}</span><br/><small>{}</small></li>\n",
        inline(page, &found.left),
        inline(page, &found.right),
        prose(page, &found.why.0),
        says.join(" · ")
    )
}

/// A derivation that can be folded away; a single line stands by itself.
fn lines(page: Paper, left: &Math, rows: &[Row]) -> String {
    let row = |(i, row): (usize, &Row)| {
        unfolding(page, (i == 0).then_some(left), row, place_of(page.page, i + 1 == rows.len()))
    };
    let lines = steps(&rows.iter().enumerate().map(row).collect::<String>());
    match rows.len() {
        0 | 1 => lines,
        n => {
            let head = inline(page, left);
            format!(
                "<details class=\"derivation\" open=\"\">\n<summary>{head}, {n} lines</summary>\n{lines}</details>\n"
            )
        }
    }
}

fn fact_list(page: Paper, facts: &[(String, Fact)]) -> String {
    let mut out = String::from("<dl>\n");
    for (label, fact) in facts {
        if !label.is_empty() {
            out += &format!("<dt>{}</dt>\n", escaped(label));
        }
        out += &match fact {
            Fact::Prose(pieces) => format!("<dd>{}</dd>\n", prose(page, pieces)),
            Fact::Equation(left, right) => {
                format!(
                    "<dd>{}</dd>\n",
                    steps(&line(page, Some(left), right, &Says::default(), Place::Display)).trim_end()
                )
            }
        };
    }
    out + "</dl>\n"
}

/// Depth is that of the tree, which follows the formulas of a page.
fn tree(page: Paper, branch: &Branch) -> String {
    let label = prose(page, std::slice::from_ref(&branch.label));
    let aside = escaped(&branch.aside);
    let children: String = branch.children.iter().map(|child| tree(page, child)).collect();
    let below = if children.is_empty() { String::new() } else { format!("\n<ul>\n{children}</ul>\n") };
    format!("<li>{label} {aside}{below}</li>\n")
}
