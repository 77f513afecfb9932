//! Calls that stand for an expression of other operations and are read as that.

use super::{Framework, Param, ParamKind, Preset, TORCH};

/// A call that is read as the expression it abbreviates: it never stands in a graph.
#[derive(Debug)]
pub struct Abbreviation {
    /// Its name, below the prefix.
    pub name: &'static str,
    /// The frameworks that have it.
    pub frameworks: &'static [Framework],
    /// Arguments and attributes, in order: those of [`Abbreviation::fixed`] too.
    pub params: &'static [Param],
    /// What it stands for, in the input language.
    pub text: &'static str,
    /// Parameters that can only be what is said here; they do not stand in the text.
    pub fixed: &'static [(&'static str, Preset)],
    /// Parameters of the call that tell this reading from others of the name.
    pub given: &'static [(&'static str, Preset)],
    /// Has it a parameter `reduction`: the mean of the entries of the text unless
    /// that says `sum` or `none`?
    pub reduces: bool,
}

const X: Param = Param::array("x").also(&["input"]);
const Y: Param = Param::array("y").also(&["target"]);
const PAIR: &[Param] = &[X, Y];
const EPS: Param = Param::or("eps", "0.00001");
const WORD: &str = "";
const REDUCTION: Param = Param { name: "reduction", aliases: &[], kind: ParamKind::Text(WORD) };
const SHAPE: Param = Param { name: "normalized_shape", aliases: &[], kind: ParamKind::Dims };
const SCALED: &[Param] = &[X, SHAPE, Param::array("weight"), Param::or("bias", "0"), EPS];
const ATTENTION: &[Param] = &[
    Param::array("q").also(&["query"]),
    Param::array("k").also(&["key"]),
    Param::array("v").also(&["value"]),
    Param::or("attn_mask", "0"),
    Param::whole_or("dropout_p", 0),
    Param { name: "is_causal", aliases: &[], kind: ParamKind::Flag(false) },
];
const NO_DROPOUT: (&str, Preset) = ("dropout_p", Preset::Whole(0));

const PLAIN: Abbreviation =
    Abbreviation { name: "", frameworks: TORCH, params: PAIR, text: "", fixed: &[], given: &[], reduces: false };
const LOSS: Abbreviation = Abbreviation { reduces: true, ..PLAIN };

