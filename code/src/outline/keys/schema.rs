//! Protocol Buffers: messages, fields, enums, services.

use super::{Names, lines, word};
use crate::outline::SymbolKind;

pub(super) fn read_protobuf(text: &str, names: &mut Names) {
    let mut open = Vec::new();
    for (number, line) in lines(text) {
        let line = line.split("//").next().unwrap_or_default().trim();
        let parent = open.last().copied().flatten();
        let first = word(line, &[]);
        let name = word(line[first.len()..].trim_start(), &['.']);
        let symbol = match first {
            "message" | "enum" | "service" | "oneof" => names.push(name, SymbolKind::Type, parent, number),
            "rpc" => names.push(name, SymbolKind::Method, parent, number),
            "package" => names.push(name, SymbolKind::Module, None, number),
            "option" | "reserved" | "import" | "syntax" | "extensions" => None,
            _ => field(line).and_then(|name| names.push(name, SymbolKind::Member, parent, number)),
        };
        for bracket in line.chars() {
            match bracket {
                '{' => open.push(symbol.or(parent)),
                '}' => _ = open.pop(),
                _ => {}
            }
        }
    }
}

/// The name before `= number`.
fn field(line: &str) -> Option<&str> {
    let (before, after) = line.split_once('=')?;
    let is_number = after.trim_start().starts_with(|character: char| character.is_ascii_digit() || character == '-');
    before.split_whitespace().next_back().filter(|_| is_number)
}
