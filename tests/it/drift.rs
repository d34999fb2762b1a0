//! What is drift and what is not: the contract's verdicts (A4) and mistakes that others made, each a public report of a
//! tool of this kind, with the right behaviour.
//!
//! Where a test comes from a report, its comment names the row of our list. What history has to tell stands in a real
//! repository: a first commit with docs and code, then what became of the code.

use serde_json::Value;

use crate::sandbox::{Sandbox, text};

const VERIFIED: &str = "verified";
const UNKNOWN: &str = "could not corroborate";

/// A project outside of any repository.
fn tree(files: &[(&str, &str)]) -> Sandbox {
    files.iter().fold(Sandbox::new(), |sandbox, (path, content)| sandbox.file(path, content))
}

/// A project in a repository whose only commit holds these files.
fn repo(files: &[(&str, &str)]) -> Sandbox {
    tree(files).committed()
}

/// A second commit that gives files another content, or deletes those without one.
fn then(sandbox: Sandbox, changes: &[(&str, Option<&str>)]) -> Sandbox {
    for (path, content) in changes {
        match content {
            Some(content) => sandbox.write(path, content),
            None => sandbox.remove(path),
        }
    }
    sandbox.commit();
    sandbox
}

/// Checks every claim of `docs/a.md` and its verdict, in document order.
fn check(sandbox: &Sandbox, expected: &[(&str, &str)]) {
    check_page(sandbox, "docs/a.md", expected);
}

fn check_page(sandbox: &Sandbox, page: &str, expected: &[(&str, &str)]) {
    let found = sandbox.verdicts(page);
    let found: Vec<(&str, &str)> = found.iter().map(|(span, verdict)| (span.as_str(), verdict.as_str())).collect();
    assert_eq!(found, expected, "{page}");
}

/// Checks the verdict on a single claim of a page with nothing but its sentence.
fn check_verdict(files: &[(&str, &str)], span: &str, verdict: &str) {
    let page = format!("# A\n\nThe store reads `{span}` at the start.\n");
    let sandbox = tree(files).file("docs/a.md", page);
    check(&sandbox, &[(span, verdict)]);
}

/// Checks that nothing in the project is drift.
fn check_no_drift(sandbox: &Sandbox) {
    let report = sandbox.report(&[]);
    assert_eq!(report["findings"], Value::Array(Vec::new()));
}

/// Checks that a page asserts nothing about files.
fn check_no_paths(page: &str) {
    let sandbox = repo(&[("docs/a.md", page), ("src/a.ts", "export const a = 1;\n")]);
    let report = sandbox.report(&[]);
    let claims = report["claims"].as_array().expect("there are claims");
    let paths: Vec<&str> = claims
        .iter()
        .filter(|claim| text(&claim["kind"]).starts_with("path"))
        .map(|claim| text(&claim["span"]))
        .collect();
    assert_eq!(paths, [""; 0]);
}

/// A verdict without the line of the place that it names.
fn without_line(verdict: &str) -> String {
    let Some((before, rest)) = verdict.split_once(": '") else { return verdict.to_owned() };
    let place = before.trim_end_matches(|c: char| c.is_ascii_digit());
    format!("{}: '{rest}", place.strip_suffix(':').unwrap_or(before))
}

/// Checks that `docs/a.md` has one drift: a name that is another one now.
fn check_renamed(sandbox: &Sandbox, path: &str, old: &str, new: &str) {
    let report = sandbox.report(&[]);
    let findings = report["findings"].as_array().expect("there are findings");
    let messages: Vec<String> = findings.iter().map(|finding| without_line(text(&finding["message"]))).collect();
    assert_eq!(messages, [format!("drift detected (see {path}: '{old}' is now '{new}')")]);
}

// Files

#[test]
fn a_file_that_is_there_is_verified() {
    let sandbox = repo(&[
        ("docs/a.md", "# A\n\n`src/a.ts`, `a.ts`, `src/`, `b.md` and `docs/b.md`.\n"),
        ("docs/b.md", "# B\n"),
        ("src/a.ts", "export const a = 1;\n"),
    ]);
    check(
        &sandbox,
        &[("src/a.ts", VERIFIED), ("a.ts", VERIFIED), ("src/", VERIFIED), ("b.md", VERIFIED), ("docs/b.md", VERIFIED)],
    );
}

#[test]
fn without_a_repository_the_first_folder_speaks_for_a_missing_file() {
    let code = [("src/a.ts", "export const a = 1;\n")];
    check_verdict(&code, "src/gone.ts", "drift detected (see src/gone.ts: file does not exist)");
    check_verdict(&code, "lib/gone.ts", UNKNOWN);
    check_verdict(&code, "gone.ts", UNKNOWN);
}

