//! Statements of several blocks: a list with its lead-in, the steps of a numbered list, the names in a table's first
//! column, and single settings out of a longer code block.
//!
//! They say more than a sentence and fit only some questions, so they are made apart from the plain statements.

use std::ops::Range;

use crate::page::Page;
use crate::parse::{Block, BlockKind};
use crate::span::Span;

use super::{
    CONFIGURATION, Statement, StatementKind, blank, cells, commands, fold, lead_in, marked, sentences, shown, ticked,
};

/// Items that are shown of a list, at most.
const ITEMS: usize = 4;
/// Names that are shown of a table's first column, at most.
const NAMES: usize = 8;
/// An item longer than this makes a list unfit for a sentence, in bytes.
const ITEM_BUDGET: usize = 200;
/// A whole group, in bytes.
const GROUP_BUDGET: usize = 640;
/// Lines of a code block that still is a configuration to pick a setting from.
const SETTING_LINES: usize = 40;
/// A setting longer than this is data, in bytes.
const SETTING_BUDGET: usize = 120;

/// The groups in a run of blocks, in file order: lists, steps, tables by their first column, settings.
pub fn grouped(page: &Page, blocks: Range<usize>) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut at = blocks.start;
    while at < blocks.end {
        let end = run_end(page, at, blocks.end);
        match &page.block(at).kind {
            BlockKind::Item { .. } => found.extend(list(page, at..end)),
            BlockKind::HeaderRow => found.extend(names(page, at..end)),
            BlockKind::Code { language } => found.extend(settings(page, at, language)),
            BlockKind::Paragraph | BlockKind::Row | BlockKind::Html => {}
        }
        at = end;
    }
    found
}

/// Where the list or table that begins at `at` ends; code between items belongs to their list.
fn run_end(page: &Page, at: usize, limit: usize) -> usize {
    let is_item = |index: usize| matches!(page.block(index).kind, BlockKind::Item { .. });
    let is_of_list = |index: usize| match page.block(index).kind {
        BlockKind::Item { depth } => depth > 1 || page.block(index).lead_in == page.block(at).lead_in,
        BlockKind::Code { .. } => page.block(index).lead_in.is_some_and(|lead_in| lead_in >= at && is_item(lead_in)),
        BlockKind::Paragraph | BlockKind::HeaderRow | BlockKind::Row | BlockKind::Html => false,
    };
    let is_of_table = |index: usize| page.block(index).kind == BlockKind::Row;
    let goes_on: &dyn Fn(usize) -> bool = match page.block(at).kind {
        BlockKind::Item { .. } => &is_of_list,
        BlockKind::HeaderRow => &is_of_table,
        BlockKind::Paragraph | BlockKind::Row | BlockKind::Code { .. } | BlockKind::Html => return at + 1,
    };
    (at + 1..limit).find(|index| !goes_on(*index)).unwrap_or(limit)
}

/// A list's lead-in and first items, each its first sentence.
fn list(page: &Page, blocks: Range<usize>) -> Option<Statement> {
    let first = page.block(blocks.start);
    let number_of_first = number(page, first);
    let is_numbered = number_of_first.is_some();
    // The rest of a list that something stands in the middle of would be said as if it were all.
    if number_of_first.is_some_and(|number| number.parse() != Ok(1_u32) && number.parse() != Ok(0_u32)) {
        return None;
    }
    let kind = if is_numbered { StatementKind::Steps } else { StatementKind::List };
    let lead_in = lead_in(page, first);
    let is_top = |index: &usize| page.block(*index).kind == (BlockKind::Item { depth: 1 }) && starts_item(page, *index);
    let tops: Vec<usize> = blocks.clone().filter(is_top).collect();
    if tops.len() < 2 || (lead_in.is_empty() && !is_numbered) {
        return None;
    }
    let items: Option<Vec<String>> =
        tops.iter().take(ITEMS).map(|index| item(page, *index, blocks.end, kind)).collect();
    let own = joined(&items?, tops.len());
    let last = tops.get(ITEMS).copied().unwrap_or(blocks.end);
    let text = fold(&format!("{lead_in} {own}"));
    let completed = first.lead_in.filter(|_| !lead_in.is_empty());
    let span = Span::new(first.span.start, page.block(last - 1).span.end);
    let group = Statement { quote: own.clone(), own, text, span, lead_in: completed, ..blank(blocks.start, kind) };
    Some(Statement { blocks: blocks.start..last, ..group }).filter(|group| group.text.len() <= GROUP_BUDGET)
}

/// An item's first sentence, for a step with the command that follows it; `None` where it is too long.
fn item(page: &Page, index: usize, end: usize, kind: StatementKind) -> Option<String> {
    let block = page.block(index);
    let first = sentences(&block.text).into_iter().next()?;
    let text = shown(&marked(block, first)).trim_end_matches(['.', ';', ',']).to_owned();
    let number =
        number(page, block).filter(|_| kind == StatementKind::Steps).map_or(String::new(), |n| format!("({n}) "));
    let next = page.document.blocks[..end].get(index + 1);
    let command = next.filter(|next| next.lead_in == Some(index)).and_then(command).unwrap_or_default();
    let text = if command.is_empty() { text.trim_end_matches(':') } else { &text };
    let text = fold(&format!("{number}{text} {command}"));
    (!text.is_empty() && text.len() <= ITEM_BUDGET).then_some(text)
}

