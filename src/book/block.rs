//! A derivation as a part of a chapter.

use super::html::{code, graph};
use super::options::{Form, Notation, Options};
use crate::picture::{picture, svg};
use crate::render::{Formulas, html_part, text};
use crate::task::{Opened, Refusal, read_file, read_line, solve, variable};

/// The HTML of a program's derivation. The program begins at `line` of the file
/// `origin`; `function` is one of its functions, the last one where none is named.
pub(super) fn derived(
    source: &str,
    origin: &str,
    line: usize,
    function: Option<String>,
    options: &Options,
) -> Result<String, Refusal> {
    let place = |refusal: Refusal| match refusal.source.is_empty() {
        true => refusal,
        false => Refusal { line, origin: origin.to_string(), ..refusal },
    };
    shown(source, origin, function, options).map_err(place)
}

fn shown(source: &str, origin: &str, function: Option<String>, options: &Options) -> Result<String, Refusal> {
    let (manner, look) = (&options.manner, &options.look);
    let opened = opened(source, origin, function, options)?;
    let drawn = if look.graph { Some(drawn(&opened, options)?) } else { None };
    let solved = solve(opened, options.question.wrt.as_deref(), manner)?;
    let mut out = String::new();
    if !look.hide_source {
        out += &code(source.trim_end(), "python");
    }
    let columns = usize::from(look.width);
    out += &match look.format {
        Form::Page => {
            let mut page = solved.page(manner)?;
            // The chapter around it says what it is about.
            page.title.clear();
            html_part(&page, formulas(look.math))
        }
        Form::Text => code(text(&solved.page(manner)?, columns).to_string().trim_end(), "text"),
        Form::Tree => code(text(&solved.tree(manner)?, columns).to_string().trim_end(), "text"),
    };
    out += &drawn.map_or(String::new(), |drawn| graph(&drawn));
    Ok(out)
}

fn formulas(notation: Notation) -> Formulas {
    match notation {
        Notation::Mathml => Formulas::MathMl,
        Notation::Katex => Formulas::Tex("$", "$"),
        Notation::Mathjax => Formulas::Tex(r"\(", r"\)"),
    }
}

/// A text that defines or imports something is a file, any other one expression.
fn opened(source: &str, origin: &str, function: Option<String>, options: &Options) -> Result<Opened, Refusal> {
    let begins = |line: &str| ["def ", "async ", "class ", "import ", "from ", "@"].iter().any(|w| line.starts_with(w));
    match source.lines().any(begins) || function.is_some() {
        true => read_file(source, origin, function, &options.question),
        false => read_line(source.trim_end(), &options.question),
    }
}

/// The graph with what each edge passes on of the derivative; of the whole backward
/// pass the graph alone.
fn drawn(opened: &Opened, options: &Options) -> Result<String, Refusal> {
    let mut program = opened.program.clone();
    let wrt = match options.question.wrt.as_deref() {
        Some("all") if program.named("all").is_none() => None,
        named => Some(variable(&mut program, named)?),
    };
    let drawn =
        picture(&program, program.output, wrt).map_err(|told| Refusal::about(&opened.program, &opened.origin, told))?;
    Ok(svg(&drawn))
}
