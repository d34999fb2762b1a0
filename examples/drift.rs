//! Scores `check` against labelled claims: history (`dev.gold.jsonl`) and mutations (`dev.mut.gold.jsonl`).
//!
//! ```text
//! cargo run --release --example drift -- GOLD CHECKOUTS [--errors] [--out VERDICTS]
//! ```
//!
//! `CHECKOUTS` holds a folder per row's repository and commit, `owner+name@sha9` or `owner+name@sha9-mSEED`, below
//! `repos/` or `mutated/`, as the set's own `prepare.py` lays them out. Claims are joined to rows by path, line (one
//! off is let pass) and text; of several on a line the worst verdict counts, and a row without a claim counts as
//! "could not corroborate". The formulas are those of the set's `score.py`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};

use inkwell::check::{Options, Project, Scope, check};
use inkwell::finding::Verdict;
use inkwell::parse::anchor::SiteStyle;
use inkwell::walk::{RepoPath, Root};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [gold, checkouts, ..] = args.as_slice() else {
        return Err("usage: drift GOLD CHECKOUTS [--errors] [--out VERDICTS]".into());
    };
    let with_errors = args.iter().any(|arg| arg == "--errors");
    let out = args.iter().position(|arg| arg == "--out").and_then(|at| args.get(at + 1));
    let text = std::fs::read_to_string(gold)?;
    let rows: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let mut by_checkout: BTreeMap<PathBuf, Vec<&Value>> = BTreeMap::new();
    for row in &rows {
        by_checkout.entry(checkout(Path::new(checkouts), row)).or_default().push(row);
    }
    let mut judged: Vec<(&Value, String, String)> = Vec::new();
    for (folder, rows) in &by_checkout {
        if !folder.is_dir() {
            eprintln!("there is no checkout at {}", folder.display());
            continue;
        }
        let verdicts = verdicts(folder, rows)?;
        for row in rows {
            let (verdict, reason) = verdict_on(row, &verdicts);
            judged.push((row, verdict, reason));
        }
    }
    if let Some(out) = out {
        let mut file = std::fs::File::create(out)?;
        for (row, verdict, _) in &judged {
            let line = json!({"repo": row["repo"], "commit": row["commit"], "path": row["path"], "line": row["line"],
                "span": row["span"], "verdict": verdict});
            writeln!(file, "{line}")?;
        }
    }
    if with_errors {
        print_errors(&judged);
    }
    print_scores(&judged);
    Ok(())
}

fn text(row: &Value, key: &str) -> String {
    row[key].as_str().unwrap_or_default().to_owned()
}

fn checkout(folder: &Path, row: &Value) -> PathBuf {
    let commit = text(row, "commit");
    let (below, name) =
        if commit.contains("-m") { ("mutated", commit.as_str()) } else { ("repos", &commit[..9.min(commit.len())]) };
    folder.join(below).join(format!("{}@{name}", text(row, "repo").replace('/', "+")))
}

type Verdicts = HashMap<(String, String), Vec<(u64, String, String)>>;

fn verdicts(folder: &Path, rows: &[&Value]) -> Result<Verdicts, Box<dyn std::error::Error>> {
    let root = Root::open(folder)?;
    let mut paths: Vec<String> = rows.iter().map(|row| text(row, "path")).collect();
    paths.sort();
    paths.dedup();
    let paths = paths.iter().filter_map(|path| RepoPath::new(path)).collect();
    let docs: Vec<RepoPath> = RepoPath::new("docs").into_iter().collect();
    let project = Project { root: &root, docs: &docs, classes: &[], style: SiteStyle::Github, cache: None };
    let started = std::time::Instant::now();
    let report = check(&project, &Options { scope: Scope::Paths(paths), ..Options::default() })?;
    eprintln!("{} {:.2}s", folder.display(), started.elapsed().as_secs_f32());
    let mut found = Verdicts::new();
    for finding in report.claims {
        let verdict = match &finding.verdict {
            Verdict::Verified => "verified",
            Verdict::Drifted(_) => "drift",
            Verdict::Uncorroborated => "unknown",
        };
        let key = (finding.citation.path.clone(), finding.text.clone());
        let reason = format!("[{}] {} {:?}", finding.rule.id(), finding.reason, finding.evidence.renamed_to);
        found.entry(key).or_default().push((finding.start.0 as u64, verdict.to_owned(), reason));
    }
    Ok(found)
}

/// The worst verdict on a row's line, else on a neighbouring line.
fn verdict_on(row: &Value, verdicts: &Verdicts) -> (String, String) {
    let line = row["line"].as_u64().unwrap_or_default();
    let found = verdicts.get(&(text(row, "path"), text(row, "span")));
    let severity = |verdict: &str| ["verified", "unknown", "drift"].iter().position(|known| *known == verdict);
    let at = |offset: u64| {
        let here = found.into_iter().flatten().filter(move |(at, _, _)| at.abs_diff(line) == offset);
        here.max_by_key(|(_, verdict, _)| severity(verdict))
    };
    at(0)
        .or_else(|| at(1))
        .map_or(("missing".to_owned(), String::new()), |(_, verdict, reason)| (verdict.clone(), reason.clone()))
}

fn print_errors(judged: &[(&Value, String, String)]) {
    for (row, verdict, reason) in judged {
        let label = text(row, "label");
        let is_wrong = match label.as_str() {
            "drift" => verdict != "drift",
            "valid" => verdict != "verified",
            _ => verdict == "drift",
        };
        if is_wrong {
            println!(
                "{label:>12} got {verdict:9} {} {}:{} `{}` ({}) {reason} | {}",
                text(row, "repo"),
                text(row, "path"),
                row["line"],
                text(row, "span"),
                text(row, "kind"),
                text(row, "evidence")
            );
        }
    }
}

fn print_scores(judged: &[(&Value, String, String)]) {
    let mut groups: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
    let labels: Vec<(String, String)> =
        judged.iter().map(|(row, _, _)| (text(row, "label"), text(row, "repo"))).collect();
    for ((_, verdict, _), (label, repo)) in judged.iter().zip(&labels) {
        groups.entry(format!("  {repo}")).or_default().push((label, verdict));
        groups.entry("ALL".to_owned()).or_default().push((label, verdict));
    }
    for (name, rows) in groups {
        let count = |label: &str, verdict: &str| {
            rows.iter().filter(|(l, v)| *l == label && (verdict.is_empty() || *v == verdict)).count() as f64
        };
        let (hits, drifts, valid) = (count("drift", "drift"), count("drift", ""), count("valid", ""));
        let false_alarms = count("valid", "drift") + count("unverifiable", "drift");
        println!(
            "{name:36} n {:4}  precision {:.3}  recall {:.3}  false alarms {:.4} ({false_alarms})  verified among valid {:.3}  drift called verified {:.3}",
            rows.len(),
            hits / (hits + false_alarms),
            hits / drifts,
            false_alarms / (valid + count("unverifiable", "")),
            count("valid", "verified") / valid,
            count("drift", "verified") / drifts,
        );
    }
}
