//! `inkwell init`: a first `inkwell.toml`, and the pieces that other tools' files need. Only the first is written, and
//! only where there is none.

use std::path::Path;

use inkwell::config::detect_style;
use inkwell::engine::Engine;
use inkwell::walk::{OtherTree, RepoPath};

use super::args::{Init, Place};
use super::terminal::Terminal;
use super::{Exit, Stop, open, write_file};

/// The project's own settings, at its root.
const FILE: &str = "inkwell.toml";

pub fn run(place: &Place, _command: &Init, terminal: &Terminal) -> Result<Exit, Stop> {
    let engine = open(place, None)?;
    let file = engine.root.as_path().join(FILE);
    if file.exists() || file.is_symlink() {
        terminal.note(&format!("`{}` is there already and stays as it is", file.display()));
    } else {
        write_file(&file, &settings(place, &engine))?;
        terminal.note(&format!("wrote `{}`", file.display()));
    }
    terminal.print(&pieces(engine.root.as_path()))?;
    Ok(Exit::Done)
}

/// The text of a first configuration: what holds without it, as comments, and the docs trees where they are elsewhere.
fn settings(place: &Place, engine: &Engine) -> String {
    let others = engine.other_trees();
    let chosen = if place.docs.is_empty() { usual(&others) } else { engine.config.docs.clone() };
    let is_default = engine.config.docs == chosen && place.docs.is_empty();
    let docs = format!("{}docs = {}", if is_default { "# " } else { "" }, list(&chosen));
    let is_other = |tree: &&OtherTree| !chosen.iter().any(|path| tree.path.is_within(path));
    let also: Vec<&str> = others.iter().filter(is_other).map(|tree| tree.path.as_str()).collect();
    let also = if also.is_empty() { String::new() } else { format!("# There is more in `{}`.\n", also.join("`, `")) };
    let anchors = match &place.anchors {
        Some(name) => format!("anchors = {}", quoted(name)),
        None => "# anchors = \"auto\"".to_owned(),
    };
    let style = detect_style(&engine.root, &chosen).name();
    format!(
        "\
# Where the docs of this repository are, for inkwell. No key is needed: those in comments show what holds without
# them, or an example.

# Folders and files with docs, relative to this file.
{also}{docs}

# How headings become anchors: auto, github, gitlab, mdbook, docusaurus, vitepress, mkdocs or collapsed.
# By the files that are here, auto is `{style}`.
{anchors}

# Folders and files whose pages record the past, or plans, besides those that are known by their names, such as
# changelogs and proposals. What they name may be gone.
# historical = [\"docs/releases\"]
# planned = [\"docs/ideas\"]

# The language whose word forms count as one word; \"none\" for no such thing.
# language = \"english\"

# Longer files are left out, in bytes.
# max-file-size = {limit}
",
        limit = inkwell::walk::SIZE_LIMIT,
    )
}

/// The tree that questions should be asked of: `docs`, else the most telling folder, else a file.
fn usual(others: &[OtherTree]) -> Vec<RepoPath> {
    let is_file = |tree: &&OtherTree| tree.path.as_str().ends_with(".md");
    let folder = others.iter().find(|tree| !is_file(tree));
    let tree = folder.or(others.first()).map(|tree| tree.path.clone());
    tree.or_else(|| RepoPath::new("docs")).into_iter().collect()
}

/// Paths as a TOML list.
fn list(paths: &[RepoPath]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| quoted(path.as_str())).collect();
    format!("[{}]", paths.join(", "))
}

/// A text as TOML and JSON both write it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What belongs into the files of other tools, as Markdown.
fn pieces(root: &Path) -> String {
    let is_gitlab = root.join(".gitlab-ci.yml").exists() && !root.join(".github").exists();
    let ci = if is_gitlab { GITLAB } else { GITHUB };
    format!("{PRE_COMMIT}\n{ci}\n{AGENTS}")
}

const PRE_COMMIT: &str = "\
## Before a commit: `.pre-commit-config.yaml`

```yaml
repos:
  - repo: local
    hooks:
      - id: inkwell
        name: docs match the code
        language: system
        entry: inkwell check --staged
        pass_filenames: false
        always_run: true
```
";

const GITHUB: &str = "\
## In CI: `.github/workflows/docs.yml`

```yaml
on: pull_request
jobs:
  docs:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: { fetch-depth: 0 }
      - run: cargo install --locked inkwell-docs
      - run: inkwell check --changed=\"origin/$GITHUB_BASE_REF\" --format github
```
";

const GITLAB: &str = "\
## In CI: `.gitlab-ci.yml`

```yaml
docs:
  image: rust:slim
  rules:
    - if: $CI_PIPELINE_SOURCE == \"merge_request_event\"
  variables: { GIT_DEPTH: 0 }
  script:
    - cargo install --locked inkwell-docs
    - inkwell check --changed=\"$CI_MERGE_REQUEST_DIFF_BASE_SHA\" --format junit > inkwell.xml
  artifacts:
    when: always
    reports: { junit: inkwell.xml }
```
";

const AGENTS: &str = "\
## For agents: `AGENTS.md`

```markdown
Ask the docs before you guess: `inkwell query \"…\"`, then `inkwell read PATH#ANCHOR` for a section in full. The answer
`*No matching documentation found.*` means that the docs don't say. After a change run `inkwell check --changed`, and
mend what it reports.
```

## For agents with MCP: `.mcp.json`

```json
{ \"mcpServers\": { \"inkwell\": { \"command\": \"inkwell\", \"args\": [\"mcp\"] } } }
```
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_tree_is_docs_then_a_folder_then_a_file() {
        let check = |found: &[&str], expected: &str| {
            let tree = |path: &&str| OtherTree { path: RepoPath::new(path).expect("a path"), files: 1 };
            let others: Vec<OtherTree> = found.iter().map(tree).collect();
            assert_eq!(list(&usual(&others)), expected);
        };
        check(&["docs", "wiki", "README.md"], "[\"docs\"]");
        check(&["README.md", "wiki"], "[\"wiki\"]");
        check(&["README.md"], "[\"README.md\"]");
        check(&[], "[\"docs\"]");
    }
}
