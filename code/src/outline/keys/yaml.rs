//! YAML: keys by indentation. Block scalars are skipped; flow mappings give their keys, one level deep.

use super::{Names, indent, lines};

pub(super) fn read(text: &str, names: &mut Names) {
    // The keys that a deeper line belongs to, with their columns, the outermost first.
    let mut open: Vec<(usize, Option<u32>)> = Vec::new();
    let mut scalar = None;
    for (number, line) in lines(text) {
        let column = indent(line);
        if line.trim().is_empty() || scalar.is_some_and(|scalar| column > scalar) {
            continue;
        }
        scalar = None;
        if line.starts_with("---") || line.starts_with("...") {
            open.clear();
            continue;
        }
        let (column, content) = skip_dashes(column, line.trim_start());
        let Some((key, value)) = split_key(content) else { continue };
        while open.last().is_some_and(|&(other, _)| other >= column) {
            open.pop();
        }
        let parent = open.last().and_then(|&(_, symbol)| symbol);
        let symbol = names.key(key, parent, number);
        open.push((column, symbol));
        if is_block_scalar(value) {
            scalar = Some(column);
        } else if let Some(flow) = value.trim_start().strip_prefix('{') {
            for part in flow.trim_end().trim_end_matches('}').split(',') {
                if let Some((key, _)) = split_key(part.trim_start()) {
                    names.key(key, symbol, number);
                }
            }
        }
    }
}

/// The column and text of what follows the dashes of list items.
fn skip_dashes(mut column: usize, mut content: &str) -> (usize, &str) {
    while let Some(rest) = content.strip_prefix("- ") {
        column += 2 + indent(rest);
        content = rest.trim_start();
    }
    (column, content)
}

/// The key before `: ` or a colon at the end, and what follows.
fn split_key(content: &str) -> Option<(&str, &str)> {
    let quote = content.chars().next().filter(|&quote| quote == '"' || quote == '\'');
    if let Some(quote) = quote {
        let (key, rest) = content[1..].split_once(quote)?;
        let value = rest.trim_start().strip_prefix(':')?;
        return Some((key, value));
    }
    if content.starts_with(['#', '{', '[', '&', '*', '!', '|', '>', '%', '@', '`', '?']) {
        return None;
    }
    let end = content.find(": ").or_else(|| content.trim_end().strip_suffix(':').map(str::len))?;
    let key = content[..end].trim_end();
    (!key.contains(" #")).then_some((key, &content[end + 1..]))
}

/// Whether the value is a header such as `|`, `>-` or `&anchor |2`.
fn is_block_scalar(value: &str) -> bool {
    let value = value.split(" #").next().unwrap_or_default();
    let last = value.split_whitespace().next_back().unwrap_or_default();
    last.strip_prefix(['|', '>'])
        .is_some_and(|rest| rest.chars().all(|character| matches!(character, '+' | '-' | '0'..='9')))
}
