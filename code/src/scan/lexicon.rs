//! What comments and literals look like in each language: the table behind [`regions`](super::regions).

use crate::language::Language;

/// The comments and literals of a language. Openers are tried in the order of the fields, longer ones first.
pub(super) struct Lexicon {
    /// Forms that take more than an opener and a closer.
    pub forms: &'static [Form],
    pub blocks: &'static [Block],
    pub lines: &'static [Line],
    pub quotes: &'static [Quote],
    pub docs: Docs,
}

/// A literal or comment that has its own reader in [`literals`](super::literals).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `r"…"`, `r#"…"#`, `br##"…"##`.
    RustRaw,
    /// `R"x(…)x"`.
    CppRaw,
    /// `#"…"#`, `##"""…"""##`.
    SwiftRaw,
    /// `'c'`, `'\n'`: one character, so that lifetimes and primes stay code.
    Char,
    /// `` `…${code}…` ``.
    Template,
    /// `/…/` where an operand is expected.
    Regex,
    /// `[[…]]`, `[==[…]==]`.
    LongBracket,
    /// `--[[…]]`, `--[==[…]==]`.
    LongComment,
    /// `<<EOF`, `<<-'EOF'`, `<<~EOF`, `<<<EOT`: the lines up to the word alone on a line.
    Heredoc,
    /// `=begin` to `=end` at line starts, `=pod` to `=cut`.
    EqualsBlock,
    /// `"…"` of YAML and markup, only where a value starts.
    Value,
    /// `\\…` to the end of the line.
    ZigLine,
}

/// A comment up to the end of the line.
pub(super) struct Line {
    pub open: &'static str,
    pub place: Place,
    /// A byte that, coming next, makes this no comment.
    pub except: Option<u8>,
}

/// A comment with an end of its own.
pub(super) struct Block {
    pub open: &'static str,
    pub close: &'static str,
    pub is_nested: bool,
    pub place: Place,
}

/// A string or character literal.
pub(super) struct Quote {
    pub open: &'static str,
    pub close: &'static str,
    pub escape: Escape,
    /// Whether it may span lines. One that may not ends with its line, closed or not.
    pub is_multiline: bool,
}

/// Where an opener counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Anywhere,
    /// At the start of a line or after white space or a separator.
    AfterSpace,
    /// After nothing but white space on its line.
    LineStart,
}

/// How a closer is kept from closing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    Backslash,
    /// By doubling it.
    Doubled,
    /// By a backquote (PowerShell).
    Backquote,
    Never,
}

/// Which strings are documentation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Docs {
    None,
    /// A triple-quoted string that starts its line (Python).
    Statement,
    /// The same, and the value of `@doc`, `@moduledoc`, `@typedoc` (Elixir).
    Attribute,
}

const fn line(open: &'static str) -> Line {
    Line { open, place: Place::Anywhere, except: None }
}

const fn line_at(open: &'static str, place: Place) -> Line {
    Line { open, place, except: None }
}

const fn block(open: &'static str, close: &'static str) -> Block {
    Block { open, close, is_nested: false, place: Place::Anywhere }
}

const fn nested(open: &'static str, close: &'static str) -> Block {
    Block { open, close, is_nested: true, place: Place::Anywhere }
}

const fn quote(open: &'static str) -> Quote {
    Quote { open, close: open, escape: Escape::Backslash, is_multiline: false }
}

const fn long(open: &'static str) -> Quote {
    Quote { open, close: open, escape: Escape::Backslash, is_multiline: true }
}

const fn raw(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, escape: Escape::Never, is_multiline: true }
}

const fn doubled(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, escape: Escape::Doubled, is_multiline: true }
}

const fn backquoted(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, escape: Escape::Backquote, is_multiline: true }
}

const BASE: Lexicon = Lexicon { forms: &[], blocks: &[], lines: &[], quotes: &[], docs: Docs::None };

const C_BLOCK: &[Block] = &[block("/*", "*/")];
const C_NESTED: &[Block] = &[nested("/*", "*/")];
const C_LINE: &[Line] = &[line("//")];
const HASH: &[Line] = &[line("#")];
const HASH_AFTER_SPACE: &[Line] = &[line_at("#", Place::AfterSpace)];
const DOUBLE: &[Quote] = &[quote("\"")];
const BOTH: &[Quote] = &[quote("\""), quote("'")];
const BOTH_LONG: &[Quote] = &[long("\""), long("'")];
const TRIPLE_BOTH: &[Quote] = &[long("\"\"\""), long("'''"), quote("\""), quote("'")];

const RUST: Lexicon =
    Lexicon { forms: &[Form::RustRaw, Form::Char], blocks: C_NESTED, lines: C_LINE, quotes: &[long("\"")], ..BASE };
const PYTHON: Lexicon = Lexicon { lines: HASH, quotes: TRIPLE_BOTH, docs: Docs::Statement, ..BASE };
const JAVASCRIPT: Lexicon =
    Lexicon { forms: &[Form::Template, Form::Regex], blocks: C_BLOCK, lines: C_LINE, quotes: BOTH, ..BASE };
