//! One realistic text for each language with the names it must give, and what every text must survive.

mod configuration;
mod grammars;
mod hostile;

use super::{Symbol, outline};
use crate::language::Language;

/// Compares the outline of `text` with `expected`: a line for each line with names, as `3 name:Kind<Parent[Base]!`,
/// where `!` marks what is dynamic.
fn check(language: Language, text: &str, expected: &str) {
    let outline = outline(language, text).expect("the language has an outline");
    assert_eq!(shown(&outline.symbols), expected.trim(), "{language:?}");
    assert_eq!(outline.errors, [], "{language:?}");
}

fn shown(symbols: &[Symbol]) -> String {
    let mut lines: Vec<(u32, String)> = Vec::new();
    for symbol in symbols {
        let shown = shown_one(symbol, symbols);
        match lines.last_mut() {
            Some((line, names)) if *line == symbol.line => *names += &format!(" {shown}"),
            _ => lines.push((symbol.line, shown)),
        }
    }
    let lines: Vec<String> = lines.into_iter().map(|(line, names)| format!("{line} {names}")).collect();
    lines.join("\n")
}

fn shown_one(symbol: &Symbol, symbols: &[Symbol]) -> String {
    let parent = symbol.parent.map_or(String::new(), |parent| format!("<{}", symbols[parent as usize].name));
    let bases = if symbol.bases.is_empty() { String::new() } else { format!("[{}]", symbol.bases.join(",")) };
    let dynamic = if symbol.is_dynamic { "!" } else { "" };
    format!("{}:{:?}{parent}{bases}{dynamic}", symbol.name, symbol.kind)
}
