//! Spellings whose meaning differs by framework, with the value each one gives
//! (computed with NumPy 2 and JAX 0.10.2 from the frameworks' documented formulas).

use chainrule::array::Array;
use chainrule::evaluate::{Inputs, evaluate};
use chainrule::graph::{Request, read};

/// What x, A, y and t are in the table.
const X: &[f64] = &[1.0, 2.0, 4.0, 7.0];
const A: &[f64] = &[1.0, 2.0, 3.0, 5.0];
const Y: &[f64] = &[0.5, -1.0, 2.0, 0.0];
const CLASSES: &[f64] = &[1.0, 0.0];

/// An import, an expression in x (4), A (2 × 2), y (4), c (2 class numbers), and
/// the entries of its value or what the refusal says.
type Line = (&'static str, &'static str, Result<&'static [f64], &'static str>);

const TORCH: &str = "import torch";
const FUNCTIONAL: &str = "import torch.nn.functional as F";
const NUMPY: &str = "import numpy as np";
const JAX: &str = "import jax.numpy as jnp";
const JAX_NN: &str = "import jax";
const SCIPY: &str = "import scipy";

const TABLE: &[Line] = &[
    // The variance divides by n − 1 in PyTorch, by n elsewhere.
    (TORCH, "torch.var(x)", Ok(&[7.0])),
    (TORCH, "x.var()", Ok(&[7.0])),
    (TORCH, "torch.var(x, unbiased=False)", Ok(&[5.25])),
    (TORCH, "torch.var(x, correction=0)", Ok(&[5.25])),
    (NUMPY, "np.var(x)", Ok(&[5.25])),
    (NUMPY, "x.var()", Ok(&[5.25])),
    (NUMPY, "np.var(x, ddof=1)", Ok(&[7.0])),
    (JAX, "jnp.var(x)", Ok(&[5.25])),
    (TORCH, "torch.std(x)", Ok(&[2.6457513110645907])),
    (NUMPY, "np.std(x)", Ok(&[2.29128784747792])),
    (JAX, "jnp.std(x, ddof=1)", Ok(&[2.6457513110645907])),
    // gelu is the error function's in PyTorch, the tanh form in JAX.
    (FUNCTIONAL, "F.gelu(y)", Ok(&[0.34573123063700656, -0.15865525393145707, 1.9544997361036416, 0.0])),
    (
        FUNCTIONAL,
        "F.gelu(y, approximate='tanh')",
        Ok(&[0.34571400982514394, -0.15880800939172324, 1.954597694087775, 0.0]),
    ),
    (JAX_NN, "jax.nn.gelu(y)", Ok(&[0.34571400982514394, -0.15880800939172324, 1.954597694087775, 0.0])),
    (
        JAX_NN,
        "jax.nn.gelu(y, approximate=False)",
        Ok(&[0.34573123063700656, -0.15865525393145707, 1.9544997361036416, 0.0]),
    ),
    // The 2-norm of a matrix is its largest singular value in NumPy.
    (NUMPY, "np.linalg.norm(A, 2)", Err("largest singular value")),
    (NUMPY, "np.linalg.norm(A)", Ok(&[6.244997998398398])),
    (NUMPY, "np.linalg.norm(A, 'fro')", Ok(&[6.244997998398398])),
    (TORCH, "torch.norm(A)", Ok(&[6.244997998398398])),
    (TORCH, "torch.norm(A, dim=1)", Ok(&[2.23606797749979, 5.830951894845301])),
    (NUMPY, "np.linalg.norm(x, 2)", Ok(&[8.366600265340756])),
    (NUMPY, "np.linalg.norm(x, 1)", Ok(&[14.0])),
    (NUMPY, "np.linalg.norm(A, 1)", Err("largest column sum")),
    (TORCH, "torch.norm(y, p=1)", Ok(&[3.5])),
    (NUMPY, "np.linalg.norm(x, 3)", Ok(&[7.4650223136344955])),
    (TORCH, "torch.norm(y, p=4)", Ok(&[2.032406925412472])),
    (NUMPY, "np.linalg.norm(y, np.inf)", Ok(&[2.0])),
    (NUMPY, "np.linalg.norm(A, np.inf)", Err("the norm of order")),
    // Targets of cross-entropy are class numbers or probabilities, by their shape.
    (FUNCTIONAL, "F.cross_entropy(A, c)", Ok(&[1.2200948492805977])),
    (FUNCTIONAL, "F.cross_entropy(A, F.one_hot(c, 2))", Ok(&[1.2200948492805977])),
    (FUNCTIONAL, "F.cross_entropy(A, A * 0 + 0.5)", Ok(&[0.9700948492805977])),
    (FUNCTIONAL, "F.cross_entropy(A, c, reduction='sum')", Ok(&[2.4401896985611953])),
    (FUNCTIONAL, "F.cross_entropy(A, c, reduction='none')", Ok(&[0.31326168751822286, 2.1269280110429727])),
    (FUNCTIONAL, "F.cross_entropy(A, c, label_smoothing=0.2)", Ok(&[1.1700948492805978])),
    (FUNCTIONAL, "F.cross_entropy(x, 2)", Ok(&[3.0573286242556375])),
    (FUNCTIONAL, "F.nll_loss(F.log_softmax(A, dim=1), c)", Ok(&[1.2200948492805977])),
    // The axis of a softmax is asked for by PyTorch, the last one in JAX, all in SciPy.
    (FUNCTIONAL, "F.softmax(A)", Err("softmax needs an axis")),
    (
        FUNCTIONAL,
        "F.softmax(A, dim=-1)",
        Ok(&[0.2689414213699951, 0.7310585786300049, 0.11920292202211756, 0.8807970779778824]),
    ),
    (
        JAX_NN,
        "jax.nn.softmax(A)",
        Ok(&[0.2689414213699951, 0.7310585786300049, 0.11920292202211756, 0.8807970779778824]),
    ),
    (
        SCIPY,
        "scipy.special.softmax(A)",
        Ok(&[0.01521942886415593, 0.04137069692096015, 0.11245721367093253, 0.8309526605439513]),
    ),
    (TORCH, "torch.logsumexp(A)", Err("logsumexp needs an axis")),
    (SCIPY, "scipy.special.logsumexp(A)", Ok(&[5.185182452603812])),
    (JAX_NN, "jax.nn.logsumexp(A)", Ok(&[5.185182452603812])),
    // The largest entry: of all, along an axis, of two arrays.
    (NUMPY, "np.max(A)", Ok(&[5.0])),
    (NUMPY, "np.max(A, axis=0)", Ok(&[3.0, 5.0])),
    (NUMPY, "A.max(1)", Ok(&[2.0, 5.0])),
    (TORCH, "torch.max(A)", Ok(&[5.0])),
    (TORCH, "torch.max(A, 1)[0]", Ok(&[2.0, 5.0])),
    (TORCH, "A.max(dim=1).values", Ok(&[2.0, 5.0])),
    (TORCH, "torch.max(x, y)", Ok(&[1.0, 2.0, 4.0, 7.0])),
    (TORCH, "torch.min(x, y)", Ok(&[0.5, -1.0, 2.0, 0.0])),
    (TORCH, "torch.amax(A, dim=0, keepdim=True)", Ok(&[3.0, 5.0])),
    // Constants inside: slopes and eps.
    (FUNCTIONAL, "F.leaky_relu(y)", Ok(&[0.5, -0.01, 2.0, 0.0])),
    (JAX_NN, "jax.nn.leaky_relu(y)", Ok(&[0.5, -0.01, 2.0, 0.0])),
    (FUNCTIONAL, "F.leaky_relu(y, 0.2)", Ok(&[0.5, -0.2, 2.0, 0.0])),
    (
        FUNCTIONAL,
        "F.layer_norm(y * 0.01, (4,))",
        Ok(&[0.11083777463036817, -1.2192155209340496, 1.4408910701947861, -0.33251332389110444]),
    ),
    (FUNCTIONAL, "F.elu(y)", Ok(&[0.5, -0.6321205588285577, 2.0, 0.0])),
    (FUNCTIONAL, "F.hardtanh(y)", Ok(&[0.5, -1.0, 1.0, 0.0])),
    (
        FUNCTIONAL,
        "F.normalize(A)",
        Ok(&[0.4472135954999579, 0.8944271909999159, 0.5144957554275265, 0.8574929257125441]),
    ),
    // dot, transpose, repeat and split are other things by the same names.
    (NUMPY, "np.dot(A, A)", Ok(&[7.0, 12.0, 18.0, 31.0])),
    (TORCH, "torch.dot(A, A)", Err("dot takes two vectors")),
    (TORCH, "A.transpose(0, 1)", Ok(&[1.0, 3.0, 2.0, 5.0])),
    (NUMPY, "A.transpose(0, 1)", Ok(&[1.0, 2.0, 3.0, 5.0])),
    (NUMPY, "np.transpose(A, (1, 0))", Ok(&[1.0, 3.0, 2.0, 5.0])),
    (NUMPY, "np.swapaxes(A, 0, 1)", Ok(&[1.0, 3.0, 2.0, 5.0])),
    (TORCH, "c.repeat(2)", Ok(&[1.0, 0.0, 1.0, 0.0])),
    (NUMPY, "np.repeat(c, 2)", Ok(&[1.0, 1.0, 0.0, 0.0])),
    (NUMPY, "np.tile(c, 2)", Ok(&[1.0, 0.0, 1.0, 0.0])),
    (TORCH, "torch.split(x, 1)[1]", Ok(&[2.0])),
    (NUMPY, "np.split(x, 2)[1]", Ok(&[4.0, 7.0])),
    (NUMPY, "np.split(x, [1, 3])[1]", Ok(&[2.0, 4.0])),
    (TORCH, "torch.chunk(x, 3)[1]", Ok(&[4.0, 7.0])),
    (NUMPY, "np.array_split(x, 3)[1]", Ok(&[4.0])),
    // Bounds by other names, one or both of them.
    (TORCH, "torch.clamp(y, min=0)", Ok(&[0.5, 0.0, 2.0, 0.0])),
    (TORCH, "y.clamp(max=1)", Ok(&[0.5, -1.0, 1.0, 0.0])),
    (NUMPY, "np.clip(y, None, 1)", Ok(&[0.5, -1.0, 1.0, 0.0])),
    (NUMPY, "np.clip(y, a_min=0, a_max=1)", Ok(&[0.5, 0.0, 1.0, 0.0])),
    (JAX, "jnp.clip(y, 0, 1)", Ok(&[0.5, 0.0, 1.0, 0.0])),
    // Losses: the mean unless a reduction is named.
    (FUNCTIONAL, "F.mse_loss(x, y)", Ok(&[15.5625])),
    (FUNCTIONAL, "F.mse_loss(x, y, reduction='sum')", Ok(&[62.25])),
    (FUNCTIONAL, "F.l1_loss(x, y)", Ok(&[3.125])),
    (FUNCTIONAL, "F.smooth_l1_loss(x, y)", Ok(&[2.65625])),
    (FUNCTIONAL, "F.huber_loss(x, y, delta=2.0)", Ok(&[4.53125])),
    (FUNCTIONAL, "F.dropout(x, 0.5, training=False)", Ok(X)),
    (FUNCTIONAL, "F.dropout(x, 0.5)", Err("random numbers")),
    // Weights, differences, covariances.
    (NUMPY, "np.average(x, weights=A[0, 0] + x)", Ok(&[84.0 / 18.0])),
    (NUMPY, "np.average(A, axis=0, weights=np.ones(2))", Ok(&[2.0, 3.5])),
    (NUMPY, "np.average(A, weights=y)", Err("one weight for each entry")),
    (NUMPY, "np.diff(x)", Ok(&[1.0, 2.0, 3.0])),
    (NUMPY, "np.diff(x, n=2)", Ok(&[1.0, 1.0])),
    (NUMPY, "np.cov(A, rowvar=False)", Ok(&[2.0, 3.0, 3.0, 4.5])),
    (NUMPY, "np.cov(A)", Ok(&[0.5, 1.0, 1.0, 2.0])),
    (NUMPY, "np.cov(A, bias=True)", Ok(&[0.25, 0.5, 0.5, 1.0])),
    (NUMPY, "np.linalg.slogdet(-A)[1] + 0 * A[0, 0]", Ok(&[0.0])),
    (NUMPY, "np.linalg.slogdet(A)[0]", Ok(&[-1.0])),
    (NUMPY, "np.prod(x)", Ok(&[56.0])),
    (TORCH, "A.prod(dim=1)", Ok(&[2.0, 15.0])),
    (
        NUMPY,
        "np.logaddexp(y, 0)",
        Ok(&[0.9740769841801067, 0.31326168751822286, 2.1269280110429727, std::f64::consts::LN_2]),
    ),
    (NUMPY, "np.hypot(x, y)", Ok(&[1.118033988749895, 2.23606797749979, 4.47213595499958, 7.0])),
    (TORCH, "torch.round(x / 2)", Ok(&[0.0, 1.0, 2.0, 4.0])),
    (TORCH, "torch.floor(-x / 2)", Ok(&[-1.0, -1.0, -2.0, -4.0])),
    (TORCH, "torch.dist(x, y)", Ok(&[7.889866919029745])),
    // A number that leaves the graph is still that number.
    (NUMPY, "(y[:1] * 3).item()", Ok(&[1.5])),
    (TORCH, "(y[:1] * 3).item()", Ok(&[1.5])),
    (TORCH, "y.item()", Err("of one entry")),
    // What the base of a logarithm is.
    (NUMPY, "np.log(x)", Ok(&[0.0, std::f64::consts::LN_2, 1.3862943611198906, 1.9459101490553132])),
    (TORCH, "torch.log2(x)", Ok(&[0.0, 1.0, 2.0, 2.807354922057604])),
    (NUMPY, "np.cumsum(A)", Err("goes along one axis")),
    (NUMPY, "np.cumsum(A, axis=1)", Ok(&[1.0, 3.0, 3.0, 8.0])),
];

