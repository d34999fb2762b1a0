//! Finds lines with one of some words in texts, in one pass whatever the number of words.
//!
//! This is much of our own time over a long history, so the text is cut into words 64 bytes at a time, and only a word
//! whose first bytes are in a small table is looked at closely (helix's history, 460 MB: 0.6 s instead of 1.2 s).

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// Most lines with one name that are told apart in one text; what has more is only known to have it.
pub(super) const SPOT_LIMIT: usize = 48;

/// Bytes that are cut into words together.
const BLOCK: usize = 64;

/// Bits of what first bytes are hashed to.
const SLOT_BITS: usize = 14;

/// The words that are looked for.
pub(super) struct Words<'a> {
    places: FxHashMap<&'a [u8], u32>,
    /// Whether a word's first bytes hash to a place; small enough for the processor's nearest cache.
    starts: Box<[bool; 1 << SLOT_BITS]>,
    /// Keeps of eight bytes as many as the shortest word has.
    mask: u64,
}

/// A line with a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    /// Place of the word among those looked for.
    pub name: u32,
    /// 1-based.
    pub line: u32,
    /// Digest of the trimmed line.
    pub digest: u64,
}

impl<'a> Words<'a> {
    pub fn new(names: &'a [String]) -> Words<'a> {
        let places: FxHashMap<&[u8], u32> =
            names.iter().map(String::as_bytes).zip(0..).filter(|(name, _)| !name.is_empty()).collect();
        let shortest = places.keys().map(|word| word.len()).min().unwrap_or(8);
        let mask = if shortest < 8 { (1 << (8 * shortest)) - 1 } else { u64::MAX };
        let mut words = Words { places, starts: Box::new([false; 1 << SLOT_BITS]), mask };
        for word in words.places.keys() {
            let slot = words.slot(eight(word));
            words.starts[slot] = true;
        }
        words
    }

    /// Finds the lines with a word, each once for each word, in order, and gives each to `keep` with its digest.
    ///
    /// A word is what has no other letter, digit, `_` or byte beyond ASCII next to it, nor one behind a `-`.
    pub fn spots(&self, text: &[u8], mut keep: impl FnMut(u64, &[u8])) -> Vec<Spot> {
        let mut spots: Vec<Spot> = Vec::new();
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        let (mut line, mut counted) = (1, 0);
        self.each_word(text, |name, start| {
            line += count_lines(&text[counted..start]);
            counted = start;
            let is_known = spots.iter().rev().take_while(|spot| spot.line == line).any(|spot| spot.name == name);
            // One more than the limit tells that there are more.
            let count = counts.entry(name).or_insert(0);
            if is_known || *count > SPOT_LIMIT {
                return;
            }
            *count += 1;
            let whole = line_at(text, start);
            let digest = digest(whole);
            keep(digest, whole);
            spots.push(Spot { name, line, digest });
        });
        spots
    }

    /// Gives every word that is looked for to `found` with its first byte's place.
    fn each_word(&self, text: &[u8], mut found: impl FnMut(u32, usize)) {
        let mut is_in_word = 0;
        for (place, block) in (0..).step_by(BLOCK).zip(text.chunks(BLOCK)) {
            let words = word_bits(block);
            let mut starts = words & !(words << 1 | is_in_word);
            is_in_word = words >> (BLOCK - 1);
            while starts != 0 {
                let start = place + starts.trailing_zeros() as usize;
                starts &= starts - 1;
                if self.starts[self.slot(eight(&text[start..]))]
                    && let Some(name) = self.word_at(text, start)
                {
                    found(name, start);
                }
            }
        }
    }

    fn word_at(&self, text: &[u8], start: usize) -> Option<u32> {
        if is_joined(&text[..start]) {
            return None;
        }
        let rest = &text[start..];
        let run = &rest[..rest.iter().position(|&byte| !is_word(byte) && byte != b'-').unwrap_or(rest.len())];
        let dashes = run.iter().rev().take_while(|&&byte| byte == b'-').count();
        self.places.get(&run[..run.len() - dashes]).copied()
    }

    /// Hashes first bytes to a place in `starts`.
    fn slot(&self, bytes: u64) -> usize {
        ((bytes & self.mask).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOT_BITS)) as usize
    }
}

