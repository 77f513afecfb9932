//! Cancellations of matrices that are 0 off the diagonal.

use super::Refusal;
use super::arena::{Factor, Forms};
use super::monomial::Raw;
use crate::ops::Number;

/// Is the factor a diagonal matrix to the power 1, on two labels or on one?
fn is_diagonal(forms: &Forms, factor: &Factor) -> bool {
    factor.power == Number::ONE && factor.labels.len() == 2 && forms.is_diagonal(factor.atom)
}

/// A ⊙ I = A: Aᵢᵢ δᵢⱼ is Aᵢⱼ.
pub fn bare(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let factor = &raw.factors[i];
        let [a, b] = factor.labels[..] else { continue };
        let axes: Vec<usize> = (0..raw.out.len()).filter(|axis| raw.out[*axis] == a).collect();
        if a != b || axes.len() != 2 || !is_diagonal(forms, factor) {
            continue;
        }
        let apart = raw.label(raw.dims[a as usize]);
        raw.out[axes[1]] = apart;
        raw.factors[i].labels[1] = apart;
        return Ok(true);
    }
    Ok(false)
}

/// Aᵢₖ Bₖᵢ = Aᵢᵢ Bᵢᵢ, where only these two carry k: the sum has one term.
pub fn one_term(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    for i in 0..raw.factors.len() {
        let factor = &raw.factors[i];
        let [a, b] = factor.labels[..] else { continue };
        if a == b || !is_diagonal(forms, factor) {
            continue;
        }
        for (kept, gone) in [(a, b), (b, a)] {
            let both = |f: &Factor| f.labels.contains(&kept) && f.labels.contains(&gone);
            let shared = raw.factors.iter().filter(|f| both(f)).count() == 2;
            if shared && raw.out.contains(&kept) && !raw.out.contains(&gone) && raw.uses(gone) == 2 {
                raw.join(kept, gone);
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// A B = A ⊙ B for two diagonal matrices: Aᵢₖ Bₖⱼ is Aᵢⱼ Bᵢⱼ.
pub fn entry_by_entry(forms: &mut Forms, raw: &mut Raw) -> Result<bool, Refusal> {
    let n = raw.factors.len();
    for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
        let (left, right) = (&raw.factors[i], &raw.factors[j]);
        if !is_diagonal(forms, left) || !is_diagonal(forms, right) || left.labels == right.labels {
            continue;
        }
        let between = |label: &u16| right.labels.contains(label) && !raw.out.contains(label) && raw.uses(*label) == 2;
        let Some(between) = left.labels.iter().copied().find(between) else { continue };
        let end = |factor: &Factor| factor.labels.iter().copied().find(|label| *label != between);
        let (Some(first), Some(second)) = (end(left), end(right)) else { continue };
        if first == second {
            continue;
        }
        raw.factors[i].labels = vec![first, second];
        raw.factors[j].labels = vec![first, second];
        raw.spend(between);
        return Ok(true);
    }
    Ok(false)
}
