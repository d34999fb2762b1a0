//! Build files: Make, Just, Dockerfile, CMake.

use super::{Names, lines, word};
use crate::outline::SymbolKind;

/// Variables and targets.
pub(super) fn read_make(text: &str, names: &mut Names) {
    for (number, line) in lines(text) {
        if line.starts_with(['\t', '#']) {
            continue;
        }
        let line = line.trim_start();
        let line = ["export ", "override ", "define "].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line);
        let assigned = word(line, &['-', '.']);
        let rest = line[assigned.len()..].trim_start();
        if ["=", ":=", "::=", "?=", "+=", "!="].iter().any(|sign| rest.starts_with(sign)) {
            names.push(assigned, SymbolKind::Constant, None, number);
        } else if let Some((targets, _)) = line.split_once(':') {
            // `.PHONY: all` names targets that have rules of their own.
            for target in targets.split_whitespace().filter(|target| !target.starts_with('.')) {
                names.push(target, SymbolKind::Function, None, number);
            }
        }
    }
}

/// Variables, aliases, and recipes with their parameters.
pub(super) fn read_just(text: &str, names: &mut Names) {
    for (number, line) in lines(text) {
        if line.starts_with([' ', '\t', '#', '[']) {
            continue;
        }
        let line = line.trim_start_matches('@');
        let line = line.strip_prefix("export ").unwrap_or(line);
        match line.split_once(' ') {
            Some(("alias", rest)) => _ = names.push(word(rest, &['-']), SymbolKind::Function, None, number),
            Some(("set", rest)) => _ = names.key(word(rest, &['-']), None, number),
            Some(("import" | "mod", _)) => {}
            _ => just_item(line, number, names),
        }
    }
}

fn just_item(line: &str, number: u32, names: &mut Names) {
    let name = word(line, &['-']);
    let rest = &line[name.len()..];
    if rest.trim_start().starts_with(":=") {
        names.push(name, SymbolKind::Constant, None, number);
        return;
    }
    let Some((parameters, _)) = rest.split_once(':') else { return };
    let recipe = names.push(name, SymbolKind::Function, None, number);
    for parameter in parameters.split_whitespace() {
        let name = word(parameter.trim_start_matches(['*', '+', '$']), &['-']);
        names.push(name, SymbolKind::Parameter, recipe, number);
    }
}

/// Variables, arguments and stages.
pub(super) fn read_docker(text: &str, names: &mut Names) {
    for (number, line) in lines(text) {
        let Some((instruction, rest)) = line.trim_start().split_once(char::is_whitespace) else { continue };
        let rest = rest.trim_start();
        match instruction.to_ascii_uppercase().as_str() {
            "ARG" | "ENV" if !rest.contains('=') => {
                names.push(word(rest, &[]), SymbolKind::Constant, None, number);
            }
            "ARG" | "ENV" => {
                for (name, _) in rest.split_whitespace().filter_map(|pair| pair.split_once('=')) {
                    if word(name, &[]) == name {
                        names.push(name, SymbolKind::Constant, None, number);
                    }
                }
            }
            "FROM" => {
                let stage = rest.split_whitespace().skip_while(|word| !word.eq_ignore_ascii_case("as")).nth(1);
                names.push(stage.unwrap_or_default(), SymbolKind::Module, None, number);
            }
            _ => {}
        }
    }
}

/// Options, variables, targets, functions and macros.
pub(super) fn read_cmake(text: &str, names: &mut Names) {
    for (number, line) in lines(text) {
        let Some((command, arguments)) = line.split_once('(') else { continue };
        let kind = match command.trim().to_ascii_lowercase().as_str() {
            "option" | "set" | "cmake_dependent_option" => SymbolKind::Constant,
            "function" | "add_custom_target" | "add_executable" | "add_library" => SymbolKind::Function,
            "macro" => SymbolKind::Macro,
            "project" => SymbolKind::Module,
            "find_package" | "include" => SymbolKind::Import,
            _ => continue,
        };
        names.push(word(arguments.trim_start(), &['-', '.']), kind, None, number);
    }
}
