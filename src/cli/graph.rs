//! `chainrule graph`.

use super::args::{Drawing, Graph};
use super::open::open;
use super::screen::columns;
use crate::diagnostic::{Diagnostic, Kind};
use crate::picture::{dot, mermaid, picture, svg, text};
use crate::render::{Ink, Line, Text};
use crate::task::{Refusal, variable};

/// The picture of a program.
pub fn graph(args: &Graph) -> Result<Text, Refusal> {
    let mut opened = open(&args.source)?;
    let wrt = match args.source.question.wrt.as_deref() {
        None => None,
        Some("all") if opened.program.named("all").is_none() => {
            let told = Diagnostic::new(Kind::BadWrt, "a picture shows the derivative by one variable");
            return Err(Refusal::of(vec![told.help("name it, as in --wrt x")]));
        }
        named => Some(variable(&mut opened.program, named).map_err(|told| Refusal::of(vec![told]))?),
    };
    let program = &opened.program;
    let drawn = picture(program, program.output, wrt).map_err(|told| Refusal::of(vec![told]))?;
    Ok(match args.format.unwrap_or_else(|| by_ending(args)) {
        Drawing::Text => text(&drawn, columns(&args.paper)),
        Drawing::Svg => plain(&svg(&drawn)),
        Drawing::Dot => plain(&dot(&drawn)),
        Drawing::Mermaid => plain(&mermaid(&drawn)),
    })
}

/// What the ending of the file says.
fn by_ending(args: &Graph) -> Drawing {
    let ending = args.paper.output.as_ref().and_then(|path| path.extension()).and_then(|ending| ending.to_str());
    match ending {
        Some("svg") => Drawing::Svg,
        Some("dot" | "gv") => Drawing::Dot,
        Some("mmd" | "mermaid") => Drawing::Mermaid,
        _ => Drawing::Text,
    }
}

fn plain(text: &str) -> Text {
    Text(text.lines().map(|line| Line::of(line, Ink::Plain)).collect())
}
