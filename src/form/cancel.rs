//! The named cancellations: each makes a product or a function strictly simpler.

use super::arena::{Atom, Factor, FormId, Forms, Label};
use super::measure::Measure;
use super::monomial::Raw;
use super::{
    Refusal, determinant, deviation, diagonal, exponent, hot, inverse, known, logistic, mask, placed, reshaped, words,
};
use crate::graph::Property;
use crate::ops::{Attrs, Number, OpRef};

/// A cancellation.
pub struct Cancellation {
    /// What a line of a derivation calls it.
    pub name: &'static str,
    /// One sentence for the student.
    pub sentence: &'static str,
    /// Does it hold only where what the function in it is of is not 0?
    pub needs_nonzero: bool,
    /// Does it only respell, so that it is not worth a line?
    pub respells: bool,
    /// What each use of it lowers.
    pub lowers: Measure,
    /// What it does.
    pub change: Change,
}

/// Changes a product in the making, and says whether it did.
pub type OnProduct = fn(&mut Forms, &mut Raw) -> Result<bool, Refusal>;

/// The simpler form of a function, if there is one.
pub type OnFunction = fn(&mut Forms, OpRef, &Attrs, &[FormId]) -> Result<Option<FormId>, Refusal>;

/// What a cancellation does.
pub enum Change {
    /// Changes a product in the making, and says whether it did.
    Product(OnProduct),
    /// The simpler form of a function, if there is one.
    Function(OnFunction),
}

/// A cancellation that took place.
#[derive(Clone)]
pub struct Fired {
    /// Which one.
    pub rule: &'static Cancellation,
    /// The product or function before.
    pub before: FormId,
    /// What became of it.
    pub after: FormId,
}

const fn product(name: &'static str, sentence: &'static str, change: OnProduct) -> Cancellation {
    cancellation(name, sentence, Change::Product(change))
}

const fn function(name: &'static str, sentence: &'static str, change: OnFunction) -> Cancellation {
    cancellation(name, sentence, Change::Function(change))
}

const fn cancellation(name: &'static str, sentence: &'static str, change: Change) -> Cancellation {
    Cancellation { name, sentence, needs_nonzero: false, respells: false, lowers: Measure::Weight, change }
}

