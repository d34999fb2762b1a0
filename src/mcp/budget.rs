//! How much fits into a result. Tokens are estimated, since every model counts its own way.

/// About how many tokens a text takes: one for four ASCII bytes, one for any other character.
pub fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().filter(|c| !c.is_ascii()).count();
    ascii.div_ceil(4) + others
}

/// The beginning of a text that takes about as many tokens.
pub fn beginning(text: &str, tokens: usize) -> &str {
    let mut quarters = tokens.saturating_mul(4);
    for (at, c) in text.char_indices() {
        let cost = if c.is_ascii() { 1 } else { 4 };
        if cost > quarters {
            return &text[..at];
        }
        quarters -= cost;
    }
    text
}

/// The largest number of `count` things that fits, and one where none does: something is always shown. What fits must
/// fit with fewer things too.
pub fn most(count: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut fitting, mut too_many) = (1.min(count), count + 1);
    while too_many - fitting > 1 {
        let middle = fitting.midpoint(too_many);
        if fits(middle) {
            fitting = middle;
        } else {
            too_many = middle;
        }
    }
    fitting
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_estimated() {
        let cases = [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("日本語", 3), ("é", 1)];
        for (text, expected) in cases {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }

    #[test]
    fn a_beginning_takes_so_many_tokens() {
        let cases = [("", 1, ""), ("abcdef", 1, "abcd"), ("ab", 1, "ab"), ("日本語", 2, "日本"), ("a日b", 1, "a")];
        for (text, tokens, expected) in cases {
            assert_eq!(beginning(text, tokens), expected, "{text}");
        }
    }

    #[test]
    fn as_much_is_shown_as_fits_and_never_nothing() {
        let cases = [(0, 5, 0), (1, 0, 1), (3, 0, 1), (3, 1, 1), (3, 2, 2), (3, 3, 3), (3, 9, 3), (100, 42, 42)];
        for (count, limit, expected) in cases {
            assert_eq!(most(count, |some| some <= limit), expected, "{count} {limit}");
        }
    }
}