const GO: Lexicon =
    Lexicon { forms: &[Form::Char], blocks: C_BLOCK, lines: C_LINE, quotes: &[quote("\""), raw("`", "`")], ..BASE };
const JAVA: Lexicon =
    Lexicon { forms: &[Form::Char], blocks: C_BLOCK, lines: C_LINE, quotes: &[long("\"\"\""), quote("\"")], ..BASE };
const KOTLIN: Lexicon = Lexicon {
    forms: &[Form::Char],
    blocks: C_NESTED,
    lines: C_LINE,
    quotes: &[raw("\"\"\"", "\"\"\""), quote("\"")],
    ..BASE
};
const C: Lexicon =
    Lexicon { forms: &[Form::CppRaw, Form::Char], blocks: C_BLOCK, lines: C_LINE, quotes: DOUBLE, ..BASE };
const CSHARP: Lexicon = Lexicon {
    forms: &[Form::Char],
    blocks: C_BLOCK,
    lines: C_LINE,
    quotes: &[raw("\"\"\"", "\"\"\""), doubled("@$\"", "\""), doubled("$@\"", "\""), doubled("@\"", "\""), quote("\"")],
    ..BASE
};
const RUBY: Lexicon =
    Lexicon { forms: &[Form::Heredoc, Form::EqualsBlock], lines: HASH_AFTER_SPACE, quotes: BOTH_LONG, ..BASE };
const PHP: Lexicon = Lexicon {
    forms: &[Form::Heredoc],
    blocks: C_BLOCK,
    lines: &[line("//"), Line { open: "#", place: Place::AfterSpace, except: Some(b'[') }],
    quotes: BOTH_LONG,
    ..BASE
};
const SWIFT: Lexicon = Lexicon {
    forms: &[Form::SwiftRaw],
    blocks: C_NESTED,
    lines: C_LINE,
    quotes: &[long("\"\"\""), quote("\"")],
    ..BASE
};
const ELIXIR: Lexicon = Lexicon {
    lines: HASH_AFTER_SPACE,
    quotes: &[long("\"\"\""), long("'''"), long("\"")],
    docs: Docs::Attribute,
    ..BASE
};
const LUA: Lexicon =
    Lexicon { forms: &[Form::LongComment, Form::LongBracket], lines: &[line("--")], quotes: BOTH, ..BASE };
const BASH: Lexicon = Lexicon {
    forms: &[Form::Heredoc],
    lines: HASH_AFTER_SPACE,
    quotes: &[long("\""), long("$'"), raw("'", "'")],
    ..BASE
};
const TOML: Lexicon = Lexicon {
    lines: HASH,
    quotes: &[long("\"\"\""), raw("'''", "'''"), quote("\""), Quote { escape: Escape::Never, ..quote("'") }],
    ..BASE
};
const YAML: Lexicon = Lexicon { forms: &[Form::Value], lines: HASH_AFTER_SPACE, ..BASE };
const JSON: Lexicon = Lexicon { quotes: DOUBLE, ..BASE };
const HASKELL: Lexicon =
    Lexicon { forms: &[Form::Char], blocks: &[nested("{-", "-}")], lines: &[line("--")], quotes: DOUBLE, ..BASE };
const ZIG: Lexicon = Lexicon { forms: &[Form::ZigLine, Form::Char], lines: C_LINE, quotes: DOUBLE, ..BASE };
const NIX: Lexicon =
    Lexicon { blocks: C_BLOCK, lines: HASH_AFTER_SPACE, quotes: &[raw("''", "''"), long("\"")], ..BASE };
const SQL: Lexicon = Lexicon {
    blocks: C_BLOCK,
    lines: &[line("--")],
    quotes: &[doubled("'", "'"), Quote { is_multiline: false, ..doubled("\"", "\"") }],
    ..BASE
};
const PERL: Lexicon =
    Lexicon { forms: &[Form::Heredoc, Form::EqualsBlock], lines: HASH_AFTER_SPACE, quotes: BOTH, ..BASE };
const HASH_SCRIPT: Lexicon = Lexicon { lines: HASH_AFTER_SPACE, quotes: BOTH, ..BASE };
const DART: Lexicon = Lexicon { blocks: C_NESTED, lines: C_LINE, quotes: TRIPLE_BOTH, ..BASE };
const GROOVY: Lexicon = Lexicon { blocks: C_BLOCK, ..DART };
const POWERSHELL: Lexicon = Lexicon {
    blocks: &[block("<#", "#>")],
    lines: HASH_AFTER_SPACE,
    quotes: &[raw("@\"", "\"@"), raw("@'", "'@"), backquoted("\"", "\""), doubled("'", "'")],
    ..BASE
};
const CMAKE: Lexicon = Lexicon { blocks: &[block("#[[", "]]")], lines: HASH, quotes: &[long("\"")], ..BASE };
const LINE_START_HASH: Lexicon = Lexicon { lines: &[line_at("#", Place::LineStart)], quotes: BOTH, ..BASE };
const PROTOBUF: Lexicon = Lexicon { blocks: C_BLOCK, lines: C_LINE, quotes: BOTH, ..BASE };
const HCL: Lexicon =
    Lexicon { forms: &[Form::Heredoc], blocks: C_BLOCK, lines: &[line("//"), line("#")], quotes: DOUBLE, ..BASE };
