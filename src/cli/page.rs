//! `chainrule derive`.

use super::args::{Derive, Format};
use super::open::open;
use super::screen::columns;
use crate::notation::{Block, Entry, Piece};
use crate::render::{Ink, Line, Text, html, json, latex, markdown, text, typst};
use crate::task::{Manner, Question, Refusal, read_file, solve};

/// The block that is derived when nothing else is asked for.
const BLOCK: &str = include_str!("../../docs/examples/residual_block.py");
const BLOCK_PATH: &str = "docs/examples/residual_block.py";

/// The page of a derivation in the format asked for.
pub fn derive(args: &Derive) -> Result<Text, Refusal> {
    let solved = solve(open(&args.source)?, args.source.question.wrt.as_deref(), &args.manner)?;
    let page = match args.format {
        Format::Tree => solved.tree(&args.manner)?,
        _ => solved.page(&args.manner)?,
    };
    Ok(match args.format {
        Format::Text | Format::Tree => text(&page, columns(&args.paper)),
        Format::Latex => as_lines(&latex(&page, args.standalone)),
        Format::Markdown => as_lines(&markdown(&page)),
        Format::Html => as_lines(&html(&page, args.standalone)),
        Format::Typst => as_lines(&typst(&page, args.standalone)),
        Format::Json => as_lines(&json(&solved.opened.program, &solved.derivations(&args.manner)?, &page)),
    })
}

/// A document, line by line.
fn as_lines(document: &str) -> Text {
    Text(document.lines().map(|line| Line::of(line, Ink::Plain)).collect())
}

/// The built-in block, and how to derive one's own.
pub fn example(room: usize) -> Result<Text, Refusal> {
    let opened = read_file(BLOCK, BLOCK_PATH, None, &Question::default())?;
    let manner = Manner::default();
    let mut page = solve(opened, Some("x"), &manner)?.page(&manner)?;
    let says = |text: &str| Block::Prose(vec![Piece::from(text)]);
    page.blocks.push(says("Your own:"));
    page.blocks.push(Block::Listing(
        [
            ("chainrule derive FILE.py --wrt x", "a function of a file, by one of its inputs"),
            ("chainrule derive \"x @ A @ x\" --wrt x", "one line"),
            ("chainrule derive --help", "shapes, settings, more examples"),
        ]
        .map(|(command, says)| Entry { name: command.into(), written: String::new(), aside: says.into() })
        .to_vec(),
    ));
    Ok(text(&page, room))
}
