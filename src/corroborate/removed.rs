//! Proofs from history: the project had the file, or defined the name, when the text was written, and removed it since.

use inkwell_code::history::{DocEvent, PathEvent, Removal, Trace};

use inkwell_code::scan::{Context, Needles, scan};
use rayon::prelude::*;

use super::age::{Age, age};
use super::defined::{Defined, definitions_removed};
use super::past::Seen;
use super::path;
use super::rename::{Renamed, renamed};
use super::{Absence, Outcome, Proof, Scene, Subject};
use crate::claim::{Claim, Doubt, Target, has_mark, words_of};
use crate::codebase::{Role, role};
use crate::finding::{Evidence, Rule};

/// First-parent commits after a removal within which a distinctive name that is written down is an oversight.
const SLIP_LIMIT: u32 = 300;

/// Decides what the present state left open.
pub fn prove(claim: &Claim, subject: &Subject, scene: &Scene<'_>, absence: &Absence, seen: &Seen) -> Outcome {
    let proof = match &claim.target {
        Target::Path(_) | Target::PathLine { .. } | Target::PathSymbol { .. } => {
            lost_path(claim, subject, scene, absence, seen)
        }
        Target::Link(_) => lost_link(absence, seen),
        _ => lost_name(claim, subject, scene, absence, seen),
    };
    match proof {
        Ok(proof) => Outcome::Drifted(proof),
        Err(reason) => match &absence.still {
            Some(place) => Outcome::Verified(Rule::Mentioned, Some(place.clone())),
            None => Outcome::Unproven(reason),
        },
    }
}

/// A path that git tracked before.
fn lost_path(
    claim: &Claim,
    subject: &Subject,
    scene: &Scene<'_>,
    absence: &Absence,
    seen: &Seen,
) -> Result<Proof, String> {
    let is_symbol = matches!(claim.target, Target::PathSymbol { .. });
    let Some(path) = absence.paths.first() else { return Err(absence.reason.clone()) };
    let by_path = |trace: &'_ Trace| event_of(path, subject, scene, trace.path(path)).cloned();
    let by_template =
        |trace: &'_ Trace| template_event(absence.paths.get(1)?, scene, trace.path(absence.paths.get(1)?)).cloned();
    // Of a made-up path only what a generator makes of it can be gone.
    let is_made_up = claim.doubt == Some(Doubt::Placeholder);
    let event = seen.trace.as_ref().and_then(|trace| match is_made_up {
        true => by_template(trace),
        false => by_path(trace).or_else(|| by_template(trace)),
    });
    if let Some(event) = event {
        if !is_symbol && age(claim, subject, &docs_of_path(path, seen), event.order) != Age::Older {
            return Err("the text is younger than the removal".to_owned());
        }
        return Ok(lost_file(claim, path, &event, scene));
    }
    if is_made_up {
        return Err(Doubt::Placeholder.reason().to_owned());
    }
    let gone = |path: &str| Proof {
        rule: Rule::MissingPath,
        detail: format!("see {path}: file does not exist"),
        evidence: Evidence::default(),
        rename: None,
    };
    if is_symbol {
        return Ok(gone(path));
    }
    // Without any history the first folder speaks for the path (contracts A4).
    let is_ours = path.contains('/') && scene.code.files.starts_at_root(path);
    match (&seen.trace, scene.code.repo.is_some()) {
        (None, false) if is_ours => Ok(gone(path)),
        (_, _) => Err(seen.gap.clone().unwrap_or_else(|| "the repository never had such a file".to_owned())),
    }
}

