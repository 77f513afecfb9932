//! Answers at a point where matrices are symmetric: in products no transpose of one is
//! written, nor of its inverse.

use super::Math;
use super::names::each_formula;
use super::page::{Block, Page};
use crate::graph::{Program, Property};
use crate::shape::Name;
use std::collections::BTreeSet;

/// The page with S in the place of Sᵀ in what it answers, for each S that is assumed
/// symmetric. A line that is still derived keeps its transposes: that S is symmetric is
/// used after the last differentiation.
pub(super) fn with_symmetric(mut page: Page, program: &Program) -> Page {
    let says =
        |property: &Property| matches!(property, Property::Symmetric | Property::PositiveDefinite | Property::Diagonal);
    let assumed = program.properties.iter().filter(|(_, property)| says(property));
    let names: BTreeSet<&Name> = assumed.filter_map(|(node, _)| program.name(*node)).collect();
    if names.is_empty() {
        return page;
    }
    for block in &mut page.blocks {
        match block {
            Block::Lines(_, rows) => {
                let Some(last) = rows.last_mut() else { continue };
                in_products(&mut last.math, &names);
                let found = last.found.iter_mut().flat_map(|found| [&mut found.left, &mut found.right]);
                found.for_each(|math| in_products(math, &names));
            }
            Block::Facts(_) => each_formula(block, &mut |math| in_products(math, &names)),
            _ => {}
        }
    }
    page
}

/// Depth is that of the formula.
fn in_products(math: &mut Math, names: &BTreeSet<&Name>) {
    if let Math::Product(factors) = math {
        for factor in factors {
            if let Math::Transpose(inner) = factor.plain()
                && is_symmetric(inner, names)
            {
                *factor = (**inner).clone();
            }
        }
    }
    math.each(&mut |part| in_products(part, names));
}

/// Depth is that of inverses of inverses.
fn is_symmetric(math: &Math, names: &BTreeSet<&Name>) -> bool {
    match math.plain() {
        Math::Name(name) => names.contains(name),
        Math::Inverse(inner) => is_symmetric(inner, names),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::in_products;
    use crate::notation::Math;
    use crate::render::flat;
    use crate::shape::Name;

    #[test]
    fn products_lose_the_transposes_of_symmetric_matrices() {
        let n = Math::name;
        let inverse = |of| Math::Inverse(Box::new(of));
        let table = [
            (Math::product([n("S"), n("r"), n("r").transposed(), n("S").transposed()]), "S r rᵀ S"),
            (Math::product([inverse(n("S")), n("r"), inverse(n("S")).transposed()]), "S⁻¹ r S⁻¹"),
            (Math::product([n("A").transposed(), n("x")]), "Aᵀx"),
            (Math::Sum(vec![(false, n("S")), (false, n("S").transposed())]), "S + Sᵀ"),
        ];
        let name = Name::from("S");
        for (mut math, wanted) in table {
            in_products(&mut math, &[&name].into());
            assert_eq!(flat(&math), wanted);
        }
    }
}
