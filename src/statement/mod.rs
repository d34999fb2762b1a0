//! Passages → statements: the sentences, list items, table rows and code that an answer can be made of.
//!
//! A statement is verbatim apart from Markdown markup, and complete on its own: an item brings its lead-in, a row its
//! header. It knows where it stands in the file. Code is quoted line by line, from blocks of at most `CODE_LINES`
//! commands; longer blocks are programs, of which a line says nothing alone, except settings (see [`grouped`]).

mod group;
mod shown;

use std::ops::Range;

use crate::page::Page;
use crate::parse::{Block, BlockKind};
use crate::span::Span;

pub use group::grouped;
pub use shown::shown;

/// Commands of a code block that is short enough to be quoted in a paragraph.
const CODE_LINES: usize = 2;
/// A command longer than this is a program, in bytes.
const CODE_BUDGET: usize = 240;
/// A lead-in longer than this is a paragraph of its own and is left out, in bytes.
const LEAD_IN_BUDGET: usize = 160;

/// An opening sentence up to this length says too little alone, in bytes.
const FRAGMENT: usize = 20;
/// A sentence longer than this is data, not something to say, in bytes.
const SENTENCE_BUDGET: usize = 2000;

/// Something that a page says, quotable on its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What to show, complete on its own.
    pub text: String,
    /// The same without what was added to complete it, to follow another statement with the same lead-in.
    pub own: String,
    /// The own words as they stand in the file, markup other than code removed.
    pub quote: String,
    /// The blocks it comes from, indices into the page's blocks; one but for groups.
    pub blocks: Range<usize>,
    /// The sentence in its block, from 0.
    pub number: usize,
    /// Where it stands in the file, lead-ins and headers excluded.
    pub span: Span,
    /// What carries it.
    pub kind: StatementKind,
    /// The block whose words complete it.
    pub lead_in: Option<usize>,
    /// What a row or a setting is about: the first cell, the name before the value. Empty for all others.
    pub key: String,
}

/// What carries a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// A sentence of a paragraph.
    Sentence,
    /// A list item, or a sentence of a long one.
    Item,
    /// A table row.
    Row,
    /// A command of a short code block.
    Code,
    /// A line of a longer code block that gives a setting its value.
    Setting,
    /// A lead-in with its first items, or the first names of a table.
    List,
    /// The first steps of a numbered list.
    Steps,
}

/// The statements of a run of blocks, in file order.
pub fn statements(page: &Page, blocks: Range<usize>) -> Vec<Statement> {
    blocks.flat_map(|index| of_block(page, index)).collect()
}

fn of_block(page: &Page, index: usize) -> Vec<Statement> {
    let block = page.block(index);
    match &block.kind {
        BlockKind::Paragraph | BlockKind::Html => sentences_of(page, index, StatementKind::Sentence),
        BlockKind::Item { .. } => sentences_of(page, index, StatementKind::Item),
        BlockKind::Row => row(page, block, index).into_iter().collect(),
        BlockKind::Code { .. } => code(page, block, index),
        BlockKind::HeaderRow => Vec::new(),
    }
}

fn sentences_of(page: &Page, index: usize, kind: StatementKind) -> Vec<Statement> {
    let block = page.block(index);
    let lead_in = if kind == StatementKind::Item { item_lead_in(page, block) } else { String::new() };
    let opens = group::starts_item(page, index);
    let is_sentence = |range: &Range<usize>| range.len() <= SENTENCE_BUDGET;
    let ranges: Vec<Range<usize>> = with_fragments(sentences(&block.text)).into_iter().filter(is_sentence).collect();
    let statement = |(number, range): (usize, Range<usize>)| {
        let quote = marked(block, range.clone());
        let own = shown(&quote);
        // The lead-in completes an item's first sentence; later ones speak for themselves.
        let lead_in = if number == 0 && opens { lead_in.as_str() } else { "" };
        let text = fold(&format!("{lead_in} {own}"));
        let completed = block.lead_in.filter(|_| !lead_in.is_empty());
        let span = block.source(range)?;
        Some(Statement { text, own, quote, span, number, lead_in: completed, ..blank(index, kind) })
    };
    ranges.into_iter().enumerate().filter_map(statement).collect()
}