#[test]
fn a_file_that_was_never_tracked_proves_nothing() {
    let sandbox = repo(&[("docs/a.md", "# A\n\nSee `src/gone.ts`.\n"), ("src/a.ts", "export const a = 1;\n")]);
    check(&sandbox, &[("src/gone.ts", UNKNOWN)]);
}

#[test]
fn a_file_that_was_tracked_before_is_drift() {
    let sandbox = repo(&[("docs/a.md", "# A\n\nSee `src/gone.ts`.\n"), ("src/gone.ts", "export const gone = 1;\n")]);
    let sandbox = then(sandbox, &[("src/gone.ts", None)]);
    check(&sandbox, &[("src/gone.ts", "drift detected (see src/gone.ts: file does not exist)")]);
}

/// A file that git sees as the same one wherever it is.
const LONG: &str = "export function first() {\n  return 1;\n}\nexport function second() {\n  return 2;\n}\n";

#[test]
fn a_file_that_moved_is_named_by_its_new_place() {
    let sandbox = repo(&[("docs/a.md", "# A\n\nSee `src/old.ts`.\n"), ("src/old.ts", LONG)]);
    let sandbox = then(sandbox, &[("src/old.ts", None), ("lib/new.ts", Some(LONG))]);
    check(&sandbox, &[("src/old.ts", "drift detected (see lib/new.ts: moved from src/old.ts)")]);
}

#[test]
fn a_file_that_came_back_is_verified() {
    let sandbox = repo(&[("docs/a.md", "# A\n\nSee `src/a.ts`.\n"), ("src/a.ts", LONG)]);
    let sandbox = then(sandbox, &[("src/a.ts", None)]);
    let sandbox = then(sandbox, &[("src/a.ts", Some(LONG))]);
    check(&sandbox, &[("src/a.ts", VERIFIED)]);
}

#[test]
fn text_that_is_younger_than_a_removal_proves_nothing() {
    let sandbox = repo(&[("docs/a.md", "# A\n"), ("src/gone.ts", "export function dropQueue() {}\n")]);
    let sandbox = then(sandbox, &[("src/gone.ts", None)]);
    let sandbox = then(sandbox, &[("docs/a.md", Some("# A\n\nSee `src/gone.ts` and `dropQueue`.\n"))]);
    check(&sandbox, &[("src/gone.ts", UNKNOWN), ("dropQueue", UNKNOWN)]);
}

#[test]
fn a_symbol_of_an_absent_file_is_drift_with_or_without_history() {
    let drift = "drift detected (see src/gone.ts: file does not exist)";
    check_verdict(&[], "src/gone.ts:openStore", drift);
    let sandbox = repo(&[("docs/a.md", "# A\n\nSee `src/gone.ts:openStore`.\n")]);
    check(&sandbox, &[("src/gone.ts:openStore", drift)]);
}

#[test]
fn a_symbol_is_looked_for_in_its_file() {
    let code = [("src/a.ts", "export function openStore() {}\n"), ("src/b.ts", "export function closeStore() {}\n")];
    check_verdict(&code, "src/a.ts:openStore", VERIFIED);
    check_verdict(&code, "src/a.ts:closeStore", "drift detected (see src/a.ts: symbol 'closeStore' not found)");
    check_verdict(&code, "src/a.ts:Store", "drift detected (see src/a.ts: symbol 'Store' not found)");
}

#[test]
fn a_symbol_that_is_elsewhere_now_is_named_with_its_place() {
    let page = "# A\n\nSee `src/a.ts:closeStore`.\n";
    let sandbox = tree(&[("docs/a.md", page), ("src/a.ts", "\n"), ("src/b.ts", "\nexport function closeStore() {}\n")]);
    let report = sandbox.report(&[]);
    assert_eq!(report["findings"][0]["evidence"]["defined_at"], "src/b.ts:2");
}

#[test]
fn lines_are_within_their_file() {
    // 70 sozu-proxy/sozu#1335, danielmiessler/LifeOS#2221
    let page = "# A\n\nSee `src/a.ts:2`, `src/a.ts:4` and [there](../src/a.ts#L9).\n";
    let sandbox = repo(&[("docs/a.md", page), ("src/a.ts", "const a = 1;\nconst b = 2;\nconst c = 3;\n")]);
    let report = sandbox.report(&[]);
    let findings = report["findings"].as_array().expect("there are findings");
    let found: Vec<(&str, &str)> = findings.iter().map(|it| (text(&it["span"]), text(&it["rule"]))).collect();
    assert_eq!(found, [("src/a.ts:4", "missing-line"), ("../src/a.ts#L9", "missing-line")]);
}

