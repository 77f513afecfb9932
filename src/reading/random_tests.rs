//! Every cancellation and every move by itself: it keeps the value and lowers what it
//! says it lowers. Programs, shapes, ranks, axes and points are drawn.

use super::closed_tests::{FIRING, RESPELLING, SHORTENED, apart, program, start};
use super::given::Given;
use super::reader::Reader;
use crate::evaluate::{clear_of_kinks, evaluate, points};
use crate::form::{CANCELLATIONS, Cost, Fired, FormId, Forms, MOVES, Measure, Search};
use crate::graph::{Program, Request, read_expression};
use crate::reading::text;
use crate::shape::Name;
use closed::{Random, SHAPES, expression};
use proptest::prelude::{ProptestConfig, any};
use proptest::test_runner::{RngSeed, TestRunner};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeMap;

#[path = "../../tests/common/closed.rs"]
mod closed;

/// Sizes of n, m and k, pairwise different.
const SIZES: &[[usize; 3]] = &[[2, 3, 4], [3, 2, 5], [4, 5, 2], [5, 3, 2], [3, 4, 2], [4, 2, 3]];

/// What a program stands in.
const AROUND: &[&str] = &["{}", "s * ({})", "tanh({})", "({}) + s", "({}) ** 2", "-({})", "({}) * s - s"];

/// How far from every kink a point is.
const MARGIN: f64 = 1e-3;

/// Points drawn before one is given up.
const DRAWS: usize = 40;

/// Forms that moves are made from, for each program.
const FORMS: usize = 5;

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(33),
        ..ProptestConfig::default()
    })
}

fn with_sizes(mut program: Program, sizes: &[usize; 3]) -> Program {
    let named = ["n", "m", "k"].iter().zip(sizes);
    program.sizes = named.map(|(name, size)| (Name::from(*name), *size)).collect();
    program
}

/// How often each record was held to its value and its measure.
#[derive(Default)]
struct Tally {
    held: BTreeMap<&'static str, usize>,
    /// What went wrong, a few of each.
    wrong: BTreeMap<&'static str, Vec<String>>,
    /// Where both sides can be written, but no point was found.
    nowhere: usize,
}

impl Tally {
    /// Holds one step to its measure and, where matrix notation has both sides, to its value.
    fn hold(&mut self, drawn: &mut Drawn, name: &'static str, lowers: Measure, before: FormId, after: FormId) {
        let Drawn { text: of, program, forms, seed } = drawn;
        let (high, low) = (forms.measured(lowers, before), forms.measured(lowers, after));
        let written = |program: &mut Program, forms: &mut Forms, form| {
            let mut reader = Reader::new();
            let tree = reader.form(forms, form, true)?;
            reader.trees.to_node(program, tree)
        };
        let (before, after) = (written(program, forms, before), written(program, forms, after));
        let told = |node: Option<_>| node.map_or_else(String::new, |node| text(program, node));
        let told = format!("{of}: {name}:\n{}\n{}", told(before), told(after));
        if low.partial_cmp(&high) != Some(Ordering::Less) {
            self.tell(name, format!("{told}\n{lowers:?} goes from {high:?} to {low:?}"));
        }
        let (Some(before), Some(after)) = (before, after) else { return };
        let there = (0..DRAWS).find_map(|attempt| {
            let inputs = points::draw(program, seed, attempt).unwrap();
            let values = evaluate(program, &[before, after], &inputs).unwrap();
            let finite = values.get(before).data().iter().all(|x| x.is_finite());
            (finite && clear_of_kinks(program, &values, MARGIN)).then_some(values)
        });
        let Some(values) = there else {
            self.nowhere += 1;
            return;
        };
        let apart = apart(values.get(after), values.get(before));
        if apart.is_nan() || apart >= 1e-7 {
            self.tell(name, format!("{told}\nis off by {apart}"));
        }
        *self.held.entry(name).or_default() += 1;
    }

    fn tell(&mut self, name: &'static str, what: String) {
        let told = self.wrong.entry(name).or_default();
        if told.len() < 3 {
            told.push(what);
        }
    }

    /// Nothing was wrong, every record was tried, and points were found.
    fn all(&self, names: impl Iterator<Item = &'static str>) {
        let wrong: Vec<&str> = self.wrong.values().flatten().map(String::as_str).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
        for name in names {
            let held = self.held.get(name).copied().unwrap_or(0);
            assert!(held >= 3, "{name} was held {held} times: {:?}", self.held);
        }
        let held: usize = self.held.values().sum();
        assert!(20 * self.nowhere <= held, "no point was found for {} beside {held}", self.nowhere);
    }
}

/// A program and what is made of it.
struct Drawn {
    text: String,
    program: Program,
    forms: Forms,
    seed: String,
}

/// The cancellations that fire where a program that was read without any is rebuilt.
fn fired(program: &mut Program) -> (Forms, Vec<Fired>) {
    let node = program.output;
    let mut forms = Forms::new();
    // What merely respells does so where it is read.
    forms.record(true);
    forms.awake(&|_| false);
    let raw = forms.form_of(program, node).unwrap();
    let given = Given::of(program, &mut forms).unwrap();
    given.note(&mut forms, &given.all()).unwrap();
    forms.awake(&|_| true);
    forms.rebuild(raw, &mut given.rebuilt()).unwrap();
    forms.record(false);
    let fired = std::mem::take(&mut forms.fired);
    (forms, fired)
}