/// A statement of one block without words yet.
fn blank(index: usize, kind: StatementKind) -> Statement {
    Statement {
        text: String::new(),
        own: String::new(),
        quote: String::new(),
        blocks: index..index + 1,
        number: 0,
        span: Span::default(),
        kind,
        lead_in: None,
        key: String::new(),
    }
}

/// The text of a range with its inline code in backticks again: what is code in the docs stays code.
fn marked(block: &Block, range: Range<usize>) -> String {
    let mut out = String::new();
    let mut at = range.start;
    for code in block.code.iter().filter(|code| code.start >= range.start && code.end <= range.end) {
        out.push_str(&block.text[at..code.start]);
        out.push_str(&ticked(&block.text[code.clone()]));
        at = code.end;
    }
    out.push_str(&block.text[at..range.end]);
    fold(&out)
}

/// Code in backticks, two where it holds one.
fn ticked(code: &str) -> String {
    if code.contains('`') { format!("`` {code} ``") } else { format!("`{code}`") }
}

/// White space as single spaces, none at the ends.
pub fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The last sentence before a list or code block, where it is short enough to be repeated.
fn lead_in(page: &Page, block: &Block) -> String {
    let Some(before) = block.lead_in.map(|index| page.block(index)) else {
        return String::new();
    };
    let last = sentences(&before.text).pop().map_or(String::new(), |range| shown(&marked(before, range)));
    if last.len() <= LEAD_IN_BUDGET { last } else { String::new() }
}

/// The lead-in of an item: what ends like a sentence stands before the list by chance.
fn item_lead_in(page: &Page, block: &Block) -> String {
    let lead_in = lead_in(page, block);
    if lead_in.ends_with(['.', '!', '?', '。', '！', '？']) { String::new() } else { lead_in }
}

/// A row with the header's names: `cell — Name: cell; Name: cell`, empty cells left out. The first column names the
/// row; where it is a bare number or sign, the header says of what.
fn row(page: &Page, block: &Block, index: usize) -> Option<Statement> {
    let header = block.lead_in.map(|index| cells(page.block(index))).unwrap_or_default();
    let cells = cells(block);
    let (first, rest) = cells.split_first().filter(|_| block.text.len() <= SENTENCE_BUDGET)?;
    // A bar inside a cell can't be told from one between cells: such a row is said as it stands.
    if !header.is_empty() && cells.len() != header.len() {
        let own = shown(&cells.join(" | "));
        let quote = marked(block, 0..block.text.len());
        let row = blank(index, StatementKind::Row);
        return Some(Statement { text: own.clone(), own, quote, span: block.span, key: first.clone(), ..row });
    }
    let name = |column: usize| header.get(column).map_or("", String::as_str);
    let told: Vec<(&str, &String)> = rest
        .iter()
        .enumerate()
        .map(|(column, cell)| (name(column + 1), cell))
        .filter(|(_, cell)| !is_empty(cell))
        .collect();
    let is_bare = first.trim_matches('`').len() <= BARE && !is_empty(first) && name(0).len() > 1;
    let subject = if is_bare { format!("{} {first}", name(0)) } else { first.clone() };
    let text = match told.as_slice() {
        [] => subject,
        [(_, cell)] if rest.len() == 1 => format!("{subject}: {cell}"),
        cells => format!("{subject} — {}", cells.iter().map(named).collect::<Vec<_>>().join("; ")),
    };
    let (text, quote) = (shown(&text), marked(block, 0..block.text.len()));
    let row = blank(index, StatementKind::Row);
    Some(Statement { own: text.clone(), text, quote, span: block.span, key: first.clone(), ..row })
}

