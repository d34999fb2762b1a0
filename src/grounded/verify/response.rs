//! A whole response → its three blocks (contracts D).

use crate::grounded::receipt::{ANSWER, RECEIPT, SOURCES};

/// A response cut into blocks; of a receipt alone there is no answer and there are no sources.
pub struct Response<'a> {
    /// The answer.
    pub answer: Option<&'a str>,
    /// The lines for the cited spans.
    pub sources: Option<&'a str>,
    /// What stands before the first block and after the record.
    pub outside: Vec<&'a str>,
    /// The receipt's JSON.
    pub receipt: &'a str,
    /// Lines of the file before that JSON.
    pub lines_before: usize,
}

/// A heading that stands at most once.
struct Heading {
    name: &'static str,
    /// Where its line begins and ends.
    line: std::ops::Range<usize>,
}

/// Whether a text has the heading of a receipt.
pub fn is_response(text: &str) -> bool {
    headings(text).iter().any(|heading| heading.name == RECEIPT)
}

/// Cuts a response. A refusal may have its one paragraph without a heading, and no sources.
///
/// # Errors
/// What the blocks lack.
pub fn response(text: &str) -> Result<Response<'_>, Vec<String>> {
    let alone = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    if alone.starts_with('{') {
        return Ok(Response { answer: None, sources: None, receipt: text, outside: Vec::new(), lines_before: 0 });
    }
    let headings = headings(text);
    let problems = misplaced(&headings);
    if !problems.is_empty() {
        return Err(problems);
    }
    let of = |name: &str| headings.iter().find(|heading| heading.name == name);
    let block = |heading: &Heading| {
        let next = headings.iter().map(|other| other.line.start).find(|start| *start > heading.line.start);
        &text[heading.line.end..next.unwrap_or(text.len())]
    };
    let first = headings.first().map_or(0, |heading| heading.line.start);
    let Some(receipt) = of(RECEIPT) else {
        return Err(vec![format!("there is no `{RECEIPT}`: expected the whole response, or the receipt's JSON alone")]);
    };
    let (json, at) = fenced(block(receipt))?;
    // The line that closes the fence is no text.
    let after = block(receipt)[at + json.len()..].split_once('\n').map_or("", |(_, after)| after);
    let before = if of(ANSWER).is_some() { &text[..first] } else { "" };
    Ok(Response {
        outside: vec![before, after],
        answer: Some(of(ANSWER).map_or(&text[..first], block)),
        sources: of(SOURCES).map(block),
        receipt: json,
        lines_before: lines(&text[..receipt.line.end + at]),
    })
}

fn lines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// The three headings, those in fenced code left out.
fn headings(text: &str) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        match (fence, fence_of(content)) {
            (None, Some(opening)) => fence = Some(opening),
            (Some(opening), _) if closes(content, opening) => fence = None,
            (Some(_), _) => {}
            (None, None) => {
                let name = [ANSWER, SOURCES, RECEIPT].into_iter().find(|name| *name == content);
                found.extend(name.map(|name| Heading { name, line: at..at + line.len() }));
            }
        }
        at += line.len();
    }
    found
}

/// Headings that stand twice or in another order.
fn misplaced(headings: &[Heading]) -> Vec<String> {
    let count = |name: &str| headings.iter().filter(|heading| heading.name == name).count();
    let repeated =
        [ANSWER, SOURCES, RECEIPT].map(|name| (name, count(name))).into_iter().filter(|(_, count)| *count > 1);
    let repeated: Vec<String> = repeated.map(|(name, count)| format!("`{name}` stands {count} times")).collect();
    if !repeated.is_empty() {
        return repeated;
    }
    let order = |name: &str| [ANSWER, SOURCES, RECEIPT].iter().position(|known| *known == name);
    let swapped = headings.windows(2).filter(|pair| order(pair[0].name) > order(pair[1].name));
    swapped.map(|pair| format!("`{}` stands before `{}`", pair[0].name, pair[1].name)).collect()
}

/// The run of backticks or tildes that opens a fence.
fn fence_of(line: &str) -> Option<&str> {
    let indented = line.trim_start_matches(' ');
    let mark = indented.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let run = &indented[..indented.len() - indented.trim_start_matches(mark).len()];
    let is_inline = mark == '`' && indented[run.len()..].contains('`');
    (run.len() >= 3 && line.len() - indented.len() < 4 && !is_inline).then_some(run)
}

/// Whether a line closes a fence.
fn closes(line: &str, opening: &str) -> bool {
    let run = line.trim();
    run.len() >= opening.len() && fence_of(line) == Some(run) && run.starts_with(&opening[..1])
}

/// What stands in the one fence for `json` of a block, and where it begins there.
fn fenced(block: &str) -> Result<(&str, usize), Vec<String>> {
    let mut found = Vec::new();
    let mut open: Option<(&str, usize, bool)> = None;
    let mut at = 0;
    for line in block.split_inclusive('\n') {
        let content = line.trim_end();
        match (open, fence_of(content)) {
            (None, Some(opening)) => {
                let language = content.trim_start()[opening.len()..].trim();
                open = Some((opening, at + line.len(), language.eq_ignore_ascii_case("json")));
            }
            (Some((opening, start, is_json)), _) if closes(content, opening) => {
                found.extend(is_json.then_some((&block[start..at], start)));
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    if let Some((_, start, true)) = open {
        found.push((&block[start..], start));
    }
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(vec![format!("`{RECEIPT}` holds no fenced `json` block")]),
        more => Err(vec![format!("`{RECEIPT}` holds {} fenced `json` blocks: expected one", more.len())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str =
        "## Answer\n\nYes [S1].\n\n## Sources\n\n- [S1] \"x\"\n\n## Grounding receipt\n\n```json\n{}\n```\n";

    #[test]
    fn a_response_has_three_blocks() {
        let found = response(WHOLE).map_err(|problems| problems.join("; ")).expect("a response");
        assert_eq!((found.answer, found.sources), (Some("\nYes [S1].\n\n"), Some("\n- [S1] \"x\"\n\n")));
        assert_eq!((found.receipt, found.lines_before), ("{}\n", 11));
    }

    fn check_problem(text: &str, expected: &str) {
        assert_eq!(response(text).err(), Some(vec![expected.to_owned()]), "{text}");
    }

    #[test]
    fn blocks_must_be_there_once_and_in_order() {
        let missing = "there is no `## Grounding receipt`: expected the whole response, or the receipt's JSON alone";
        check_problem("", missing);
        check_problem("```\n## Grounding receipt\n```\n", missing);
        check_problem("## Grounding receipt\n\n{}\n", "`## Grounding receipt` holds no fenced `json` block");
        check_problem("## Grounding receipt\n```yaml\n```\n", "`## Grounding receipt` holds no fenced `json` block");
        let twice = "## Grounding receipt\n```json\n```\n~~~json\n~~~\n";
        check_problem(twice, "`## Grounding receipt` holds 2 fenced `json` blocks: expected one");
        check_problem("## Answer\n## Answer\n", "`## Answer` stands 2 times");
        check_problem("## Sources\n## Answer\n", "`## Sources` stands before `## Answer`");
    }

    #[test]
    fn a_receipt_may_stand_alone() {
        let found = response("\n {}").map_err(|problems| problems.join("; ")).expect("a receipt");
        assert_eq!((found.answer, found.receipt, found.lines_before), (None, "\n {}", 0));
    }
}
