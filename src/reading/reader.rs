//! Forms as expressions.

use super::column;
use super::eliminate::keep_shorter;
use super::fraction::{is_decimal, times};
use super::term::{Cover, Term};
use super::tree::{Head, TreeId, Trees};
use crate::form::{AtomId, Cost, DimId, FormId, Forms};
use crate::ops::{Attr, Number};
use std::collections::HashMap;

/// Nesting beyond which nothing is read.
const DEPTH: usize = 400;

/// The size of what cannot be read.
pub const UNREADABLE: u32 = 1 << 24;

/// Reads forms; remembers what it has read.
#[derive(Default)]
pub struct Reader {
    /// The expressions.
    pub trees: Trees,
    forms: HashMap<(FormId, bool), Option<(bool, TreeId)>>,
    pub(super) atoms: HashMap<AtomId, Option<TreeId>>,
    depth: usize,
}

impl Cost for Reader {
    fn cost(&mut self, forms: &mut Forms, form: FormId) -> (u32, u32) {
        match self.form(forms, form, true) {
            Some(tree) => (self.trees.named_size(tree), self.trees.size(tree)),
            None => (UNREADABLE, UNREADABLE),
        }
    }
}

impl Reader {
    /// Nothing read yet.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// The form as an expression; `None` where matrix notation has none. With
    /// `strict` it has the form's shape, else it broadcasts to it.
    pub fn form(&mut self, forms: &mut Forms, id: FormId, strict: bool) -> Option<TreeId> {
        let (negative, tree) = self.signed(forms, id, strict)?;
        if negative { self.negated(tree) } else { Some(tree) }
    }

    /// The expression with a minus sign, which goes into a number that leads it or a
    /// factor of it.
    fn negated(&mut self, tree: TreeId) -> Option<TreeId> {
        match self.sign_inside(tree) {
            Some(negated) => Some(negated),
            None => {
                let rank = self.trees.rank(tree);
                self.trees.word("neg", &[], &[tree], rank)
            }
        }
    }

    /// The expression times −1, where a number can take the sign.
    fn sign_inside(&mut self, tree: TreeId) -> Option<TreeId> {
        if let Some(number) = self.trees.as_number(tree) {
            return Some(self.trees.number(number.negated()));
        }
        let Head::Op(op, attrs) = self.trees.head(tree).clone() else { return None };
        let (args, rank) = (self.trees.args(tree).to_vec(), self.trees.rank(tree));
        if let ("div", [top, below]) = (op.name, args.as_slice())
            && let Some(number) = self.trees.as_number(*below).and_then(|n| Number::whole(-1).over(n))
            && is_decimal(number.denominator())
        {
            let number = self.trees.number(number);
            return times(&mut self.trees, number, *top);
        }
        let tried = match op.name {
            "mul" | "div" | "diag" | "transpose" => 1,
            "matmul" | "outer" => 2,
            _ => 0,
        };
        (0..tried.min(args.len())).find_map(|place| {
            let mut signed = args.clone();
            signed[place] = self.sign_inside(args[place])?;
            Some(self.trees.apply(op, attrs.clone(), &signed, rank))
        })
    }

    /// The form as a sign and an expression.
    pub fn signed(&mut self, forms: &mut Forms, id: FormId, strict: bool) -> Option<(bool, TreeId)> {
        if let Some(known) = self.forms.get(&(id, strict)) {
            return *known;
        }
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let read = self.sum(forms, id, strict);
        self.depth -= 1;
        self.forms.insert((id, strict), read);
        read
    }

    fn sum(&mut self, forms: &mut Forms, id: FormId, strict: bool) -> Option<(bool, TreeId)> {
        let form = forms.form(id);
        if form.shape.len() > 2 {
            return None;
        }
        if form.terms.is_empty() {
            return self.zero(forms, &form.shape, strict).map(|tree| (false, tree));
        }
        let (chosen, rest) = self.choices(forms, id)?;
        let mut terms = chosen;
        for (mono, c) in &rest {
            let mono = forms.mono(*mono);
            terms.push(self.term(forms, &mono, *c, &form.shape, false)?);
        }
        if terms.iter().all(|t| t.negative) {
            // Of a sum that would begin with a minus sign, one term may be turned around.
            for (place, (mono, c)) in rest.iter().enumerate() {
                let mono = forms.mono(*mono);
                let turned = self.term(forms, &mono, *c, &form.shape, true)?;
                if !turned.negative {
                    let at = terms.len() - rest.len() + place;
                    terms[at] = turned;
                    break;
                }
            }
        }
        let plain = self.put_together(forms, &terms, &form.shape, strict)?;
        if form.shape.len() == 2 && strict && form.terms.len() > 1 {
            return self.or_turned(forms, &terms, &form.shape, plain);
        }
        Some(plain)
    }

    /// The transpose of the whole may be shorter: (X B + B X)ᵀ.
    fn or_turned(
        &mut self,
        forms: &mut Forms,
        terms: &[Term],
        shape: &[DimId],
        plain: (bool, TreeId),
    ) -> Option<(bool, TreeId)> {
        let mut turned = Vec::with_capacity(terms.len());
        for term in terms {
            let tree = match term.cover {
                Cover::Full => self.trees.turn(term.tree)?,
                Cover::Diagonal | Cover::Scalar => term.tree,
                Cover::Row | Cover::Column => return Some(plain),
            };
            turned.push(Term { tree, ..*term });
        }
        let shape: Vec<DimId> = shape.iter().rev().copied().collect();
        let (negative, tree) = self.put_together(forms, &turned, &shape, true)?;
        let tree = self.trees.word("transpose", &[], &[tree], 2)?;
        Some(if self.trees.size(tree) < self.trees.size(plain.1) { (negative, tree) } else { plain })
    }

