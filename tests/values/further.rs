//! Problems beside the corpus, of the same kinds.

use chainrule::course::{read_problems, solve};

/// Each is right, in closed form, and no longer than what a textbook prints.
#[test]
fn further_problems_are_right_closed_and_short() {
    let problems = read_problems(include_str!("../problems/further.toml")).unwrap();
    let mut wrong = Vec::new();
    for problem in &problems {
        let told = solve(problem, None);
        let short = told.closed && told.expected_size.is_some_and(|expected| told.size <= expected);
        if !told.ok || !short || told.lines_checked != told.steps {
            let sizes = (told.size, told.expected_size);
            wrong.push(format!("{}: {} {sizes:?} {:?}", told.id, told.answer, told.trouble));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), problems.len(), wrong.join("\n"));
    assert!(problems.len() > 60, "{}", problems.len());
}