#[test]
fn each_framework_gives_its_own_value() {
    let mut wrong = Vec::new();
    for (import, text, expected) in TABLE {
        let file = format!("{import}\ndef f(x: \"4\", A: \"2 2\", y: \"4\", c: \"2\"):\n    return {text}\n");
        let program = match (read(&file, &Request::default()), expected) {
            (Ok(program), _) => program,
            (Err(told), Err(says)) if told[0].to_string().contains(says) => continue,
            (Err(told), _) => {
                wrong.push(format!("{text}: {}", told[0]));
                continue;
            }
        };
        let mut inputs = Inputs::default();
        for (name, data, sizes) in [("x", X, vec![4]), ("A", A, vec![2, 2]), ("y", Y, vec![4]), ("c", CLASSES, vec![2])]
        {
            let array = Array::new(sizes, data.to_vec()).unwrap();
            inputs.set(program.input_named(name).unwrap(), array);
        }
        let values = evaluate(&program, &[program.output], &inputs).unwrap();
        let found = values.get(program.output).data();
        let same = |wanted: &&[f64]| {
            found.len() == wanted.len()
                && found.iter().zip(*wanted).all(|(a, b)| (a - b).abs() < 1e-9 * b.abs().max(1.0))
        };
        if !expected.as_ref().is_ok_and(same) {
            wrong.push(format!("{text} is {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(TABLE.len() > 80);
}

#[test]
fn a_bare_name_that_frameworks_read_differently_is_told() {
    let mut request = Request::default();
    request.declare("x", "4").unwrap();
    let program = chainrule::graph::read_expression("var(x) + std(x)", &request).unwrap();
    let notes = program.assumptions.join("\n");
    assert!(notes.contains("var is read as numpy and jax has it, not as torch has it"), "{notes}");
}