    /// The terms with their signs as one sum. All negative: the sign is returned.
    fn put_together(
        &mut self,
        forms: &mut Forms,
        terms: &[Term],
        shape: &[DimId],
        strict: bool,
    ) -> Option<(bool, TreeId)> {
        let mut terms = self.diagonals(terms)?;
        let rank = shape.len();
        let full = terms.iter().any(|t| t.cover == Cover::Full);
        let has = |cover: Cover| terms.iter().any(|t| t.cover == cover);
        let (row, column) = (has(Cover::Row), has(Cover::Column));
        if rank == 2 {
            let alone = !full && !row && !forms.dim(shape[1]).is_one();
            for term in &mut terms {
                term.tree = match term.cover {
                    Cover::Column => self.column(forms, term.tree, shape, strict && alone)?,
                    Cover::Row if full => column::row_or_vector(&mut self.trees, term.tree),
                    _ => term.tree,
                };
            }
        }
        let negative = terms.iter().all(|t| t.negative);
        // 1 + u, but u + 0.001: what keeps a value from 0 comes last.
        let small = |t: &Term| self.trees.as_number(t.tree).is_some_and(|n| n.abs().value() < 0.01);
        terms.sort_by_key(|t| (t.negative && !negative, t.identity.is_none(), small(t)));
        let covered = rank == 0 || full || column;
        if strict && !covered && terms.len() == 1 {
            let tree = self.filled(forms, terms[0].tree, shape)?;
            return Some((negative, tree));
        }
        let sum = self.added(&terms, negative)?;
        let sum = if strict && !covered { self.filled(forms, sum, shape)? } else { sum };
        Some((negative, sum))
    }

    fn added(&mut self, terms: &[Term], negative: bool) -> Option<TreeId> {
        let mut sum: Option<TreeId> = None;
        for term in terms {
            sum = Some(match sum {
                None => term.tree,
                Some(sum) => {
                    let rank = self.trees.rank(sum).max(self.trees.rank(term.tree));
                    let name = if term.negative == negative { "add" } else { "sub" };
                    self.trees.word(name, &[], &[sum, term.tree], rank)?
                }
            });
        }
        sum
    }

    /// All diagonal terms share one diag(…); beside a vector, multiples of the
    /// identity go inside too.
    fn diagonals(&mut self, terms: &[Term]) -> Option<Vec<Term>> {
        if terms.iter().all(|t| t.cover != Cover::Diagonal) {
            return Some(terms.to_vec());
        }
        let (mut diagonal, mut others): (Vec<Term>, Vec<Term>) =
            terms.iter().copied().partition(|t| t.cover == Cover::Diagonal || t.identity.is_some());
        for term in &mut diagonal {
            term.tree = term.identity.unwrap_or(term.tree);
        }
        let negative = diagonal.iter().all(|t| t.negative);
        diagonal.sort_by_key(|t| t.negative && !negative);
        let vector = self.added(&diagonal, negative)?;
        let tree = self.trees.word("diag", &[], &[vector], 2)?;
        others.insert(0, Term { negative, tree, cover: Cover::Full, identity: None });
        Some(others)
    }

    /// A vector along the first axis, as a matrix or a column.
    fn column(&mut self, forms: &Forms, tree: TreeId, shape: &[DimId], whole: bool) -> Option<TreeId> {
        let mut best = None;
        if !whole && let Some(column) = column::kept(&mut self.trees, tree, 1) {
            keep_shorter(&self.trees, &mut best, column);
        }
        let ones = self.ones(forms, &shape[1..])?;
        let outer = self.trees.word("outer", &[], &[tree, ones], 2)?;
        keep_shorter(&self.trees, &mut best, outer);
        best
    }

    /// A value without all axes, spread to the shape.
    fn filled(&mut self, forms: &Forms, tree: TreeId, shape: &[DimId]) -> Option<TreeId> {
        if self.trees.rank(tree) == 1 {
            let ones = self.ones(forms, &shape[..1])?;
            let mut best = self.trees.word("outer", &[], &[ones, tree], 2);
            if forms.dim(shape[0]).is_one()
                && let Some(row) = column::kept(&mut self.trees, tree, 0)
            {
                keep_shorter(&self.trees, &mut best, row);
            }
            return best;
        }
        let ones = self.ones(forms, shape)?;
        match self.trees.as_number(tree) {
            Some(n) if n == Number::ZERO => self.zero(forms, shape, true),
            Some(n) if n == Number::ONE => Some(ones),
            _ => times(&mut self.trees, tree, ones),
        }
    }

    fn ones(&mut self, forms: &Forms, shape: &[DimId]) -> Option<TreeId> {
        let dims = shape.iter().map(|d| forms.dim(*d).clone()).collect();
        self.trees.word("ones", &[("dims", Attr::Dims(dims))], &[], shape.len())
    }

    fn zero(&mut self, forms: &Forms, shape: &[DimId], strict: bool) -> Option<TreeId> {
        if shape.is_empty() || !strict {
            return Some(self.trees.number(Number::ZERO));
        }
        let dims = shape.iter().map(|d| forms.dim(*d).clone()).collect();
        self.trees.word("zeros", &[("dims", Attr::Dims(dims))], &[], shape.len())
    }
}
