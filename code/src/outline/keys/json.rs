//! JSON, with or without comments: every key, inside the key that holds its object.

use super::Names;

pub(super) fn read(text: &str, names: &mut Names) {
    let bytes = text.as_bytes();
    // The key that each open bracket is the value of.
    let mut open: Vec<Option<u32>> = Vec::new();
    let (mut at, mut line, mut key) = (0, 1, None);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => line += 1,
            b'{' | b'[' => open.push(key.take().or(open.last().copied().flatten())),
            b'}' | b']' => _ = open.pop(),
            b',' => key = None,
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            b'"' => {
                let end = string_end(bytes, at + 1);
                if next(bytes, end + 1) == Some(b':') {
                    let parent = open.last().copied().flatten();
                    key = names.key(text.get(at + 1..end).unwrap_or_default(), parent, line);
                }
                line += bytes[at..end.min(bytes.len())].iter().filter(|&&byte| byte == b'\n').count() as u32;
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
}

/// The place of the closing quote.
fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The next byte that is no white space.
fn next(bytes: &[u8], from: usize) -> Option<u8> {
    bytes.get(from..)?.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}
