//! Links and images: that the file is there, and the heading in it.
//!
//! Only what a reader of the files themselves would find broken is drift. Sites serve pages under other names than the
//! files have (`install` for `install.md`, `/guide/` from another root), and generate pages and headings; such links
//! are tried in every reading and prove nothing when none fits.

use std::sync::Arc;

use super::path::joined;
use super::{Absence, Outcome, Proof, Scene, Subject};
use crate::cite::decode;
use crate::finding::{Evidence, Rule};
use crate::page::Page;
use crate::walk::{RepoPath, is_markdown};

/// Endings of files that a site does not generate.
const KEPT: &[&str] = &[
    "md", "mdx", "markdown", "png", "jpg", "jpeg", "gif", "svg", "webp", "rs", "py", "ts", "tsx", "js", "go", "java",
    "kt", "rb", "php", "cs", "c", "cc", "cpp", "h", "hpp", "swift", "sh", "toml", "yml", "yaml",
];

/// Resolves a link's destination.
pub fn verify(destination: &str, subject: &Subject, scene: &Scene<'_>) -> Outcome {
    let (path, fragment) = split(destination);
    if path.is_empty() {
        return heading(fragment.unwrap_or_default(), subject.page.path.as_str(), &subject.page);
    }
    let is_absolute = path.starts_with('/');
    let readings = based(&path, &subject.page, scene.docs);
    let files = &scene.code.files;
    if let Some(found) = readings.iter().flat_map(|reading| spellings(reading)).find(|path| files.holds(path)) {
        return match (fragment, scene.pages.get(&found)) {
            (Some(fragment), Some(page)) => heading(fragment, &found, page),
            (Some(fragment), None) => line(fragment, &found, scene),
            (None, _) => Outcome::Verified(Rule::Exists, Some(found).filter(|found| !found.is_empty())),
        };
    }
    // On disk but ignored, or led to by a link in the tree: there for who reads the files.
    if is_absolute || readings.is_empty() {
        return Outcome::Unproven("it is resolved by the site that serves the docs".to_owned());
    }
    missing(&path, &readings[0], scene)
}

/// A destination's path, decoded and without query, and its fragment.
fn split(destination: &str) -> (String, Option<&str>) {
    let (path, fragment) = destination.split_once('#').map_or((destination, None), |(path, rest)| (path, Some(rest)));
    (decode(path.split('?').next().unwrap_or_default()), fragment)
}

/// Where a link's path may start: a leading `/` means the root or a docs tree, anything else the page's folder.
fn based(path: &str, page: &Page, docs: &[RepoPath]) -> Vec<String> {
    let folder = page.path.parent();
    let folder = folder.as_ref().map_or("", |folder| folder.as_str());
    let bases: Vec<&str> = match path.starts_with('/') {
        true => std::iter::once("").chain(docs.iter().map(RepoPath::as_str)).collect(),
        false => vec![folder],
    };
    bases.iter().filter_map(|base| joined(base, path)).collect()
}

/// Every file that a link on a page may lead to, the likeliest first.
pub fn readings(destination: &str, page: &Page, docs: &[RepoPath]) -> Vec<String> {
    let (path, _) = split(destination);
    if path.is_empty() {
        return Vec::new();
    }
    based(&path, page, docs).iter().flat_map(|reading| spellings(reading)).collect()
}

/// The files that a link's path may stand for.
fn spellings(path: &str) -> Vec<String> {
    let mut found = vec![path.to_owned()];
    let stem = path.strip_suffix(".html").or_else(|| path.strip_suffix(".htm")).unwrap_or(path);
    for ending in [".md", ".mdx", ".markdown", "/index.md", "/index.mdx", "/README.md", "/_index.md"] {
        found.push(format!("{stem}{ending}"));
    }
    if let Some(folder) =
        stem.strip_suffix("/index").or_else(|| stem.strip_suffix("index").filter(|rest| rest.is_empty()))
    {
        found.push(format!("{folder}/README.md").trim_start_matches('/').to_owned());
    }
    found
}

