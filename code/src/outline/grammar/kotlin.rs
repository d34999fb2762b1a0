//! Kotlin.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Frame, Walk, at, first};

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    rules: &[
        ("package_header", Rule::Name(Role::Is(SymbolKind::Module), "qualified_identifier")),
        ("import", Rule::Own(import)),
        ("class_declaration object_declaration", Rule::Type("name", &["delegation_specifiers"])),
        ("companion_object", Rule::Own(companion)),
        ("type_alias", Rule::Name(Role::Is(SymbolKind::Type), "type")),
        ("function_declaration", Rule::Own(function)),
        ("secondary_constructor getter setter", Rule::Callable("")),
        ("lambda_literal anonymous_function anonymous_initializer", Rule::Callable("")),
        ("property_declaration", Rule::Own(property)),
        ("class_parameter", Rule::Own(class_parameter)),
        ("enum_entry", Rule::Variant("identifier")),
        ("parameter", Rule::Name(Role::Is(SymbolKind::Parameter), "identifier")),
        ("lambda_parameters", Rule::Bind(Role::Is(SymbolKind::Parameter), "")),
        ("for_statement", Rule::Bind(Role::Is(SymbolKind::Local), "variable_declaration")),
        ("catch_block", Rule::Name(Role::Is(SymbolKind::Local), "identifier")),
        ("value_argument", Rule::Own(argument)),
    ],
    patterns: Patterns {
        leaves: &["identifier"],
        skipped: &["user_type", "nullable_type", "function_type", "modifiers"],
        is_lower_only: false,
    },
    imports: Patterns::NONE,
    dynamic_methods: &[],
};

/// The last segment of the path, and the name it gets.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let path = first(node, "qualified_identifier").and_then(|path| at(path, "identifier").pop());
    for name in path.into_iter().chain(first(node, "identifier")) {
        walk.define(name, Role::Is(SymbolKind::Import), node);
    }
}

/// Members of a companion are members of its class.
fn companion<'t>(walk: &mut Walk<'t>, _: Node<'t>) {
    walk.open(walk.enclosing_type(), Frame::Type);
}

/// A function, or with a receiver (`fun String.name`) a method of a type that is elsewhere.
fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = first(node, "name") else { return walk.open(None, Frame::Function) };
    let mut cursor = node.walk();
    let receiver = node
        .named_children(&mut cursor)
        .take_while(|child| child.id() != name.id())
        .find(|child| matches!(child.kind(), "user_type" | "nullable_type"))
        .and_then(|receiver| walk.last_name(receiver));
    let symbol = match receiver {
        Some(receiver) => {
            let parent = walk.extend(&receiver, node);
            walk.define_in(Some(parent), name, Role::Is(SymbolKind::Method), node)
        }
        None => walk.define(name, Role::Is(walk.callable()), node),
    };
    walk.open(symbol, Frame::Function);
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for place in ["variable_declaration", "multi_variable_declaration"] {
        for names in at(node, place) {
            walk.bind(names, Role::Variable);
        }
    }
}

/// A parameter of a class, with `val` or `var` also a member.
fn class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = first(node, "identifier") else { return };
    let mut cursor = node.walk();
    let is_member = node.children(&mut cursor).any(|word| matches!(word.kind(), "val" | "var"));
    let kind = if is_member { SymbolKind::Member } else { SymbolKind::Parameter };
    walk.define(name, Role::Is(kind), node);
}

/// `name = value`; a lone name is a value.
fn argument<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = node.named_child(0).filter(|name| name.kind() == "identifier") else { return };
    if node.child(1).is_some_and(|sign| sign.kind() == "=") {
        walk.define(name, Role::Is(SymbolKind::Key), node);
    }
}
