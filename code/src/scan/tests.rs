//! What is found where, language by language.

use super::{Context, HIT_LIMIT, Hit, Needles, scan};
use crate::language::Language;

/// Compares the hits of the names `a` … in `text` with `expected`: for each hit `line context`, with `"` for quoted.
fn check(language: Language, text: &str, expected: &[&str]) {
    let needles: Needles = ["aa", "bb", "dry-run", "W"].into_iter().collect();
    let hits: Vec<String> = scan(language, text.as_bytes(), &needles).iter().map(shown).collect();
    assert_eq!(hits, expected, "{language:?}: {text}");
}

fn shown(hit: &Hit) -> String {
    let name = ["aa", "bb", "dry-run", "W"][hit.needle as usize];
    let context = match hit.context {
        Context::Code => "code",
        Context::Text => "text",
        Context::Comment => "comment",
    };
    let quoted = if hit.is_quoted { "!" } else { "" };
    format!("{} {name} {context}{quoted}", hit.line)
}

#[test]
fn only_whole_identifiers_are_found() {
    check(Language::Rust, "aa_b aab caa _aa aa", &["1 aa code"]);
    check(Language::Php, "$aa @bb\n->aa", &["1 aa code", "1 bb code", "2 aa code"]);
    check(Language::Rust, "éaa aa\u{2019}", &[]);
}

#[test]
fn kebab_words_are_found_whole_and_in_parts() {
    check(Language::Bash, "x --dry-run=W", &["1 dry-run code", "1 W code"]);
    check(Language::Other, "aa-x-bb aa--bb dry-run-x", &["1 aa code", "1 bb code", "1 aa code", "1 bb code"]);
}

#[test]
fn equal_names_count_once_and_others_never_match() {
    let needles: Needles = ["x y", "n", "n", "", "w!"].into_iter().collect();
    let hit = Hit { needle: 1, line: 2, context: Context::Code, is_quoted: false };
    assert_eq!(scan(Language::Other, b"x y\nn w!", &needles), [hit]);
    assert_eq!(scan(Language::Other, b"n", &Needles::from_iter::<[&str; 0]>([])), []);
}

#[test]
fn hits_are_limited_per_name_and_context() {
    let needles: Needles = ["n"].into_iter().collect();
    let text = format!("{}// {}", "n;\n".repeat(100), "n ".repeat(100));
    let hits = scan(Language::C, text.as_bytes(), &needles);
    let count = |context| hits.iter().filter(|hit| hit.context == context).count() as u32;
    assert_eq!((count(Context::Code), count(Context::Comment)), (HIT_LIMIT, HIT_LIMIT));
}

#[test]
fn a_name_that_is_all_of_a_literal_is_quoted() {
    check(
        Language::Rust,
        r##"f("dry-run", 'W', "--dry-run", "-W", r#"aa"#, "aa bb", b'W')"##,
        &[
            "1 dry-run text!",
            "1 W text!",
            "1 dry-run text!",
            "1 W text!",
            "1 aa text!",
            "1 aa text",
            "1 bb text",
            "1 W text!",
        ],
    );
}

#[test]
fn rust() {
    check(Language::Rust, "/* /* aa */ bb */ aa // bb", &["1 aa comment", "1 bb comment", "1 aa code", "1 bb comment"]);
    check(Language::Rust, "fn f<'aa>(x: &'aa str) { '\"'; bb }", &["1 aa code", "1 aa code", "1 bb code"]);
    check(
        Language::Rust,
        "#!/bin/x aa\n/// bb\n\"\\\"aa\nbb\" aa",
        &["1 aa comment", "2 bb comment", "3 aa text", "4 bb text", "4 aa code"],
    );
    check(Language::Rust, "#![aa]", &["1 aa code"]);
}

