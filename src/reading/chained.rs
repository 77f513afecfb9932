//! The last pass over an expression: what stands in it more than once is written so
//! that it can be named once.

use super::tree::{TreeId, Trees};
use crate::ops::Number;
use std::collections::{BTreeSet, HashMap};

impl Trees {
    /// The expression with its matrix products bracketed from the left, A (B x) being
    /// A B x, but for a product that stands elsewhere too and can be named once; and
    /// with sum(u ** 2) as u @ u where u is named.
    pub fn chained(&mut self, id: TreeId) -> Option<TreeId> {
        let repeated = self.repeated(id);
        let mut made: HashMap<TreeId, TreeId> = HashMap::new();
        let mut open = vec![id];
        while let Some(&id) = open.last() {
            let args = self.args(id).to_vec();
            let missing: Vec<TreeId> = args.iter().filter(|a| !made.contains_key(a)).copied().collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            open.pop();
            let args: Vec<TreeId> = args.iter().map(|a| made[a]).collect();
            let (head, rank) = (self.head(id).clone(), self.rank(id));
            let tree = match (args.as_slice(), self.summed_square(id)) {
                ([left, right], _) if self.is_word(id, "matmul") && !repeated.contains(&self.args(id)[1]) => {
                    self.chain(*left, *right, rank)?
                }
                (_, Some(vector)) if repeated.contains(&vector) => {
                    let vector = made[&vector];
                    self.word("matmul", &[], &[vector, vector], 0)?
                }
                _ => self.add(head, args, rank),
            };
            made.insert(id, tree);
        }
        made.get(&id).copied()
    }

    /// The vector whose squares are summed, if that is what the expression is.
    fn summed_square(&self, id: TreeId) -> Option<TreeId> {
        let [square] = self.args(id) else { return None };
        let [base, power] = self.args(*square) else { return None };
        let squared = self.is_word(*square, "power") && self.as_number(*power) == Some(Number::whole(2));
        (squared && self.is_word(id, "sum") && self.rank(id) == 0 && self.rank(*base) == 1).then_some(*base)
    }

    /// The expressions that are an argument at more than one place, but for products
    /// too short for a name.
    fn repeated(&self, id: TreeId) -> BTreeSet<TreeId> {
        let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            for arg in self.args(id) {
                if seen.insert(*arg) {
                    open.push(*arg);
                } else if !self.is_word(*arg, "matmul") || self.size(*arg) > 3 {
                    twice.insert(*arg);
                }
            }
        }
        twice
    }

    fn chain(&mut self, left: TreeId, right: TreeId, rank: usize) -> Option<TreeId> {
        let mut factors = vec![right];
        // A product is associative at an operand that is a matrix.
        while let Some(last) = factors.last().copied()
            && self.is_word(last, "matmul")
            && self.rank(self.args(last)[0]) == 2
        {
            let (a, b) = (self.args(last)[0], self.args(last)[1]);
            factors.pop();
            factors.extend([b, a]);
        }
        let mut product = left;
        while let Some(next) = factors.pop() {
            let outer = self.rank(product).max(1) + self.rank(next).max(1) - 2;
            product = self.word("matmul", &[], &[product, next], if factors.is_empty() { rank } else { outer })?;
        }
        Some(product)
    }
}
