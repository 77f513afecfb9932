//! What a page says, letter by letter: from its notation, and from what each
//! format made of it. Blanks, brackets and punctuation do not count.

mod notation;
mod written;

pub use notation::canonical;
pub use written::{html_leaves, json_leaves, latex_leaves, markdown_leaves, text_leaves, typst_leaves};

/// Letters, digits and the signs that mean something; all of one kind.
pub fn kept(text: &str) -> String {
    let one = |c: char| match c {
        '−' | '⁻' => '-',
        '⊤' => 'ᵀ',
        '∑' => 'Σ',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        other => other,
    };
    let counts = |c: &char| c.is_alphanumeric() || "+-⊙·×<>≠≤≥∏√∇•⋯…→@‖¯".contains(*c);
    text.chars().map(one).filter(counts).collect()
}