/// The one command of a code block.
fn command(block: &Block) -> Option<String> {
    let is_code = matches!(block.kind, BlockKind::Code { .. });
    match commands(&block.text).as_slice() {
        [line] if is_code && line.len() <= SETTING_BUDGET && !line.contains('`') => Some(ticked(line)),
        _ => None,
    }
}

/// Items in one line; a trailing dot stands for those that are left out.
fn joined(items: &[String], all: usize) -> String {
    let more = if all > items.len() { "; …" } else { "" };
    format!("{}{more}", items.join("; "))
}

/// Whether a block opens its item rather than being a later paragraph of it.
pub(super) fn starts_item(page: &Page, index: usize) -> bool {
    let mark = before(page, page.block(index));
    mark.ends_with(['-', '*', '+']) || mark.ends_with(['.', ')'])
}

/// The number of an item of a numbered list.
fn number<'a>(page: &'a Page, block: &Block) -> Option<&'a str> {
    let mark = before(page, block).strip_suffix(['.', ')'])?;
    let is_number = !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(mark)
}

/// What stands before a block on its line, or the list mark that its span begins with.
fn before<'a>(page: &'a Page, block: &Block) -> &'a str {
    let start = page.text[..block.span.start].rfind('\n').map_or(0, |at| at + 1);
    // Emphasis, links and code open an item as often as words do.
    let markup = ['*', '_', '[', '`', '~', '!', '('];
    let before = page.text[start..block.span.start].trim_start_matches(['>', ' ', '\t']);
    let mark = before.split_whitespace().next().unwrap_or_default();
    let is_marked = before.trim_end() == mark || before[mark.len()..].trim().trim_matches(markup).is_empty();
    let before = if is_marked { mark } else { before.trim() };
    let own = page.text[block.span.range()].split_whitespace().next().unwrap_or_default();
    if before.is_empty() { own } else { before }
}

/// The names in a table's first column, under the column's name.
fn names(page: &Page, blocks: Range<usize>) -> Option<Statement> {
    let header = cells(page.block(blocks.start)).into_iter().next().filter(|name| !name.is_empty())?;
    let rows = blocks.start + 1..blocks.end;
    let first = |index: usize| cells(page.block(index)).into_iter().next().filter(|name| !name.is_empty());
    let names: Option<Vec<String>> = rows.clone().take(NAMES).map(first).collect();
    let names = names.filter(|names| names.len() > 1)?;
    let own = shown(&format!("{header}: {}", joined(&names, rows.len()).replace("; ", ", ")));
    let span = Span::new(page.block(blocks.start).span.start, page.block(blocks.end - 1).span.end);
    let group = Statement { key: header, ..blank(blocks.start, StatementKind::List) };
    let group = Statement { text: own.clone(), quote: own.clone(), own, span, blocks: blocks.clone(), ..group };
    Some(group).filter(|group| group.text.len() <= GROUP_BUDGET)
}

/// The settings in a code block too long to be quoted whole: lines of `name = value`, below their `[table]`.
fn settings(page: &Page, index: usize, language: &str) -> Vec<Statement> {
    let block = page.block(index);
    let lines: Vec<&str> = block.text.lines().take(SETTING_LINES + 1).collect();
    if !CONFIGURATION.contains(&language)
        || lines.len() > SETTING_LINES
        || commands(&block.text).len() <= super::CODE_LINES
    {
        return Vec::new();
    }
    let mut table = "";
    let mut found = Vec::new();
    for (number, line) in lines.into_iter().enumerate() {
        if line.starts_with('[') && line.ends_with(']') {
            table = line;
        }
        // An indented line is of something that a quotation would have to name too.
        let Some(key) = key(line).filter(|_| line.len() <= SETTING_BUDGET && !line.contains('`')) else {
            continue;
        };
        let table = if table.is_empty() { String::new() } else { ticked(table) };
        let own = fold(&format!("{table} {}", ticked(line.trim())));
        let setting = blank(index, StatementKind::Setting);
        let key = key.to_owned();
        found.push(Statement { text: own.clone(), quote: own.clone(), own, span: block.span, number, key, ..setting });
    }
    found
}

/// The name that an unindented line gives a value.
fn key(line: &str) -> Option<&str> {
    let end = line.find(" = ").or_else(|| line.find(": ")).or_else(|| line.find('='))?;
    let key = line[..end].trim_matches(['"', '\'']);
    let value = line[end..].trim_start_matches([' ', '=', ':']);
    let is_whole = !value.is_empty() && !value.ends_with(['{', '[', '(', '\\']);
    let is_name = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    (is_whole && !key.is_empty() && !line.starts_with(char::is_whitespace) && key.chars().all(is_name)).then_some(key)
}
