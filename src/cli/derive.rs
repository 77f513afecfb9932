//! `chainrule derive`.

use super::Refusal;
use super::args::{Derive, Format};
use super::ops::asked;
use super::read::{Opened, built_in, open, variable};
use super::screen::columns;
use crate::derive::{Derivation, derive as derivation_of, spelled_out};
use crate::diagnostic::Diagnostics;
use crate::graph::{NodeId, Program, resolve_order};
use crate::notation::{Block, Entry, Page, Piece, Sheet, backward_page, page, tree_page};
use crate::reading::{Answers, answers, gradient_program};
use crate::render::{Ink, Line, Text, html, json, latex, markdown, text, typst};
use crate::witness::{Checked, check};

/// The block that is derived when nothing else is asked for.
const BLOCK: &str = include_str!("../../docs/examples/residual_block.py");
const BLOCK_PATH: &str = "docs/examples/residual_block.py";

/// A derivation with its answers.
type Found = Checked<(Derivation, Answers)>;

/// The page of a derivation in the format asked for.
pub fn derive(args: &Derive) -> Result<Text, Refusal> {
    let mut opened = open(&args.source)?;
    for name in args.expand.iter().filter(|name| !name.is_empty()) {
        let ops = asked(name)?;
        opened.program = spelled_out(&opened.program, &ops).map_err(|told| Refusal::of(vec![told]))?;
    }
    let wrt = args.source.wrt.as_deref();
    let all = wrt == Some("all") && opened.program.named("all").is_none();
    let found = if all {
        let inputs = opened.program.inputs.iter();
        inputs.map(|input| checked(&opened, *input, !args.no_check)).collect::<Result<Vec<_>, _>>()?
    } else {
        let wrt = variable(&mut opened.program, wrt).map_err(|told| Refusal::of(vec![told]))?;
        let order = resolve_order(args.order).map_err(|told| Refusal::of(vec![told]))?;
        let mut found = vec![checked(&opened, wrt, !args.no_check)?];
        if order > 1 {
            found.push(checked(&of_gradient(&opened, wrt)?, wrt, !args.no_check)?);
        }
        found
    };
    let page = match args.format {
        Format::Tree => trees(&found, &opened.origin),
        _ => derived(&opened, &found, all, args)?,
    };
    Ok(match args.format {
        Format::Text | Format::Tree => text(&page, columns(&args.paper)),
        Format::Latex => as_lines(&latex(&page, args.standalone)),
        Format::Markdown => as_lines(&markdown(&page)),
        Format::Html => as_lines(&html(&page, args.standalone)),
        Format::Typst => as_lines(&typst(&page, args.standalone)),
        Format::Json => as_lines(&json(&opened.program, &found, &page)),
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

/// The program of the gradient, whose derivative is the Hessian.
fn of_gradient(opened: &Opened, wrt: NodeId) -> Result<Opened, Refusal> {
    let program = &opened.program;
    let program = gradient_program(program, program.output, wrt)
        .map_err(|told| refusal(&opened.program, &opened.origin, told))?;
    Ok(Opened { program, origin: opened.origin.clone() })
}

/// The page of one derivation, of that of the gradient after it, or of the whole
/// backward pass.
fn derived(opened: &Opened, found: &[Found], all: bool, args: &Derive) -> Result<Page, Refusal> {
    if all {
        let sheet = Sheet { origin: &opened.origin, verbose: args.verbose, ..Sheet::default() };
        return backward_page(&opened.program, found, &sheet)
            .map_err(|told| refusal(&opened.program, &opened.origin, told));
    }
    let sheet = Sheet {
        origin: &opened.origin,
        layout: args.layout.into(),
        detail: args.detail.into(),
        expand: args.expand.iter().any(String::is_empty),
        of_gradient: false,
        verbose: args.verbose,
    };
    let mut whole = Page::default();
    for (i, one) in found.iter().enumerate() {
        let mut next = page(one, &Sheet { of_gradient: i > 0, ..sheet });
        if i == 0 {
            whole = next;
            continue;
        }
        // What the first page lists is not listed again.
        if let (Some(Block::Listing(known)), Some(Block::Listing(entries))) =
            (whole.blocks.first(), next.blocks.first_mut())
        {
            entries.retain(|entry| !known.contains(entry));
        }
        whole.blocks.push(Block::Prose(vec![Piece::from("The Hessian is the derivative of the gradient:")]));
        whole.blocks.extend(next.blocks);
        for (name, rank) in next.ranks {
            whole.ranks.entry(name).or_insert(rank);
        }
    }
    Ok(whole)
}

/// Derivatives as trees, below one another.
fn trees(found: &[Found], origin: &str) -> Page {
    let mut all = Page { origin: origin.to_string(), ..Page::default() };
    for one in found {
        let tree = tree_page(one, origin);
        all.title = tree.title;
        all.blocks.extend(tree.blocks);
        all.ranks.extend(tree.ranks);
    }
    all
}

/// The derivation by `wrt` with its answers, checked unless that is left out.
fn checked(opened: &Opened, wrt: NodeId, with_check: bool) -> Result<Found, Refusal> {
    let program = &opened.program;
    let refuse = |told| refusal(program, &opened.origin, told);
    let mut derivation = derivation_of(program, program.output, wrt).map_err(refuse)?;
    let answers = answers(&mut derivation).map_err(refuse)?;
    match with_check {
        true => check(derivation, answers).map_err(refuse),
        false => Ok(Checked::unchecked((derivation, answers))),
    }
}

fn refusal(program: &Program, origin: &str, told: crate::diagnostic::Diagnostic) -> Refusal {
    Refusal { told: vec![told], source: program.source.to_string(), origin: origin.to_string() }
}
