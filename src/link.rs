//! Links between pages → names of sections, so that a section knows how often it is linked to.
//!
//! A link is compared with a section by a name that both sides can make alone: the last two parts of the page's path,
//! without extension and `index`, and the fragment. Sites serve pages under other roots than the repository's
//! (`/guides/install` for `docs/guides/install.md`), and the ends of the paths are what stays. Two pages whose paths
//! end alike share their links; the count is a hint to ranking and nothing else.

use crate::page::Page;

/// The name of the section that `destination`, a link on the page at `from`, leads to; `None` for links out of the
/// docs.
pub fn target(from: &str, destination: &str) -> Option<String> {
    let (path, fragment) = destination.split_once('#').unwrap_or((destination, ""));
    let path = path.split('?').next().unwrap_or_default();
    if path.contains(':') || path.starts_with("//") {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let whole = if path.is_empty() { from } else { path };
    let base = if path.is_empty() || path.starts_with('/') { "" } else { folder };
    for part in base.split('/').chain(whole.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    names_of(&parts.join("/")).into_iter().next().map(|name| format!("{name}#{}", fragment.to_lowercase()))
}

/// The names that links to a section may use; those of the page itself for its main section.
pub fn names(page: &Page, section: usize) -> Vec<String> {
    let own = page.sections[section].heading.map(|heading| &page.anchors[heading]);
    let mut fragments: Vec<String> = own
        .iter()
        .flat_map(|anchors| std::iter::once(&anchors.printed).chain(&anchors.also))
        .filter(|anchor| !anchor.is_empty())
        .map(|anchor| anchor.to_lowercase())
        .collect();
    if page.main_section().is_none_or(|main| main == section) {
        fragments.push(String::new());
    }
    let pages = names_of(page.path.as_str());
    pages.iter().flat_map(|page| fragments.iter().map(move |fragment| format!("{page}#{fragment}"))).collect()
}

/// What a page at `path` may be called, the longest first.
fn names_of(path: &str) -> Vec<String> {
    let path = path.to_lowercase();
    let mut parts: Vec<&str> = path.split('/').collect();
    if let Some(last) = parts.last_mut() {
        *last = PAGES.iter().find_map(|end| last.strip_suffix(end)).unwrap_or(last);
    }
    if parts.len() > 1 && parts.last().is_some_and(|last| ["index", "_index", "readme"].contains(last)) {
        parts.pop();
    }
    let last = |count: usize| parts[parts.len().saturating_sub(count)..].join("/");
    let mut names = vec![last(2), last(1)];
    names.dedup();
    names
}

/// What a file of a page ends in.
const PAGES: [&str; 4] = [".md", ".mdx", ".markdown", ".html"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::anchor::SiteStyle;
    use crate::walk::RepoPath;

    #[test]
    fn links_are_named_by_where_they_lead() {
        for (from, destination, expected) in [
            ("docs/a/b.md", "c.md#Part", Some("a/c#part")),
            ("docs/a/b.md", "../c.md", Some("docs/c#")),
            ("docs/a/b.md", "#part", Some("a/b#part")),
            ("docs/a/b.md", "/guide/install?tab=1#x", Some("guide/install#x")),
            ("docs/a/b.md", "/guide/", Some("guide#")),
            ("docs/a/b.md", "./d/index.md", Some("a/d#")),
            ("b.md", "../c.md", None),
            ("docs/a/b.md", "https://example.org/a", None),
            ("docs/a/b.md", "mailto:a@example.org", None),
            ("docs/a/b.md", "//example.org/a", None),
        ] {
            assert_eq!(target(from, destination).as_deref(), expected, "{from} {destination}");
        }
    }

    #[test]
    fn a_section_answers_to_the_names_that_links_use() {
        let path = RepoPath::new("docs/guide/README.md").expect("a path");
        let page = Page::parse(path, "# Guide\n\n## Set up {#setup}\n".to_owned(), SiteStyle::Github);
        assert_eq!(names(&page, 0), ["docs/guide#guide", "docs/guide#", "guide#guide", "guide#"]);
        assert!(names(&page, 1).contains(&"docs/guide#setup".to_owned()));
        assert!(!names(&page, 1).contains(&"docs/guide#".to_owned()));
    }
}