/// A first cell up to this length doesn't say what it is, in bytes.
const BARE: usize = 3;

fn named((name, cell): &(&str, &String)) -> String {
    if name.is_empty() { (*cell).clone() } else { format!("{name}: {cell}") }
}

/// Whether a cell says that there is nothing to say.
fn is_empty(cell: &str) -> bool {
    matches!(cell.trim_matches('`'), "" | "-" | "–" | "—" | "--")
}

/// The cells of a row with code in backticks, empty ones at the ends included.
fn cells(block: &Block) -> Vec<String> {
    let text = &block.text;
    let is_code = |at: usize| block.code.iter().any(|code| code.contains(&at));
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices('|').filter(|(at, _)| !is_code(*at)) {
        let before = text[..at].ends_with(' ') || at == 0;
        let after = text[at + 1..].starts_with(' ') || at + 1 == text.len();
        if before && after {
            found.push(marked(block, start..at));
            start = at + 1;
        }
    }
    found.push(marked(block, start..text.len()));
    found
}

/// The commands of a short code block, each in backticks after the lead-in.
fn code(page: &Page, block: &Block, index: usize) -> Vec<Statement> {
    let BlockKind::Code { language } = &block.kind else { return Vec::new() };
    if block.text.len() > SENTENCE_BUDGET || warns(&block.text) {
        return Vec::new();
    }
    let lines = commands(&block.text);
    if lines.len() > CODE_LINES || lines.iter().any(|line| line.contains('`') || line.len() > CODE_BUDGET) {
        return Vec::new();
    }
    let quotes: Vec<String> = match lines.as_slice() {
        [table, line] if table.starts_with('[') && table.ends_with(']') => {
            vec![format!("{} {}", ticked(table), ticked(line))]
        }
        // Two lines of a program are one thing, and cut open none.
        [_, _] if !is_shell(language) && !CONFIGURATION.contains(&language.as_str()) => Vec::new(),
        lines => lines.iter().map(|line| ticked(line)).collect(),
    };
    let lead_in = lead_in(page, block);
    let statement = |(number, own): (usize, String)| {
        let text = fold(&format!("{lead_in} {own}"));
        let completed = block.lead_in.filter(|_| !lead_in.is_empty());
        let code = blank(index, StatementKind::Code);
        Statement { text, quote: own.clone(), own, span: block.span, number, lead_in: completed, ..code }
    };
    quotes.into_iter().enumerate().map(statement).collect()
}

/// Whether a comment in a code block says that this is how not to do it: such code says the opposite when it is quoted.
fn warns(code: &str) -> bool {
    let comment = |line: &str| {
        let at = ["//", "#", "--", "/*", "<!--"].iter().filter_map(|mark| line.find(mark)).min()?;
        Some(line[at..].to_lowercase())
    };
    let warnings = [" not ", "n't ", " wrong", " bad", " avoid", " never ", " incorrect", "❌", "✗"];
    code.lines().filter_map(comment).any(|comment| warnings.iter().any(|warning| comment.contains(warning)))
}

/// Whether each line of a language is a command; text without a language mostly is.
fn is_shell(language: &str) -> bool {
    [
        "",
        "sh",
        "bash",
        "shell",
        "zsh",
        "fish",
        "console",
        "shell-session",
        "shellsession",
        "terminal",
        "powershell",
        "ps1",
        "cmd",
        "bat",
        "text",
        "txt",
    ]
    .contains(&language)
}

/// Languages of configuration.
const CONFIGURATION: [&str; 10] =
    ["toml", "yaml", "yml", "json", "json5", "jsonc", "ini", "env", "dotenv", "properties"];

