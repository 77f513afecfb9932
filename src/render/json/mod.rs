//! Derivations in JSON, for other tools. The fields are described in
//! `docs/src/json.md`; a change that takes one away or gives it another meaning
//! counts [`VERSION`] up.

mod tree;

use crate::derive::{Block as TurnBlock, Derivation, Loop, Map, Paragraph, Part, View};
use crate::graph::{NodeId, Program};
use crate::notation::{Block, Branch, Entry, Fact, Maps, Math, Page, Piece, Row, Says};
use crate::reading::{Answers, Condition, Excluded, IdentityPath, Stacked, Stacking, Structured, has_text, says, text};
use crate::render::{flat, words};
use crate::witness::{Checked, Report};
use serde_json::{Value, json};
use tree::formula;

/// The version of the schema.
pub const VERSION: u32 = 1;

/// The program, its derivations and the page that shows them, pretty printed.
pub fn json(program: &Program, found: &[Checked<(Derivation, Answers)>], page: &Page) -> String {
    let whole = json!({
        "version": VERSION,
        "title": page.title,
        "origin": page.origin,
        "program": program_value(program),
        "derivations": found.iter().map(found_value).collect::<Vec<_>>(),
        "assumptions": program.assumptions,
        "page": page.blocks.iter().map(block).collect::<Vec<_>>(),
    });
    format!("{whole:#}\n")
}

fn name(program: &Program, id: NodeId) -> Value {
    program.name(id).map_or(Value::Null, |name| json!(&**name))
}