#[test]
fn python() {
    let text = "def f():\n    \"\"\"aa\n    '''bb\"\"\"\n    x = \"\"\"aa\"\"\"\n    r'''bb'''\n    'it\\'s' # aa\n    f\"{bb}\"\n";
    let expected = ["2 aa comment", "3 bb comment", "4 aa text!", "5 bb comment", "6 aa comment", "7 bb text"];
    check(Language::Python, text, &expected);
    check(Language::Python, "x = 'aa\nbb = \"\n", &["1 aa code", "2 bb code"]);
}

#[test]
fn javascript() {
    check(
        Language::JavaScript,
        "`aa ${bb + `${aa}`} bb` + aa",
        &["1 aa text", "1 bb code", "1 aa code", "1 bb text", "1 aa code"],
    );
    check(Language::JavaScript, "x = {y: {}}; `dry-run`; `-${1}W`", &["1 dry-run text!", "1 W text"]);
    check(
        Language::JavaScript,
        "f(/[/\"]aa/g, bb); aa / bb / \"aa\"",
        &["1 aa text", "1 bb code", "1 aa code", "1 bb code", "1 aa text!"],
    );
    check(Language::Tsx, "<p>Don't</p>\naa", &["2 aa code"]);
    check(Language::TypeScript, "// it's aa\n/** bb */ 'aa'", &["1 aa comment", "2 bb comment", "2 aa text!"]);
}

#[test]
fn c_and_its_kin() {
    check(Language::Go, "`aa\n//` + 'W' // bb", &["1 aa text", "2 W text!", "2 bb comment"]);
    check(Language::Java, "\"\"\"\naa \" bb\"\"\"; aa", &["2 aa text", "2 bb text", "2 aa code"]);
    check(Language::Kotlin, "/* /* */ aa */ \"\"\"\\\"\"\" bb", &["1 aa comment", "1 bb code"]);
    check(Language::Cpp, "R\"x(aa)\" bb)x\" aa 1'000 bb", &["1 aa text", "1 bb text", "1 aa code", "1 bb code"]);
    check(Language::CSharp, "@\"\\\" + aa + @\"\"\"bb\"", &["1 aa code", "1 bb text"]);
    check(Language::Swift, "#\"aa \" bb\"# /* /* */ aa */", &["1 aa text", "1 bb text", "1 aa comment"]);
    check(Language::C, "/* aa", &["1 aa comment"]);
    check(Language::Protobuf, "aa = 1; // bb", &["1 aa code", "1 bb comment"]);
}

#[test]
fn scripts() {
    check(
        Language::Bash,
        "echo 'aa' \"bb\" $# aa # bb\n${x#aa}",
        &["1 aa text!", "1 bb text!", "1 aa code", "1 bb comment", "2 aa code"],
    );
    check(Language::Bash, "cat <<-'EOF' aa\nbb # x'\nEOF\naa", &["1 aa code", "2 bb text", "4 aa code"]);
    check(
        Language::Ruby,
        "class << self; aa; end\n=begin\nbb\n=end\nx = <<~SQL\naa\n  SQL\nbb",
        &["1 aa code", "3 bb comment", "6 aa text", "8 bb code"],
    );
    check(Language::Ruby, "x <<NEVER\naa", &["2 aa code"]);
    check(
        Language::Php,
        "#[aa]\n# bb\n// aa\n'bb'; <<<EOT\naa\nEOT;\nbb",
        &["1 aa code", "2 bb comment", "3 aa comment", "4 bb text!", "5 aa text", "7 bb code"],
    );
    check(
        Language::Elixir,
        "@doc \"\"\"\naa\n\"\"\"\n@doc \"bb\"\nx \"aa\" # bb",
        &["2 aa comment", "4 bb comment", "5 aa text!", "5 bb comment"],
    );
    check(
        Language::Lua,
        "--[[aa\n]] x = [==[bb]]]==] -- aa\nbb",
        &["1 aa comment", "2 bb text", "2 aa comment", "3 bb code"],
    );
    check(Language::PowerShell, "<# aa #> \"`\"bb\" # aa", &["1 aa comment", "1 bb text", "1 aa comment"]);
}