const ALL: &[Abbreviation] = &[
    Abbreviation {
        name: "linear",
        params: &[X, Param::array("weight"), Param::or("bias", "0")],
        text: "x @ weight.T + bias",
        ..PLAIN
    },
    Abbreviation {
        name: "embedding",
        params: &[Param { name: "x", aliases: &["input"], kind: ParamKind::Index }, Param::array("weight")],
        text: "one_hot(x, weight.shape[0]) @ weight",
        ..PLAIN
    },
    Abbreviation {
        name: "scaled_dot_product_attention",
        params: ATTENTION,
        text: "softmax(where(tri((q.shape[-2], k.shape[-2])), q @ k.mT / sqrt(q.shape[-1]), -1e30), -1) @ v",
        fixed: &[NO_DROPOUT, ("attn_mask", Preset::Absent)],
        given: &[("is_causal", Preset::Flag(true))],
        ..PLAIN
    },
    Abbreviation {
        name: "scaled_dot_product_attention",
        params: ATTENTION,
        text: "softmax(q @ k.mT / sqrt(q.shape[-1]) + attn_mask, -1) @ v",
        fixed: &[NO_DROPOUT, ("is_causal", Preset::Flag(false))],
        ..PLAIN
    },
    Abbreviation {
        name: "layer_norm",
        params: SCALED,
        text: "layer_norm(x, eps, normalized_shape=normalized_shape) * weight + bias",
        given: &[("weight", Preset::Present)],
        ..PLAIN
    },
    Abbreviation {
        name: "rms_norm",
        params: &[X, SHAPE, Param::array("weight"), Param::or("eps", "2.220446049250313e-16")],
        text: "rms_norm(x, eps, normalized_shape=normalized_shape) * weight",
        given: &[("weight", Preset::Present)],
        ..PLAIN
    },
    Abbreviation {
        name: "normalize",
        params: &[
            X,
            Param { name: "p", aliases: &[], kind: ParamKind::Whole(Some(2)) },
            Param::axis(Some(Preset::Axis(1))),
            Param::or("eps", "1e-12"),
        ],
        text: "x / clamp_min(norm(x, axis, keepdims=True), eps)",
        fixed: &[("p", Preset::Whole(2))],
        ..PLAIN
    },
    Abbreviation {
        name: "cosine_similarity",
        params: &[X.also(&["x1"]), Y.also(&["x2"]), Param::axis(Some(Preset::Axis(1))), Param::or("eps", "1e-8")],
        text: "sum(x * y, axis) / (clamp_min(norm(x, axis), eps) * clamp_min(norm(y, axis), eps))",
        ..PLAIN
    },
    Abbreviation {
        name: "pairwise_distance",
        params: &[X.also(&["x1"]), Y.also(&["x2"]), Param::whole_or("p", 2), Param::or("eps", "1e-6")],
        text: "norm(x - y + eps, -1)",
        fixed: &[("p", Preset::Whole(2))],
        ..PLAIN
    },
    Abbreviation {
        name: "cdist",
        params: &[X.also(&["x1"]), Y.also(&["x2"]), Param::whole_or("p", 2)],
        text: "norm(unsqueeze(x, -2) - unsqueeze(y, -3), -1)",
        fixed: &[("p", Preset::Whole(2))],
        ..PLAIN
    },
    Abbreviation {
        name: "triplet_margin_loss",
        params: &[
            Param::array("a").also(&["anchor"]),
            Param::array("b").also(&["positive"]),
            Param::array("c").also(&["negative"]),
            Param::or("margin", "1"),
            Param::whole_or("p", 2),
            Param::or("eps", "1e-6"),
            REDUCTION,
        ],
        text: "relu(norm(a - b + eps, -1) - norm(a - c + eps, -1) + margin)",
        fixed: &[("p", Preset::Whole(2))],
        ..LOSS
    },
    Abbreviation {
        name: "mse_loss",
        params: &[X, Y, REDUCTION],
        text: "(x - y) ** 2",
        given: &[("reduction", Preset::Present)],
        ..LOSS
    },
    Abbreviation { name: "l1_loss", params: &[X, Y, REDUCTION], text: "abs(x - y)", ..LOSS },
    Abbreviation {
        name: "smooth_l1_loss",
        params: &[X, Y, REDUCTION, Param::or("beta", "1")],
        text: "where(abs(x - y) < beta, (x - y) ** 2 / (2 * beta), abs(x - y) - beta / 2)",
        ..LOSS
    },
    Abbreviation {
        name: "huber_loss",
        params: &[X, Y, REDUCTION, Param::or("delta", "1")],
        text: "where(abs(x - y) < delta, (x - y) ** 2 / 2, delta * (abs(x - y) - delta / 2))",
        ..LOSS
    },
    Abbreviation {
        name: "binary_cross_entropy",
        params: &[X, Y, REDUCTION],
        text: "-(y * log(x) + (1 - y) * log(1 - x))",
        ..LOSS
    },
    Abbreviation {
        name: "binary_cross_entropy_with_logits",
        params: &[X.also(&["logits", "input"]), Y, REDUCTION],
        text: "y * softplus(-x) + (1 - y) * softplus(x)",
        ..LOSS
    },
    Abbreviation { name: "kl_div", params: &[X, Y, REDUCTION], text: "y * (log(y) - x)", ..LOSS },
    Abbreviation {
        name: "gaussian_nll_loss",
        params: &[X, Y, Param::array("var"), REDUCTION],
        text: "(log(var) + (x - y) ** 2 / var) / 2",
        ..LOSS
    },
    Abbreviation {
        name: "nll_loss",
        params: &[X, Param { name: "y", aliases: &["target"], kind: ParamKind::Index }, REDUCTION],
        text: "-sum(one_hot(y, x.shape[-1]) * x, -1)",
        ..LOSS
    },
    Abbreviation {
        name: "hardtanh",
        params: &[X, Param::or("lo", "-1"), Param::or("hi", "1")],
        text: "clamp(x, lo, hi)",
        ..PLAIN
    },
    Abbreviation { name: "softmin", params: &[X, Param::axis(None)], text: "softmax(-x, axis)", ..PLAIN },
    Abbreviation { name: "logaddexp", frameworks: super::EVERYWHERE, text: "y + softplus(x - y)", ..PLAIN },
    Abbreviation {
        name: "lerp",
        params: &[X, Param::array("y").also(&["end"]), Param::array("t").also(&["weight"])],
        text: "x + t * (y - x)",
        ..PLAIN
    },
    Abbreviation {
        name: "addmm",
        params: &[X, Param::array("a").also(&["mat1"]), Param::array("b").also(&["mat2"])],
        text: "x + a @ b",
        ..PLAIN
    },
    Abbreviation {
        name: "addmv",
        params: &[X, Param::array("a").also(&["mat"]), Param::array("b").also(&["vec"])],
        text: "x + a @ b",
        ..PLAIN
    },
    Abbreviation {
        name: "baddbmm",
        params: &[X, Param::array("a").also(&["batch1"]), Param::array("b").also(&["batch2"])],
        text: "x + a @ b",
        ..PLAIN
    },
    Abbreviation {
        name: "dist",
        params: &[X, Y.also(&["other"]), Param::whole_or("p", 2)],
        text: "norm(x - y)",
        fixed: &[("p", Preset::Whole(2))],
        ..PLAIN
    },
    Abbreviation { name: "hypot", frameworks: super::EVERYWHERE, text: "sqrt(x ** 2 + y ** 2)", ..PLAIN },
    Abbreviation { name: "xlogy", frameworks: super::EVERYWHERE, text: "x * log(y)", ..PLAIN },
    Abbreviation { name: "special.xlogy", frameworks: super::EVERYWHERE, text: "x * log(y)", ..PLAIN },
    Abbreviation { name: "rel_entr", frameworks: super::EVERYWHERE, text: "x * log(x / y)", ..PLAIN },
    Abbreviation { name: "special.rel_entr", frameworks: super::EVERYWHERE, text: "x * log(x / y)", ..PLAIN },
    Abbreviation { name: "logical_and", frameworks: super::EVERYWHERE, text: "(x != 0) * (y != 0)", ..PLAIN },
    Abbreviation { name: "logical_or", frameworks: super::EVERYWHERE, text: "maximum(x != 0, y != 0)", ..PLAIN },
];

/// All abbreviations of this name.
pub fn abbreviations(name: &str, framework: Option<Framework>) -> impl Iterator<Item = &'static Abbreviation> {
    let fits = move |a: &&Abbreviation| framework.is_none_or(|f| a.frameworks.contains(&f));
    ALL.iter().filter(move |a| a.name == name).filter(fits)
}

/// All abbreviations, in the table's order.
pub fn all_abbreviations() -> impl Iterator<Item = &'static Abbreviation> {
    ALL.iter()
}
