//! Expressions as they are read.

use super::ast::ExprKind;
use super::expression::expression;
use crate::diagnostic::Kind;

#[test]
fn operators_bind_as_in_python() {
    let links = |text: &str| match expression(text).unwrap().kind {
        ExprKind::Chain(first, links) => {
            let parts = links.iter().map(|(name, _, right)| format!("{name} {}", right.span.of(text)));
            format!("{} {}", first.span.of(text), parts.collect::<Vec<_>>().join(" "))
        }
        other => panic!("{other:?}"),
    };
    let table = [
        ("a - b - c * d", "a sub b sub c * d"),
        ("a @ b * c", "a matmul b mul c"),
        ("a ** b ** c", "a power b ** c"),
        ("2 ** -x ** 2", "2 power -x ** 2"),
        ("-a @ b", "-a matmul b"),
        ("a + b > c - d", "a + b gt c - d"),
        ("(a + b) + c", "(a + b) add c"),
    ];
    for (text, parts) in table {
        assert_eq!(links(text), parts);
    }
    assert!(matches!(expression("-x ** 2").unwrap().kind, ExprKind::Unary("neg", _)));
}

#[test]
fn what_is_no_expression_is_told_at_its_place() {
    let table = [
        ("", "", "the expression is empty"),
        ("x +", "+", "an operand is missing after '+', at the end of the input"),
        ("* x", "*", "an operand is missing before '*'"),
        ("x + y)", ")", "unmatched ')'"),
        ("relu(x", "(", "'(' of the call to relu is never closed"),
        ("(x + )", "+", "an operand is missing after '+'"),
        ("x ** * y", "*", "an operand is missing between '**' and '*'"),
        ("x @@ y", "@", "an operand is missing between the two '@'"),
        ("x // y", "//", "floor division"),
        ("x and y", "and", "'and' is not supported"),
        ("x if y else x", "if", "use where(condition, a, b)"),
        ("sum(v for v in x)", "for", "comprehensions are not supported"),
        ("x = y + 1", "=", "definitions belong in their own line"),
        ("x += 1", "+=", "in-place update"),
        ("while True: pass", "while", "while loop"),
        ("def f(x): return x", "def", "cannot be defined"),
        ("x; x @ x", ";", "one expression only"),
        ("x y", "y", "an operator or a comma is missing between x and y"),
        ("a < b < c", "<", "a chain of comparisons"),
    ];
    for (text, place, says) in table {
        let told = expression(text).unwrap_err();
        assert_eq!(told.span.unwrap().of(text), place, "{text}: {told}");
        assert!(told.to_string().contains(says), "{text}: {told}");
    }
}

#[test]
fn deep_nesting_is_refused_before_the_stack_is_at_risk() {
    let deep = [
        format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{}x", "-".repeat(100_000)),
        format!("{}x{}", "sin(".repeat(20_000), ")".repeat(20_000)),
        vec!["x"; 20_000].join(" ** "),
        format!("x{}", ".T".repeat(20_000)),
    ];
    for text in deep {
        assert_eq!(expression(&text).unwrap_err().kind, Kind::TooLarge);
    }
    let within = format!("{}x{}", "(1 + 2 * ".repeat(199), ")".repeat(199));
    assert!(expression(&within).is_ok());
    assert!(expression(&vec!["x"; 20_000].join(" * ")).is_ok());
}