#[test]
fn each_cancellation_keeps_the_value_and_lowers_its_measure() {
    let tally = RefCell::new(Tally::default());
    let respelling = RESPELLING.iter().map(|text| (*text, &[][..]));
    let table: Vec<(&str, &[&str])> =
        FIRING.iter().map(|(text, assume, _)| (*text, *assume)).chain(respelling).collect();
    let drawn = (0..table.len(), 0..AROUND.len(), 0..SIZES.len(), 0usize..1000);
    let ran = runner(600).run(&drawn, |(which, around, sizes, point)| {
        let (inner, assume) = table[which];
        let [n, m, _] = SIZES[sizes];
        if m < n && assume.iter().any(|says| says.ends_with("full column rank")) {
            // A is m × n: it has no full column rank then.
            return Ok(());
        }
        let text = AROUND[around].replace("{}", inner);
        let mut program = with_sizes(program(&text, assume), &SIZES[sizes]);
        let (forms, fired) = fired(&mut program);
        let mut drawn = Drawn { text, program, forms, seed: format!("cancellation {point}") };
        for shot in fired {
            let rule = shot.rule;
            tally.borrow_mut().hold(&mut drawn, rule.name, rule.lowers, shot.before, shot.after);
        }
        Ok(())
    });
    ran.unwrap();
    tally.into_inner().all(CANCELLATIONS.iter().map(|rule| rule.name));
}

/// Makes every move on a form and on some of those that it leads to.
fn make_moves(drawn: &mut Drawn, start: FormId, tally: &mut Tally) {
    let mut open = vec![start];
    let mut at = 0;
    while let Some(&form) = open.get(at)
        && at < FORMS
    {
        at += 1;
        for by in MOVES {
            // What does not fit is no candidate of the search either.
            let Ok(found) = (by.apply)(&mut drawn.forms, form) else { continue };
            for after in found.into_iter().take(6) {
                tally.hold(drawn, by.name, by.lowers, form, after);
                if !open.contains(&after) {
                    open.push(after);
                }
            }
        }
    }
}

/// A random program of n, m with its text.
fn drawn(seed: u64) -> (String, &'static str) {
    let mut random = Random(seed);
    (0..4).for_each(|_| _ = random.below(9));
    let shape = random.pick(&["", "", "n", "m n"]);
    let depth = 1 + random.below(3);
    let text = expression(&mut random, shape, depth);
    (text, random.pick(&["s", "x", "u", "A", "S"]))
}

#[test]
fn each_move_keeps_the_value_and_lowers_its_measure() {
    let tally = RefCell::new(Tally::default());
    let table = (0..SHORTENED.len(), 0..AROUND.len(), 0..SIZES.len(), 0usize..1000);
    let ran = runner(200).run(&table, |(which, around, sizes, point)| {
        let (inner, wrt, order) = SHORTENED[which];
        let text = AROUND[around].replace("{}", inner);
        let mut program = with_sizes(program(&text, &[]), &SIZES[sizes]);
        let mut forms = Forms::new();
        // Around a vector there may be no second derivative in matrix notation.
        let Ok(start) = start(&mut program, &mut forms, wrt, order) else { return Ok(()) };
        let mut drawn = Drawn { text, program, forms, seed: format!("move {point}") };
        make_moves(&mut drawn, start, &mut tally.borrow_mut());
        Ok(())
    });
    ran.unwrap();
    let ran = runner(400).run(&(any::<u64>(), 0..SIZES.len(), 0usize..1000), |(seed, sizes, point)| {
        let (text, wrt) = drawn(seed);
        let mut request = Request { strict: true, ..Request::default() };
        SHAPES.iter().for_each(|(name, shape)| request.declare(name, shape).unwrap());
        let program = read_expression(&text, &request).unwrap_or_else(|told| panic!("{text}: {told:?}"));
        let mut program = with_sizes(program, &SIZES[sizes]);
        let out = program.output;
        let twice = program.shape(out).rank() == 0 && program.shape(program.named(wrt).unwrap()).rank() < 2;
        let mut forms = Forms::new();
        let Ok(start) = start(&mut program, &mut forms, wrt, 1 + usize::from(twice)) else { return Ok(()) };
        let mut drawn = Drawn { text, program, forms, seed: format!("move {point}") };
        make_moves(&mut drawn, start, &mut tally.borrow_mut());
        let Drawn { text, mut forms, .. } = drawn;
        let mut reader = Reader::new();
        let before = reader.cost(&mut forms, start);
        let mut search = Search::new(&mut reader);
        let found = search.shortest(&mut forms, start).unwrap();
        assert!(search.tried() <= 200, "{text}: {}", search.tried());
        assert!(reader.cost(&mut forms, found) <= before, "{text}");
        Ok(())
    });
    ran.unwrap();
    tally.into_inner().all(MOVES.iter().map(|by| by.name));
}