/// All cancellations, in the order in which they are tried.
pub static CANCELLATIONS: &[Cancellation] = &[
    product("probabilities sum to one", "The entries of a probability vector sum to one.", probabilities),
    product("softmax sums to one", "The entries of a softmax sum to one along its axis.", softmax_sum),
    product("a one-hot row sums to one", "One entry of a one-hot row is 1, the others are 0.", one_hot_sum),
    product(
        "one-hot picks",
        "Beside a one-hot y the entry that y picks is that entry itself: y f(yᵀu) is y ⊙ f(u).",
        hot::picked,
    ),
    product("labels square to one", "Labels are −1 or 1: their squares are 1.", labels_square),
    Cancellation {
        needs_nonzero: true,
        ..product("sign squared", "sign(u)² is 1 where u is not 0.", known::sign_power)
    },
    product("sign times size", "u is sign(u) |u|.", known::sign_and_size),
    product("relu absorbs its mask", "relu(u) is 0 already where u > 0 does not hold.", known::relu_and_mask),
    product("opposite masks", "No entry satisfies a condition and its opposite.", known::opposite_masks),
    product(
        "extreme absorbs its step",
        "max(u, 0) is 0 already where u is not positive, min(u, 0) where u is not negative.",
        mask::extreme_and_step,
    ),
    product("exp over its sum", "exp(u) / sum(exp(u)) is softmax(u).", logistic::exp_over_sum),
    product(
        "exp over one plus exp",
        "exp(u) / (1 + exp(u)) is sigmoid(u), 1 / (1 + exp(u)) is sigmoid(−u), exp(u) / (exp(u) + exp(v)) is sigmoid(u − v).",
        logistic::logistic,
    ),
    product("powers of one base", "u uᵛ⁻¹ is uᵛ.", exponent::into_exponent),
    product("sine over cosine", "sin(u) / cos(u) is tan(u), sinh(u) / cosh(u) is tanh(u).", known::sine_over_cosine),
    product(
        "zeros around",
        "What is summed against zeros does not count: of the other factor a slice is left.",
        placed::zeros_around,
    ),
    Cancellation {
        lowers: Measure::Factors,
        ..product(
            "deviations from the mean",
            "Deviations from the mean sum to zero: Σ (u − mean(u)) u is Σ (u − mean(u))², n times the variance.",
            deviation::sum_of_deviations,
        )
    },
    product("inverse cancels", "A matrix times its inverse is the identity.", inverse::with_its_matrix),
    product("diagonal matrix", "The entries of a diagonal matrix off the diagonal are 0: A ⊙ I is A.", diagonal::bare),
    product("sum of one term", "Of a row of a diagonal matrix one entry counts.", diagonal::one_term),
    product("diagonal matrices", "Diagonal matrices multiply entry by entry, in any order.", diagonal::entry_by_entry),
    product("rank-one inverse", "(I + u vᵀ)⁻¹ u is u / (1 + vᵀu).", inverse::rank_one),
    product(
        "adjugate over determinant",
        "The adjugate of a matrix over its determinant is the inverse.",
        determinant::adjugate_over_determinant,
    ),
    product("orthogonal", "The transpose of an orthogonal matrix is its inverse.", inverse::orthogonal),
    function("known sign", "The sign of the argument is known.", known::sign_known),
    Cancellation {
        respells: true,
        ..function("opposite condition", "The negation of a comparison is the opposite comparison.", known::negation)
    },
    function(
        "inverse of a product",
        "The inverse of a product is the product of the inverses, reversed.",
        inverse::of_product,
    ),
    function(
        "inverse of an orthogonal matrix",
        "The inverse of an orthogonal matrix is its transpose.",
        inverse::of_orthogonal,
    ),
    function(
        "determinant of a product",
        "The determinant of a product is the product of the determinants.",
        determinant::determinant,
    ),
    function(
        "adjugate",
        "The adjugate of an invertible matrix is its determinant times its inverse.",
        determinant::adjugate,
    ),
    function("matrix determinant lemma", "det(I + u vᵀ) is 1 + vᵀu.", determinant::lemma),
    Cancellation {
        respells: true,
        lowers: Measure::Arguments,
        ..function("zeros beside", "A value joined with zeros stands among them.", placed::zeros_beside)
    },
    Cancellation {
        respells: true,
        lowers: Measure::Multiples,
        ..function("step of a multiple", "A step looks at the sign of its argument alone.", known::step_of_multiple)
    },
    Cancellation {
        respells: true,
        lowers: Measure::Signs,
        ..function(
            "odd or even function",
            "An odd function of −u is minus that of u, an even one the same.",
            known::parity,
        )
    },
    function(
        "softmax of a shift",
        "What is the same along the axis of a softmax cancels: softmax(u + c 1) is softmax(u).",
        logistic::softmax_of_shift,
    ),
    function(
        "reshaped back",
        "What is reshaped, changed entry by entry and reshaped back was changed entry by entry.",
        reshaped::there_and_back,
    ),
    function("logarithm and exponential", "log and exp undo each other.", known::log_and_exp),
    function("sigmoid of minus", "sigmoid(−u) is 1 − sigmoid(u).", known::sigmoid_of_minus),
];

/// Applies the first cancellation that fits a product.
pub fn cancel_product(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for (number, rule) in CANCELLATIONS.iter().enumerate() {
        let Change::Product(change) = rule.change else { continue };
        if !forms.is_awake(number) {
            continue;
        }
        let before = forms.recording.then(|| raw.clone());
        if change(forms, raw)? {
            if let Some(before) = before {
                let (before, after) = (forms.picture(&before)?, forms.picture(raw)?);
                forms.fired.push(Fired { rule, before, after });
            }
            return Ok(true);
        }
    }
    Ok(false)
}