const COMPONENT: Lexicon = Lexicon {
    forms: &[Form::Template],
    blocks: &[block("<!--", "-->"), block("/*", "*/")],
    lines: &[line_at("//", Place::AfterSpace)],
    quotes: BOTH,
    ..BASE
};
const CSS: Lexicon = Lexicon { blocks: C_BLOCK, lines: &[line_at("//", Place::AfterSpace)], quotes: BOTH, ..BASE };
const INI: Lexicon = Lexicon {
    lines: &[
        line_at("#", Place::LineStart),
        line_at(";", Place::LineStart),
        line_at("//", Place::LineStart),
        line_at("!", Place::LineStart),
    ],
    forms: &[Form::Value],
    ..BASE
};
const XML: Lexicon = Lexicon { forms: &[Form::Value], blocks: &[block("<!--", "-->")], ..BASE };
const ERLANG: Lexicon = Lexicon { lines: &[line("%")], quotes: &[long("\""), quote("'")], ..BASE };
const LISP: Lexicon = Lexicon { blocks: &[nested("#|", "|#")], lines: &[line(";")], quotes: &[long("\"")], ..BASE };
const OCAML: Lexicon = Lexicon { forms: &[Form::Char], blocks: &[nested("(*", "*)")], quotes: &[long("\"")], ..BASE };
const FSHARP: Lexicon = Lexicon {
    forms: &[Form::Char],
    blocks: &[nested("(*", "*)")],
    lines: C_LINE,
    quotes: &[raw("\"\"\"", "\"\"\""), doubled("@\"", "\""), long("\"")],
    ..BASE
};
const NIM: Lexicon = Lexicon {
    forms: &[Form::Char],
    blocks: &[nested("#[", "]#")],
    lines: HASH,
    quotes: &[raw("\"\"\"", "\"\"\""), quote("\"")],
    ..BASE
};
const JULIA: Lexicon = Lexicon {
    forms: &[Form::Char],
    blocks: &[nested("#=", "=#")],
    lines: HASH,
    quotes: &[long("\"\"\""), long("\"")],
    docs: Docs::Statement,
};
const GRAPHQL: Lexicon = Lexicon { lines: HASH, quotes: &[long("\"\"\""), quote("\"")], docs: Docs::Statement, ..BASE };
const BATCH: Lexicon = Lexicon {
    lines: &[line_at("::", Place::LineStart), line_at("rem ", Place::LineStart), line_at("REM ", Place::LineStart)],
    quotes: DOUBLE,
    ..BASE
};
/// Careful, since nothing is known: only what looks like a comment in about every language.
const OTHER: Lexicon = Lexicon {
    blocks: &[Block { place: Place::AfterSpace, ..block("/*", "*/") }],
    lines: &[line_at("//", Place::LineStart), line_at("#", Place::LineStart)],
    quotes: DOUBLE,
    ..BASE
};

/// Names the comments and literals of a language.
pub(super) fn lexicon(language: Language) -> &'static Lexicon {
    match language {
        Language::Rust => &RUST,
        Language::Python => &PYTHON,
        Language::JavaScript | Language::TypeScript | Language::Tsx => &JAVASCRIPT,
        Language::Go => &GO,
        Language::Java => &JAVA,
        Language::Kotlin | Language::Scala => &KOTLIN,
        Language::C | Language::Cpp => &C,
        Language::CSharp => &CSHARP,
        Language::Ruby => &RUBY,
        Language::Php => &PHP,
        Language::Swift => &SWIFT,
        Language::Elixir => &ELIXIR,
        Language::Lua => &LUA,
        Language::Bash => &BASH,
        Language::Toml => &TOML,
        Language::Yaml => &YAML,
        Language::Json => &JSON,
        Language::Haskell => &HASKELL,
        Language::Zig => &ZIG,
        Language::Nix => &NIX,
        Language::Sql => &SQL,
        Language::Perl => &PERL,
        Language::R | Language::Makefile | Language::Just => &HASH_SCRIPT,
        Language::Dart => &DART,
        Language::Groovy => &GROOVY,
        Language::PowerShell => &POWERSHELL,
        Language::CMake => &CMAKE,
        Language::Dockerfile => &LINE_START_HASH,
        Language::Protobuf => &PROTOBUF,
        Language::Hcl => &HCL,
        Language::Component => &COMPONENT,
        Language::Css => &CSS,
        Language::Ini => &INI,
        Language::Xml => &XML,
        Language::Erlang => &ERLANG,
        Language::Lisp => &LISP,
        Language::OCaml => &OCAML,
        Language::FSharp => &FSHARP,
        Language::Nim => &NIM,
        Language::Julia => &JULIA,
        Language::GraphQl => &GRAPHQL,
        Language::Batch => &BATCH,
        Language::Other => &OTHER,
    }
}