/// The lines of code that do something: those that end in a backslash are one with the next, comments are left out,
/// and where a prompt marks what is typed, what isn't.
fn commands(code: &str) -> Vec<String> {
    let joined = code.replace("\\\r\n", " ").replace("\\\n", " ");
    let lines = || joined.lines().map(str::trim).filter(|line| !line.is_empty());
    let has_prompt = lines().any(|line| line.starts_with("$ "));
    let typed =
        lines().filter(|line| !has_prompt || line.starts_with("$ ")).map(|line| fold(line.trim_start_matches("$ ")));
    let is_comment = |line: &String| line.starts_with("# ") || line.starts_with("// ");
    let (comments, commands): (Vec<String>, Vec<String>) = typed.partition(is_comment);
    if commands.is_empty() { comments } else { commands }
}

/// The sentences of a text, as ranges without white space around them.
///
/// A sentence ends at `.`, `!` or `?`, closing marks after it included, before white space; not after an
/// abbreviation, an initial or inside brackets that opened in it; and at `。`, `！`, `？` anywhere.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_wide = matches!(c, '。' | '！' | '？');
        if !is_wide && !matches!(c, '.' | '!' | '?') {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some((next, closing)) = chars.peek().copied().filter(|(_, c)| is_closing(*c)) {
            end = next + closing.len_utf8();
            chars.next();
        }
        let at_space = chars.peek().is_none_or(|(_, c)| c.is_whitespace());
        if is_wide || (at_space && ends_sentence(&text[start..end], &text[end..])) {
            push_trimmed(text, start..end, &mut found);
            start = end;
        }
    }
    push_trimmed(text, start..text.len(), &mut found);
    found
}

/// Sentences, where a fragment ("None.", "365 days.") that opens a text is one with what explains it.
fn with_fragments(mut sentences: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if let [first, second, ..] = sentences.as_mut_slice()
        && first.len() <= FRAGMENT
    {
        second.start = first.start;
        sentences.remove(0);
    }
    sentences
}

fn is_closing(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | ')' | ']' | '"' | '\'' | '\u{201d}' | '\u{2019}' | '」' | '）')
}

/// Whether a sentence may end after `sentence`, with `after` behind it.
fn ends_sentence(sentence: &str, after: &str) -> bool {
    let next = after.trim_start().chars().next();
    // A lower-case word goes on with the sentence: "e.g. this", "version 2. something" is rare.
    let goes_on = next.is_some_and(char::is_lowercase);
    !(ends_in_abbreviation(sentence) || goes_on)
}

/// Whether the full stop that ends a text is that of an abbreviation or an initial.
pub fn ends_in_abbreviation(text: &str) -> bool {
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let word = last.trim_start_matches(['(', '[', '"', '\'']).to_lowercase();
    let is_initial = word.len() == 2 && word.ends_with('.') && word.starts_with(char::is_alphabetic) && word != "i.";
    is_initial || ABBREVIATIONS.contains(&word.as_str())
}

const ABBREVIATIONS: [&str; 14] =
    ["e.g.", "i.e.", "etc.", "cf.", "vs.", "mr.", "mrs.", "dr.", "st.", "no.", "fig.", "approx.", "resp.", "incl."];

