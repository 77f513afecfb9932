//! Names, titles, sentences and spellings.

use chainrule::ops::{self, EVERYWHERE, ParamKind};
use chainrule::shape::Name;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn names_are_unique() {
    let mut seen = BTreeSet::new();
    for op in ops::all() {
        assert!(seen.insert(op.name), "{} twice", op.name);
        assert_eq!(ops::by_name(op.name), Some(op));
    }
    assert!(seen.len() > 60);
}

#[test]
fn titles_and_sentences_are_there() {
    for op in ops::all() {
        assert!(!op.name.is_empty() && !op.title.is_empty(), "{}", op.name);
        assert!(op.sentence.ends_with('.') && op.sentence.len() > 15, "{}: {}", op.name, op.sentence);
        assert!(
            op.sentence.chars().next().is_some_and(|c| !c.is_ascii_lowercase()
                || op.sentence.starts_with(op.title)
                || c == 'd'
                || c == 'x'
                || op.sentence.starts_with(op.name)),
            "{}",
            op.sentence
        );
        assert!(!op.domain.is_empty() && op.domain.iter().all(|(low, high)| low < high), "{}", op.name);
    }
}

#[test]
fn arrays_stand_before_attributes_and_names_do_not_clash() {
    for op in ops::all() {
        let arrays = op.params.iter().take_while(|param| param.is_array()).count();
        assert!(op.params[arrays..].iter().all(|param| !param.is_array()), "{}", op.name);
        let mut words: Vec<&str> = op.params.iter().flat_map(|p| p.aliases.iter().copied().chain([p.name])).collect();
        words.push("out");
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count, "{}", op.name);
        for param in op.params {
            if let ParamKind::ArrayOr(default) = param.kind {
                assert!(ops::Number::parse(default).is_some(), "{}: {default}", op.name);
            }
        }
    }
}

#[test]
fn rules_name_the_differentials_of_their_arguments() {
    for op in ops::all() {
        let Some(rule) = op.rule.text() else { continue };
        let words: Vec<&str> = rule.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        for param in op.params.iter().filter(|param| param.is_array()) {
            let differential = format!("d{}", param.name);
            let resting = matches!((op.name, param.name), ("where", "c") | ("heaviside", "x"));
            assert_eq!(words.contains(&differential.as_str()), !resting, "{}: {differential}", op.name);
        }
    }
}

#[test]
fn a_spelling_of_a_framework_has_one_meaning() {
    let mut meanings: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for op in ops::all() {
        for spelling in op.spellings {
            meanings.entry(spelling.name).or_default().insert(op.name);
            for framework in EVERYWHERE.iter().filter(|f| spelling.frameworks.contains(f)) {
                let found = match spelling.given {
                    [] => ops::spelled(spelling.name, Some(*framework)),
                    given => {
                        let keyword = |name: &str| given.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
                        ops::spelled_given(spelling.name, Some(*framework), &keyword).into_iter().collect()
                    }
                };
                let names: Vec<&str> = found.iter().map(|(op, _)| op.name).collect();
                assert_eq!(names, [op.name], "{} in {framework:?}", spelling.name);
            }
            let own = |name: &&str| op.params.iter().any(|param| param.name == *name);
            assert!(spelling.order.iter().all(own), "{}: {:?}", op.name, spelling.order);
            assert!(spelling.preset.iter().all(|(name, _)| own(name)), "{}: {:?}", op.name, spelling.preset);
        }
    }
    let several: Vec<&str> = meanings.iter().filter(|(_, ops)| ops.len() > 1).map(|(name, _)| *name).collect();
    assert_eq!(
        several,
        ["clamp", "clip", "gelu", "linalg.norm", "linalg.vector_norm", "norm", "std", "var"],
        "names whose meaning depends on the framework or a keyword"
    );
}

#[test]
fn meanings_that_differ_by_framework() {
    use chainrule::ops::{Framework, Preset};
    let table = [
        ("var", Framework::Torch, None, "var_unbiased"),
        ("var", Framework::Torch, Some(("unbiased", Preset::Flag(false))), "var"),
        ("var", Framework::Torch, Some(("correction", Preset::Whole(0))), "var"),
        ("var", Framework::NumPy, None, "var"),
        ("var", Framework::NumPy, Some(("ddof", Preset::Whole(1))), "var_unbiased"),
        ("var", Framework::Jax, None, "var"),
        ("std", Framework::Torch, None, "std_unbiased"),
        ("gelu", Framework::Torch, None, "gelu"),
        ("gelu", Framework::Torch, Some(("approximate", Preset::Text("tanh"))), "gelu_tanh"),
        ("gelu", Framework::Jax, None, "gelu_tanh"),
        ("gelu", Framework::Jax, Some(("approximate", Preset::Flag(false))), "gelu"),
    ];
    for (name, framework, keyword, meant) in table {
        let value = |word: &str| keyword.filter(|(name, _)| *name == word).map(|(_, value)| value);
        let given = ops::spelled_given(name, Some(framework), &value);
        let (op, _) = given.unwrap_or_else(|| ops::spelled(name, Some(framework))[0]);
        assert_eq!(Name::from(op.name), Name::from(meant), "{name} of {framework:?} with {keyword:?}");
    }
}

#[test]
fn calls_as_people_write_them() {
    use chainrule::graph::{Request, read_expression};
    let table = [
        ("F.layer_norm(x, (d,))", Ok("b d")),
        ("F.layer_norm(x, [d], eps=1e-3)", Ok("b d")),
        ("F.layer_norm(x, (b,))", Err("layer_norm works along the last axis, d, not (b,)")),
        ("np.linalg.norm(x, 1, axis=-1)", Ok("b")),
        ("np.linalg.norm(x, 1)", Err("its largest column sum in NumPy")),
        ("torch.norm(x, p=1, dim=0, keepdim=True)", Ok("1 d")),
        ("torch.clamp(x, min=0)", Ok("b d")),
        ("torch.clamp(x, 0)", Ok("b d")),
        ("np.clip(x, None, 1)", Ok("b d")),
        ("x.clamp(max=1)", Ok("b d")),
        ("np.linalg.norm(x, 2)", Err("the norm of order 2 is not supported here")),
        ("np.linalg.norm(x, 'fro')", Ok("")),
        ("torch.norm(x, p=2, dim=1)", Ok("b")),
        ("torch.var(x, 0, False)", Err("takes at most two arguments")),
        ("x.var(-1, unbiased=False)", Ok("b")),
        ("F.softmax(x, dim=-1)", Ok("b d")),
        ("softmax(x)", Err("softmax needs an axis")),
        ("mse_loss(x, x.T)", Err("prediction (b, d) and target (d, b) differ")),
        ("det(x)", Err("det needs a square matrix, x is (b, d)")),
        ("F.gelu(x, approximate='tanh')", Ok("b d")),
        ("torch.clamp(x, min=0, max=1)", Ok("b d")),
    ];
    for (text, expected) in table {
        let mut request = Request::default();
        request.declare("x", "b d").unwrap();
        match (read_expression(text, &request), expected) {
            (Ok(program), Ok(shape)) => {
                let wanted = chainrule::shape::Shape::parse(shape).unwrap();
                assert_eq!(*program.shape(program.output), wanted, "{text}");
            }
            (Err(told), Err(says)) => assert!(told[0].message.contains(says), "{text}: {}", told[0]),
            (found, _) => panic!("{text}: {found:?}"),
        }
    }
}
