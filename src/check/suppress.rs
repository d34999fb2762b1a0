//! In-text suppression: `<!-- inkwell-ignore: reason -->` speaks for the next block, or the one it stands in;
//! `<!-- inkwell-ignore-section: reason -->` for its section with all below it. In MDX the same in `{/* … */}`.

use crate::page::Page;
use crate::parse::BlockKind;
use crate::span::Span;

/// A suppression in a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// Where the comment starts, in bytes.
    pub at: usize,
    /// What it speaks for.
    pub span: Span,
    /// Why, as its author says; empty where nothing is said.
    pub reason: String,
}

/// The suppressions of a page, in file order. What stands in code is no comment.
pub fn suppressions(page: &Page) -> Vec<Suppression> {
    let mut found = Vec::new();
    for (open, close) in [("<!--", "-->"), ("{/*", "*/}")] {
        for (at, _) in page.text.match_indices(open) {
            let inner = &page.text[at + open.len()..];
            let Some(end) = inner.find(close).filter(|_| !is_code(page, at)) else { continue };
            let Some(words) = inner[..end].trim().strip_prefix("inkwell-ignore") else { continue };
            let (is_section, rest) = words.strip_prefix("-section").map_or((false, words), |rest| (true, rest));
            if !rest.is_empty() && !rest.starts_with([':', ' ']) {
                continue;
            }
            let after = at + open.len() + end + close.len();
            let span = if is_section { section(page, at) } else { block(page, at, after) };
            found.push(Suppression { at, span, reason: rest.trim_start_matches(':').trim().to_owned() });
        }
    }
    found.sort_by_key(|suppression| suppression.at);
    found
}

fn is_code(page: &Page, at: usize) -> bool {
    let holding = page.document.blocks.get(first_past(page, at)).filter(|block| block.span.contains(at));
    holding.is_some_and(|block| {
        let in_span = || block.code.iter().filter_map(|code| block.source(code.clone())).any(|span| span.contains(at));
        matches!(block.kind, BlockKind::Code { .. }) || in_span()
    })
}

/// The first block that ends past a place; blocks don't overlap.
fn first_past(page: &Page, at: usize) -> usize {
    page.document.blocks.partition_point(|block| block.span.end <= at)
}

fn section(page: &Page, at: usize) -> Span {
    let section = page.sections.iter().rfind(|section| section.own.start <= at);
    section.map_or(Span::new(at, page.text.len()), |section| section.whole)
}

/// The block that a comment stands in, else the next: a heading, a paragraph, a whole list or table.
fn block(page: &Page, at: usize, after: usize) -> Span {
    let blocks = &page.document.blocks;
    let line_end = page.text[after..].find('\n').map_or(page.text.len(), |end| after + end);
    let is_alone = page.text[after..line_end].trim().is_empty()
        && page.text[..at].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
    let around = blocks.get(first_past(page, at)).filter(|block| block.span.start < at);
    if let Some(block) = around.filter(|_| !is_alone) {
        return block.span;
    }
    let next = Some(first_past(page, after)).filter(|next| *next < blocks.len());
    let headings = &page.document.headings;
    let heading = headings.get(headings.partition_point(|heading| heading.span.start < after));
    let Some(first) = next else { return heading.map_or(Span::new(after, after), |heading| heading.span) };
    if let Some(heading) = heading.filter(|heading| heading.span.start < blocks[first].span.start) {
        return heading.span;
    }
    let is_item = |kind: &BlockKind| matches!(kind, BlockKind::Item { .. });
    let is_row = |kind: &BlockKind| matches!(kind, BlockKind::Row | BlockKind::HeaderRow);
    let kind = &blocks[first].kind;
    let limit = heading.map_or(page.text.len(), |heading| heading.span.start);
    let same = blocks[first..].iter().take_while(|block| {
        block.span.start < limit && ((is_item(kind) && is_item(&block.kind)) || (is_row(kind) && is_row(&block.kind)))
    });
    let end = same.last().map_or(blocks[first].span.end, |last| last.span.end);
    Span::new(after, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::anchor::SiteStyle;
    use crate::walk::RepoPath;

    fn check(name: &str, text: &str, expected: &[(&str, &str)]) {
        let page = Page::parse(RepoPath::new(name).expect("a path"), text.to_owned(), SiteStyle::Github);
        let found = suppressions(&page);
        let shown: Vec<(&str, &str)> =
            found.iter().map(|one| (page.text[one.span.range()].trim(), one.reason.as_str())).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_comment_speaks_for_the_next_block() {
        check("a.md", "a\n\n<!-- inkwell-ignore: old -->\nb\nc\n\nd\n", &[("b\nc", "old")]);
        check("a.md", "<!-- inkwell-ignore -->\n\n- a\n- b\n\nd\n", &[("- a\n- b", "")]);
        check("a.md", "<!-- inkwell-ignore: x -->\n## h\n\nb\n", &[("## h", "x")]);
    }

    #[test]
    fn a_comment_in_a_block_speaks_for_it() {
        check("a.md", "a `b` <!-- inkwell-ignore: x --> c\n\nd\n", &[("a `b` <!-- inkwell-ignore: x --> c", "x")]);
    }

    #[test]
    fn a_section_is_ignored_with_all_below_it() {
        let text = "# a\n## b\n<!-- inkwell-ignore-section: x -->\nt\n### c\nu\n## d\n";
        check("a.md", text, &[("## b\n<!-- inkwell-ignore-section: x -->\nt\n### c\nu", "x")]);
    }

    #[test]
    fn mdx_has_its_own_comments_and_code_has_none() {
        check("a.mdx", "{/* inkwell-ignore: x */}\n\nb\n", &[("b", "x")]);
        check(
            "a.md",
            "```\n<!-- inkwell-ignore: x -->\n```\n`<!-- inkwell-ignore -->`\n\n<!-- inkwell-ignored -->\n",
            &[],
        );
    }
}