fn shape(program: &Program, id: NodeId) -> Value {
    json!(program.shape(id).0.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn program_value(program: &Program) -> Value {
    let input = |id: &NodeId| json!({ "name": name(program, *id), "shape": shape(program, *id) });
    let definitions = program
        .definitions
        .iter()
        .map(|d| json!({ "name": &*d.name, "text": d.text, "shape": shape(program, d.node) }));
    json!({
        "inputs": program.inputs.iter().map(input).collect::<Vec<_>>(),
        "definitions": definitions.collect::<Vec<_>>(),
        "result": name(program, program.output),
        "text": &*program.source,
    })
}

fn found_value(found: &Checked<(Derivation, Answers)>) -> Value {
    let (derivation, answers) = found.value();
    let mut value = derivation_value(derivation);
    if let Value::Object(fields) = &mut value {
        fields.insert("answers".into(), answers_value(answers));
        fields.insert("conventions".into(), json!(answers.conventions));
        fields.insert("check".into(), found.report().map_or(Value::Null, report));
    }
    value
}

/// The lines of a derivation; loops hold derivations of one turn.
fn derivation_value(derivation: &Derivation) -> Value {
    let maps = Maps::new(derivation);
    let program = &derivation.program;
    let loops = derivation.loops.iter().map(|of| {
        let alone = of.alone().is_some();
        json!({
            "index": &*of.index,
            "count": of.count.to_string(),
            "turn": of.alone().map(derivation_value),
            "by": of.shares().first().filter(|_| alone).map(|block| derivation_value(&block.turn)),
            "states": of.states.iter().map(|state| of.state_name(*state).to_string()).collect::<Vec<_>>(),
            "blocks": of.blocks().filter(|_| !alone).map(|block| turn_value(of, block)).collect::<Vec<_>>(),
        })
    });
    json!({
        "of": name(program, derivation.out),
        "wrt": name(program, derivation.wrt),
        "view": if derivation.view == View::Jacobian { "jacobian" } else { "differential" },
        "row": derivation.whole.as_ref().map(|whole| whole.rows.to_string()),
        "paragraphs": derivation.paragraphs.iter().map(|p| paragraph(derivation, &maps, p)).collect::<Vec<_>>(),
        "parts": derivation.parts.iter().map(|p| part(derivation, &maps, p)).collect::<Vec<_>>(),
        "loops": loops.collect::<Vec<_>>(),
        "result": formula(&maps.plain(&derivation.result, derivation.wrt, derivation.view)),
    })
}

/// What one turn takes from one value to the next value of a state.
fn turn_value(of: &Loop, block: &TurnBlock) -> Value {
    let mut value = derivation_value(&block.turn);
    if let Value::Object(fields) = &mut value {
        fields.insert("to".into(), json!(of.state_name(block.to).to_string()));
    }
    value
}

fn paragraph(derivation: &Derivation, maps: &Maps, paragraph: &Paragraph) -> Value {
    let map = |map: &Map| formula(&maps.plain(map, paragraph.base, derivation.view));
    let steps = paragraph.steps.iter().map(|step| {
        let reasons = step.reasons.iter().map(|reason| reason.says(&derivation.program, &derivation.parts));
        json!({
            "reasons": reasons.collect::<Vec<_>>(),
            "before": map(&step.before),
            "after": map(&step.after),
            "changed": step.path,
        })
    });
    let part = paragraph.part.and_then(|i| derivation.parts.get(i));
    json!({
        "left": formula(&maps.left(paragraph.node, paragraph.base, derivation.view)),
        "part": part.map(|part| part.name.to_string()),
        "at_settings": paragraph.at_settings,
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn part(derivation: &Derivation, maps: &Maps, part: &Part) -> Value {
    json!({
        "name": &*part.name,
        "of": name(&derivation.program, part.node),
        "wrt": name(&derivation.program, part.base),
        "map": formula(&maps.plain(&part.map, part.base, derivation.view)),
        "beside_identity": part.beside_identity,
        "like": part.like.and_then(|i| derivation.parts.get(i)).map(|like| like.name.to_string()),
    })
}

/// The readings in the input language, so that they can be read back.
fn answers_value(answers: &Answers) -> Value {
    let program = &answers.program;
    let written = |id: Option<NodeId>| id.map(|id| json!({ "text": text(program, id), "shape": shape(program, id) }));
    // What comes out of a loop stands in the blocks of the page.
    let sayable = answers.backward.iter().filter(|cotangent| has_text(program, cotangent.value));
    let backward = sayable.map(|cotangent| {
        json!({ "of": name(program, cotangent.of), "text": text(program, cotangent.value), "shape": shape(program, cotangent.of) })
    });
    let assumed = (0..program.properties.len())
        .map(|place| json!({ "says": says(program, place), "used": answers.used.contains(&place) }));
    let domain: Vec<String> = answers.domain.iter().map(|one| excluded(program, *one)).collect();
    json!({
        "jacobian": written(answers.jacobian),
        "gradient": written(answers.gradient),
        "structured": answers.structured.map(|found| match found {
            Structured::Symmetric { gradient, tied } => json!({
                "symmetric_gradient": written(Some(gradient)),
                "tied_entries": written(Some(tied)),
            }),
            Structured::Diagonal(node) => json!({ "diagonal_entries": written(Some(node)) }),
        }),
        "stacked": answers.stacked.map(|Stacked { node, by }| json!({
            "by": if by == Stacking::Columns { "columns" } else { "rows" },
            "matrix": written(node),
        })),
        "differential": written(answers.differential),
        "pullback": written(answers.pullback),
        "backward": backward.collect::<Vec<_>>(),
        "domain": domain,
        "assumed": assumed.collect::<Vec<_>>(),
        "identity": match &answers.identity {
            IdentityPath::None(_) => "none",
            IdentityPath::Whole => "whole",
            IdentityPath::Bare(_) => "bare",
            IdentityPath::EachFactor(_) => "each factor",
            IdentityPath::EachTurn => "each turn",
            IdentityPath::States(_) => "states",
            IdentityPath::Multiplied(..) => "multiplied",
            IdentityPath::Scaled(_) => "scaled",
            IdentityPath::Projected(_) => "projected",
            IdentityPath::Each(..) => "each multiplied",
        },
    })
}

/// A condition in the input language, or in words.
fn excluded(program: &Program, one: Excluded) -> String {
    let value = text(program, one.node);
    match one.unless {
        Condition::Nonzero => format!("{value} != 0"),
        Condition::Positive => format!("{value} > 0"),
        Condition::Invertible => format!("{value} invertible"),
    }
}

fn report(report: &Report) -> Value {
    json!({
        "steps": report.steps,
        "unchecked": report.unchecked,
        "answer": report.answer,
        "points": report.points,
        "digits": report.digits,
        "left_out": report.left_out,
        // What is no number has no JSON number.
        "worst": report.worst.is_finite().then_some(report.worst),
        "turns": report.turns,
    })
}

/// The page block by block: what the other formats show.
fn block(block: &Block) -> Value {
    let equation = |(left, right): &(Math, Math)| json!({ "left": formula(left), "right": formula(right) });
    match block {
        Block::Prose(pieces) => json!({ "block": "prose", "pieces": pieces.iter().map(piece).collect::<Vec<_>>() }),
        Block::Listing(entries) => {
            let entry = |e: &Entry| json!({ "name": e.name, "written": e.written, "aside": e.aside });
            json!({ "block": "listing", "entries": entries.iter().map(entry).collect::<Vec<_>>() })
        }
        Block::Equations(all) => {
            json!({ "block": "equations", "equations": all.iter().map(equation).collect::<Vec<_>>() })
        }
        Block::Steps(all) => {
            let step = |(left, right, why): &(Math, Math, Says)| json!({ "left": formula(left), "right": formula(right), "why": words(why) });
            json!({ "block": "steps", "steps": all.iter().map(step).collect::<Vec<_>>() })
        }
        Block::Lines(left, rows) => {
            let row = |row: &Row| json!({ "right": formula(&row.math), "why": words(&row.why) });
            json!({ "block": "lines", "left": formula(left), "lines": rows.iter().map(row).collect::<Vec<_>>() })
        }
        Block::Facts(facts) => {
            let fact = |(label, fact): &(String, Fact)| match fact {
                Fact::Equation(left, right) => {
                    json!({ "label": label, "left": formula(left), "right": formula(right) })
                }
                Fact::Prose(pieces) => {
                    json!({ "label": label, "pieces": pieces.iter().map(piece).collect::<Vec<_>>() })
                }
            };
            json!({ "block": "facts", "facts": facts.iter().map(fact).collect::<Vec<_>>() })
        }
        Block::Tree(branch) => json!({ "block": "tree", "tree": branch_value(branch) }),
        Block::Numbers(what, array) => json!({
            "block": "numbers", "of": flat(what), "shape": array.sizes(), "data": array.data(),
        }),
    }
}

fn piece(piece: &Piece) -> Value {
    match piece {
        Piece::Text(text) => json!({ "text": text }),
        Piece::Math(math) => json!({ "math": formula(math) }),
    }
}

/// Depth is that of the tree, which follows the formulas of a page.
fn branch_value(branch: &Branch) -> Value {
    let children: Vec<Value> = branch.children.iter().map(branch_value).collect();
    json!({ "label": piece(&branch.label), "aside": branch.aside, "children": children })
}
