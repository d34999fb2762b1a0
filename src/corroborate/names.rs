//! Under which names the code may hold what a claim names: other joints (`dry-run`, `dry_run`, `dryRun`), and pieces of
//! names that programs put together (`APP_` + `LOG_LEVEL`).

use crate::claim::{Target, words_of};

/// Every name to look for so that a claim can be decided.
pub fn wanted(target: &Target) -> Vec<String> {
    match target {
        Target::Path(_) | Target::PathLine { .. } | Target::Link(_) => Vec::new(),
        Target::PathSymbol { parts, .. } | Target::Member(parts) => parts.clone(),
        Target::Symbol(name) => with_joints(name),
        Target::Flag(name) => of_flag(name),
        Target::Env(name) => of_variable(name),
        Target::Key(parts) => parts.iter().flat_map(|part| with_joints(part)).collect(),
    }
}

/// A name, then the same words joined in the other ways that code joins them.
pub fn with_joints(name: &str) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    if name.starts_with(|c: char| c.is_uppercase()) {
        return names;
    }
    let words = words_of(name);
    if words.len() > 1 {
        for joined in [words.join("_"), words.join("-"), camel(&words), pascal(&words)] {
            if !names.contains(&joined) {
                names.push(joined);
            }
        }
    }
    names
}

/// The names of an option without its dashes: its joints, what is left without `no-`, and the tail that a macro may
/// complete (`gtest_` + `catch_exceptions`).
pub fn of_flag(name: &str) -> Vec<String> {
    let mut names = with_joints(name);
    if let Some(positive) = name.strip_prefix("no-") {
        names.extend(with_joints(positive));
    }
    if let Some(constant) = name.strip_prefix('D').filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())) {
        names.push(constant.to_owned());
    }
    names.extend(tails(name).map(str::to_owned));
    names
}

/// What may stand behind a prefix that the program adds, two words at least.
pub fn tails(name: &str) -> impl Iterator<Item = &str> {
    let joints = name.match_indices(['_', '-']).map(|(at, _)| &name[at + 1..]);
    joints.filter(|rest| rest.contains(['_', '-']) && rest.len() > 5).take(2)
}

/// A variable's name, and for each place where a program may put it together the prefix and the rest.
pub fn of_variable(name: &str) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    for (prefix, rest) in splits(name) {
        names.push(prefix.clone());
        names.push(prefix.trim_end_matches('_').to_owned());
        names.extend(rests(&rest));
    }
    names
}

/// Where a variable's name can be cut into prefix (with its `_`) and rest.
pub fn splits(name: &str) -> Vec<(String, String)> {
    let cuts = name.match_indices('_').map(|(at, _)| at + 1).filter(|at| *at > 2 && *at < name.len());
    cuts.take(4).map(|at| (name[..at].to_owned(), name[at..].to_owned())).collect()
}

/// How code may write the rest of a variable's name: as it is, and as a setting's key.
pub fn rests(rest: &str) -> Vec<String> {
    let mut names = vec![rest.to_owned()];
    let words: Vec<String> = rest.split('_').filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    names.extend([words.join("_"), words.join("-"), camel(&words), pascal(&words)]);
    names.dedup();
    names
}

fn camel(words: &[String]) -> String {
    let (first, rest) = words.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    format!("{first}{}", pascal(rest))
}

fn pascal(words: &[String]) -> String {
    let capital = |word: &String| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default()
    };
    words.iter().map(capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_looked_for_in_every_joint() {
        assert_eq!(with_joints("dry-run"), ["dry-run", "dry_run", "dryRun", "DryRun"]);
        assert_eq!(with_joints("maxSize"), ["maxSize", "max_size", "max-size", "MaxSize"]);
        assert_eq!(with_joints("Cache"), ["Cache"]);
        assert_eq!(with_joints("run"), ["run"]);
    }

    #[test]
    fn variables_are_cut_where_programs_join_them() {
        assert_eq!(splits("APP_LOG_LEVEL"), [("APP_".into(), "LOG_LEVEL".into()), ("APP_LOG_".into(), "LEVEL".into())]);
        assert_eq!(rests("LOG_LEVEL"), ["LOG_LEVEL", "log_level", "log-level", "logLevel", "LogLevel"]);
        assert_eq!(tails("gtest_catch_exceptions").collect::<Vec<_>>(), ["catch_exceptions"]);
    }
}