/// The simpler form of a function, if a cancellation fits.
pub fn cancel_function(
    forms: &mut Forms,
    op: OpRef,
    attrs: &Attrs,
    args: &[FormId],
) -> Result<Option<FormId>, Refusal> {
    for (number, rule) in CANCELLATIONS.iter().enumerate() {
        let Change::Function(change) = rule.change else { continue };
        if !forms.is_awake(number) {
            continue;
        }
        let Some(after) = change(forms, op, attrs, args)? else { continue };
        if forms.recording {
            let shape = forms.form(after).shape.clone();
            let atom = forms.intern_atom(Atom::Apply(op, attrs.clone(), args.to_vec()), shape);
            let before = forms.of_atom(atom)?;
            forms.fired.push(Fired { rule, before, after });
        }
        return Ok(Some(after));
    }
    Ok(None)
}

impl Forms {
    /// Only cancellations for which `on` holds take place from here on; those
    /// that merely respell a condition always do.
    pub fn awake(&mut self, on: &dyn Fn(&Cancellation) -> bool) {
        self.asleep = 0;
        for (number, rule) in CANCELLATIONS.iter().enumerate() {
            if !on(rule) && !rule.respells {
                self.asleep |= 1 << number;
            }
        }
    }

    fn is_awake(&self, number: usize) -> bool {
        self.asleep & (1 << number) == 0
    }

    /// A product in the making as a form, nothing cancelled.
    fn picture(&mut self, raw: &Raw) -> Result<FormId, Refusal> {
        let shape = raw.out.iter().map(|l| raw.dims[*l as usize]).collect();
        let mut raw = raw.clone();
        self.fill_orphans(&mut raw);
        let mono = self.intern_mono(&raw.out, raw.factors);
        self.intern_form(shape, vec![(mono, raw.coefficient)])
    }
}

/// The label of an axis, if it is summed and this factor alone carries it.
pub(super) fn summed_alone(raw: &Raw, factor: &Factor, axis: usize) -> Option<Label> {
    let label = *factor.labels.get(axis)?;
    (factor.power == Number::ONE && raw.uses(label) == 1 && !raw.out.contains(&label)).then_some(label)
}

fn probabilities(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    let stochastic =
        |forms: &Forms, f: &Factor| [Property::OneHot, Property::Probability].iter().any(|p| forms.knows(f.atom, p));
    for i in 0..raw.factors.len() {
        let factor = &raw.factors[i];
        let last = factor.labels.len().wrapping_sub(1);
        if let Some(label) = summed_alone(raw, factor, last)
            && stochastic(forms, factor)
        {
            raw.factors.remove(i);
            raw.spend(label);
            return Ok(true);
        }
    }
    Ok(false)
}

fn softmax_sum(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    Ok(unit_sum(forms, raw, words::SOFTMAX, |attrs, _| match attrs.axes() {
        [axis] => Some(*axis),
        _ => None,
    }))
}

fn one_hot_sum(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    Ok(unit_sum(forms, raw, words::ONE_HOT, |_, rank| rank.checked_sub(1)))
}

/// Drops a value of the operation that is summed by itself over the axis along which
/// its entries sum to one.
fn unit_sum(forms: &Forms, raw: &mut Raw, op: &str, along: fn(&Attrs, usize) -> Option<usize>) -> bool {
    for (i, factor) in raw.factors.iter().enumerate() {
        let axis = match &*forms.atom(factor.atom) {
            Atom::Apply(found, attrs, _) if found.name == op => along(attrs, factor.labels.len()),
            _ => None,
        };
        if let Some(label) = axis.and_then(|axis| summed_alone(raw, factor, axis)) {
            raw.factors.remove(i);
            raw.spend(label);
            return true;
        }
    }
    false
}

fn labels_square(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let power = raw.factors[i].power;
        let Some(whole) = power.as_whole() else { continue };
        if (whole != 1) && forms.knows(raw.factors[i].atom, &Property::SignLabels) {
            match whole.rem_euclid(2) {
                0 => {
                    raw.factors.remove(i);
                }
                _ => raw.factors[i].power = Number::ONE,
            }
            return Ok(true);
        }
    }
    Ok(false)
}
