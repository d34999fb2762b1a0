//! C#.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Frame, Walk, at, first};

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_c_sharp::LANGUAGE.into(),
    rules: &[
        ("namespace_declaration", Rule::Module("name")),
        ("file_scoped_namespace_declaration", Rule::Name(Role::Is(SymbolKind::Module), "name")),
        (
            "class_declaration interface_declaration struct_declaration enum_declaration",
            Rule::Type("name", &["base_list"]),
        ),
        ("record_declaration", Rule::Own(record)),
        ("delegate_declaration", Rule::Type("name", &[])),
        ("modifier", Rule::Own(modifier)),
        (
            "method_declaration constructor_declaration destructor_declaration local_function_statement",
            Rule::Callable("name"),
        ),
        ("operator_declaration indexer_declaration lambda_expression anonymous_method_expression", Rule::Callable("")),
        ("property_declaration event_declaration", Rule::Own(property)),
        ("enum_member_declaration", Rule::Name(Role::Is(SymbolKind::Member), "name")),
        ("variable_declarator", Rule::Own(variable)),
        ("parameter", Rule::Name(Role::Is(SymbolKind::Parameter), "name")),
        ("parameter_list", Rule::Own(last_parameter)),
        ("foreach_statement", Rule::Own(foreach)),
        (
            "declaration_pattern catch_declaration declaration_expression",
            Rule::Name(Role::Is(SymbolKind::Local), "name"),
        ),
        ("argument", Rule::Own(argument)),
        ("initializer_expression", Rule::Own(initializer)),
        ("anonymous_object_creation_expression", Rule::Own(anonymous)),
        ("using_directive", Rule::Import),
    ],
    patterns: Patterns { leaves: &["identifier"], skipped: &[], is_lower_only: false },
    imports: Patterns {
        leaves: &["identifier"],
        skipped: &["qualified_name.qualifier", "type_argument_list"],
        is_lower_only: false,
    },
    dynamic_methods: &["TryGetMember", "TryInvokeMember"],
};

/// The parameters of a record are its properties.
fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.type_of(node, "name", &["base_list"]);
    for parameter in at(node, "parameter_list").iter().flat_map(|&list| at(list, "parameter")) {
        if let Some(name) = parameter.child_by_field_name("name") {
            walk.define(name, Role::Is(SymbolKind::Member), parameter);
        }
    }
}

/// The other parts of a partial class may be anywhere, generated ones included.
fn modifier<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_of_type = walk.ancestor(0).is_some_and(|above| above.kind() != "method_declaration");
    if walk.str(node) == "partial" && is_of_type {
        walk.mark_dynamic();
    }
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.child_by_field_name("name") {
        let symbol = walk.define(name, Role::Is(SymbolKind::Member), node);
        walk.open(symbol, Frame::Function);
    }
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    match node.child_by_field_name("name") {
        Some(name) => _ = walk.define(name, Role::Variable, node),
        None => at(node, "tuple_pattern").into_iter().for_each(|tuple| walk.bind(tuple, Role::Variable)),
    }
}

/// The grammar gives `params T[] name` no node of its own.
fn last_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.child_by_field_name("name") {
        walk.define(name, Role::Is(SymbolKind::Parameter), name);
    }
}

fn foreach<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(left) = node.child_by_field_name("left") {
        walk.bind(left, Role::Is(SymbolKind::Local));
    }
}

fn argument<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.child_by_field_name("name") {
        walk.define(name, Role::Is(SymbolKind::Key), node);
    }
}

/// `new Foo { Name = … }`.
fn initializer<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for assignment in at(node, "assignment_expression") {
        if let Some(name) = first(assignment, "left").filter(|left| left.kind() == "identifier") {
            walk.define(name, Role::Is(SymbolKind::Key), assignment);
        }
    }
}

/// `new { Name = … }`: the names are the identifiers before a sign of equality.
fn anonymous<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    let children: Vec<_> = node.children(&mut cursor).collect();
    for pair in children.windows(2) {
        if pair[0].kind() == "identifier" && pair[1].kind() == "=" {
            walk.define(pair[0], Role::Is(SymbolKind::Key), pair[0]);
        }
    }
}