fn missing(path: &str, reading: &str, scene: &Scene<'_>) -> Outcome {
    let files = &scene.code.files;
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    if !KEPT.contains(&extension.as_str()) {
        return Outcome::Unproven("it is resolved by the site that serves the docs".to_owned());
    }
    if files.is_elsewhere(reading) {
        return Outcome::Unproven("it lies in another repository".to_owned());
    }
    if crate::walk::is_ignored(scene.code.root, reading) {
        return Outcome::Unproven("git ignores the path".to_owned());
    }
    // ExDoc finds pages by their names alone, wherever they are.
    let name = path.rsplit('/').next().unwrap_or(path);
    if files.holds("mix.exs") && files.with_suffix(name).len() == 1 {
        return Outcome::Unproven("it is resolved by the site that serves the docs".to_owned());
    }
    let other = files.in_other_case(reading).map(str::to_owned);
    if let Some(other) = other {
        return Outcome::Drifted(Proof {
            rule: Rule::BrokenLink,
            detail: format!("see {reading}: file does not exist, but {other} does"),
            evidence: Evidence { near: Some(other), ..Evidence::default() },
            rename: None,
        });
    }
    Outcome::Absent(Absence {
        paths: vec![reading.to_owned()],
        reason: "file does not exist".to_owned(),
        ..Absence::default()
    })
}

/// A heading, or another element with an id, of a page.
fn heading(fragment: &str, path: &str, page: &Arc<Page>) -> Outcome {
    let fragment = decode(fragment);
    let wanted = fragment.strip_prefix("user-content-").unwrap_or(&fragment);
    let at = |page: &Page, section: usize| format!("{path}:{}", page.lines.line(page.sections[section].own.start));
    if wanted.is_empty() || wanted == "top" || wanted.starts_with(":~:") {
        return Outcome::Verified(Rule::Exists, Some(path.to_owned()));
    }
    if let Some(section) = page.find(wanted).or_else(|| page.find(&wanted.to_lowercase())) {
        return Outcome::Verified(Rule::Exists, Some(at(page, section)));
    }
    let is_same = |anchor: &String| plain(anchor) == plain(wanted);
    if page.anchors.iter().any(|anchors| is_same(&anchors.printed) || anchors.also.iter().any(is_same)) {
        return Outcome::Verified(Rule::Exists, Some(path.to_owned()));
    }
    // Sites leave what HTML adds to a heading out of its anchor: `### name <span>(note)</span>`.
    let is_start = |at: usize| {
        let anchor = &page.anchors[at].printed;
        let source = &page.text[page.document.headings[at].span.range()];
        source.contains("</") && anchor.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('-'))
    };
    if (0..page.anchors.len()).any(is_start) {
        return Outcome::Verified(Rule::Exists, Some(path.to_owned()));
    }
    if makes_headings_elsewhere(&page.text, wanted) {
        return Outcome::Unproven("the page gets headings from elsewhere".to_owned());
    }
    let anchors = page.anchors.iter().map(|anchors| anchors.printed.as_str());
    let near = crate::error::nearest(wanted, anchors).map(str::to_owned);
    Outcome::Drifted(Proof {
        rule: Rule::MissingAnchor,
        detail: format!("see {path}: no heading has the anchor '{}'", crate::cite::visible(wanted)),
        evidence: Evidence { near, ..Evidence::default() },
        rename: None,
    })
}

/// An anchor without what sites treat differently.
fn plain(anchor: &str) -> String {
    anchor.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a page is completed by something that is not in its text: includes, components, generated reference.
fn makes_headings_elsewhere(text: &str, anchor: &str) -> bool {
    let signs = [
        "{{",
        "{%",
        "--8<--",
        "<<<",
        "\n::: ",
        "\n.. ",
        "\nimport ",
        "<!--@include",
        "[[_TOC_]]",
        "<%",
        "::include",
        "<!-- include",
    ];
    let id = [
        format!("{{#{anchor}"),
        format!("\"{anchor}\""),
        format!("'{anchor}'"),
        format!("{{: #{anchor}"),
        format!("#{anchor}}}"),
    ];
    signs.iter().any(|sign| text.contains(sign)) || id.iter().any(|id| text.contains(id.as_str()))
}

/// `#L10` and `#L10-L20` in a source file.
fn line(fragment: &str, path: &str, scene: &Scene<'_>) -> Outcome {
    let exists = Outcome::Verified(Rule::Exists, Some(path.to_owned()));
    let last = fragment.rsplit('-').next().unwrap_or(fragment).trim_start_matches('L');
    let (Ok(line), Some(file)) = (last.parse::<usize>(), scene.code.files.find(path)) else { return exists };
    if !fragment.starts_with('L') || is_markdown(path) {
        return exists;
    }
    match scene.code.lines(file) {
        Some(lines) if line > lines => Outcome::Drifted(Proof {
            rule: Rule::MissingLine,
            detail: format!("see {path}: the file has {lines} lines"),
            evidence: Evidence { defined_at: Some(path.to_owned()), ..Evidence::default() },
            rename: None,
        }),
        Some(_) | None => exists,
    }
}
