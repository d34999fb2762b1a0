//! Which language a file is written in, by its name alone.
//!
//! Contents are never looked at: the same path always gives the same language, also for files that are only known
//! from history.

use serde::{Deserialize, Serialize};

/// The language of a file, as far as comments, strings and definitions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// Rust.
    Rust,
    /// Python, stubs and Starlark (Bazel's `BUILD` files) included.
    Python,
    /// JavaScript, JSX included.
    JavaScript,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// Go.
    Go,
    /// Java.
    Java,
    /// Kotlin, Gradle's Kotlin scripts included.
    Kotlin,
    /// C.
    C,
    /// C++, headers named `.h` and Objective-C included.
    Cpp,
    /// C#.
    CSharp,
    /// Ruby, templates (`.erb`) included.
    Ruby,
    /// PHP.
    Php,
    /// Swift.
    Swift,
    /// Scala.
    Scala,
    /// Elixir, templates (`.heex`) included.
    Elixir,
    /// Lua.
    Lua,
    /// POSIX shell, Bash, Zsh.
    Bash,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
    /// JSON, also with comments in the file name's view (`.jsonc`, `.json5`).
    Json,
    /// Haskell.
    Haskell,
    /// Zig.
    Zig,
    /// Nix.
    Nix,
    /// SQL.
    Sql,
    /// Perl.
    Perl,
    /// R.
    R,
    /// Dart.
    Dart,
    /// Groovy, Gradle's scripts included.
    Groovy,
    /// PowerShell.
    PowerShell,
    /// CMake.
    CMake,
    /// Make.
    Makefile,
    /// Dockerfile, Containerfile.
    Dockerfile,
    /// Justfile.
    Just,
    /// Protocol Buffers.
    Protobuf,
    /// HCL: Terraform, OpenTofu, Packer.
    Hcl,
    /// Components with markup and script in one file: Vue, Svelte, Astro.
    Component,
    /// CSS, SCSS, Less.
    Css,
    /// Ini files, properties, environment files, xcconfig.
    Ini,
    /// HTML, XML.
    Xml,
    /// Erlang.
    Erlang,
    /// Clojure and other Lisps.
    Lisp,
    /// OCaml.
    OCaml,
    /// F#.
    FSharp,
    /// Nim.
    Nim,
    /// Julia.
    Julia,
    /// GraphQL.
    GraphQl,
    /// Windows batch files.
    Batch,
    /// Anything else.
    Other,
}

impl Language {
    /// Names the language of the file at `path` (separators `/`), by its name or its extension.
    pub fn of(path: &str) -> Language {
        let file = path.rsplit('/').next().unwrap_or(path);
        by_file_name(file)
            .or_else(|| by_extension(&file.rsplit_once('.')?.1.to_ascii_lowercase()))
            .unwrap_or(Language::Other)
    }
}

fn by_file_name(file: &str) -> Option<Language> {
    let language = match file {
        "Makefile" | "makefile" | "GNUmakefile" | "BSDmakefile" => Language::Makefile,
        "Dockerfile" | "Containerfile" => Language::Dockerfile,
        "Justfile" | "justfile" | ".justfile" => Language::Just,
        "Rakefile" | "Gemfile" | "Guardfile" | "Vagrantfile" | "Podfile" | "Fastfile" | "Brewfile" | "Capfile"
        | "Appraisals" | "Dangerfile" | ".irbrc" => Language::Ruby,
        "CMakeLists.txt" => Language::CMake,
        "BUILD" | "BUILD.bazel" | "WORKSPACE" | "WORKSPACE.bazel" | "MODULE.bazel" | "SConstruct" | "SConscript"
        | "Tiltfile" => Language::Python,
        ".bashrc" | ".bash_profile" | ".bash_aliases" | ".profile" | ".zshrc" | ".zshenv" | ".zprofile" | ".envrc"
        | "PKGBUILD" | "configure" | "gradlew" | "mvnw" => Language::Bash,
        "Jenkinsfile" => Language::Groovy,
        "Cargo.lock" | "Pipfile" | "poetry.lock" | "uv.lock" => Language::Toml,
        ".editorconfig" | ".gitconfig" | ".npmrc" | ".flake8" | ".pylintrc" | ".coveragerc" => Language::Ini,
        ".clang-format" | ".clang-tidy" | ".yamllint" | "pubspec.lock" => Language::Yaml,
        ".babelrc" | ".eslintrc" | ".prettierrc" | ".swcrc" | "composer.lock" | "flake.lock" => Language::Json,
        _ if file.starts_with("Dockerfile.") || file.starts_with("Containerfile.") => Language::Dockerfile,
        _ if file.starts_with("Makefile.") => Language::Makefile,
        _ if file == ".env" || file.starts_with(".env.") => Language::Ini,
        _ => return None,
    };
    Some(language)
}