#[test]
fn a_line_whose_symbol_is_elsewhere_now_is_said() {
    // 70 sozu-proxy/sozu#1335
    let page = "# A\n\nSee `RouteTable::insert` (`src/route.rs:2`).\n";
    let code = "pub struct RouteTable;\n// 2\n// 3\n// 4\nimpl RouteTable {\n    pub fn insert(&self) {}\n}\n";
    let run = tree(&[("docs/a.md", page), ("src/route.rs", code)]).ok(&["check"]);
    assert!(run.stdout.contains("docs/a.md:3") && run.stdout.contains("src/route.rs:6"), "{}", run.stdout);
}

#[test]
fn a_bare_line_is_of_the_file_before_it() {
    // 71 prestonbrown/helixscreen#1384
    let page = "# A\n\nSee (`include/ui_modal.h:2`, `:9`).\n";
    let sandbox = tree(&[("docs/a.md", page), ("include/ui_modal.h", "int a;\nint b;\nint c;\n")]);
    let found = sandbox.verdicts("docs/a.md");
    assert_eq!(found[0], ("include/ui_modal.h:2".to_owned(), VERIFIED.to_owned()));
    assert!(found[1].0 == ":9" && found[1].1.starts_with("drift detected (see include/ui_modal.h"), "{found:?}");
}

#[test]
fn ignored_files_are_made_when_the_program_runs() {
    // 69 Intense-Visions/harness-engineering docs/
    let sandbox = repo(&[("docs/a.md", "# A\n\nSee `.harness/state.json`.\n"), (".harness/state.json", "{}\n")]);
    let sandbox = then(sandbox, &[(".harness/state.json", None), (".gitignore", Some("**/.harness/state.json\n"))]);
    check(&sandbox, &[(".harness/state.json", UNKNOWN)]);
}

#[test]
fn files_of_the_readers_project_prove_nothing() {
    // 15 jcentner/sentinel wiki Detector: Docs Drift / TD-041
    let page = "# A\n\nCreate `components.json`. Then add the fonts to `app/layout.tsx`.\n";
    let sandbox = repo(&[("docs/a.md", page), ("src/a.ts", "export const a = 1;\n")]);
    check(&sandbox, &[("components.json", UNKNOWN), ("app/layout.tsx", UNKNOWN)]);
}

#[test]
fn values_and_addresses_are_no_files() {
    // 6 mex-memory/mex#79
    check_no_paths(
        "# A\n\n`csi.kubeletRootDir: /var/lib/kubelet`, `argocd.argoproj.io/sync-wave`, `192.168.5.0/24`.\n",
    );
}

#[test]
fn routes_and_media_types_are_no_files() {
    // 11 Extra-Chill/homeboy#39
    check_no_paths(
        "# A\n\n`/wp-json/datamachine/v1/`, `/datamachine-auth/twitter/`, `application/json`, `GET /users`.\n",
    );
}

#[test]
fn versions_domains_commands_and_placeholders_are_no_drift() {
    let spans = "`v1.2`, `1.2.3`, `example.com`, `docs.rs`, `git push src/x.ts`, `cargo run`, `src/<name>.ts`, \
                 `src/*.ts`, `path/to/file.ts`, `src/my_module.ts`, `src/foo.ts`, `~/src/a.ts`, `/etc/hosts`, \
                 `https://example.com/src/a.ts`, `true`, `200`";
    let sandbox = tree(&[("docs/a.md", &format!("# A\n\nTake {spans}.\n")), ("src/b.ts", "export const b = 1;\n")]);
    check_no_drift(&sandbox);
}

#[test]
fn commands_of_package_managers_are_no_scripts() {
    // 10 mex-memory/mex#203
    let page = "# A\n\nRun `pnpm install` or `yarn add x`.\n";
    check_no_drift(&repo(&[("docs/a.md", page), ("package.json", "{\"scripts\": {\"test\": \"x\"}}\n")]));
}

// Names

#[test]
fn a_bare_name_is_verified_or_unknown_without_history() {
    let page = "# A\n\n`openStore` and `closeStore`.\n";
    let code = ("src/a.ts", "export function openStore() {}\n");
    for sandbox in [tree(&[("docs/a.md", page), code]), repo(&[("docs/a.md", page), code])] {
        check(&sandbox, &[("openStore", VERIFIED), ("closeStore", UNKNOWN)]);
    }
}

