//! Index notation: what has more axes than a matrix.

use super::reader::Reader;
use crate::array::Array;
use crate::form::{Atom, Factor, FormId, Forms, Label, Mono, Refusal};
use crate::graph::{NodeId, Program};
use crate::ops::Number;
use crate::shape::{Dim, Shape, Sizes};
use std::collections::BTreeMap;

/// Letters for the axes of the value.
const OUT: &str = "abcdefgh";

/// A sum of products of entries.
#[derive(Clone, Debug)]
pub struct Index {
    /// The shape of the value.
    pub shape: Shape,
    /// The terms.
    pub terms: Vec<IndexTerm>,
}

/// One product of entries: c Σ over `summed` of the factors, where labels that
/// stand twice in `out` must agree (δ).
#[derive(Clone, Debug)]
pub struct IndexTerm {
    /// The coefficient.
    pub coefficient: Number,
    /// One label for each axis of the value.
    pub out: Vec<usize>,
    /// The labels that are summed.
    pub summed: Vec<usize>,
    /// The dimension of each label.
    pub dims: Vec<Dim>,
    /// The factors.
    pub factors: Vec<IndexFactor>,
}

/// A node's entry to a power.
#[derive(Clone, Debug)]
pub struct IndexFactor {
    /// The node.
    pub node: NodeId,
    /// One label for each of its axes.
    pub labels: Vec<usize>,
    /// The exponent.
    pub power: Number,
}

impl Index {
    /// The form in index notation; its factors become nodes.
    ///
    /// # Errors
    /// If a factor has no notation.
    pub(super) fn new(
        program: &mut Program,
        forms: &mut Forms,
        reader: &mut Reader,
        id: FormId,
    ) -> Result<Index, Refusal> {
        let form = forms.form(id);
        let shape = Shape(form.shape.iter().map(|d| forms.dim(*d).clone()).collect());
        let mut terms = Vec::new();
        for (mono, c) in &form.terms {
            let mono = forms.mono(*mono);
            terms.push(term(program, forms, reader, &mono, *c, &shape)?);
        }
        Ok(Index { shape, terms })
    }

    /// All nodes that occur.
    pub fn nodes(&self) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self.terms.iter().flat_map(|t| t.factors.iter().map(|f| f.node)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The numbers, given those of the nodes; `None` if some are missing.
    pub fn evaluate(&self, sizes: &Sizes, value: &dyn Fn(NodeId) -> Option<Array>) -> Option<Array> {
        let whole = self.shape.eval(sizes)?;
        let mut sum = vec![0.0; whole.iter().product()];
        for term in &self.terms {
            term.add_to(&mut sum, &whole, sizes, value)?;
        }
        Array::new(whole, sum)
    }

    /// The value in the input language: a sum of `einsum`s, with `eye` where two axes
    /// must agree and `ones` where nothing depends on one. `None` where letters run out.
    pub fn einsum(&self, program: &Program) -> Option<String> {
        let terms: Vec<String> =
            self.terms.iter().map(|term| term.einsum(program, &self.shape)).collect::<Option<_>>()?;
        if !terms.is_empty() {
            return Some(terms.join(" + ").replace("+ -", "- "));
        }
        let none = IndexTerm {
            coefficient: Number::ZERO,
            out: (0..self.shape.rank()).collect(),
            summed: Vec::new(),
            dims: Vec::new(),
            factors: Vec::new(),
        };
        none.einsum(program, &self.shape)
    }

    /// The value in words: `δ_ac A_bd + Σ_k …`, the axes of the value being a, b, ….
    pub fn text(&self, program: &Program) -> String {
        let terms: Vec<String> = self.terms.iter().map(|t| t.text(program)).collect();
        if terms.is_empty() { "0".to_string() } else { terms.join(" + ").replace("+ -", "- ") }
    }
}

impl IndexTerm {
    fn add_to(
        &self,
        sum: &mut [f64],
        whole: &[usize],
        sizes: &Sizes,
        value: &dyn Fn(NodeId) -> Option<Array>,
    ) -> Option<()> {
        let bounds: Vec<usize> = self.dims.iter().map(|d| d.eval(sizes)).collect::<Option<_>>()?;
        let arrays: Vec<Array> = self.factors.iter().map(|f| value(f.node)).collect::<Option<_>>()?;
        let labels: Vec<usize> = {
            let mut labels: Vec<usize> = self.out.iter().chain(&self.summed).copied().collect();
            labels.sort_unstable();
            labels.dedup();
            labels
        };
        let mut at = vec![0usize; bounds.len()];
        let total: usize = labels.iter().map(|l| bounds[*l]).product();
        for _ in 0..total {
            let mut entry = self.coefficient.value();
            for (factor, array) in self.factors.iter().zip(&arrays) {
                let place = offset(array.sizes(), &factor.labels, &at);
                entry *= array.data().get(place)?.powf(factor.power.value());
            }
            *sum.get_mut(offset(whole, &self.out, &at))? += entry;
            for label in labels.iter().rev() {
                at[*label] += 1;
                if at[*label] < bounds[*label] {
                    break;
                }
                at[*label] = 0;
            }
        }
        Some(())
    }

    /// The label names: letters for axes of the value, later ones for sums.
    fn names(&self) -> BTreeMap<usize, String> {
        let axes = OUT.chars();
        let sums = "klmnopqrstuvw".chars();
        let mut names = BTreeMap::new();
        for (label, letter) in self.out.iter().zip(axes) {
            names.entry(*label).or_insert_with(|| letter.to_string());
        }
        for (label, letter) in self.summed.iter().zip(sums) {
            names.entry(*label).or_insert_with(|| letter.to_string());
        }
        names
    }

