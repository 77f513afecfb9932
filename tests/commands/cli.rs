//! The command as a new user meets it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const BLOCK: &str = "docs/examples/residual_block.py";

fn chainrule(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chainrule"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args);
    command
}

fn run(args: &[&str]) -> Output {
    chainrule(args).output().unwrap()
}

/// Standard output of a run that answers.
fn answered(args: &[&str]) -> String {
    let out = run(args);
    assert_eq!(out.status.code(), Some(0), "{args:?}\n{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// Standard error of a run that is refused.
fn refused(args: &[&str]) -> String {
    let out = run(args);
    assert_eq!(out.status.code(), Some(1), "{args:?}");
    assert!(out.stdout.is_empty(), "{args:?}");
    String::from_utf8(out.stderr).unwrap()
}

/// A file of its own for one test.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

fn holds(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(page.contains(part), "{part} is missing in\n{page}");
    }
}

#[test]
fn without_arguments_the_built_in_block_is_derived() {
    let page = answered(&[]);
    holds(&page, &["= I + w2ᵀ diag(1[z > 0]) w1ᵀ", "Your own:", "chainrule derive", "relu'(0) = 0"]);
}

#[test]
fn the_block_has_every_part_of_a_page() {
    let page = answered(&["derive", BLOCK, "--wrt", "x"]);
    holds(
        &page,
        &[
            "batch × d_model",
            "d(out[i])/d(x[k]) = 0 for i ≠ k",
            "d(out)/dx = d(x + branch)/dx",
            "= d(x)/dx + d(branch)/dx",
            "= I + w2ᵀ · d(h)/dx",
            "Jacobian, numerator layout, d_model × d_model",
            "dout = dx + (1[z > 0] ⊙ (dx w1)) w2",
            "x\u{304} = o\u{304} + (1[z > 0] ⊙ (o\u{304} w2ᵀ)) w1ᵀ",
            "the other term can cancel it",
            "at 3 points",
        ],
    );
}

#[test]
fn answers_in_one_line_hold_what_they_should() {
    let table: &[(&[&str], &str)] = &[
        (&["derive", "x + f(x)", "--wrt", "x", "--function", "f:d -> d"], "d(out)/dx = I + J_f(x)"),
        (&["derive", "x + relu(x @ W1 + b1) @ W2 + b2", "--wrt", "x"], "= I + W2ᵀ diag(1[z > 0]) W1ᵀ"),
        (&["derive", BLOCK, "--wrt", "x", "--layout", "denominator"], "= I + w1 diag(1[z > 0]) w2"),
        (&["derive", BLOCK, "--wrt", "x", "--set", "w2=0", "--set", "b2=0"], "w2 = 0"),
        (&["derive", BLOCK, "--wrt", "w2"], "w\u{304}2 = hᵀ o\u{304}"),
        (&["derive", BLOCK, "--wrt", "w2", "--set", "w2=0"], "w\u{304}2 = hᵀ o\u{304}"),
        (&["derive", BLOCK, "--wrt", "x", "--no-check"], "not checked"),
        (&["derive", BLOCK, "--wrt", "x", "--readings", "pullback,jacobian"], "backwards"),
        (&["derive", "sum(x * x)", "--wrt", "x", "--readings", "pullback"], "x\u{304} = "),
        (&["derive", "docs/examples/stack.py", "--wrt", "x"], "∏_{k=N−1}^{0} (I + J_k)"),
        (&["derive", "docs/examples/two_blocks.py", "--wrt", "x", "--expand"], "I + (J_0 + J_1) + J_1 J_0"),
        (&["graph", BLOCK, "--wrt", "x"], "┗━▶ out = x + branch"),
        (&["graph", BLOCK, "--of", "h", "--format", "mermaid"], "n5[\"h = relu(x @ w1 + b1)"),
        (&["graph", BLOCK, "--wrt", "w2", "--format", "dot"], "n0 -> n5"),
        (&["graph", "x @ A.T + b", "--format", "svg"], "<svg "),
        (&["ops", "F.relu"], "where(x > 0, dx, 0)"),
    ];
    for (args, part) in table {
        holds(&answered(args), &[part]);
    }
}

#[test]
fn an_input_called_like_the_identity_keeps_its_name() {
    let page = answered(&["derive", "I @ x + x", "--wrt", "x", "--shape", "I=n n"]);
    holds(&page, &["d(out)/dx = I + Id ", "The Id is the skip x → out."]);
}

#[test]
fn the_tree_shows_the_identity_as_a_term() {
    let page = answered(&["derive", BLOCK, "--wrt", "x", "--format", "tree"]);
    holds(&page, &["└─ Sum", "├─ Identity", "└─ Compose", "• @ w2", "• ⊙ 1[z > 0]", "• @ w1"]);
}

#[test]
fn numbers_show_the_identity() {
    let page = answered(&["eval", BLOCK, "--wrt", "x", "--terms", "--dim", "d_model=2"]);
    holds(&page, &["I at x[0]:", "[1  0]", "[0  1]", "the branch", "their sum"]);
    let page = answered(&[
        "eval",
        BLOCK,
        "--wrt",
        "x",
        "--set",
        "w2=0",
        "--set",
        "b2=0",
        "--dim",
        "batch=2",
        "--dim",
        "d_model=3",
    ]);
    holds(&page, &["[1  1  1]"]);
}

#[test]
fn numbers_are_taken_from_a_file() {
    let numbers = file("numbers.json", r#"{"x": [1, 2], "y": [3, 4]}"#);
    let numbers = numbers.to_str().unwrap();
    let page = answered(&["eval", "x @ y", "--wrt", "x", "--input", numbers]);
    holds(&page, &["out = 11", "= [3  4]"]);
    let ragged = file("ragged.json", r#"{"x": [1, 2], "y": [3, [4]]}"#);
    holds(
        &refused(&["eval", "x @ y", "--wrt", "x", "--input", ragged.to_str().unwrap()]),
        &["mixes numbers and lists"],
    );
}

#[test]
fn mistakes_are_told_with_what_would_help() {
    let typo = file("typo.py", "def f(x: Float[Tensor, \"n\"]):\n    y = F.rleu(x)\n    return y + z\n");
    let typo = typo.to_str().unwrap();
    let shape = file("shape.py", "def f(x: Float[Tensor, \"n\"], A: Float[Tensor, \"m n\"]):\n    return x @ A\n");
    let shape = shape.to_str().unwrap();
    let table: &[(&[&str], &[&str])] = &[
        (&["derive", typo, "--wrt", "x"], &["relu", "typo.py:2:", "^"]),
        (&["derive", shape, "--wrt", "x"], &["inner dimensions differ", "x @ A.T", "^"]),
        (&["derive", BLOCK, "--wrt", "q"], &["q is neither an input nor a named value"]),
        (&["derive", "nowhere.py", "--wrt", "x"], &["there is no file nowhere.py"]),
        (&["derive", "x @ A", "--wrt", "x", "--shape", "x"], &["declares no shape"]),
        (&["eval", BLOCK, "--wrt", "x", "--dim", "d=3"], &["no dimension d", "d_model"]),
        (
            &["derive", BLOCK, "--wrt", "all", "--order", "2"],
            &["a backward pass is of first order", "--wrt x --order 2"],
        ),
        (&["graph", BLOCK, "--wrt", "all"], &["a picture shows the derivative by one variable"]),
        (&["ops", "sofmtax"], &["did you mean softmax?"]),
    ];
    for (args, parts) in table {
        holds(&refused(args), parts);
    }
}

#[test]
fn wrong_usage_has_an_exit_code_of_its_own() {
    for args in [&["derive"][..], &["divide"], &["derive", "x", "--width", "3"], &["eval", "x", "--seed", "a"]] {
        assert_eq!(run(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn every_command_has_help_with_examples() {
    for args in [&["--help"][..], &["derive", "--help"], &["eval", "--help"], &["graph", "--help"], &["ops", "--help"]]
    {
        holds(&answered(args), &["Examples:", "chainrule "]);
    }
}

#[test]
fn a_program_is_read_from_standard_input() {
    let mut child =
        chainrule(&["derive", "-", "--wrt", "x"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let text = fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(BLOCK)).unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    holds(&String::from_utf8(out.stdout).unwrap(), &["= I + w2ᵀ diag(1[z > 0]) w1ᵀ"]);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = chainrule(&["ops"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn narrow_pages_keep_their_margin_and_pipes_get_no_colour() {
    for width in [60, 72, 80, 100, 120] {
        for input in ["x", "w1", "b1", "w2", "b2", "all"] {
            let page = answered(&["derive", BLOCK, "--wrt", input, "--width", &width.to_string()]);
            assert!(!page.contains('\u{1b}'));
            for line in page.lines() {
                let columns = line.chars().filter(|c| *c != '\u{304}').count();
                assert!(columns <= width, "{columns} columns at {width}: {line}");
                assert_eq!(line.trim_end(), line);
            }
        }
    }
}

#[test]
fn a_page_is_written_to_a_file() {
    let path = file("page.txt", "");
    let page = answered(&["derive", BLOCK, "--wrt", "x", "--output", path.to_str().unwrap()]);
    assert_eq!(page, "");
    assert_eq!(fs::read_to_string(path).unwrap(), answered(&["derive", BLOCK, "--wrt", "x", "--width", "100"]));
}

#[test]
fn nothing_says_that_gradients_cannot_vanish() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut texts = vec![answered(&[]), answered(&["--help"]), answered(&["derive", "--help"])];
    for name in ["README.md", "ARCHITECTURE.md"] {
        texts.push(fs::read_to_string(root.join(name)).unwrap());
    }
    for text in texts {
        for word in ["vanish", "shrink"] {
            assert!(!text.contains(word), "{word}");
        }
    }
}

#[test]
fn a_problem_set_is_marked() {
    let set = "[[case]]\nid = \"right\"\ninputs = { x = \"n\" }\nexpr = \"x @ x\"\nwrt = \"x\"\nexpected = \"2 * x\"\n\
               [[case]]\nid = \"wrong\"\ninputs = { x = \"n\" }\nexpr = \"x @ x\"\nwrt = \"x\"\nexpected = \"x\"\n";
    let file = std::env::temp_dir().join(format!("chainrule-set-{}.toml", std::process::id()));
    std::fs::write(&file, set).unwrap();
    let run = |more: &[&str]| {
        let path = file.display().to_string();
        let words: Vec<&str> = ["check", "--cases", &path].into_iter().chain(more.iter().copied()).collect();
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_chainrule")).args(words).output().unwrap();
        (done.status.code(), String::from_utf8(done.stdout).unwrap())
    };
    let (code, text) = run(&[]);
    assert_eq!(code, Some(1));
    assert!(text.ends_with("1 passed, 1 failed\n") && text.contains("the closed form given does not"), "{text}");
    let (code, text) = run(&["--only", "r*", "--json"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("\"answer\":\"2 * x\"") && text.contains("\"expected_size\":3"), "{text}");
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_hessian_is_derived_from_the_gradient() {
    let run = |words: &[&str]| {
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_chainrule")).args(words).output().unwrap();
        (done.status.code(), String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap())
    };
    let (code, text, _) = run(&["derive", "x @ A @ x", "--wrt", "x", "--order", "2"]);
    assert_eq!(code, Some(0));
    assert!(
        text.contains("The Hessian is the derivative of the gradient:") && text.contains("d(g)/dx = A + Aᵀ"),
        "{text}"
    );
    let (code, _, told) = run(&["derive", "x @ A @ x", "--wrt", "x", "--order", "0"]);
    assert!(code == Some(1) && told.contains("1 or 2"), "{told}");
    let (code, _, told) = run(&["derive", "A @ x", "--wrt", "x", "--order", "2"]);
    assert!(code == Some(1) && told.contains("scalar"), "{told}");
}

#[test]
fn a_composite_is_derived_from_its_definition_where_it_has_one() {
    let page = answered(&["derive", "softmax(z, 0) @ y", "--wrt", "z", "--expand", "softmax", "--shape", "z=k"]);
    holds(&page, &["quotient rule", "softmax(x) is spelled out as exp(x) / sum(exp(x), axis, keepdims=True)"]);
    let table: &[(&str, &str)] = &[
        ("sofmax", "did you mean softmax?"),
        ("matmul", "matmul is not made of simpler operations"),
        ("gelu", "does not occur in the program"),
    ];
    for (name, says) in table {
        holds(&refused(&["derive", "softmax(z, 0) @ y", "--wrt", "z", "--expand", name]), &[says]);
    }
}

#[test]
fn the_level_of_detail_decides_what_the_page_holds() {
    let page = |detail: &str| answered(&["derive", BLOCK, "--wrt", "x", "--detail", detail]);
    let lines = |page: &str| page.lines().filter(|line| line.contains(" = ") && line.contains("d(")).count();
    let (answer, steps, full) = (page("answer"), page("steps"), page("full"));
    assert!(lines(&answer) < lines(&steps) && lines(&steps) < lines(&full), "{answer}{steps}{full}");
    for page in [&answer, &steps, &full] {
        holds(page, &["I + w2ᵀ diag(1[z > 0]) w1ᵀ", "relu'(0) = 0", "against central differences"]);
    }
    assert!(!answer.contains("constant matrix factor") && full.contains("a variable by itself"));
}
