//! Lua and Bash.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Frame, Walk, at, first};

pub(super) const LUA: Grammar = Grammar {
    language: || tree_sitter_lua::LANGUAGE.into(),
    rules: &[
        ("function_declaration", Rule::Own(lua_function)),
        ("function_definition", Rule::Callable("")),
        ("parameters", Rule::Name(Role::Is(SymbolKind::Parameter), "name")),
        ("assignment_statement", Rule::Own(lua_assignment)),
        ("variable_declaration", Rule::Name(Role::Assigned, "name")),
        ("for_numeric_clause", Rule::Name(Role::Is(SymbolKind::Local), "name")),
        ("for_generic_clause", Rule::Bind(Role::Is(SymbolKind::Local), "variable_list")),
        ("field", Rule::Own(lua_field)),
        ("function_call", Rule::Own(lua_require)),
    ],
    patterns: Patterns {
        leaves: &["identifier"],
        skipped: &["dot_index_expression", "bracket_index_expression"],
        is_lower_only: false,
    },
    imports: Patterns::NONE,
    dynamic_methods: &[],
};

/// `function M.run()` and `function M:run()` are methods of `M`.
fn lua_function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let symbol = match node.child_by_field_name("name") {
        Some(name) if name.kind() == "identifier" => walk.define(name, Role::Is(walk.callable()), node),
        Some(name) => lua_member(walk, name, SymbolKind::Method, node),
        None => None,
    };
    walk.open(symbol, Frame::Function);
}

/// Defines the last part of `M.name` within `M`.
fn lua_member<'t>(walk: &mut Walk<'t>, path: Node<'t>, kind: SymbolKind, whole: Node<'t>) -> Option<u32> {
    let name = first(path, "field").or_else(|| first(path, "method"))?;
    if path.kind() == "bracket_index_expression" && name.kind() != "string" {
        return None;
    }
    let table = walk.last_name(first(path, "table")?)?;
    let parent = match table.as_str() {
        // Which table a method's `self` is, its own parent says.
        "self" => walk.parent().and_then(|symbol| walk.symbols.at(symbol).parent),
        _ => Some(walk.extend(&table, path)),
    };
    if kind == SymbolKind::Member && !walk.symbols.is_new(parent, walk.str(name)) {
        return None;
    }
    walk.define_in(parent, name, Role::Is(kind), whole)
}

fn lua_assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let names = first(node, "variable_list").map(|list| at(list, "name")).unwrap_or_default();
    let values = first(node, "expression_list").map(|list| at(list, "value")).unwrap_or_default();
    let is_single = names.len() == 1;
    for (place, name) in names.into_iter().enumerate() {
        let is_function = values.get(place).is_some_and(|value| value.kind() == "function_definition");
        let symbol = match (name.kind(), is_function) {
            ("identifier", true) => walk.define(name, Role::Is(walk.callable()), node),
            ("identifier", false) => walk.define(name, Role::Assigned, node),
            (_, true) => lua_member(walk, name, SymbolKind::Method, node),
            (_, false) => lua_member(walk, name, SymbolKind::Member, node),
        };
        if is_single && symbol.is_some() {
            walk.open(symbol, walk.frame());
        }
    }
}

fn lua_field<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let name = node.child_by_field_name("name").filter(|name| matches!(name.kind(), "identifier" | "string"));
    if let Some(name) = name {
        let symbol = walk.define(name, Role::Is(SymbolKind::Key), node);
        walk.open(symbol, walk.frame());
    }
}

fn lua_require<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if first(node, "name").is_none_or(|name| walk.str(name) != "require") {
        return;
    }
    let path = first(node, "arguments").and_then(|list| first(list, "string"));
    if let Some(path) = path {
        let name = walk.str(path).trim_matches(['"', '\'']).rsplit(['.', '/']).next().unwrap_or_default();
        let line = crate::outline::walk::line_of(path);
        walk.define_as(walk.parent(), name, line, Role::Is(SymbolKind::Import), node);
    }
}

pub(super) const BASH: Grammar = Grammar {
    language: || tree_sitter_bash::LANGUAGE.into(),
    rules: &[
        ("function_definition", Rule::Callable("name")),
        ("variable_assignment", Rule::Own(bash_assignment)),
        ("declaration_command", Rule::Own(bash_declaration)),
        ("for_statement", Rule::Name(Role::Assigned, "variable")),
        ("command", Rule::Own(bash_command)),
    ],
    patterns: Patterns::NONE,
    imports: Patterns::NONE,
    dynamic_methods: &[],
};

/// Variables are global wherever they are set, unless declared with `local`.
fn bash_assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let above = walk.ancestor(0);
    let is_local = walk.frame() == Frame::Function
        && above.is_some_and(|above| above.kind() == "declaration_command" && is_local(walk.str(above)));
    let Some(name) = first(node, "name").filter(|name| name.kind() == "variable_name") else { return };
    match is_local {
        true => _ = walk.define(name, Role::Is(SymbolKind::Local), node),
        false if walk.symbols.is_new(None, walk.str(name)) => {
            walk.define_in(None, name, Role::Is(SymbolKind::Constant), node);
        }
        false => {}
    }
}

fn is_local(command: &str) -> bool {
    command.starts_with("local") || command.starts_with("declare") || command.starts_with("typeset")
}

/// `local a b` without values.
fn bash_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_local = is_local(walk.str(node)) && walk.frame() == Frame::Function;
    let role = if is_local { Role::Is(SymbolKind::Local) } else { Role::Assigned };
    for name in at(node, "variable_name") {
        walk.define(name, role, node);
    }
}

/// `read NAME`, `alias name=…` and the default that `: "${NAME:=value}"` gives.
fn bash_command<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let command = first(node, "name").map_or("", |name| walk.str(name));
    match command {
        "read" => {
            for word in at(node, "argument").into_iter().filter(|word| word.kind() == "word") {
                let is_name = !walk.str(word).starts_with('-');
                if is_name {
                    walk.define(word, Role::Assigned, node);
                }
            }
        }
        "alias" => {
            for argument in at(node, "argument") {
                if let Some((name, _)) = walk.str(argument).split_once('=') {
                    let line = crate::outline::walk::line_of(argument);
                    walk.define_as(walk.parent(), name, line, Role::Is(SymbolKind::Function), node);
                }
            }
        }
        _ => {}
    }
}