    /// One product: coefficient, numbers without axes, then the contraction.
    fn einsum(&self, program: &Program, shape: &Shape) -> Option<String> {
        let names = self.names();
        let letter = |place: usize| OUT.chars().nth(place).map(String::from);
        let (mut scalars, mut operands) = (Vec::new(), Vec::new());
        for factor in &self.factors {
            let base = super::text(program, factor.node);
            let plain = base.chars().all(|c| c.is_alphanumeric() || c == '_');
            let raised = match factor.power == Number::ONE {
                true => base,
                false if plain => format!("{base} ** ({})", factor.power),
                false => format!("({base}) ** ({})", factor.power),
            };
            let labels: Option<String> = factor.labels.iter().map(|label| names.get(label).cloned()).collect();
            match factor.labels.is_empty() {
                true if plain => scalars.push(raised),
                true => scalars.push(format!("({raised})")),
                false => operands.push((raised, labels?)),
            }
        }
        for (place, label) in self.out.iter().enumerate() {
            let dim = super::text::dim(shape.0.get(place)?);
            let held = |label: &usize| self.factors.iter().any(|factor| factor.labels.contains(label));
            match self.out.iter().position(|other| other == label) {
                Some(first) if first < place => {
                    operands.push((format!("eye({dim})"), letter(first)? + &letter(place)?));
                }
                _ if held(label) || self.out.iter().filter(|other| *other == label).count() > 1 => {}
                _ => operands.push((format!("ones({dim})"), letter(place)?)),
            }
        }
        let (texts, sides): (Vec<String>, Vec<String>) = operands.into_iter().unzip();
        let out: String = (0..self.out.len()).map(letter).collect::<Option<_>>()?;
        let contraction = format!("einsum('{}->{out}', {})", sides.join(","), texts.join(", "));
        let product = scalars.into_iter().chain([contraction]).collect::<Vec<_>>().join(" * ");
        Some(match self.coefficient {
            one if one == Number::ONE => product,
            minus if minus == Number::ONE.negated() => format!("-{product}"),
            other => format!("{other} * {product}"),
        })
    }

    fn text(&self, program: &Program) -> String {
        let names = self.names();
        let name = |label: &usize| names.get(label).cloned().unwrap_or_else(|| "?".to_string());
        let mut words = Vec::new();
        if self.coefficient != Number::ONE {
            words.push(self.coefficient.to_string());
        }
        for (place, label) in self.out.iter().enumerate() {
            let letter = OUT.chars().nth(place).unwrap_or('?').to_string();
            if letter != name(label) {
                words.push(format!("δ_{}{letter}", name(label)));
            }
        }
        if !self.summed.is_empty() {
            words.push(format!("Σ_{}", self.summed.iter().map(name).collect::<String>()));
        }
        for factor in &self.factors {
            let node = super::text(program, factor.node);
            let plain = node.chars().all(|c| c.is_alphanumeric() || c == '_');
            let base = if plain { node } else { format!("({node})") };
            let labels: String = factor.labels.iter().map(name).collect();
            let entry = if labels.is_empty() { base } else { format!("{base}_{labels}") };
            words.push(if factor.power == Number::ONE { entry } else { format!("{entry}^{}", factor.power) });
        }
        if words.is_empty() { "1".to_string() } else { words.join(" ") }
    }
}

/// The place of an entry in row-major data.
fn offset(sizes: &[usize], labels: &[usize], at: &[usize]) -> usize {
    sizes.iter().zip(labels).fold(0, |place, (size, label)| place * size + at[*label])
}

fn term(
    program: &mut Program,
    forms: &mut Forms,
    reader: &mut Reader,
    mono: &Mono,
    c: Number,
    shape: &Shape,
) -> Result<IndexTerm, Refusal> {
    let mut dims = vec![Dim::size(1); mono.bound() as usize];
    let mut factors = Vec::new();
    let mut open: Vec<(Factor, Label)> = mono.factors.iter().rev().map(|f| (f.clone(), 0)).collect();
    while let Some((factor, shift)) = open.pop() {
        if let Atom::Closed(inner) = *forms.atom(factor.atom)
            && reader.closed_alone(forms, &factor).is_none()
        {
            if factor.power != Number::ONE {
                return Err(Refusal::TooLarge);
            }
            let inner = forms.mono(inner);
            let shift = dims.len() as Label;
            dims.resize(dims.len() + inner.bound() as usize, Dim::size(1));
            open.extend(inner.factors.iter().rev().map(|f| (f.clone(), shift)));
            continue;
        }
        let tree = match &*forms.atom(factor.atom) {
            Atom::Closed(_) => reader.closed_alone(forms, &factor),
            _ => reader.atom(forms, factor.atom),
        };
        let node = tree.and_then(|tree| reader.trees.to_node(program, tree)).ok_or(Refusal::TooLarge)?;
        let labels: Vec<usize> = factor.labels.iter().map(|l| usize::from(*l + shift)).collect();
        for (label, dim) in labels.iter().zip(forms.atom_shape(factor.atom)) {
            dims[*label] = forms.dim(*dim).clone();
        }
        factors.push(IndexFactor { node, labels, power: factor.power });
    }
    let out: Vec<usize> = mono.out.iter().map(|l| usize::from(*l)).collect();
    for (label, dim) in out.iter().zip(&shape.0) {
        dims[*label] = dim.clone();
    }
    let mut summed: Vec<usize> = factors.iter().flat_map(|f| f.labels.clone()).filter(|l| !out.contains(l)).collect();
    summed.sort_unstable();
    summed.dedup();
    Ok(IndexTerm { coefficient: c, out, summed, dims, factors })
}