/// Tells whether the bytes before a word join it to another one.
fn is_joined(before: &[u8]) -> bool {
    before.iter().rfind(|&&byte| byte != b'-').is_some_and(|&byte| is_word(byte))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Tells of up to 64 bytes which are of words, the first one in the lowest bit.
fn word_bits(block: &[u8]) -> u64 {
    block.chunks(8).rev().fold(0, |bits, bytes| bits << 8 | word_bits_of_eight(eight(bytes)))
}

/// Does what [`is_word`] does for eight bytes at once, as bytes don't carry into each other: of a byte below 0x80, the
/// highest bit of `byte + (0x80 - least)` tells whether it is at least `least`.
fn word_bits_of_eight(bytes: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHEST: u64 = ONES << 7;
    let at_least = |bytes: u64, least: u8| bytes + ONES * u64::from(0x80 - least);
    let ascii = bytes & !HIGHEST;
    let lower = ascii | (ONES * 0x20);
    let letters = at_least(lower, b'a') & !at_least(lower, b'z' + 1);
    let digits = at_least(ascii, b'0') & !at_least(ascii, b'9' + 1);
    let underscores = !at_least(ascii ^ (ONES * u64::from(b'_')), 1);
    let highest = (bytes | letters | digits | underscores) & HIGHEST;
    // The product moves the bit of each byte to its place in the last one.
    (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Returns the first eight bytes, with zeros for what isn't there.
fn eight(bytes: &[u8]) -> u64 {
    match bytes.first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)),
    }
}

fn count_lines(text: &[u8]) -> u32 {
    u32::try_from(text.iter().filter(|&&byte| byte == b'\n').count()).unwrap_or(u32::MAX)
}

/// Returns the line around a place, trimmed.
fn line_at(text: &[u8], at: usize) -> &[u8] {
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
    let end = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |length| at + length);
    text[start..end].trim_ascii()
}

fn digest(line: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(line);
    hasher.finish()
}

/// Makes a line fit to be kept: without invalid characters, cut at a budget of bytes.
pub(super) fn shown(line: &[u8], budget: usize) -> String {
    let mut text = String::from_utf8_lossy(&line[..line.len().min(budget + 4)]).into_owned();
    let cut = (0..=budget.min(text.len())).rfind(|&place| text.is_char_boundary(place));
    text.truncate(cut.unwrap_or(0));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], text: &str, expected: &[(&str, u32)]) {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut spots = Words::new(&names).spots(text.as_bytes(), |_, _| {});
        spots.sort_by_key(|spot| (spot.line, spot.name));
        let found: Vec<(&str, u32)> =
            spots.iter().map(|spot| (names[spot.name as usize].as_str(), spot.line)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn only_whole_words_are_found() {
        check(&["load_all"], "load_all", &[("load_all", 1)]);
        check(&["load_all"], "(load_all);\n\n x=load_all", &[("load_all", 1), ("load_all", 3)]);
        check(&["load_all"], "load_all2 reload_all load_all_ éload_all load_allé", &[]);
        check(&["load"], "load_all", &[]);
        check(&["", "ab"], "ab", &[("ab", 1)]);
    }

    #[test]
    fn dashes_join_words_but_not_at_their_ends() {
        check(
            &["dry-run", "run", "dry"],
            "--dry-run \"dry-run\"\ndry-runs\ndry-run-",
            &[("dry-run", 1), ("dry-run", 3)],
        );
        check(&["run"], "dry-run\nrun->next\n--run\nrun-\nrun--x", &[("run", 2), ("run", 3), ("run", 4)]);
    }

    #[test]
    fn words_of_all_lengths_are_found_at_all_places() {
        for length in 1..12 {
            let word = &"abcdefghijkl"[..length];
            for before in 0..70 {
                let text = format!("{}{word}", " ".repeat(before));
                check(&[word], &text, &[(word, 1)]);
                check(&[word, "zzzzzz"], &format!("{text}\n{word}."), &[(word, 1), (word, 2)]);
            }
        }
    }

    #[test]
    fn all_bytes_are_told_apart_as_one_by_one() {
        for byte in 0..=255 {
            for place in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[place] = byte;
                assert_eq!(word_bits(&block), u64::from(is_word(byte)) << place, "{byte}");
            }
        }
        assert_eq!(word_bits(b"ab"), 0b11);
    }

    #[test]
    fn a_line_counts_once_for_each_word() {
        check(&["ab", "cd"], "ab cd ab cd", &[("ab", 1), ("cd", 1)]);
    }

    #[test]
    fn kept_lines_are_trimmed_and_cut_between_characters() {
        let mut kept = Vec::new();
        Words::new(&["ab".to_owned()]).spots(b"x\n\t ab \xff \r\ny", |_, line| kept.push(shown(line, 300)));
        assert_eq!(kept, ["ab \u{fffd}"]);
        assert_eq!(shown("ééé".as_bytes(), 3), "é");
    }
}
