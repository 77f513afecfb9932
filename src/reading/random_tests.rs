//! Moves and cancellations at random: programs, shapes, ranks, axes and points.

use super::closed_tests::{FIRING, apart, fired, measure, program, value};
use super::reader::Reader;
use crate::form::{Cost, Forms, MOVES, Search};
use crate::graph::{Program, Request, read_expression};
use crate::shape::Name;
use closed::{Random, SHAPES, expression};
use proptest::prelude::{ProptestConfig, any};
use proptest::test_runner::{RngSeed, TestRunner};
use std::cell::Cell;

#[path = "../../tests/common/closed.rs"]
mod closed;

/// Sizes of n, m and k, pairwise different.
const SIZES: &[[usize; 3]] = &[[2, 3, 4], [3, 2, 5], [4, 5, 2], [5, 3, 2], [3, 4, 2], [4, 2, 3]];

/// What a program stands in.
const AROUND: &[&str] = &["{}", "s * ({})", "tanh({})", "({}) + s", "({}) ** 2", "-({})", "({}) * s - s"];

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

#[test]
fn cancellations_keep_the_value_and_lower_the_measure() {
    let checked = Cell::new(0);
    let drawn = (0..FIRING.len(), 0..AROUND.len(), 0..SIZES.len(), 0usize..1000);
    let ran = runner(400).run(&drawn, |(which, around, sizes, point)| {
        let (inner, assume, _) = FIRING[which];
        let [n, m, _] = SIZES[sizes];
        if m < n && assume.iter().any(|says| says.ends_with("full column rank")) {
            // A is m × n: it has no full column rank then.
            return Ok(());
        }
        let text = AROUND[around].replace("{}", inner);
        let mut program = with_sizes(program(&text, assume), &SIZES[sizes]);
        let (mut forms, fired) = fired(&mut program);
        for shot in fired {
            let (before, after) = (measure(&forms, shot.before), measure(&forms, shot.after));
            assert!(shot.rule.respells || after < before, "{text}: {}: {before:?}, {after:?}", shot.rule.name);
            let before = value(&mut program, &mut forms, shot.before, point);
            let after = value(&mut program, &mut forms, shot.after, point);
            if let (Some(before), Some(after)) = (before, after)
                && before.data().iter().all(|x| x.is_finite())
            {
                let apart = apart(&after, &before);
                assert!(apart < 1e-7, "{text}: {} is off by {apart}", shot.rule.name);
                checked.set(checked.get() + 1);
            }
        }
        Ok(())
    });
    ran.unwrap();
    assert!(checked.get() > 300, "{} were compared", checked.get());
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
fn moves_keep_the_value_and_the_search_shortens_within_its_budget() {
    let checked = Cell::new(0);
    let ran = runner(1500).run(&(any::<u64>(), 0..SIZES.len(), 0usize..1000), |(seed, sizes, point)| {
        let (text, wrt) = drawn(seed);
        let mut request = Request { strict: true, ..Request::default() };
        SHAPES.iter().for_each(|(name, shape)| request.declare(name, shape).unwrap());
        let program = read_expression(&text, &request).unwrap_or_else(|told| panic!("{text}: {told:?}"));
        let mut program = with_sizes(program, &SIZES[sizes]);
        let (out, wrt) = (program.output, program.named(wrt).unwrap());
        let mut forms = Forms::new();
        let twice = program.shape(out).rank() == 0 && program.shape(wrt).rank() < 2;
        let start = match twice {
            true => forms.second(&mut program, out, wrt),
            false => forms.derivative(&mut program, out, wrt),
        };
        let Ok(start) = start else { return Ok(()) };
        let Some(wanted) = value(&mut program, &mut forms, start, point) else { return Ok(()) };
        if !wanted.data().iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        for by in MOVES {
            for after in (by.apply)(&mut forms, start).unwrap().into_iter().take(6) {
                let Some(found) = value(&mut program, &mut forms, after, point) else { continue };
                let apart = apart(&found, &wanted);
                assert!(apart < 1e-7, "{text}: {} is off by {apart}", by.name);
                checked.set(checked.get() + 1);
            }
        }
        let mut reader = Reader::new();
        let before = reader.cost(&mut forms, start);
        let mut search = Search::new(&mut reader);
        let found = search.shortest(&mut forms, start).unwrap();
        assert!(search.tried() <= 200, "{text}: {}", search.tried());
        assert!(reader.cost(&mut forms, found) <= before, "{text}");
        Ok(())
    });
    ran.unwrap();
    assert!(checked.get() > 100, "{} were compared", checked.get());
}