#[test]
fn a_name_that_the_project_defined_before_is_drift() {
    let sandbox = repo(&[
        ("docs/a.md", "# A\n\n`openStore` and `closeStore`.\n"),
        ("src/a.ts", "export function openStore() {}\nexport function closeStore() { return 1 + 2; }\n"),
    ]);
    let sandbox = then(sandbox, &[("src/a.ts", Some("export function openStore() {}\n"))]);
    check(
        &sandbox,
        &[("openStore", VERIFIED), ("closeStore", "drift detected (see src/a.ts: symbol 'closeStore' not found)")],
    );
}

#[test]
fn a_name_that_was_only_used_before_proves_nothing() {
    let sandbox = repo(&[
        ("docs/a.md", "# A\n\nThe `socketTimeout` of the driver.\n"),
        ("src/a.ts", "import { connect } from 'driver';\nconnect({ socketTimeout: 3 });\n"),
    ]);
    let sandbox = then(sandbox, &[("src/a.ts", Some("import { connect } from 'driver';\nconnect({});\n"))]);
    check(&sandbox, &[("socketTimeout", UNKNOWN)]);
}

#[test]
fn identifiers_match_whole() {
    let code = [("src/a.ts", "export function openStoreFile() {}\nexport const reopenStore = 1;\n")];
    check_verdict(&code, "openStore", UNKNOWN);
    check_verdict(&code, "openStoreFile", VERIFIED);
}

/// Where a name stands but does not count.
fn check_no_voucher(path: &str, content: &str) {
    check_verdict(&[(path, content)], "openStore", UNKNOWN);
}

#[test]
fn comments_do_not_vouch() {
    check_no_voucher("src/a.ts", "// openStore\n/* openStore */\nexport const a = 1;\n");
    check_no_voucher("src/a.ts", "/** See {@link openStore}. */\nexport const a = 1;\n");
    check_no_voucher("src/a.rs", "/// [`openStore`]\npub fn a() {}\n");
    check_no_voucher("src/a.py", "# openStore\ndef a():\n    \"\"\"Calls openStore.\"\"\"\n");
    check_no_voucher("a.toml", "# openStore\na = 1\n");
}

#[test]
fn docs_do_not_vouch() {
    check_no_voucher("docs/b.md", "# B\n\n`openStore`\n");
    check_no_voucher("README.md", "# B\n\nopenStore\n");
    check_no_voucher("api.html", "<code>openStore</code>\n");
    check_no_voucher("CHANGES.txt", "openStore\n");
}

#[test]
fn vendored_and_built_code_does_not_vouch() {
    for path in ["vendor/x/a.ts", "node_modules/x/a.ts", "third_party/a.ts", "dist/a.js", "web/app.min.js", "yarn.lock"]
    {
        check_no_voucher(path, "export function openStore() {}\n");
    }
}

#[test]
fn ignored_code_does_not_vouch() {
    let sandbox = repo(&[
        ("docs/a.md", "# A\n\n`openStore`\n"),
        (".gitignore", "/out/\n"),
        ("out/a.ts", "export function openStore() {}\n"),
    ]);
    check(&sandbox, &[("openStore", UNKNOWN)]);
}

#[test]
fn a_comment_does_not_hide_a_rename() {
    // 21 bentleypark/aiwatch#1173
    let sandbox = repo(&[
        ("docs/a.md", "# A\n\nSee `alertableComponents`.\n"),
        ("src/alert.ts", "export function alertableComponents(all: Part[]) {\n  return all;\n}\n"),
    ]);
    let sandbox = then(
        sandbox,
        &[
            ("src/alert.ts", Some("export function partitionFirstSeen(all: Part[]) {\n  return all;\n}\n")),
            ("tests/alert.test.ts", Some("// formerly alertableComponents\ntest('x', () => {});\n")),
        ],
    );
    check_renamed(&sandbox, "src/alert.ts", "alertableComponents", "partitionFirstSeen");
}

#[test]
fn a_rename_is_told_with_the_line_of_the_new_name() {
    let sandbox = repo(&[("docs/a.md", "# A\n\nSee `readAll`.\n"), ("src/a.ts", "\nexport function readAll() {}\n")]);
    let sandbox = then(sandbox, &[("src/a.ts", Some("\nexport function readEach() {}\n"))]);
    check(&sandbox, &[("readAll", "drift detected (see src/a.ts:2: 'readAll' is now 'readEach')")]);
}

