//! Random expressions of many shapes.

/// A fixed generator, so that every run tries the same programs.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

pub const SHAPES: &[(&str, &str)] = &[
    ("s", ""),
    ("t", ""),
    ("x", "n"),
    ("y", "n"),
    ("u", "m"),
    ("A", "m n"),
    ("B", "m n"),
    ("S", "n n"),
    ("T", "n n"),
    ("R", "m m"),
];

/// An expression of a shape given in words: "", "n", "m", "m n", "n n", "m m", "n m".
pub fn expression(random: &mut Random, shape: &str, depth: usize) -> String {
    let leaves: Vec<&str> = SHAPES.iter().filter(|(_, s)| *s == shape).map(|(name, _)| *name).collect();
    if depth == 0 || random.below(6) == 0 {
        return match leaves.is_empty() {
            true => "A.T".to_string(),
            false => random.pick(&leaves).to_string(),
        };
    }
    let axes: Vec<&str> = shape.split_whitespace().collect();
    let mut sub = |shape: &str| {
        random.below(3);
        expression(random, shape, depth - 1)
    };
    let (same, other, scalar) = (sub(shape), sub(shape), sub(""));
    let general = [
        format!("({same} + {other})"),
        format!("({same} - {other})"),
        format!("({same} * {other})"),
        format!("({scalar} * {same})"),
        format!("({same} / (2 + {other} ** 2))"),
        format!("sin({same})"),
        format!("tanh({same})"),
        format!("exp(-({same}) ** 2)"),
        format!("({same}) ** 2"),
        format!("sigmoid({same})"),
        format!("where({same} > 0.3, {same}, {other})"),
        format!("maximum({same}, {other})"),
        format!("(1 + {scalar}) * {same}"),
        format!("relu({same})"),
        format!("softplus({same})"),
    ];
    let special: Vec<String> = match axes.as_slice() {
        [] => {
            let (v, w, m) = (sub("n"), sub("n"), sub("m n"));
            let q = sub("n n");
            vec![
                format!("({v}) @ ({w})"),
                format!("sum({v})"),
                format!("mean({m})"),
                format!("trace({q})"),
                format!("({v}) @ ({q}) @ ({w})"),
                format!("logsumexp({v}, 0)"),
                format!("logdet(({q}) @ ({q}).T + eye(n))"),
                format!("norm({v})"),
                format!("var({v})"),
                format!("sum(({m}) * ({m}))"),
            ]
        }
        [n] => {
            let v = sub(n);
            let other = if *n == "n" { "m" } else { "n" };
            let matrix = if *n == "n" { sub("n m") } else { sub("m n") };
            let w = sub(other);
            let square = sub(&format!("{n} {n}"));
            vec![
                format!("({matrix}) @ ({w})"),
                format!("({w}) @ ({matrix}).T"),
                format!("sum({matrix}, 1)"),
                format!("mean(({matrix}).T, 0)"),
                format!("softmax({v}, 0)"),
                format!("layer_norm({v})"),
                format!("diag({square})"),
                format!("({v}) / (1 + norm({v}))"),
                format!("({v}) - mean({v})"),
                format!("inv(({square}) @ ({square}).T + eye({n})) @ ({v})"),
            ]
        }
        [a, b] => {
            let (v, w) = (sub(a), sub(b));
            let turned = sub(&format!("{b} {a}"));
            let left = sub(&format!("{a} {a}"));
            let mut all = vec![
                format!("outer({v}, {w})"),
                format!("({turned}).T"),
                format!("({left}) @ ({same})"),
                format!("({same}) * ({w})"),
                format!("({same}) + ({w})"),
                format!("diag({v}) @ ({same})"),
                format!("softmax({same}, 1)"),
                format!("(({same}) - mean({same}, 0))"),
                format!("({same}) * sum({same}, 1, keepdims=True)"),
            ];
            if a == b {
                all.push(format!("inv(({left}) @ ({left}).T + eye({a}))"));
                all.push(format!("diag({v})"));
            }
            all
        }
        _ => Vec::new(),
    };
    let all: Vec<String> = general.into_iter().chain(special).collect();
    format!("({})", all[random.below(all.len())])
}
