//! The page's own leaves.

use super::kept;
use chainrule::notation::{Block, Fact, Math, Page, Piece};

/// All that the page says, in order.
pub fn canonical(page: &Page) -> String {
    let mut out = vec![page.title.clone(), page.origin.clone()];
    for block in &page.blocks {
        match block {
            Block::Prose(all) => pieces(all, &mut out),
            Block::Listing(entries) => {
                for entry in entries {
                    out.extend([entry.name.clone(), entry.written.clone(), entry.aside.clone()]);
                }
            }
            Block::Equations(all) => all.iter().for_each(|(left, right)| {
                math(left, &mut out);
                math(right, &mut out);
            }),
            Block::Steps(all) => all.iter().for_each(|(left, right, why)| {
                math(left, &mut out);
                math(right, &mut out);
                pieces(&why.0, &mut out);
            }),
            Block::Lines(left, rows) => {
                math(left, &mut out);
                rows.iter().for_each(|row| {
                    math(&row.math, &mut out);
                    pieces(&row.why.0, &mut out);
                });
            }
            Block::Facts(facts) => facts.iter().for_each(|(label, fact)| {
                out.push(label.clone());
                match fact {
                    Fact::Equation(left, right) => {
                        math(left, &mut out);
                        math(right, &mut out);
                    }
                    Fact::Prose(all) => pieces(all, &mut out),
                }
            }),
            Block::Tree(_) | Block::Numbers(..) => panic!("not on the page of a derivation"),
        }
    }
    kept(&out.concat())
}

fn pieces(all: &[Piece], out: &mut Vec<String>) {
    for piece in all {
        match piece {
            Piece::Text(text) => out.push(text.clone()),
            Piece::Math(inner) => math(inner, out),
        }
    }
}

fn math(of: &Math, out: &mut Vec<String>) {
    let mut say = |text: &str| out.push(text.to_string());
    match of {
        Math::Name(name) => say(name),
        Math::Number(number) if number.is_infinite() => say(if number.is_negative() { "-" } else { "" }),
        Math::Number(number) => say(&number.to_string()),
        Math::Size(dim) => say(&dim.to_string()),
        Math::Identity => say("I"),
        Math::Zero => say("0"),
        Math::Ones => say("1"),
        Math::Hole => say("•"),
        Math::Ellipsis => say("⋯"),
        Math::Sum(terms) => {
            for (i, (minus, term)) in terms.iter().enumerate() {
                out.push(
                    if *minus {
                        "-"
                    } else if i > 0 {
                        "+"
                    } else {
                        ""
                    }
                    .to_string(),
                );
                math(term, out);
            }
        }
        Math::Product(factors) => {
            let pending = |i: usize| matches!(factors[i].plain(), Math::Derivative(..));
            for (i, factor) in factors.iter().enumerate() {
                if i > 0 && (pending(i) || pending(i - 1)) {
                    out.push("·".into());
                }
                math(factor, out);
            }
        }
        Math::Infix(sign, operands) => {
            for (i, operand) in operands.iter().enumerate() {
                out.push(if i > 0 { (*sign).to_string() } else { String::new() });
                math(operand, out);
            }
        }
        Math::Fraction(a, b) | Math::Power(a, b) | Math::Applied(a, b) | Math::Inner(a, b) => both(a, "", b, out),
        Math::Comparison(sign, a, b) => both(a, sign, b, out),
        Math::Derivative(a, b) => {
            out.push("d".into());
            both(a, "d", b, out);
        }
        Math::Negative(a) => around("-", a, "", out),
        Math::Transpose(a) => around("", a, "ᵀ", out),
        Math::Inverse(a) => around("", a, "-1", out),
        Math::Root(a) => around("√", a, "", out),
        Math::Norm(a) => around("‖", a, "‖", out),
        Math::Indicator(a) => around("1", a, "", out),
        Math::Differential(a) => around("d", a, "", out),
        Math::Bar(a) => around("¯", a, "", out),
        Math::Gradient(a) => around("∇", a, "", out),
        Math::Bars(a) | Math::Marked(a) => math(a, out),
        Math::Keyword(name, a) | Math::Script(name, a) => around(name, a, "", out),
        Math::Call(name, args) => {
            out.push(name.to_string());
            args.iter().for_each(|arg| math(arg, out));
        }
        Math::Entry(a, at) => {
            math(a, out);
            at.iter().for_each(|i| math(i, out));
        }
        Math::Big(sign, index, from, to, body) => {
            out.extend([(*sign).to_string(), index.to_string()]);
            [from, to, body].into_iter().for_each(|part| math(part, out));
        }
    }
}

fn both(a: &Math, sign: &str, b: &Math, out: &mut Vec<String>) {
    math(a, out);
    out.push(sign.to_string());
    math(b, out);
}

fn around(before: &str, a: &Math, after: &str, out: &mut Vec<String>) {
    out.push(before.to_string());
    math(a, out);
    out.push(after.to_string());
}
