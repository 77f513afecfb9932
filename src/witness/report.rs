//! What a check found.

/// The outcome of checking a derivation against difference quotients.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Steps compared and met.
    pub steps: usize,
    /// Steps that could not be compared at any point (a kink in the way, an
    /// estimate too coarse).
    pub unchecked: usize,
    /// Was the finished answer met, compared end to end?
    pub answer: bool,
    /// Points at which all was compared.
    pub points: usize,
    /// Digits to which all agree: the largest whole d with every difference below 10^−d of its block.
    pub digits: u32,
    /// Entries left out because a comparison changed sides near them.
    pub left_out: usize,
    /// The largest relative difference met.
    pub worst: f64,
    /// How often loops of unknown length ran: N = 1, 2, 3; empty if there is none.
    pub turns: Vec<usize>,
    /// What was found of each step.
    pub each: Steps,
}

/// What a check found of each step of a derivation, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// The largest relative difference; `None` where no entry could be compared.
    pub worst: Vec<Option<f64>>,
    /// For each loop those of what one turn takes from one value to another, in the
    /// order of the loop's blocks.
    pub turns: Vec<Vec<Steps>>,
}
