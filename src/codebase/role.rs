//! What a file is to corroboration, told by its path: source that defines, code that may vouch, or docs and other
//! people's code that may not.

use inkwell_code::language::Language;

/// What a file's names are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The project's own code: what it defines, the project defines.
    Source,
    /// Settings, manifests, workflows, data: what stands there is used, seldom defined.
    Data,
    /// Tests, examples, benchmarks, the site's own code: they vouch, but define nothing for the project.
    Test,
    /// Docs in any format. Docs never vouch for docs.
    Doc,
    /// Vendored, generated and built files, lock files and binaries: they are there, and say nothing.
    Foreign,
}

/// Folders whose code exercises the project and is not it.
const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "spec",
    "specs",
    "__tests__",
    "__mocks__",
    "e2e",
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "fixture",
    "fixtures",
    "testdata",
    "test-data",
    "test_data",
    "test-int",
    "integration-tests",
    "integration_tests",
    "integration_test",
    "playground",
    "features",
    "snippets",
    "cookbook",
    "tutorial",
    "tutorials",
];

/// Folders of docs and sites: the code in them serves the site.
const SITE_FOLDERS: &[&str] = &["docs", "doc", "website", "site", "www", "guide", "guides", "book"];

/// Folders of other people's and of built code.
const FOREIGN_FOLDERS: &[&str] = &[
    "vendor",
    "vendored",
    "node_modules",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "external",
    "dist",
    "bower_components",
    "__snapshots__",
    ".venv",
    "venv",
    "site-packages",
    "Pods",
    "Carthage",
    ".yarn",
    "__generated__",
    "deps",
];

/// Names of lock files and such, whose names are other people's.
const LOCK_FILES: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "Cargo.lock",
    "poetry.lock",
    "uv.lock",
    "Pipfile.lock",
    "composer.lock",
    "Gemfile.lock",
    "go.sum",
    "flake.lock",
    "mix.lock",
    "Podfile.lock",
    "packages.lock.json",
    "bun.lock",
    "deno.lock",
    "gradle.lockfile",
    "Package.resolved",
];

/// Endings of docs.
const DOC_EXTENSIONS: &[&str] = &[
    "md", "mdx", "markdown", "mdown", "mkd", "livemd", "rst", "adoc", "asciidoc", "txt", "org", "html", "htm", "xhtml",
    "textile", "rdoc", "pod", "tex", "1", "po", "pot", "ipynb", "jsonl", "csv", "tsv",
];

/// Endings of binaries and of generated text.
const FOREIGN_EXTENSIONS: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "avif", "bmp", "pdf", "zip", "gz", "tgz", "xz", "bz2", "zst",
    "tar", "jar", "war", "class", "exe", "dll", "so", "dylib", "a", "o", "lib", "woff", "woff2", "ttf", "otf", "eot",
    "mp3", "mp4", "webm", "mov", "wav", "phar", "wasm", "map", "snap", "lockb", "gguf", "onnx", "bin", "dat", "db",
    "sqlite", "parquet", "pem", "crt", "der", "p12", "keystore", "lock", "sum", "patch", "diff", "mo",
];

/// What the file at `path` is.
pub fn role(path: &str) -> Role {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders).split('/');
    if LOCK_FILES.contains(&name) || FOREIGN_EXTENSIONS.contains(&extension.as_str()) || is_built(name) {
        return Role::Foreign;
    }
    if folders.clone().any(|folder| FOREIGN_FOLDERS.contains(&folder)) {
        return Role::Foreign;
    }
    if DOC_EXTENSIONS.contains(&extension.as_str()) || is_doc_name(name) {
        return Role::Doc;
    }
    let is_test = folders.clone().any(|folder| TEST_FOLDERS.contains(&folder)) || is_test_name(name);
    // The outermost folder decides: `docs/conf.py` serves the site, `src/docs/store.ts` is code.
    let is_site = folders.clone().next().is_some_and(|top| SITE_FOLDERS.contains(&top));
    match () {
        () if is_test || is_site => Role::Test,
        () if is_data(path) => Role::Data,
        () => Role::Source,
    }
}

/// Whether a file's names are keys and values rather than definitions.
fn is_data(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_settings = matches!(Language::of(path), Language::Toml | Language::Yaml | Language::Json)
        || ["ini", "cfg", "conf", "properties", "env", "xcconfig"].contains(&extension);
    is_settings
        || path.starts_with(".github/")
        || path.starts_with(".circleci/")
        || ["Dockerfile", "Makefile", "Justfile", "justfile"].contains(&name)
}

/// `LICENSE`, `AUTHORS` and the like, which hold prose without an ending.
fn is_doc_name(name: &str) -> bool {
    let stem = name.split(if name.contains('.') { '.' } else { '-' }).next().unwrap_or(name);
    let is_upper = [
        "LICENSE",
        "LICENCE",
        "COPYING",
        "AUTHORS",
        "NOTICE",
        "CHANGELOG",
        "CHANGES",
        "README",
        "NEWS",
        "TODO",
        "THANKS",
        "CODEOWNERS",
    ];
    is_upper.contains(&stem) || name == "llms"
}

/// Minified and generated code.
fn is_built(name: &str) -> bool {
    [
        ".min.js",
        ".min.css",
        ".bundle.js",
        ".pb.go",
        ".pb.cc",
        ".pb.h",
        "_pb2.py",
        ".g.dart",
        ".designer.cs",
        ".generated.ts",
    ]
    .iter()
    .any(|end| name.to_ascii_lowercase().ends_with(end))
}

/// `test_a.py`, `a_test.go`, `a.spec.ts`, `conftest.py`, `ATest.java`.
fn is_test_name(name: &str) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let ends = ["_test", "_tests", ".test", ".tests", ".spec", "_spec", ".stories", ".bench", "_bench"];
    // A header called `param-test.h` declares tests for others to write.
    let is_dashed = !["h", "hpp"].contains(&extension) && ["-test", "-spec"].iter().any(|end| stem.ends_with(end));
    let is_capital = |end: &str| stem.strip_suffix(end).is_some_and(|before| before.ends_with(char::is_lowercase));
    stem.starts_with("test_")
        || stem == "conftest"
        || is_dashed
        || ends.iter().any(|end| stem.ends_with(end))
        || is_capital("Test")
        || is_capital("Tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_tells_the_role() {
        let rows = [
            ("src/a.rs", Role::Source),
            ("lib/spec.rs", Role::Source),
            ("setup.py", Role::Source),
            ("Taskfile.yml", Role::Data),
            ("package.json", Role::Data),
            ("tests/it/a.rs", Role::Test),
            ("src/a.test.ts", Role::Test),
            ("pkg/a_test.go", Role::Test),
            ("okhttp/src/test/java/CallTest.kt", Role::Test),
            ("docs/conf.py", Role::Test),
            ("docs/a.rst", Role::Doc),
            ("LICENSE-MIT", Role::Doc),
            ("LICENSE", Role::Doc),
            ("vendor/x/a.go", Role::Foreign),
            ("Cargo.lock", Role::Foreign),
            ("web/app.min.js", Role::Foreign),
            ("assets/a.png", Role::Foreign),
        ];
        for (path, expected) in rows {
            assert_eq!(role(path), expected, "{path}");
        }
    }
}
