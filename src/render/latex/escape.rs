//! Text and signs as LaTeX knows them.

/// Signs and letters by the command that writes them in formulas.
const COMMANDS: [(char, &str); 62] = [
    ('−', "-"),
    ('×', r"\times"),
    ('·', r"\cdot"),
    ('⊙', r"\odot"),
    ('≠', r"\neq"),
    ('≤', r"\leq"),
    ('≥', r"\geq"),
    ('<', "<"),
    ('>', ">"),
    ('→', r"\to"),
    ('↦', r"\mapsto"),
    ('∏', r"\prod"),
    ('Σ', r"\Sigma"),
    ('∇', r"\nabla"),
    ('∞', r"\infty"),
    ('√', r"\surd"),
    ('∈', r"\in"),
    ('⟨', r"\langle"),
    ('⟩', r"\rangle"),
    ('‖', r"\|"),
    ('|', "|"),
    ('•', r"\bullet"),
    ('⋯', r"\cdots"),
    ('⋮', r"\vdots"),
    ('…', r"\ldots"),
    ('ᵀ', r"{}^{\top}"),
    ('⁻', r"{}^{-}"),
    ('¹', r"{}^{1}"),
    ('²', r"{}^{2}"),
    ('½', r"\tfrac{1}{2}"),
    ('α', r"\alpha"),
    ('β', r"\beta"),
    ('γ', r"\gamma"),
    ('δ', r"\delta"),
    ('ϵ', r"\epsilon"),
    ('ε', r"\varepsilon"),
    ('ζ', r"\zeta"),
    ('η', r"\eta"),
    ('θ', r"\theta"),
    ('ι', r"\iota"),
    ('κ', r"\kappa"),
    ('λ', r"\lambda"),
    ('μ', r"\mu"),
    ('ν', r"\nu"),
    ('ξ', r"\xi"),
    ('π', r"\pi"),
    ('ρ', r"\rho"),
    ('σ', r"\sigma"),
    ('τ', r"\tau"),
    ('υ', r"\upsilon"),
    ('φ', r"\varphi"),
    ('ϕ', r"\phi"),
    ('χ', r"\chi"),
    ('ψ', r"\psi"),
    ('ω', r"\omega"),
    ('Γ', r"\Gamma"),
    ('Δ', r"\Delta"),
    ('Θ', r"\Theta"),
    ('Λ', r"\Lambda"),
    ('Φ', r"\Phi"),
    ('Ψ', r"\Psi"),
    ('Ω', r"\Omega"),
];

/// What writes a sign or letter in a formula.
pub(super) fn command(c: char) -> Option<&'static str> {
    COMMANDS.iter().find(|(sign, _)| *sign == c).map(|(_, command)| *command)
}

/// Words outside of formulas. What LaTeX has no letter for is written by its number.
pub(in crate::render) fn text(words: &str) -> String {
    let mut out = String::new();
    let mut last = ' ';
    for c in words.chars() {
        match c {
            '\\' => out.push_str(r"\textbackslash{}"),
            '~' => out.push_str(r"\textasciitilde{}"),
            '^' => out.push_str(r"\textasciicircum{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => out.extend(['\\', c]),
            '"' => out.push_str("''"),
            // Two hyphens would become one dash.
            '-' if last == '-' => out.push_str("{}-"),
            '\n' | '\r' | '\t' => out.push(' '),
            c if c.is_control() => {}
            c => match command(c) {
                Some(command) => out.push_str(&format!("${command}$")),
                None if c.is_ascii() || ('\u{C0}'..='\u{17F}').contains(&c) => out.push(c),
                None => out.push_str(&format!("[U+{:04X}]", u32::from(c))),
            },
        }
        last = c;
    }
    out
}

/// Source code, in letters of one width.
pub(super) fn code(words: &str) -> String {
    let quoted = words.split('"').map(text).collect::<Vec<_>>();
    format!(r"\texttt{{{}}}", quoted.join("\""))
}

#[cfg(test)]
mod tests {
    use super::{code, text};

    #[test]
    fn every_letter_that_means_something_is_escaped() {
        let table = [
            ("d_model × d_ff", r"d\_model $\times$ d\_ff"),
            ("50% & #1 {x} $", r"50\% \& \#1 \{x\} \$"),
            ("a\\b^c~d", r"a\textbackslash{}b\textasciicircum{}c\textasciitilde{}d"),
            ("--no-check", "-{}-no-check"),
            ("naïve \u{5909}", "naïve [U+5909]"),
            ("a < b", "a $<$ b"),
        ];
        for (words, written) in table {
            assert_eq!(text(words), written);
        }
        assert_eq!(code("f(\"_\")"), "\\texttt{f(\"\\_\")}");
    }
}