#[test]
fn a_doc_comment_does_not_hide_a_rename() {
    // 24 matiaszanolli/ByroRedux#3872
    let code =
        |name: &str| format!("/// See [compute_blas_budget].\npub fn {name}(heap: u64) -> u64 {{\n    heap\n}}\n");
    let page = "# A\n\nSee `compute_blas_budget`.\n";
    let sandbox = repo(&[("docs/a.md", page), ("src/a.rs", &code("compute_blas_budget"))]);
    let sandbox = then(sandbox, &[("src/a.rs", Some(&code("blas_budget_for_heap")))]);
    check_renamed(&sandbox, "src/a.rs", "compute_blas_budget", "blas_budget_for_heap");
}

#[test]
fn brackets_and_containers_of_a_name_are_no_part_of_it() {
    // 26 dknauss/Sudo#377
    let code = [("src/a.php", "<?php\nclass Sudo {\n  public static function grant_super_admin( $user_id ) {}\n}\n")];
    check_verdict(&code, "grant_super_admin()", VERIFIED);
    check_verdict(&code, "Sudo::grant_super_admin()", VERIFIED);
}

#[test]
fn every_span_of_a_row_is_judged_by_itself() {
    // 27 dknauss/Sudo#425
    let page = "# A\n\n| Part | Slot |\n|---|---|\n| `PrimaryButton` | `PinnedItemsSlot` |\n";
    let (button, slot) = ("export class PrimaryButton {}\n", "export class PinnedItemsSlot { a = 1; b = 2; }\n");
    let sandbox = repo(&[("docs/a.md", page), ("src/a.ts", &format!("{button}{slot}"))]);
    let sandbox = then(sandbox, &[("src/a.ts", Some(button))]);
    check(
        &sandbox,
        &[
            ("PrimaryButton", VERIFIED),
            ("PinnedItemsSlot", "drift detected (see src/a.ts: symbol 'PinnedItemsSlot' not found)"),
        ],
    );
}

#[test]
fn a_name_of_a_container_is_found_whatever_joins_them() {
    // 63 rust-lang/rust#54191
    let code = |rest: &str| format!("pub mod codec {{\n    pub fn encode() {{}}\n{rest}}}\n");
    let page = "# A\n\n`codec.encode()`, `codec::encode`, `codec.decode()` and `codec.transcode()`.\n";
    let sandbox = repo(&[("docs/a.md", page), ("src/lib.rs", &code("    pub fn decode() -> u8 { 1 }\n"))]);
    let sandbox = then(sandbox, &[("src/lib.rs", Some(&code("")))]);
    check(
        &sandbox,
        &[
            ("codec.encode()", VERIFIED),
            ("codec::encode", VERIFIED),
            ("codec.decode()", "drift detected (see src/lib.rs: symbol 'decode' not found)"),
            ("codec.transcode()", UNKNOWN),
        ],
    );
}

#[test]
fn code_that_parsers_stumble_over_is_read() {
    // 61 universal-ctags/ctags#4004, 62 rust-lang/rust#114626, 64 gajus/eslint-plugin-jsdoc#1701
    let js = "class A {\n  constructor() { if (1 > 2 && 2 < 1) {} }\n  function1() { [].forEach(v => 0) }\n}\n";
    check_verdict(&[("src/a.js", js)], "A.function1", VERIFIED);
    let rust = "#[cfg(feature = \"notset\")]\npub struct BehindFeature;\n";
    check_verdict(&[("src/a.rs", rust)], "BehindFeature", VERIFIED);
    let ts = "export {};\ndeclare global {\n  const buildStamp: number;\n}\n";
    check_verdict(&[("src/a.ts", ts)], "buildStamp", VERIFIED);
}

#[test]
fn names_of_others_prove_nothing() {
    // 65 TypeStrong/typedoc#2700 and #2853, 66 sphinx-contrib/sphinx-lint#28
    let page = "# A\n\n`Map.size`, `Promise.allSettled`, `random.RandomPassword`, `malloc` and `va_list`.\n";
    let code = "import * as random from '@pulumi/random';\nexport const made = new random.RandomId();\n";
    let sandbox = repo(&[("docs/a.md", page), ("src/a.ts", code), ("src/a.c", "void *p = malloc(1);\nva_list q;\n")]);
    let sandbox = then(sandbox, &[("src/a.c", Some("void *p;\n"))]);
    check(
        &sandbox,
        &[
            ("Map.size", UNKNOWN),
            ("Promise.allSettled", UNKNOWN),
            ("random.RandomPassword", UNKNOWN),
            ("malloc", UNKNOWN),
            ("va_list", UNKNOWN),
        ],
    );
}

// Variables and options

