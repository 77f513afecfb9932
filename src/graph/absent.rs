//! Functions that people know and this language does not have, and what helps.

/// Names below the prefix, why not, what helps.
type Absent = (&'static [&'static str], &'static str, &'static str);

const ABSENT: &[Absent] = &[
    (
        &["argmax", "argmin", "argsort", "topk", "nonzero", "unique", "searchsorted", "argwhere"],
        "it gives places, which jump",
        "max and min along an axis are supported",
    ),
    (
        &["sort", "median", "quantile", "percentile", "kthvalue", "msort"],
        "the order of the entries jumps",
        "max and min along an axis are supported",
    ),
    (
        &[
            "randn",
            "rand",
            "randn_like",
            "rand_like",
            "normal",
            "bernoulli",
            "multinomial",
            "randint",
            "randperm",
            "uniform",
            "random",
            "standard_normal",
            "choice",
            "shuffle",
        ],
        "it draws random numbers",
        "take them as an argument of the function",
    ),
    (
        &[
            "conv1d",
            "conv2d",
            "conv3d",
            "conv_transpose2d",
            "max_pool1d",
            "max_pool2d",
            "avg_pool2d",
            "unfold",
            "interpolate",
            "adaptive_avg_pool2d",
            "convolve",
            "pad",
        ],
        "there is no rule for it",
        "write it with slices: out = out + k[i, j] * x[i:h - 2 + i, j:w - 2 + j] in a loop",
    ),
    (
        &["svd", "svdvals", "eig", "eigh", "eigvals", "eigvalsh", "cholesky", "qr", "pinv", "lstsq", "matrix_rank"],
        "there is no rule for this decomposition",
        "inv, solve, det and logdet are supported",
    ),
    (
        &["map", "filter", "reduce", "vmap", "scan", "fori_loop"],
        "it takes a function",
        "write a loop, or [f(v) for v in values]",
    ),
    (
        &["grad", "value_and_grad", "backward", "jacobian", "jacrev", "jacfwd", "hessian", "vjp", "jvp"],
        "derivatives are asked for outside the function",
        "say --wrt NAME, and --order 2 for the Hessian",
    ),
    (&["numpy", "tolist"], "it leaves the graph", "compute with the array itself"),
    (&["fft", "ifft", "rfft", "stft"], "complex numbers are not supported", "write the transform as a matrix product"),
];

/// Layers are objects with weights of their own.
const LAYER: (&str, &str) =
    ("a layer as an object has weights of its own", "write it with its weights as arguments: x @ w.T + b");

/// Why the function called `name` is absent, and what helps.
pub(super) fn reason(name: &str) -> Option<(&'static str, &'static str)> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let layer = name.contains("nn.") && last.starts_with(|c: char| c.is_ascii_uppercase());
    let listed = || ABSENT.iter().find(|(names, ..)| names.contains(&last)).map(|(_, says, help)| (*says, *help));
    if layer { Some(LAYER) } else { listed() }
}
