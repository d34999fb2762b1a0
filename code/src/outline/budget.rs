//! Parses within a budget that depends on the text alone, so that the same text always gives the same answer.

use std::ops::ControlFlow;

use tree_sitter::{Language, ParseOptions, Parser, Tree};

/// Checks that any text gets; tree-sitter checks about every 100 operations.
const CHECKS: usize = 20_000;

/// Bytes that earn one check more. Ordinary code needs one check for about 200 bytes.
const BYTES_PER_CHECK: usize = 10;

/// Parses the text; `None` when it takes far more steps than text of its size should.
pub(super) fn parse(language: &Language, text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let mut checks = 0;
    let limit = CHECKS + text.len() / BYTES_PER_CHECK;
    let mut check = |_: &_| {
        checks += 1;
        if checks > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = text.as_bytes();
    parser.parse_with_options(
        &mut |offset, _| bytes.get(offset..).unwrap_or_default(),
        None,
        Some(ParseOptions::new().progress_callback(&mut check)),
    )
}
