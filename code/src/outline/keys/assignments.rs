//! Formats of lines that assign: ini files and their kin, and HCL.

use super::{Names, lines, word};
use crate::outline::SymbolKind;

/// Sections, and keys before `=` or `:`.
pub(super) fn read_ini(text: &str, names: &mut Names) {
    let mut section = None;
    for (number, line) in lines(text) {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            let name = header.split(']').next().unwrap_or_default();
            section = names.key(name.trim(), None, number);
            continue;
        }
        let line = line.strip_prefix("export ").unwrap_or(line);
        let key = line.split(['=', ':']).next().filter(|key| key.len() < line.len()).unwrap_or_default().trim_end();
        // `KEY[sdk=*]` of Xcode assigns `KEY`; a key with spaces is rather prose.
        let key = key.split('[').next().unwrap_or_default();
        if !line.starts_with(['#', ';', '!', '/']) && !key.contains(char::is_whitespace) {
            names.key(key, section, number);
        }
    }
}

/// Blocks by their labels, and the attributes in them.
pub(super) fn read_hcl(text: &str, names: &mut Names) {
    let mut open = Vec::new();
    for (number, line) in lines(text) {
        let line = line.trim();
        let name = word(line, &['-']);
        let rest = line[name.len()..].trim_start();
        let parent = open.last().copied().flatten();
        if rest.starts_with('=') && !rest.starts_with("==") {
            let key = names.key(name, parent, number);
            if rest.ends_with(['{', '[', '(']) {
                open.push(key);
            }
        } else if rest.ends_with('{') && !name.is_empty() {
            let label = rest.split('"').skip(1).step_by(2).last();
            let kind = if name == "variable" { SymbolKind::Constant } else { SymbolKind::Key };
            open.push(names.push(label.unwrap_or(name), kind, parent, number));
        } else if line.starts_with(['}', ']', ')']) {
            open.pop();
        }
    }
}