#[test]
fn a_variable_that_only_a_comment_names_is_unknown() {
    // 29 tya5/reyn#5207
    check_verdict(&[("src/a.py", "# REYN_MODE is never supplied\nx = 1\n")], "REYN_MODE", UNKNOWN);
}

#[test]
fn a_renamed_variable_is_named() {
    // 31 macanderson/stella#1802
    let code = |name: &str| format!("pub fn stale() -> bool {{\n    std::env::var(\"{name}\").is_ok()\n}}\n");
    let page = "# A\n\nSet `FULLAUTO_STALE_AFTER_SECS`.\n";
    let sandbox = repo(&[("docs/a.md", page), ("src/a.rs", &code("FULLAUTO_STALE_AFTER_SECS"))]);
    let sandbox = then(sandbox, &[("src/a.rs", Some(&code("SELF_DRIVING_STALE_AFTER_SECS")))]);
    check_renamed(&sandbox, "src/a.rs", "FULLAUTO_STALE_AFTER_SECS", "SELF_DRIVING_STALE_AFTER_SECS");
}

#[test]
fn variables_that_helpers_read_are_verified() {
    // 32 matrixarkai/TemporalStore#1234
    let code = "a = env_bool(\"APP_TRACE\")\nb = _env_int(\"APP_N\", 3)\nc = read_env_str(\"APP_S\")\n";
    let sandbox = tree(&[("docs/a.md", "# A\n\n`APP_TRACE`, `APP_N`, `APP_S`.\n"), ("src/a.py", code)]);
    check(&sandbox, &[("APP_TRACE", VERIFIED), ("APP_N", VERIFIED), ("APP_S", VERIFIED)]);
}

#[test]
fn a_variable_that_is_nearly_one_is_unknown() {
    // 35 headroomlabs-ai/headroom#3103
    let page = "# A\n\nSet `HEADROOM_COPILOT_AUTH_PATH`.\n";
    let sandbox =
        repo(&[("docs/a.md", page), ("src/a.py", "import os\nx = os.environ[\"HEADROOM_COPILOT_AUTH_FILE\"]\n")]);
    check(&sandbox, &[("HEADROOM_COPILOT_AUTH_PATH", UNKNOWN)]);
}

#[test]
fn an_option_is_verified_by_its_literal_or_its_field() {
    let code = "parser.add_argument(\"--dry-run\")\n";
    check_verdict(&[("src/a.py", code)], "--dry-run", VERIFIED);
    check_verdict(&[("src/a.rs", "#[arg(long)]\npub dry_run: bool,\n")], "--dry-run", VERIFIED);
    check_verdict(&[("src/a.py", code)], "--wet-run", UNKNOWN);
}

// What the words around a claim take back

/// A repository whose code lost `legacyFlush` and `src/old/flush.ts` after the page was written.
fn flushed(page: &str) -> Sandbox {
    let sandbox = repo(&[("docs/a.md", page), ("src/old/flush.ts", "export function legacyFlush() { return 1; }\n")]);
    then(sandbox, &[("src/old/flush.ts", None)])
}

#[test]
fn a_cue_speaks_for_the_whole_item() {
    // 9 mex-memory/mex#200
    let page = "# A\n\n- Removed in 0.9:\n  the helper `legacyFlush()` and\n  `src/old/flush.ts`\n";
    check(&flushed(page), &[("legacyFlush()", UNKNOWN), ("src/old/flush.ts", UNKNOWN)]);
    let page = "# A\n\n- The helper `legacyFlush()` and\n  `src/old/flush.ts`\n";
    check(
        &flushed(page),
        &[
            ("legacyFlush()", "drift detected (see src/old/flush.ts: symbol 'legacyFlush' not found)"),
            ("src/old/flush.ts", "drift detected (see src/old/flush.ts: file does not exist)"),
        ],
    );
}

#[test]
fn a_cue_in_a_long_row_speaks_for_its_cell() {
    // 22 bentleypark/aiwatch#1312 and #1314
    let filler = "a word of many, ".repeat(8);
    let cells = format!("| {filler} ").repeat(6);
    let page = format!(
        "# A\n\n| A | B | C | D | E | F | G | H |\n|---|---|---|---|---|---|---|---|\n| this was removed {cells}| see \
         `legacyFlush` |\n| deleted `legacyFlush` | b | c | d | e | f | g | h |\n"
    );
    let drift = "drift detected (see src/old/flush.ts: symbol 'legacyFlush' not found)";
    check(&flushed(&page), &[("legacyFlush", drift), ("legacyFlush", UNKNOWN)]);
}

