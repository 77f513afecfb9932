//! `chainrule derive`.

use super::Refusal;
use super::args::{Derive, Format};
use super::read::{Opened, built_in, open, variable};
use super::screen::columns;
use crate::derive::derive as derivation_of;
use crate::diagnostic::Diagnostics;
use crate::graph::{NodeId, Program};
use crate::notation::{Block, Entry, Page, Piece, Sheet, backward_page, page, tree_page};
use crate::reading::answers;
use crate::render::{Ink, Line, Text, latex, text};
use crate::witness::{Checked, check};

/// The block that is derived when nothing else is asked for.
const BLOCK: &str = include_str!("../../docs/examples/residual_block.py");
const BLOCK_PATH: &str = "docs/examples/residual_block.py";

/// The page of a derivation.
pub fn derive(args: &Derive) -> Result<Text, Refusal> {
    let mut opened = open(&args.source)?;
    let wrt = args.source.wrt.as_deref();
    let page = if wrt == Some("all") && opened.program.named("all").is_none() {
        everything(&opened, args)?
    } else {
        let wrt = variable(&mut opened.program, wrt).map_err(|told| Refusal::of(vec![told]))?;
        one(&opened, wrt, args)?
    };
    Ok(match args.format {
        Format::Text | Format::Tree => text(&page, columns(&args.paper)),
        Format::Latex => as_lines(&latex(&page, args.standalone)),
    })
}

/// A document, line by line.
fn as_lines(document: &str) -> Text {
    Text(document.lines().map(|line| Line::of(line, Ink::Plain)).collect())
}

/// The built-in block, and how to derive one's own.
pub fn example(room: usize) -> Result<Text, Refusal> {
    let opened = built_in(BLOCK, BLOCK_PATH)?;
    let wrt = *opened.program.inputs.first().ok_or_else(|| Refusal::of(Diagnostics::new()))?;
    let sheet = Sheet { origin: BLOCK_PATH, ..Sheet::default() };
    let mut page = page(&checked(&opened, wrt, true)?, &sheet);
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

fn one(opened: &Opened, wrt: NodeId, args: &Derive) -> Result<Page, Refusal> {
    let found = checked(opened, wrt, !args.no_check)?;
    Ok(match args.format {
        Format::Tree => tree_page(&found, &opened.origin),
        _ => {
            let sheet = Sheet {
                origin: &opened.origin,
                layout: args.layout.into(),
                expand: args.expand,
                verbose: args.verbose,
            };
            page(&found, &sheet)
        }
    })
}

/// The derivation by `wrt` with its answers, checked unless that is left out.
fn checked(
    opened: &Opened,
    wrt: NodeId,
    with_check: bool,
) -> Result<Checked<(crate::derive::Derivation, crate::reading::Answers)>, Refusal> {
    let program = &opened.program;
    let refuse = |told| refusal(program, &opened.origin, told);
    let mut derivation = derivation_of(program, program.output, wrt).map_err(refuse)?;
    let answers = answers(&mut derivation).map_err(refuse)?;
    match with_check {
        true => check(derivation, answers).map_err(refuse),
        false => Ok(Checked::unchecked((derivation, answers))),
    }
}

/// The whole backward pass, each input's derivation checked.
fn everything(opened: &Opened, args: &Derive) -> Result<Page, Refusal> {
    let program = &opened.program;
    let mut found = Vec::new();
    for input in &program.inputs {
        found.push(checked(opened, *input, !args.no_check)?);
    }
    match args.format {
        Format::Tree => {
            let mut all = Page { title: String::new(), origin: opened.origin.clone(), ..Page::default() };
            for one in &found {
                let tree = tree_page(one, &opened.origin);
                all.title = tree.title;
                all.blocks.extend(tree.blocks);
            }
            Ok(all)
        }
        _ => {
            let refuse = |told| refusal(program, &opened.origin, told);
            let sheet = Sheet { origin: &opened.origin, verbose: args.verbose, ..Sheet::default() };
            backward_page(program, &found, &sheet).map_err(refuse)
        }
    }
}

fn refusal(program: &Program, origin: &str, told: crate::diagnostic::Diagnostic) -> Refusal {
    Refusal { told: vec![told], source: program.source.to_string(), origin: origin.to_string() }
}
