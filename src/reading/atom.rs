//! Atoms as expressions, and choices by a condition.

use super::reader::Reader;
use super::term::{Cover, Term};
use super::tree::{Head, TreeId};
use crate::form::{Atom, AtomId, DimId, FormId, Forms, MonoId};
use crate::ops::{Attrs, Axes, Number, OpRef};

/// Terms that are written together, and the others.
pub type Choices = (Vec<Term>, Vec<(MonoId, Number)>);

impl Reader {
    /// A dimension as a number.
    pub fn size_of(&mut self, forms: &Forms, dim: DimId) -> TreeId {
        let dim = forms.dim(dim).clone();
        self.trees.leaf(Head::Size(dim), 0)
    }

    /// An atom as an expression.
    pub fn atom(&mut self, forms: &mut Forms, id: AtomId) -> Option<TreeId> {
        if let Some(known) = self.atoms.get(&id) {
            return *known;
        }
        let rank = forms.atom_shape(id).len();
        let tree = match &*forms.atom(id) {
            Atom::Leaf(node) => Some(self.trees.leaf(Head::Node(*node), rank)),
            Atom::Hole(node) => Some(self.trees.leaf(Head::Hole(*node), rank)),
            Atom::Size(dim) => Some(self.size_of(forms, *dim)),
            Atom::Root(prime) => Number::ratio(*prime, 1).map(|n| self.trees.number(n)),
            Atom::Group(form) => self.form(forms, *form, true),
            Atom::Closed(_) => None,
            Atom::Apply(op, attrs, args) => self.function(forms, op, attrs, args, rank),
        };
        if let Some(tree) = tree
            && rank == 2
            && forms.symmetric(id)
        {
            self.trees.mark_symmetric(tree);
        }
        self.atoms.insert(id, tree);
        tree
    }

    fn function(
        &mut self,
        forms: &mut Forms,
        op: OpRef,
        attrs: &Attrs,
        args: &[FormId],
        rank: usize,
    ) -> Option<TreeId> {
        if let ([difference, zero], true) = (args, Forms::is_comparison(op))
            && forms.as_constant(*zero) == Some(Number::ZERO)
        {
            return self.comparison(forms, op, *difference, rank);
        }
        // Several arguments of an elementwise function may broadcast.
        let strict = op.axes != Axes::Elementwise || args.len() == 1;
        let mut read = Vec::with_capacity(args.len());
        for arg in args {
            read.push(self.form(forms, *arg, strict)?);
        }
        Some(self.trees.apply(op, attrs.clone(), &read, rank))
    }

    /// u − v > 0 is written u > v.
    fn comparison(&mut self, forms: &mut Forms, op: OpRef, difference: FormId, rank: usize) -> Option<TreeId> {
        let form = forms.form(difference);
        // A number stands alone on its side where it can: x > −1, not x + 1 > 0.
        let number = |forms: &Forms, m: MonoId| forms.mono(m).factors.is_empty();
        let (numbers, others): (Vec<_>, Vec<_>) = form.terms.iter().copied().partition(|(m, _)| number(forms, *m));
        let (mut plus, mut minus): (Vec<_>, Vec<_>) = others.into_iter().partition(|(_, c)| !c.is_negative());
        for (mono, c) in numbers {
            let left = if minus.is_empty() != plus.is_empty() { plus.is_empty() } else { !c.is_negative() };
            if left { plus.push((mono, c)) } else { minus.push((mono, c)) }
        }
        let minus = minus.into_iter().map(|(m, c)| (m, c.negated())).collect();
        let left = forms.intern_form(form.shape.clone(), plus).ok()?;
        let right = forms.intern_form(form.shape.clone(), minus).ok()?;
        let constant = |forms: &Forms, id| forms.as_constant(id).is_some();
        // 1 > x y reads better from the other side.
        let (left, right, op) = match constant(forms, left) && !constant(forms, right) {
            true => (right, left, Forms::exchanged(op)?),
            false => (left, right, op),
        };
        let full = |this: &mut Reader, forms: &mut Forms, id, strict| this.form(forms, id, strict);
        let (a, b) = (full(self, forms, left, false)?, full(self, forms, right, false)?);
        let wide = self.trees.rank(a).max(self.trees.rank(b)) >= rank;
        let a = if wide { a } else { full(self, forms, left, true)? };
        Some(self.trees.apply(op, Attrs::default(), &[a, b], rank))
    }

    /// Terms written together (a choice between two by a condition), and the others.
    pub(super) fn choices(&mut self, forms: &mut Forms, id: FormId) -> Option<Choices> {
        let form = forms.form(id);
        let mut rest = form.terms.clone();
        let mut chosen = Vec::new();
        if form.terms.len() > 64 {
            return Some((chosen, rest));
        }
        while let Some(found) = forms.opposite_terms(&rest) {
            let (i, j, mask, diagonal) = found;
            let condition = self.atom(forms, mask)?;
            let mut sides = Vec::new();
            for place in [i, j] {
                let (mono, c) = rest[place];
                let side = forms.without_mask(mono, c, &form.shape).ok()?;
                sides.push(self.form(forms, side, false)?);
            }
            let rank = self.trees.rank(condition);
            let choice = self.trees.word("where", &[], &[condition, sides[0], sides[1]], rank)?;
            let tree = self.clamped(choice).unwrap_or(choice);
            let cover = if diagonal { Cover::Diagonal } else { Cover::Full };
            chosen.push(Term { negative: false, tree, cover, identity: None });
            rest.remove(i.max(j));
            rest.remove(i.min(j));
        }
        Some((chosen, rest))
    }

    /// where(|u| < c, u, c sign(u)) is clamp(u, −c, c).
    fn clamped(&mut self, choice: TreeId) -> Option<TreeId> {
        let trees = &mut self.trees;
        let [condition, inside, outside] = *trees.args(choice) else { return None };
        let [size, bound] = *trees.args(condition) else { return None };
        let c = trees.as_number(bound)?;
        let fits = trees.is_word(condition, "lt") && trees.is_word(size, "abs") && trees.args(size) == [inside];
        let sign = match trees.args(outside) {
            [number, sign] if trees.as_number(*number) == Some(c) => *sign,
            _ => outside,
        };
        let scaled = sign != outside || c == Number::ONE;
        if !fits || !scaled || !trees.is_word(sign, "sign") || trees.args(sign) != [inside] {
            return None;
        }
        let low = trees.number(c.negated());
        let rank = trees.rank(inside);
        trees.word("clamp", &[], &[inside, low, bound], rank)
    }

    /// A condition by itself as the number it stands for: where(c, 1, 0).
    pub(super) fn as_number_where_condition(&mut self, tree: TreeId) -> Option<TreeId> {
        let condition = matches!(self.trees.head(tree), Head::Op(op, _) if Forms::is_comparison(op));
        if !condition {
            return Some(tree);
        }
        let (one, zero) = (self.trees.number(Number::ONE), self.trees.number(Number::ZERO));
        let rank = self.trees.rank(tree);
        self.trees.word("where", &[], &[tree, one, zero], rank)
    }
}