#[test]
fn a_lead_in_speaks_for_its_list() {
    // 67 gofiber/fiber docs/whats_new.md, binder/README.md
    let page = "# A\n\nIt replaces the following components:\n\n- `legacyFlush`\n- `src/old/flush.ts`\n";
    check(&flushed(page), &[("legacyFlush", UNKNOWN), ("src/old/flush.ts", UNKNOWN)]);
}

#[test]
fn struck_and_foreign_names_prove_nothing() {
    let page = "# A\n\n~~`src/old/flush.ts`~~ and [`src/old/flush.ts`](https://example.com/x).\n";
    check(&flushed(page), &[("src/old/flush.ts", UNKNOWN), ("src/old/flush.ts", UNKNOWN)]);
}

// Pages

/// Checks that a page which names a file and a name that are gone, and links to the file, is not held to the present,
/// unless its front matter says so.
fn check_record(path: &str) {
    let up = "../".repeat(path.matches('/').count());
    let page = format!("# A\n\nSee `legacyFlush` in `src/old/flush.ts`, [there]({up}src/old/flush.ts).\n");
    let sandbox = repo(&[(path, &page), ("src/old/flush.ts", "export function legacyFlush() { return 1; }\n")]);
    let sandbox = then(sandbox, &[("src/old/flush.ts", None)]);
    check_no_drift(&sandbox);
    // Of changelogs no history is kept: what is written there is never old enough to be drift.
    if path.to_lowercase().ends_with("changelog.md") {
        return;
    }
    let sandbox = then(sandbox, &[(path, Some(&format!("---\ninkwell: current\n---\n\n{page}")))]);
    let report = sandbox.report(&["--", path]);
    assert_eq!(report["summary"]["drifted"], 3, "{path}");
}

#[test]
fn decisions_proposals_and_records_are_not_held_to_the_present() {
    // 3 Intense-Visions/harness-engineering#492 and #1326
    for path in ["docs/adr/0003-cache.md", "docs/changes/2025/x.md", "docs/proposals/a.md", "docs/rfcs/a.md"] {
        check_record(path);
    }
}

#[test]
fn changelogs_are_not_held_to_the_present() {
    // 13 Extra-Chill/homeboy#654, #135, #136; 66 sphinx-contrib/sphinx-lint#28; 67 gofiber/fiber docs/whats_new.md
    for path in
        ["CHANGELOG.md", "docs/CHANGELOG.md", "docs/changelog/2024.md", "docs/whatsnew/3.4.md", "docs/whats_new.md"]
    {
        check_record(path);
    }
}

#[test]
fn migration_guides_and_old_versions_are_not_held_to_the_present() {
    for path in ["docs/migration.md", "docs/upgrading.md", "docs/2.7.2/a.md", "docs/archive/a.md"] {
        check_record(path);
    }
}

#[test]
fn the_settings_can_say_what_pages_are() {
    for class in ["historical", "planned"] {
        let sandbox = flushed("# A\n\nSee `legacyFlush`.\n");
        sandbox.write("inkwell.toml", format!("{class} = \"docs\"\n"));
        check(&sandbox, &[("legacyFlush", UNKNOWN)]);
    }
}

#[test]
fn a_page_can_say_what_it_is() {
    let rest = "# A\n\nSee `legacyFlush`.\n";
    for class in ["historical", "planned"] {
        check(&flushed(&format!("---\ninkwell: {class}\n---\n\n{rest}")), &[("legacyFlush", UNKNOWN)]);
    }
    let drift = "drift detected (see src/old/flush.ts: symbol 'legacyFlush' not found)";
    check(&flushed(&format!("---\ntitle: x\n---\n\n{rest}")), &[("legacyFlush", drift)]);
}

// Links

#[test]
fn anchors_are_those_of_the_forge() {
    // 5 Intense-Visions/harness-engineering#1332, DavidAnson/markdownlint#2171
    let page = "# Top\n\n## Foo & Bar\n\n## 🛠\u{fe0f} Setup\n\n## Déjà vu\n\n## Setup\n\n## Setup\n\n[a](#foo--bar) \
                [b](#-setup) [c](#\u{fe0f}-setup) [d](#déjà-vu) [e](#setup-1) [f](#setup-2)\n";
    check(
        &repo(&[("docs/a.md", page)]),
        &[
            ("#foo--bar", VERIFIED),
            ("#-setup", VERIFIED),
            ("#\u{fe0f}-setup", VERIFIED),
            ("#déjà-vu", VERIFIED),
            ("#setup-1", VERIFIED),
            ("#setup-2", "drift detected (see docs/a.md: no heading has the anchor 'setup-2')"),
        ],
    );
}