#[test]
fn configuration() {
    check(
        Language::Yaml,
        "aa: 'bb' # aa\nx: it's #1 bb\ny#aa: \"bb\"",
        &["1 aa code", "1 bb text!", "1 aa comment", "2 bb comment", "3 aa code", "3 bb text!"],
    );
    check(
        Language::Toml,
        "aa = 'bb\\' # aa\nx = \"\"\"\nbb # \"\"\"",
        &["1 aa code", "1 bb text", "1 aa comment", "3 bb text"],
    );
    check(Language::Json, "{\"aa\": \"// bb\"} // aa", &["1 aa text!", "1 bb text", "1 aa code"]);
    check(Language::Ini, "; aa\nbb = aa # bb", &["1 aa comment", "2 bb code", "2 aa code", "2 bb code"]);
    check(Language::Xml, "<!-- aa --> <x bb=\"aa\">it's", &["1 aa comment", "1 bb code", "1 aa text!"]);
    check(Language::Sql, "-- aa\n'it''s bb' aa", &["1 aa comment", "2 bb text", "2 aa code"]);
    check(Language::Dockerfile, "# aa\nRUN x # bb", &["1 aa comment", "2 bb code"]);
}

#[test]
fn other_languages() {
    check(Language::Haskell, "f' {- {- -} aa -} 'W' -- bb", &["1 aa comment", "1 W text!", "1 bb comment"]);
    check(Language::Nix, "''aa\n bb'' aa # bb", &["1 aa text", "2 bb text", "2 aa code", "2 bb comment"]);
    check(Language::OCaml, "(* aa (* *) bb *) 'a aa", &["1 aa comment", "1 bb comment", "1 aa code"]);
    check(Language::Zig, "\\\\aa\nbb // aa", &["1 aa text", "2 bb code", "2 aa comment"]);
    check(
        Language::Other,
        "# aa\nx // bb # aa\n /* bb */ src/* aa\n// bb\n\"aa\"",
        &["1 aa comment", "2 bb code", "2 aa code", "3 bb comment", "3 aa code", "4 bb comment", "5 aa text!"],
    );
}

#[test]
fn unclosed_literals_reach_no_further_than_their_line() {
    check(Language::JavaScript, "x = \"aa\nbb", &["1 aa text", "2 bb code"]);
    check(Language::Go, "x = `aa\nbb", &["1 aa code", "2 bb code"]);
    check(Language::Bash, "echo it's aa\nbb", &["1 aa code", "2 bb code"]);
    check(Language::JavaScript, "`${aa\nbb", &["1 aa code", "2 bb code"]);
}

#[test]
fn noise_takes_linear_time() {
    let started = std::time::Instant::now();
    for noise in
        ["\"", "'", "`${", "/*", "\"\"\"", "<<A\n", "[[", "r#\"", "R\"(", "=begin\n", "/a ", "{-", "#\"", "--[["]
    {
        let text = format!("aa {} aa", noise.repeat(200_000 / noise.len()));
        for language in [
            Language::Rust,
            Language::JavaScript,
            Language::Python,
            Language::Cpp,
            Language::Ruby,
            Language::Bash,
            Language::Lua,
            Language::Swift,
            Language::Yaml,
            Language::Elixir,
            Language::Haskell,
            Language::Other,
        ] {
            let needles: Needles = ["aa"].into_iter().collect();
            assert!(!scan(language, text.as_bytes(), &needles).is_empty());
        }
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn bytes_that_are_no_text_are_survived() {
    let noise: Vec<u8> = (0..=255).cycle().take(10_000).chain(*b" aa ").collect();
    let needles: Needles = ["aa"].into_iter().collect();
    assert_eq!(scan(Language::Other, &noise, &needles).len(), 1);
}

#[test]
fn lines_are_counted_in_long_files() {
    let text = format!("{}aa", "x\n".repeat(1_000_000));
    check(Language::Rust, &text, &["1000001 aa code"]);
}