fn by_extension(extension: &str) -> Option<Language> {
    let language = match extension {
        "rs" => Language::Rust,
        "py" | "pyi" | "pyw" | "pyx" | "pxd" | "bzl" | "star" => Language::Python,
        "js" | "mjs" | "cjs" | "jsx" => Language::JavaScript,
        "ts" | "mts" | "cts" => Language::TypeScript,
        "tsx" => Language::Tsx,
        "go" => Language::Go,
        "java" => Language::Java,
        "kt" | "kts" => Language::Kotlin,
        "c" => Language::C,
        "h" | "cc" | "cpp" | "cxx" | "c++" | "hh" | "hpp" | "hxx" | "h++" | "inl" | "ipp" | "tpp" | "m" | "mm"
        | "cu" | "cuh" | "ino" => Language::Cpp,
        "cs" | "csx" => Language::CSharp,
        "rb" | "rake" | "gemspec" | "erb" | "ru" | "podspec" | "jbuilder" | "rbi" | "rbs" => Language::Ruby,
        "php" | "phtml" | "php5" | "inc" => Language::Php,
        "swift" => Language::Swift,
        "scala" | "sc" | "sbt" => Language::Scala,
        "ex" | "exs" | "eex" | "heex" | "leex" => Language::Elixir,
        "lua" | "luau" => Language::Lua,
        "sh" | "bash" | "zsh" | "ksh" | "bats" | "ebuild" => Language::Bash,
        "toml" => Language::Toml,
        "yaml" | "yml" => Language::Yaml,
        "json" | "jsonc" | "json5" | "jsonl" | "webmanifest" | "ipynb" => Language::Json,
        "hs" | "lhs" | "elm" | "purs" => Language::Haskell,
        "zig" | "zon" => Language::Zig,
        "nix" => Language::Nix,
        "sql" | "psql" | "ddl" => Language::Sql,
        "pl" | "pm" | "t" => Language::Perl,
        "r" => Language::R,
        "dart" => Language::Dart,
        "groovy" | "gradle" | "gvy" => Language::Groovy,
        "ps1" | "psm1" | "psd1" => Language::PowerShell,
        "cmake" => Language::CMake,
        "mk" | "mak" => Language::Makefile,
        "dockerfile" | "containerfile" => Language::Dockerfile,
        "just" => Language::Just,
        "proto" => Language::Protobuf,
        "hcl" | "tf" | "tfvars" | "nomad" => Language::Hcl,
        "vue" | "svelte" | "astro" => Language::Component,
        "css" | "scss" | "sass" | "less" => Language::Css,
        "ini" | "cfg" | "conf" | "properties" | "env" | "xcconfig" | "service" | "desktop" => Language::Ini,
        "html" | "htm" | "xhtml" | "xml" | "svg" | "xsd" | "xsl" | "csproj" | "vbproj" | "fsproj" | "props"
        | "targets" | "plist" | "xaml" | "resx" | "storyboard" => Language::Xml,
        "erl" | "hrl" => Language::Erlang,
        "clj" | "cljs" | "cljc" | "edn" | "el" | "lisp" | "scm" | "rkt" => Language::Lisp,
        "ml" | "mli" => Language::OCaml,
        "fs" | "fsi" | "fsx" => Language::FSharp,
        "nim" | "nims" | "nimble" => Language::Nim,
        "jl" => Language::Julia,
        "graphql" | "gql" => Language::GraphQl,
        "bat" | "cmd" => Language::Batch,
        _ => return None,
    };
    Some(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_its_language() {
        let cases = [
            ("src/lib.rs", Language::Rust),
            ("a.b/types.d.ts", Language::TypeScript),
            ("include/X.H", Language::Cpp),
            ("app/views/show.html.erb", Language::Ruby),
            ("lib/page.html.heex", Language::Elixir),
            ("CMakeLists.txt", Language::CMake),
            ("docker/Dockerfile.dev", Language::Dockerfile),
            ("build.gradle.kts", Language::Kotlin),
            ("build.gradle", Language::Groovy),
            (".env.local", Language::Ini),
            (".bashrc", Language::Bash),
            ("pkg/BUILD", Language::Python),
            ("Rakefile", Language::Ruby),
            ("README", Language::Other),
            ("notes.md", Language::Other),
            ("", Language::Other),
        ];
        for (path, language) in cases {
            assert_eq!(Language::of(path), language, "{path}");
        }
    }
}
