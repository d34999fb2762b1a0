//! Names that a page takes from other packages: what its own code samples import from somewhere else is not the
//! project's, even if the project once had a thing of that name.

use std::collections::HashMap;

use super::Scene;
use crate::codebase::Role;
use crate::page::Page;
use crate::parse::BlockKind;

/// The names that the code blocks of a page import, each with the first part of the module that it comes from.
pub fn imports(page: &Page) -> HashMap<String, String> {
    let mut found = HashMap::new();
    let blocks = page.document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Code { .. }));
    for line in blocks.flat_map(|block| block.text.lines()) {
        if let Some((module, names)) = of_line(line.trim()) {
            for name in names {
                found.entry(name).or_insert_with(|| module.clone());
            }
        }
    }
    found
}

/// Module and names of `from m import a, b`, `import { a } from 'm'`, `const { a } = require('m')`, `use m::{a, b}`.
fn of_line(line: &str) -> Option<(String, Vec<String>)> {
    let (module, names) = if let Some(rest) = line.strip_prefix("from ") {
        rest.split_once(" import ")?
    } else if let Some((names, module)) = line.strip_prefix("import ").and_then(|rest| rest.split_once(" from ")) {
        (module, names)
    } else if let Some((names, module)) = line.split_once("= require(") {
        (module, names)
    } else {
        let rest = line.strip_prefix("use ").or_else(|| line.strip_prefix("using "))?;
        rest.split_once("::").or_else(|| rest.split_once('\\')).or_else(|| rest.split_once('.'))?
    };
    let module = module.trim_matches(|c: char| !(c.is_alphanumeric() || "_@./".contains(c)));
    // Relative modules are the reader's or ours, not a package's.
    if module.starts_with('.') || module.starts_with("crate") || module.is_empty() {
        return None;
    }
    let root = module.trim_start_matches('@').split(['.', '/', ':']).next().unwrap_or(module);
    let words =
        names.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| word.len() > 2 && !is_keyword(word));
    Some((root.to_owned(), words.map(str::to_owned).collect()))
}

fn is_keyword(word: &str) -> bool {
    ["const", "let", "var", "type", "import", "static", "self"].contains(&word)
}

/// Whether a module is not the project's: no folder and no source file of it has the module's name.
pub fn is_foreign(module: &str, scene: &Scene<'_>) -> bool {
    let plain = |name: &str| name.to_lowercase().replace('-', "_");
    let module = plain(module);
    let files = &scene.code.files;
    // A package's folder is at the root or right below `src`, `lib` and the like.
    let is_package = |folder: &str| {
        folder.matches('/').count() <= 1 && folder.rsplit('/').next().is_some_and(|name| plain(name) == module)
    };
    let is_folder = files.folders().any(is_package);
    let is_file = || {
        files.all.iter().any(|file| {
            let name = file.path.name();
            file.role == Role::Source
                && file.path.as_str().matches('/').count() <= 2
                && plain(name.split('.').next().unwrap_or(name)) == module
        })
    };
    !is_folder && !is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_read_in_several_languages() {
        let check = |line: &str| of_line(line).map(|(module, names)| format!("{module}: {}", names.join(" ")));
        let rows = [
            ("from django_filters.rest_framework import DjangoFilterBackend", "django_filters: DjangoFilterBackend"),
            ("import { useThing, other } from 'some-lib'", "some-lib: useThing other"),
            ("const { parse } = require('@scope/lib')", "scope: parse"),
            ("use serde::{Deserialize, Serialize};", "serde: Deserialize Serialize"),
        ];
        for (line, expected) in rows {
            assert_eq!(check(line).as_deref(), Some(expected), "{line}");
        }
        assert_eq!(check("import { a } from './b'"), None);
    }
}