/// The removal that a path speaks of: of exactly this path, else of one that ends so, tests excepted.
fn event_of<'a>(path: &str, subject: &Subject, scene: &Scene<'_>, events: &'a [PathEvent]) -> Option<&'a PathEvent> {
    let readings = path::readings(path, subject, scene);
    let is_exact = |event: &&PathEvent| {
        readings.iter().any(|reading| {
            event.path == *reading
                || event.path.strip_prefix(reading.as_str()).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    let is_suffix = |event: &&PathEvent| {
        // A folder's bare name is too common to be the end of some path.
        let is_folder_end = || path.contains(['/', '.']) && event.path.contains(&format!("/{path}/"));
        let is_end = event.path.ends_with(&format!("/{path}")) || is_folder_end();
        // A generator's templates are files of the reader's project; a long path alone still means them.
        let is_template = is_template(&event.path) && path.split('/').count() < 3;
        is_end && !is_template && !matches!(role(&event.path), Role::Test | Role::Foreign)
    };
    let is_filled_in = |event: &PathEvent| event.moved_to.as_ref().is_some_and(|to| is_template_of(to, &event.path));
    let found = events.iter().find(is_exact).or_else(|| events.iter().find(is_suffix));
    found.filter(|event| !is_filled_in(event))
}

/// The removal of the template that a path in a generated project came from, where no template makes it now.
fn template_event<'a>(tail: &str, scene: &Scene<'_>, events: &'a [PathEvent]) -> Option<&'a PathEvent> {
    let end = format!("/{tail}");
    let name = tail.rsplit('/').next().unwrap_or(tail);
    // A template may be called as the file, with an ending of its own, or by the last words of its name: `socket.ex`
    // makes `user_socket.ex`.
    let is_made = |path: &str| {
        let template = path.rsplit('/').next().unwrap_or(path);
        let plain = template.rsplit_once('.').map_or(template, |(plain, _)| plain);
        let is_end = |end: &str| name.ends_with(&format!("_{end}")) || name.ends_with(&format!("-{end}"));
        is_template(path) && (template.starts_with(name) || is_end(template) || is_end(plain))
    };
    if scene.code.files.all.iter().any(|file| is_made(file.path.as_str())) {
        return None;
    }
    let is_it = |event: &&PathEvent| is_template(&event.path) && event.path.ends_with(&end);
    let moved_within = |event: &PathEvent| event.moved_to.as_ref().is_some_and(|to| is_template_of(to, &event.path));
    events.iter().find(is_it).filter(|event| !moved_within(event))
}

/// Whether a path is among what a generator copies.
pub fn is_template(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "templates",
        "template",
        "skeleton",
        "scaffold",
        "generators",
        "installer",
        "cookiecutter",
        "boilerplate",
        "starter",
    ];
    path.split('/').any(|part| FOLDERS.contains(&part))
}

/// Whether `to` is `from` with an ending that a generator takes off again: `dev.exs.eex`.
fn is_template_of(to: &str, from: &str) -> bool {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    name(to).strip_prefix(&name(from)).is_some_and(|rest| rest.starts_with('.'))
}

fn lost_file(claim: &Claim, path: &str, event: &PathEvent, scene: &Scene<'_>) -> Proof {
    let now = event.moved_to.as_ref().filter(|_| event.path.ends_with(path)).and_then(|to| current(to, scene));
    let detail = match &now {
        Some(to) => format!("see {to}: moved from {}", event.path),
        None => format!("see {path}: file does not exist"),
    };
    // The old path is replaced by as much of the new one as the text gives of the old one.
    let rename = now.as_ref().and_then(|to| {
        let shown = to.strip_prefix(event.path.strip_suffix(path)?)?;
        claim.text.contains(path).then(|| (path.to_owned(), shown.to_owned()))
    });
    Proof {
        rule: Rule::MissingPath,
        detail,
        evidence: Evidence { removed_in: Some(event.commit.clone()), renamed_to: now, ..Evidence::default() },
        rename,
    }
}

/// The word that stands for a path in the lines that history is asked for: the longest of its last part.
pub fn word_of_path(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let words = name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).map(|word| word.trim_matches('-'));
    words.filter(|word| !word.is_empty()).max_by_key(|word| word.len())
}

/// The changes of pages whose lines hold a path.
fn docs_of_path(path: &str, seen: &Seen) -> Vec<DocEvent> {
    let of = word_of_path(path).and_then(|word| seen.trace.as_ref()?.name(word));
    let holding = |lines: &[String]| lines.iter().filter(|line| line.contains(path)).cloned().collect::<Vec<_>>();
    let event = |event: &DocEvent| {
        let (added, removed) = (holding(&event.added), holding(&event.removed));
        (!added.is_empty() || !removed.is_empty()).then(|| DocEvent { added, removed, ..event.clone() })
    };
    of.map_or_else(Vec::new, |of| of.docs.iter().filter_map(event).collect())
}

/// A path that something moved to, if it is still there.
fn current(path: &str, scene: &Scene<'_>) -> Option<String> {
    scene.code.files.holds(path).then(|| path.to_owned())
}

/// A link is broken for its reader whatever history says; history tells where its target went.
fn lost_link(absence: &Absence, seen: &Seen) -> Result<Proof, String> {
    let Some(path) = absence.paths.first() else { return Err(absence.reason.clone()) };
    let event = seen.trace.as_ref().and_then(|trace| trace.path(path).iter().find(|event| event.path == *path));
    let moved = event.and_then(|event| event.moved_to.clone());
    let detail = match &moved {
        Some(to) => format!("see {to}: moved from {path}"),
        None => format!("see {path}: file does not exist"),
    };
    Ok(Proof {
        rule: Rule::BrokenLink,
        detail,
        evidence: Evidence {
            removed_in: event.map(|event| event.commit.clone()),
            renamed_to: moved,
            ..Evidence::default()
        },
        rename: None,
    })
}

/// A name that the project defined before.
fn lost_name(
    claim: &Claim,
    subject: &Subject,
    scene: &Scene<'_>,
    absence: &Absence,
    seen: &Seen,
) -> Result<Proof, String> {
    let Some(trace) = &seen.trace else {
        return Err(seen.gap.clone().unwrap_or_else(|| absence.reason.clone()));
    };
    if !is_telling(claim) {
        return Err(absence.reason.clone());
    }
    let mut reason = absence.reason.clone();
    // The docs may write the name in another joint than the code.
    let known = absence.names.iter().filter_map(|name| trace.name(name));
    let mut docs: Vec<DocEvent> = known.flat_map(|of| of.docs.iter().cloned()).collect();
    docs.sort_by_key(|event| event.order);
    for name in &absence.names {
        let Some(of) = trace.name(name) else { continue };
        if !of.removals.is_empty() {
            reason = "the project used the name once and never defined it".to_owned();
        }
        for (removal, kind) in definitions_removed(claim, name, of, seen) {
            let new = renamed(name, &of.removals, removal, scene);
            let is_strong = kind == Defined::Declared || new.is_some();
            // A literal reads an option or variable; any other name it may only mention, unless it was renamed there.
            let is_read = kind != Defined::Literal || matches!(claim.target, Target::Flag(_) | Target::Env(_));
            let needs_more = absence.still.is_some() || !is_read;
            // A plain word may mean anything, unless its renaming is seen.
            let is_plain = claim.doubt == Some(Doubt::PlainWord);
            let is_seen = |new: &Renamed| words_of(&new.name).iter().any(|word| words_of(name).contains(word));
            if is_plain && !(kind == Defined::Declared && new.as_ref().is_some_and(is_seen)) {
                continue;
            }
            let needs_rename = absence.needs_rename;
            if (needs_more && !is_strong) || (needs_rename && new.is_none()) {
                continue;
            }
            if kind == Defined::Literal && removal.is_whole_file && is_extracted(removal, scene) {
                continue;
            }
            match age(claim, subject, &docs, removal.order) {
                Age::Older => return Ok(lost_definition(claim, name, removal, new)),
                Age::Younger(commits) if is_slip(name, kind, commits) => {
                    return Ok(lost_definition(claim, name, removal, new));
                }
                Age::Younger(_) | Age::Fresh => {
                    reason = "the text is younger than the removal".to_owned();
                }
            }
        }
    }
    Err(reason)
}

/// Whether a deleted file went to another package: the code still uses what the file is named after.
fn is_extracted(removal: &Removal, scene: &Scene<'_>) -> bool {
    let name = removal.path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let needles: Needles = [stem].into_iter().collect();
    let files = &scene.code.files.all;
    (0..files.len() as u32).into_par_iter().any(|file| {
        let content = (files[file as usize].role == Role::Source).then(|| scene.code.read(file)).flatten();
        let hits = content.map_or_else(Vec::new, |content| scan(files[file as usize].language, &content, &needles));
        hits.iter().any(|hit| hit.context == Context::Code)
    })
}

/// Whether a name that was written down when it was gone already can only be an oversight: a distinctive name that the
/// project declared, written soon after.
fn is_slip(name: &str, kind: Defined, commits: u32) -> bool {
    kind == Defined::Declared && commits <= SLIP_LIMIT && name.len() >= 10 && words_of(name).len() >= 2
}

fn lost_definition(claim: &Claim, name: &str, removal: &Removal, new: Option<Renamed>) -> Proof {
    // The new name takes the place of what stands in the text, with its dashes and the parts before it.
    let is_whole = !matches!(&claim.target, Target::Key(parts) if parts.len() > 1);
    let new = new.filter(|_| is_whole);
    let dashes = if matches!(claim.target, Target::Flag(_)) { "--" } else { "" };
    let detail = match &new {
        Some(new) => format!("see {}: '{dashes}{name}' is now '{dashes}{}'", new.at, new.name),
        None => format!("see {}: symbol '{dashes}{name}' not found", removal.path),
    };
    let rule = match &claim.target {
        Target::Flag(_) => Rule::UnknownFlag,
        Target::Member(_) => Rule::MissingMember,
        _ => Rule::RemovedName,
    };
    Proof {
        rule,
        detail,
        evidence: Evidence {
            removed_in: Some(removal.commit.clone()),
            renamed_to: new.as_ref().map(|new| new.name.clone()),
            ..Evidence::default()
        },
        rename: new.map(|new| (name.to_owned(), new.name)),
    }
}

/// Whether the name of a claim can only mean something of the project's, so that its absence tells.
fn is_telling(claim: &Claim) -> bool {
    match &claim.target {
        Target::Symbol(name) => has_mark(name) || claim.text.ends_with(')') || claim.doubt == Some(Doubt::PlainWord),
        Target::Member(parts) => parts.last().is_some_and(|leaf| leaf.len() > 3),
        Target::Flag(name) => name.len() > 2,
        Target::Env(name) => !is_of_other_program(name),
        Target::Key(parts) => parts.iter().any(|part| part.contains(['-', '_'])) || parts.len() > 1,
        Target::Path(_) | Target::PathLine { .. } | Target::PathSymbol { .. } | Target::Link(_) => true,
    }
}

/// Variables of programs that others set for them.
fn is_of_other_program(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "GIT_", "GITHUB_", "GITLAB_", "CI_", "XDG_", "CARGO_", "RUST_", "NPM_", "NODE_", "PYTHON", "JAVA_", "AWS_",
        "AZURE_", "GOOGLE_", "LC_", "LD_", "SSH_", "DOCKER_", "HTTP_", "HTTPS_", "SSL_", "ANDROID_", "DYLD_",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
