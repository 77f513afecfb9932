//! Statements of Python that are told by their form.

use ruff_python_ast::{self as python, Expr as PyExpr, Stmt as PyStmt};
use ruff_text_size::TextRange;

/// The text that documents what it stands in.
pub(super) fn docstring(stmt: &PyStmt) -> Option<TextRange> {
    match stmt {
        PyStmt::Expr(bare) if matches!(&*bare.value, PyExpr::StringLiteral(_)) => Some(bare.range),
        _ => None,
    }
}

/// `with torch.no_grad():` and the like.
pub(super) fn is_no_grad(with: &python::StmtWith) -> bool {
    let quiet = |item: &python::WithItem| match &item.context_expr {
        PyExpr::Call(call) => match &*call.func {
            PyExpr::Attribute(method) => matches!(method.attr.as_str(), "no_grad" | "inference_mode"),
            PyExpr::Name(name) => name.id.as_str() == "no_grad",
            _ => false,
        },
        _ => false,
    };
    with.items.iter().all(quiet)
}

/// `f = lambda x: …`.
pub(super) fn names_a_lambda(assign: &python::StmtAssign) -> bool {
    matches!((assign.targets.as_slice(), &*assign.value), ([PyExpr::Name(_)], PyExpr::Lambda(_)))
}

/// `...`, `pass`: a body that is not written yet.
pub(super) fn is_hollow(stmt: &PyStmt) -> bool {
    match stmt {
        PyStmt::Pass(_) => true,
        PyStmt::Expr(bare) => matches!(&*bare.value, PyExpr::EllipsisLiteral(_)),
        _ => false,
    }
}

/// `if …: raise …`, which changes no value.
pub(super) fn is_guard(branch: &python::StmtIf) -> bool {
    branch.elif_else_clauses.is_empty() && branch.body.iter().all(|stmt| matches!(stmt, PyStmt::Raise(_)))
}

/// `if __name__ == "__main__": …`.
pub(super) fn is_main(branch: &python::StmtIf) -> bool {
    let PyExpr::Compare(compare) = &*branch.test else { return false };
    matches!(&*compare.left, PyExpr::Name(name) if name.id.as_str() == "__name__")
}
