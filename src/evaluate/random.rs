//! Numbers drawn by a fixed algorithm, the same on every machine.

/// A stream of numbers fixed by a text (FNV-1a for the seed, then splitmix64).
pub struct Random(u64);

impl Random {
    /// The stream of this text and number.
    pub fn new(text: &str, number: u64) -> Random {
        let bytes = text.bytes().chain(number.to_le_bytes());
        Random(bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A whole number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.between(0.0, bound as f64) as usize).min(bound.saturating_sub(1))
    }
}
