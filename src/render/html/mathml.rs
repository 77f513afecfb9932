//! Formulas in MathML.

use crate::render::typeset::{Face, Mark, Role, Set};

/// A formula with its text for those who do not see it.
pub(super) fn math(set: &Set, text: &str) -> String {
    format!("<math alttext=\"{}\">{}</math>", escaped(text), element(set))
}

/// A formula in which large signs have their limits above and below.
pub(super) fn display(set: &Set, text: &str) -> String {
    format!("<math displaystyle=\"true\" alttext=\"{}\">{}</math>", escaped(text), element(set))
}

/// Text as HTML and XML both read it; what XML cannot hold is left out.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

fn element(set: &Set) -> String {
    match set {
        Set::Row(row) => match row.as_slice() {
            [one] => element(one),
            row => format!("<mrow>{}</mrow>", row.iter().map(element).collect::<String>()),
        },
        Set::Letters(letters, face) => letters_element(letters, *face),
        Set::Number(digits) => format!("<mn>{}</mn>", escaped(digits)),
        Set::Sign(sign, Role::Prefix) => format!("<mo form=\"prefix\">{}</mo>", escaped(sign)),
        Set::Sign(sign, Role::Comma) => format!("<mo separator=\"true\">{}</mo>", escaped(sign)),
        Set::Sign("/", _) => "<mo form=\"infix\" lspace=\"0.22em\" rspace=\"0.22em\">/</mo>".into(),
        // It is a product of two, not the large sign of a product over many.
        Set::Sign("⊙", _) => "<mo form=\"infix\" largeop=\"false\">⊙</mo>".into(),
        Set::Sign(sign, _) => format!("<mo form=\"infix\">{}</mo>", escaped(sign)),
        Set::Gap => "<mspace width=\"0.17em\"/>".into(),
        Set::Identity(Mark::Factor) => letters_element("I", Face::Bold),
        Set::Identity(Mark::Term) => identity().into(),
        Set::Identity(Mark::Skip) => format!("<munder>{}<mtext class=\"label\">skip path</mtext></munder>", identity()),
        Set::Fence(open, inner, close) => fence(open, inner, close),
        // A bracket without its partner does not stretch by itself.
        Set::Edge(sign, opens, tall) => {
            let form = if *opens { "prefix" } else { "postfix" };
            let size = if *tall { " minsize=\"2.1em\" maxsize=\"2.1em\"" } else { " stretchy=\"false\"" };
            format!("<mo form=\"{form}\" lspace=\"0\" rspace=\"0\"{size}>{sign}</mo>")
        }
        Set::Fraction(over, under) => format!("<mfrac>{}{}</mfrac>", element(over), element(under)),
        Set::Root(inner) => format!("<msqrt>{}</msqrt>", element(inner)),
        Set::Sub(base, under) => format!("<msub>{}{}</msub>", element(base), element(under)),
        Set::Super(base, above) => match base.as_ref() {
            Set::Sub(base, under) => {
                format!("<msubsup>{}{}{}</msubsup>", element(base), element(under), element(above))
            }
            base => format!("<msup>{}{}</msup>", element(base), element(above)),
        },
        // Fonts have no bar as long as a word.
        Set::Bar(inner) if inner.is_word() => format!("<mrow class=\"bar\">{}</mrow>", element(inner)),
        Set::Bar(inner) => format!("<mover accent=\"true\">{}<mo stretchy=\"false\">¯</mo></mover>", element(inner)),
        Set::Limits(sign, under, over) => {
            let sign = if *sign == "Σ" { "∑" } else { sign };
            format!("<munderover><mo>{sign}</mo>{}{}</munderover>", element(under), element(over))
        }
        Set::From(inner, line) => format!("<mrow class=\"from-{line}\">{}</mrow>", element(inner)),
        Set::Changed(inner) => format!("<mrow class=\"changed\">{}</mrow>", element(inner)),
    }
}

/// Brackets that need not grow do not stretch: stretched ones have wider sides.
fn fence(open: &str, inner: &Set, close: &str) -> String {
    let stretchy = if inner.is_tall() { "" } else { " stretchy=\"false\"" };
    let bracket =
        |form: &str, sign: &str| format!("<mo form=\"{form}\" lspace=\"0\" rspace=\"0\"{stretchy}>{sign}</mo>");
    format!("<mrow>{}{}{}</mrow>", bracket("prefix", open), element(inner), bracket("postfix", close))
}

fn identity() -> &'static str {
    "<mi mathvariant=\"bold\" class=\"identity\">I</mi>"
}

fn letters_element(letters: &str, face: Face) -> String {
    let text = escaped(letters);
    match (letters, face) {
        ("ᵀ", _) => "<mo class=\"transpose\">⊤</mo>".into(),
        ("/", _) => "<mo form=\"infix\" lspace=\"0\" rspace=\"0\">/</mo>".into(),
        ("⋯" | "•", _) => format!("<mo form=\"infix\" lspace=\"0\" rspace=\"0\">{text}</mo>"),
        // Firefox takes the weight from the variant, Chromium from the style.
        (_, Face::Bold) => format!("<mi mathvariant=\"bold\" class=\"array\">{text}</mi>"),
        (_, Face::Upright) => format!("<mi mathvariant=\"normal\">{text}</mi>"),
        (_, Face::Italic) => format!("<mi>{text}</mi>"),
    }
}