fn push_trimmed(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    let end = range.end - (inner.len() - inner.trim_end().len());
    if start < end {
        found.push(start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::anchor::SiteStyle;
    use crate::walk::RepoPath;

    fn page(text: &str) -> Page {
        let path = RepoPath::new("docs/a.md").expect("a path");
        Page::parse(path, text.to_owned(), SiteStyle::Github)
    }

    fn check_statements(text: &str, expected: &[&str]) {
        let page = page(text);
        let found = statements(&page, 0..page.document.blocks.len());
        assert_eq!(found.iter().map(|found| found.text.as_str()).collect::<Vec<_>>(), expected, "{text}");
    }

    fn check_grouped(text: &str, expected: &[(StatementKind, &str)]) {
        let page = page(text);
        let found = grouped(&page, 0..page.document.blocks.len());
        assert_eq!(found.iter().map(|found| (found.kind, found.text.as_str())).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn rows_are_told_by_their_headers_without_empty_cells() {
        let table = "| Key | Default | Note |\n|---|---|---|\n| `a.bc` | `5` | Say `x \\| y`. |\n| `c` | – | Off. |\n| `d` | | |\n";
        check_statements(table, &["`a.bc` — Default: `5`; Note: Say `x | y`.", "Key `c` — Note: Off.", "Key `d`"]);
        check_statements(
            "| Code | Meaning |\n|---|---|\n| 3 | Lost. |\n| four | Found. |\n",
            &["Code 3: Lost.", "four: Found."],
        );
        check_statements(
            "| Key | Values | Default |\n|---|---|---|\n| `ab_c` | 1 \\| 2 | 7 |\n",
            &["`ab_c` | 1 | 2 | 7"],
        );
    }

    #[test]
    fn code_is_quoted_command_by_command() {
        check_statements("Run:\n\n```sh\n# first\na \\\n  --b\nc\n```\n", &["Run:", "Run: `a --b`", "Run: `c`"]);
        check_statements("```console\n$ a b\nits output\n```\n", &["`a b`"]);
        check_statements("```toml\n[x.y]\nz = 1\n```\n", &["`[x.y]` `z = 1`"]);
        check_statements("```sh\na\nb\nc\n```\n", &[]);
        check_statements("```python\nwith a:\n    b()\n```\n", &[]);
        check_statements("```js\n// this will not work\na(b)\n```\n", &[]);
    }

    #[test]
    fn a_lead_in_completes_items_unless_it_is_a_sentence_of_its_own() {
        check_statements("Open these:\n\n- one\n- two\n", &["Open these:", "Open these: one", "Open these: two"]);
        check_statements("All is well.\n\n- one\n- two\n", &["All is well.", "one", "two"]);
    }

    #[test]
    fn lists_steps_and_names_are_groups() {
        check_grouped("Modes:\n\n- slow\n- fast.\n", &[(StatementKind::List, "Modes: slow; fast")]);
        let steps = "To go:\n\n1. Stop:\n\n   ```sh\n   halt\n   ```\n2. Wait.\n";
        check_grouped(steps, &[(StatementKind::Steps, "To go: (1) Stop: `halt`; (2) Wait")]);
        let table = "| Mode | Note |\n|---|---|\n| slow | x |\n| fast | y |\n";
        check_grouped(table, &[(StatementKind::List, "Mode: slow, fast")]);
        let five = "Modes:\n\n- a\n- b\n- c\n- d\n- e\n";
        check_grouped(five, &[(StatementKind::List, "Modes: a; b; c; d; …")]);
    }

    #[test]
    fn settings_are_whole_top_level_lines_of_configuration() {
        let code = "```toml\nx = 1\n[t]\ny = 2\nz = [\n  1,\n]\n```\n";
        check_grouped(code, &[(StatementKind::Setting, "`x = 1`"), (StatementKind::Setting, "`[t]` `y = 2`")]);
        check_grouped("```python\nx = 1\ny = 2\nz = 3\n```\n", &[]);
    }

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn sentences_end_at_full_stops_before_space() {
        check("Run it. Then stop!  Done?", &["Run it.", "Then stop!", "Done?"]);
        check("Set `a.b.c` to v1.2. It works.", &["Set `a.b.c` to v1.2.", "It works."]);
        check("No end", &["No end"]);
        check("  ", &[]);
    }

    #[test]
    fn abbreviations_do_not_end_sentences() {
        check("Use a tool, e.g. Docker. It is small.", &["Use a tool, e.g. Docker.", "It is small."]);
        check("Files (logs, etc.) stay. Ask J. Doe.", &["Files (logs, etc.) stay.", "Ask J. Doe."]);
    }

    #[test]
    fn closing_marks_belong_to_the_sentence() {
        check("He said \"stop.\" Then (it did.) End.", &["He said \"stop.\"", "Then (it did.)", "End."]);
    }

    #[test]
    fn wide_full_stops_need_no_space() {
        check("设置缓存。重启服务！好", &["设置缓存。", "重启服务！", "好"]);
    }
}