#[test]
fn every_kind_of_anchor_counts() {
    // 48 tcort/markdown-link-check#593, 49 tcort/markdown-link-check#225, 50 DavidAnson/markdownlint#581
    let page = "# Estimator (MLE)\n\n## Personal data {#pii}\n\n<a id=\"first\"></a>\n\n[a](#estimator-mle) [b](#pii) \
                [c](#first) [d](b.md#second)\n";
    let sandbox = repo(&[("docs/a.md", page), ("docs/b.md", "# B\n\n<code id=\"second\">x</code>\n")]);
    check(
        &sandbox,
        &[("#estimator-mle", VERIFIED), ("#pii", VERIFIED), ("#first", VERIFIED), ("b.md#second", VERIFIED)],
    );
}

#[test]
fn the_case_of_a_link_counts() {
    // 40 rvben/rumdl#873, yakew7/Fair-Code#457
    let sandbox = repo(&[("docs/a.md", "# A\n\n[x](../CHANGELOG.md)\n"), ("changelog.md", "# C\n")]);
    let found = sandbox.verdicts("docs/a.md");
    let [(_, verdict)] = &found[..] else { panic!("{found:?}") };
    assert!(verdict.starts_with("drift detected (see CHANGELOG.md: file does not exist"), "{verdict}");
    assert!(verdict.contains("changelog.md"), "{verdict}");
}

#[test]
fn a_link_over_two_lines_is_a_link() {
    // 41 rvben/rumdl#878
    let sandbox = repo(&[("docs/a.md", "# A\n\n- [a long\n  label](src/gone.rs)\n")]);
    check(&sandbox, &[("src/gone.rs", "drift detected (see docs/src/gone.rs: file does not exist)")]);
}

#[test]
fn a_broken_link_is_found_once() {
    // 42 rvben/rumdl#631
    for page in ["# A\n\n[x](gone.md)\n", "# A\n\n![x](gone.png)\n", "# A\n\n[x][y]\n\n[y]: gone.md\n"] {
        let report = repo(&[("docs/a.md", page)]).report(&[]);
        assert_eq!(report["summary"]["drifted"], 1, "{page}");
    }
}

#[test]
fn a_link_whose_target_moved_names_the_new_place() {
    let sandbox = repo(&[("docs/a.md", "# A\n\n[x](../src/old.ts)\n"), ("src/old.ts", LONG)]);
    let sandbox = then(sandbox, &[("src/old.ts", None), ("src/new.ts", Some(LONG))]);
    check(&sandbox, &[("../src/old.ts", "drift detected (see src/new.ts: moved from src/old.ts)")]);
}

#[test]
fn brackets_that_are_no_links_claim_nothing() {
    // 52 Michael-F-Bryan/mdbook-linkcheck#45, bytecodealliance/component-docs#224
    let page = "# A\n\n- [x] done\n- [ ] open\n\n> [!WARNING]\n> Hot.\n\n## [[bench]]\n\nText[^1].\n\n[^1]: Note.\n";
    check(&repo(&[("docs/a.md", page)]), &[]);
}

#[test]
fn links_may_leave_the_docs_for_the_code() {
    // 53 mkdocs/mkdocs#1619
    let sandbox =
        repo(&[("docs/en/build.md", "# B\n\n[x](../../app/driver/algo.c)\n"), ("app/driver/algo.c", "int a;\n")]);
    check_page(&sandbox, "docs/en/build.md", &[("../../app/driver/algo.c", VERIFIED)]);
}

#[test]
fn links_to_elsewhere_claim_nothing() {
    // 54 lycheeverse/lychee#1503
    let page = "# A\n\n[a](~/Downloads/a) [b](https://example.com/a.md) [c](mailto:a@example.com) [d](//x.org/a.md)\n";
    check(&repo(&[("docs/a.md", page)]), &[]);
}

#[test]
fn translated_copies_are_reported_together() {
    // 78 brcampidelli/chimera-agent#390
    let page = "# X\n\n[r](../bench/R.md)\n";
    let sandbox = repo(&[("docs/i18n/de/x.md", page), ("docs/i18n/fr/x.md", page), ("docs/bench/R.md", "# R\n")]);
    let run = sandbox.run(&["check"]);
    let said = "broken-link: `../bench/R.md` drift detected (see docs/i18n/bench/R.md: file does not exist)";
    let block = format!("docs/i18n/de/x.md:3:1: {said}\ndocs/i18n/fr/x.md:3:1: {said}\n");
    assert!(run.stdout.starts_with(&block), "{}", run.stdout);
}
