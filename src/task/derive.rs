//! From a program to its derivation, checked, and the page that shows it.

use super::Refusal;
use super::options::{Manner, ReadingName};
use super::read::{Opened, variable};
use crate::derive::{Derivation, derive as derivation_of, spelled_out};
use crate::diagnostic::{Diagnostic, Kind};
use crate::graph::{NodeId, resolve_order};
use crate::notation::{Block, Detail, Page, Piece, Sheet, Shown, backward_page, page, readings_of, tree_page};
use crate::ops::meant;
use crate::reading::{Answers, BackwardPass, answers, backward_pass, gradient_program};
use crate::witness::{Checked, check, check_pass};
use clap::ValueEnum;
use std::borrow::Cow;

/// A derivation with its answers.
pub type Found = Checked<(Derivation, Answers)>;

/// A task that is done: all that its page is made of.
pub struct Solved {
    /// The program.
    pub opened: Opened,
    solution: Solution,
}

/// What was derived.
enum Solution {
    /// By one variable; then the derivation of the gradient, if that is asked for.
    ByOne(Vec<Found>),
    /// The whole backward pass.
    Pass(Box<Checked<BackwardPass>>),
}

/// Derives what is asked by `wrt`, `all` for every input.
///
/// # Errors
/// What cannot be derived, with its place.
pub fn solve(mut opened: Opened, wrt: Option<&str>, manner: &Manner) -> Result<Solved, Refusal> {
    for name in manner.expand.iter().filter(|name| !name.is_empty()) {
        opened.program = spelled_out(&opened.program, &meant(name)?)?;
    }
    let whole_pass = wrt == Some("all") && opened.program.named("all").is_none();
    let solution = if whole_pass {
        Solution::Pass(Box::new(checked_pass(&opened, manner)?))
    } else {
        let wrt = variable(&mut opened.program, wrt)?;
        let order = resolve_order(manner.order)?;
        let mut found = vec![checked(&opened, wrt, manner)?];
        if order > 1 {
            found.push(checked(&of_gradient(&opened, wrt)?, wrt, manner)?);
        }
        Solution::ByOne(found)
    };
    Ok(Solved { opened, solution })
}

impl Solved {
    /// The derivations: by one variable, and that of the gradient; of a backward pass
    /// one by every input, which are made when they are asked for.
    ///
    /// # Errors
    /// An input by which the program cannot be derived, with its place.
    pub fn derivations(&self, manner: &Manner) -> Result<Cow<'_, [Found]>, Refusal> {
        match &self.solution {
            Solution::ByOne(found) => Ok(Cow::Borrowed(found)),
            Solution::Pass(_) => {
                let inputs = self.opened.program.inputs.iter();
                inputs.map(|input| checked(&self.opened, *input, manner)).collect()
            }
        }
    }

    /// The page of one derivation, of that of the gradient after it, or of the whole
    /// backward pass.
    ///
    /// # Errors
    /// An operation whose adjoint has no expression, with its place; a reading that the
    /// answer does not have.
    pub fn page(&self, manner: &Manner) -> Result<Page, Refusal> {
        let origin = self.opened.origin.as_str();
        let asked: Vec<Shown> = manner.readings.iter().map(|name| (*name).into()).collect();
        self.has_readings(&manner.readings)?;
        let found = match &self.solution {
            Solution::ByOne(found) => found,
            Solution::Pass(pass) => return self.pass_page(pass, manner),
        };
        let last = Sheet {
            origin,
            layout: manner.layout.into(),
            readings: (!asked.is_empty()).then_some(&asked),
            detail: manner.detail.into(),
            expand: manner.expand.iter().any(String::is_empty),
            of_gradient: false,
            verbose: manner.verbose,
        };
        let mut whole = Page::default();
        for (i, one) in found.iter().enumerate() {
            // The Hessian needs the gradient, whatever is asked of itself.
            let readings = last.readings.filter(|_| i + 1 == found.len());
            let mut next = page(one, &Sheet { readings, of_gradient: i > 0, ..last });
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
            whole.blocks.push(Block::Prose(vec![Piece::from(second_says(&found[0].value().1))]));
            append(&mut whole, next);
        }
        Ok(whole)
    }

    /// The backward pass; in full the derivation by each input below it.
    fn pass_page(&self, pass: &Checked<BackwardPass>, manner: &Manner) -> Result<Page, Refusal> {
        let origin = self.opened.origin.as_str();
        let sheet = Sheet { origin, verbose: manner.verbose, detail: manner.detail.into(), ..Sheet::default() };
        let mut whole = backward_page(pass, &sheet);
        if sheet.detail == Detail::Full {
            self.derivations(manner)?.iter().for_each(|one| append(&mut whole, by_input(one, &sheet)));
        }
        Ok(whole)
    }

    /// What is asked for must be there: of the last derivation, or of a backward pass.
    fn has_readings(&self, asked: &[ReadingName]) -> Result<(), Refusal> {
        let there = match &self.solution {
            Solution::Pass(_) => vec![Shown::Pullback],
            Solution::ByOne(found) => found.last().map_or_else(Vec::new, |one| {
                let (derivation, answers) = one.value();
                readings_of(derivation, answers)
            }),
        };
        let Some(missing) = asked.iter().find(|name| !there.contains(&(**name).into())) else { return Ok(()) };
        let name = |name: &ReadingName| format!("{name:?}").to_lowercase();
        let has = ReadingName::value_variants().iter().filter(|name| there.contains(&(**name).into())).map(name);
        let has = has.collect::<Vec<_>>().join(", ");
        let told = Diagnostic::new(Kind::BadArgument, format!("there is no {} of this", name(missing)));
        Err(told
            .help(if has.is_empty() { "the lines are all there is".into() } else { format!("its readings: {has}") })
            .into())
    }

    /// The derivatives as trees, below one another.
    ///
    /// # Errors
    /// Every step is asked for: a tree has none.
    pub fn tree(&self, manner: &Manner) -> Result<Page, Refusal> {
        if Detail::from(manner.detail) == Detail::Full {
            let told = Diagnostic::new(Kind::BadArgument, "a tree is the derivative as it is, without steps");
            return Err(told.help("ask for its steps as text: --detail full").into());
        }
        let origin = self.opened.origin.as_str();
        let mut all = Page { origin: origin.to_string(), ..Page::default() };
        for one in self.derivations(manner)?.iter() {
            let tree = tree_page(one, origin);
            all.title = tree.title;
            all.blocks.extend(tree.blocks);
            all.ranks.extend(tree.ranks);
        }
        Ok(all)
    }
}

