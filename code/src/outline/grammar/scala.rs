//! Scala.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Frame, Walk, at, first};

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_scala::LANGUAGE.into(),
    rules: &[
        ("package_clause", Rule::Own(package)),
        ("package_object", Rule::Module("name")),
        ("import_declaration", Rule::Own(import)),
        ("class_definition object_definition trait_definition enum_definition", Rule::Type("name", &["extend"])),
        ("simple_enum_case full_enum_case", Rule::Variant("name")),
        ("type_definition", Rule::Name(Role::Is(SymbolKind::Type), "name")),
        ("function_definition function_declaration", Rule::Callable("name")),
        ("lambda_expression", Rule::Own(lambda)),
        ("val_definition var_definition", Rule::Bind(Role::Variable, "pattern")),
        ("val_declaration var_declaration given_definition", Rule::Name(Role::Variable, "name")),
        ("class_parameter", Rule::Name(Role::Is(SymbolKind::Member), "name")),
        ("parameter", Rule::Name(Role::Is(SymbolKind::Parameter), "name")),
        ("enumerator", Rule::Own(enumerator)),
        ("case_clause", Rule::Bind(Role::Is(SymbolKind::Local), "pattern")),
        ("arguments", Rule::Own(arguments)),
    ],
    patterns: Patterns {
        leaves: &["identifier"],
        skipped: &["stable_identifier", "typed_pattern.type", "case_class_pattern.type", "infix_pattern.operator"],
        is_lower_only: false,
    },
    imports: Patterns::NONE,
    dynamic_methods: &["selectDynamic", "applyDynamic"],
};

fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let symbol = first(node, "name").and_then(|name| walk.define(name, Role::Is(SymbolKind::Module), node));
    if node.child_by_field_name("body").is_some() {
        walk.open(symbol, Frame::Module);
    }
}

/// The last segment, or what the braces select, with the name it gets.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_selecting = !at(node, "namespace_selectors").is_empty() || !at(node, "namespace_wildcard").is_empty();
    let mut names: Vec<_> = at(node, "path").pop().into_iter().filter(|_| !is_selecting).collect();
    for place in ["namespace_selectors", "as_renamed_identifier"] {
        for selectors in at(node, place) {
            names.extend(at(selectors, "identifier"));
            for renamed in ["arrow_renamed_identifier", "as_renamed_identifier"] {
                names.extend(at(selectors, renamed).into_iter().flat_map(|renamed| at(renamed, "identifier")));
            }
        }
    }
    for name in names {
        walk.define(name, Role::Is(SymbolKind::Import), node);
    }
}

fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.open(None, Frame::Function);
    if let Some(parameter) = node.child_by_field_name("parameters").filter(|node| node.kind() == "identifier") {
        walk.define(parameter, Role::Is(SymbolKind::Parameter), node);
    }
}

/// `x <- xs`.
fn enumerator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(pattern) = node.named_child(0) {
        walk.bind(pattern, Role::Is(SymbolKind::Local));
    }
}

/// `f(name = value)`.
fn arguments<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for assignment in at(node, "assignment_expression") {
        if let Some(name) = first(assignment, "left").filter(|left| left.kind() == "identifier") {
            walk.define(name, Role::Is(SymbolKind::Key), assignment);
        }
    }
}
