//! Java.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Walk, at};

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_java::LANGUAGE.into(),
    rules: &[
        ("package_declaration", Rule::Name(Role::Is(SymbolKind::Module), "scoped_identifier")),
        (
            "class_declaration interface_declaration enum_declaration annotation_type_declaration",
            Rule::Type("name", &["superclass", "interfaces", "extends_interfaces"]),
        ),
        ("record_declaration", Rule::Own(record)),
        (
            "method_declaration constructor_declaration compact_constructor_declaration \
             annotation_type_element_declaration",
            Rule::Callable("name"),
        ),
        ("lambda_expression", Rule::Own(lambda)),
        ("enum_constant", Rule::Variant("name")),
        ("variable_declarator", Rule::Own(variable)),
        ("formal_parameter", Rule::Name(Role::Is(SymbolKind::Parameter), "name")),
        ("inferred_parameters", Rule::Bind(Role::Is(SymbolKind::Parameter), "")),
        (
            "enhanced_for_statement resource catch_formal_parameter instanceof_expression type_pattern",
            Rule::Name(Role::Is(SymbolKind::Local), "name"),
        ),
        ("element_value_pair", Rule::Name(Role::Is(SymbolKind::Key), "key")),
        ("import_declaration", Rule::Import),
        ("annotation marker_annotation", Rule::Own(annotation)),
    ],
    patterns: Patterns { leaves: &["identifier"], skipped: &[], is_lower_only: false },
    imports: Patterns { leaves: &["identifier"], skipped: &["scoped_identifier.scope"], is_lower_only: false },
    dynamic_methods: &[],
};

/// Lombok's annotations that add members to the class around.
const ADDING: [&str; 12] = [
    "Data",
    "Getter",
    "Setter",
    "Builder",
    "SuperBuilder",
    "Value",
    "With",
    "Accessors",
    "Delegate",
    "Slf4j",
    "Log",
    "Jacksonized",
];

fn annotation<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let name = at(node, "name").first().and_then(|&name| walk.last_name(name));
    if name.is_some_and(|name| ADDING.contains(&name.as_str())) {
        walk.mark_dynamic();
    }
}

/// A record's parameters are its members.
fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.type_of(node, "name", &["interfaces"]);
    for parameter in at(node, "parameters").iter().flat_map(|&list| at(list, "formal_parameter")) {
        if let Some(name) = parameter.child_by_field_name("name") {
            walk.define(name, Role::Is(SymbolKind::Member), parameter);
        }
    }
}

fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.open(None, crate::outline::walk::Frame::Function);
    if let Some(parameter) = node.child_by_field_name("parameters").filter(|node| node.kind() == "identifier") {
        walk.define(parameter, Role::Is(SymbolKind::Parameter), node);
    }
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_parameter = walk.ancestor(0).is_some_and(|above| above.kind() == "spread_parameter");
    let role = if is_parameter { Role::Is(SymbolKind::Parameter) } else { Role::Variable };
    if let Some(name) = node.child_by_field_name("name") {
        walk.define(name, role, node);
    }
}