/// Adds what a page says to the end of another.
fn append(whole: &mut Page, next: Page) {
    whole.blocks.extend(next.blocks);
    for (name, rank) in next.ranks {
        whole.ranks.entry(name).or_insert(rank);
    }
}

/// The derivation by one input, without the listing and the notes that the whole page has.
fn by_input(one: &Found, sheet: &Sheet) -> Page {
    let derivation = &one.value().0;
    let wrt = derivation.program.name(derivation.wrt).map_or("an input", |name| &**name);
    let mut next = page(one, sheet);
    next.blocks.remove(0);
    next.blocks.pop();
    next.blocks.insert(0, Block::Prose(vec![format!("By {wrt}:").into()]));
    next
}

/// What the second derivation on a page derives.
fn second_says(first: &Answers) -> &'static str {
    let rank = |id| first.program.shape(id).rank();
    match (rank(first.out), rank(first.wrt)) {
        (0, 1) => "The Hessian is the derivative of the gradient:",
        (0, 2..) => "The Hessian is the derivative of the gradient, a linear operator on directions:",
        _ => "The second derivative is the derivative of the first:",
    }
}

/// The program of the gradient, whose derivative is the Hessian.
fn of_gradient(opened: &Opened, wrt: NodeId) -> Result<Opened, Refusal> {
    let program = &opened.program;
    let program = gradient_program(program, program.output, wrt)
        .map_err(|told| Refusal::about(&opened.program, &opened.origin, told))?;
    Ok(Opened { program, origin: opened.origin.clone() })
}

/// The backward pass, checked unless that is left out.
fn checked_pass(opened: &Opened, manner: &Manner) -> Result<Checked<BackwardPass>, Refusal> {
    if resolve_order(manner.order)? > 1 {
        let told = Diagnostic::new(Kind::BadOrder, "a backward pass is of first order");
        return Err(told.help("name one variable for the second: --wrt x --order 2").into());
    }
    let refuse = |told| Refusal::about(&opened.program, &opened.origin, told);
    let pass = backward_pass(opened.program.clone()).map_err(refuse)?;
    match manner.no_check {
        false => check_pass(pass).map_err(refuse),
        true => Ok(Checked::unchecked(pass)),
    }
}

/// The derivation by `wrt` with its answers, checked unless that is left out.
fn checked(opened: &Opened, wrt: NodeId, manner: &Manner) -> Result<Found, Refusal> {
    let program = &opened.program;
    let refuse = |told| Refusal::about(program, &opened.origin, told);
    let mut derivation = derivation_of(program, program.output, wrt).map_err(refuse)?;
    let mut answers = answers(&mut derivation).map_err(refuse)?;
    if let Some(by) = manner.vec {
        answers.stack(by.into());
    }
    match manner.no_check {
        false => check(derivation, answers).map_err(refuse),
        true => Ok(Checked::unchecked((derivation, answers))),
    }
}
