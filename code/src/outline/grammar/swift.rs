//! Swift.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Frame, Walk, at, children, first, line_of};

const BASES: &[&str] = &["inheritance_specifier"];

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_swift::LANGUAGE.into(),
    rules: &[
        ("import_declaration", Rule::Own(import)),
        ("class_declaration", Rule::Own(class)),
        ("protocol_declaration", Rule::Type("name", BASES)),
        ("typealias_declaration associatedtype_declaration", Rule::Name(Role::Is(SymbolKind::Type), "type_identifier")),
        ("function_declaration protocol_function_declaration", Rule::Own(function)),
        ("init_declaration", Rule::Own(init)),
        ("deinit_declaration subscript_declaration lambda_literal", Rule::Callable("")),
        ("computed_property", Rule::Callable("")),
        ("property_declaration protocol_property_declaration", Rule::Own(property)),
        ("enum_entry", Rule::Own(case)),
        ("parameter", Rule::Own(parameter)),
        ("lambda_parameter", Rule::Name(Role::Is(SymbolKind::Parameter), "name")),
        ("for_statement", Rule::Bind(Role::Is(SymbolKind::Local), "item")),
        ("if_statement guard_statement while_statement", Rule::Name(Role::Is(SymbolKind::Local), "bound_identifier")),
        ("catch_block", Rule::Bind(Role::Is(SymbolKind::Local), "error")),
        ("value_argument_label", Rule::Name(Role::Is(SymbolKind::Key), "simple_identifier")),
        ("dictionary_literal", Rule::Own(dictionary)),
        ("attribute", Rule::Own(attribute)),
    ],
    patterns: Patterns { leaves: &["simple_identifier"], skipped: &["type_annotation"], is_lower_only: false },
    imports: Patterns::NONE,
    dynamic_methods: &[],
};

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let name = first(node, "identifier").and_then(|path| at(path, "simple_identifier").pop());
    if let Some(name) = name {
        walk.define(name, Role::Is(SymbolKind::Import), node);
    }
}

/// The grammar has one kind for classes, structs, enums, actors and extensions.
fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if first(node, "declaration_kind").is_none_or(|word| walk.str(word) != "extension") {
        return walk.type_of(node, "name", BASES);
    }
    let symbol = first(node, "name").and_then(|name| walk.last_name(name)).map(|name| walk.extend(&name, node));
    if let Some(symbol) = symbol {
        walk.bases_of(symbol, node, BASES);
    }
    walk.open(symbol, Frame::Type);
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let name = node.child_by_field_name("name").filter(|name| name.kind() == "simple_identifier");
    let symbol = name.and_then(|name| walk.define(name, Role::Is(walk.callable()), node));
    walk.open(symbol, Frame::Function);
}

fn init<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let symbol = walk.define_as(walk.parent(), "init", line_of(node), Role::Is(SymbolKind::Method), node);
    walk.open(symbol, Frame::Function);
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for name in at(node, "name").into_iter().filter(|name| name.kind() == "pattern") {
        walk.bind(name, Role::Variable);
    }
}

/// Several cases may share a `case`; the fields of their values have names too.
fn case<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for name in at(node, "name").into_iter().filter(|name| name.kind() == "simple_identifier") {
        walk.define(name, Role::Is(SymbolKind::Member), node);
    }
    for contents in at(node, "data_contents") {
        for name in at(contents, "simple_identifier") {
            walk.define(name, Role::Is(SymbolKind::Parameter), node);
        }
    }
}

/// The name inside, and the label that callers write.
fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut names = Vec::new();
    children(node, |child, field| {
        if matches!(field, Some("external_name" | "name")) && child.kind() == "simple_identifier" {
            names.push(child);
        }
    });
    for name in names {
        walk.define(name, Role::Is(SymbolKind::Parameter), node);
    }
}

fn dictionary<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for key in at(node, "key").into_iter().filter(|key| key.kind() == "line_string_literal") {
        walk.define(key, Role::Is(SymbolKind::Key), key);
    }
}

/// Attributes of types that add no members; others may be macros.
const INERT: [&str; 12] = [
    "objc",
    "objcMembers",
    "available",
    "MainActor",
    "frozen",
    "main",
    "discardableResult",
    "usableFromInline",
    "inlinable",
    "unchecked",
    "testable",
    "Suite",
];

fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_of_type = walk.ancestor(1).is_some_and(|above| above.kind() == "class_declaration");
    let is_inert = walk.last_name(node).is_some_and(|name| INERT.contains(&name.trim_start_matches('@')));
    if is_of_type && !is_inert {
        walk.mark_dynamic();
    }
}
