//! Parses within a budget that depends on the text alone, so that the same text always gives the same answer.

use std::ops::ControlFlow;

use tree_sitter::{Language, ParseOptions, Parser, Tree};

/// Steps that any text gets, in the unit of tree-sitter's progress callback (about 100 operations of the parser).
const STEPS: usize = 2_000;

/// Bytes that earn one step more. Over 4,000 real files the greediest (minified JavaScript) needed one for 51 bytes.
const BYTES_PER_STEP: usize = 30;

/// Brackets that may be open at once. Some of tree-sitter's own functions recurse and overflow a stack of 2 MB at
/// some 50,000; what lexers hold in character literals comes to 1,000.
const DEPTH_LIMIT: usize = 4_000;

/// Parses the text; `None` when it nests too deep or takes far more steps than text of its size should.
pub(super) fn parse(language: &Language, text: &str) -> Option<Tree> {
    if depth(text) > DEPTH_LIMIT {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let mut steps = 0;
    let limit = STEPS + text.len() / BYTES_PER_STEP;
    let mut count = |_: &_| {
        steps += 1;
        if steps > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = text.as_bytes();
    parser.parse_with_options(
        &mut |offset, _| bytes.get(offset..).unwrap_or_default(),
        None,
        Some(ParseOptions::new().progress_callback(&mut count)),
    )
}

/// The most brackets that are open at once, by a plain count: literals and comments are not told apart.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
