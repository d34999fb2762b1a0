//! Go.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Frame, Walk, first, line_of};

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_go::LANGUAGE.into(),
    rules: &[
        ("package_clause", Rule::Name(Role::Is(SymbolKind::Module), "package_identifier")),
        ("type_spec type_alias", Rule::Type("name", &[])),
        ("function_declaration method_elem", Rule::Callable("name")),
        ("method_declaration", Rule::Own(method)),
        ("func_literal", Rule::Callable("")),
        ("const_spec var_spec", Rule::Name(Role::Variable, "name")),
        ("field_declaration", Rule::Own(field)),
        ("type_elem", Rule::Own(element)),
        ("parameter_declaration variadic_parameter_declaration", Rule::Name(Role::Is(SymbolKind::Parameter), "name")),
        ("short_var_declaration range_clause", Rule::Bind(Role::Is(SymbolKind::Local), "left")),
        ("type_switch_statement", Rule::Bind(Role::Is(SymbolKind::Local), "alias")),
        ("keyed_element", Rule::Own(keyed)),
        ("import_spec", Rule::Own(import)),
    ],
    patterns: Patterns {
        leaves: &["identifier"],
        skipped: &["selector_expression", "index_expression", "call_expression"],
        is_lower_only: false,
    },
    imports: Patterns::NONE,
    dynamic_methods: &[],
};

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let receiver = first(node, "receiver")
        .and_then(|list| first(list, "parameter_declaration"))
        .and_then(|parameter| first(parameter, "type"))
        .and_then(|name| walk.last_name(name));
    let parent = receiver.map(|name| walk.extend(&name, node));
    let name = first(node, "name");
    let symbol = name.and_then(|name| walk.define_in(parent, name, Role::Is(SymbolKind::Method), node));
    walk.open(symbol, Frame::Function);
}

/// A field, or without a name an embedded type; the names in its tag are what files and wires call it.
fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    let names: Vec<_> = node.children_by_field_name("name", &mut cursor).collect();
    for &name in &names {
        walk.define(name, Role::Is(SymbolKind::Member), node);
    }
    if let Some(owner) = walk.parent().filter(|_| names.is_empty()) {
        walk.bases_of(owner, node, &["type"]);
    }
    if let (Some(tag), Some(owner)) = (first(node, "tag"), walk.parent()) {
        for part in walk.str(tag).split('"').skip(1).step_by(2) {
            let name = part.split(',').next().filter(|&name| name != "-").unwrap_or_default();
            if walk.symbols.is_new(Some(owner), name) {
                walk.define_as(Some(owner), name, line_of(tag), Role::Is(SymbolKind::Key), tag);
            }
        }
    }
}

/// An interface embedded in another.
fn element<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(owner) = walk.parent().filter(|_| walk.ancestor(0).is_some_and(|above| above.kind() == "interface_type"))
    else {
        return;
    };
    let name = walk.last_name(node);
    walk.symbols.add_bases(owner, name.into_iter().collect());
}

fn keyed<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(key) = first(node, "key").and_then(|key| key.named_child(0)) else { return };
    if matches!(key.kind(), "identifier" | "interpreted_string_literal" | "raw_string_literal") {
        walk.define(key, Role::Is(SymbolKind::Key), node);
    }
}

/// The local name and the last segment of the path; the two are usually one.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(path) = first(node, "path") else { return };
    let last = walk.str(path).trim_matches(['"', '`']).rsplit('/').next().unwrap_or_default();
    let name = first(node, "name").filter(|name| name.kind() == "package_identifier");
    if let Some(name) = name {
        walk.define(name, Role::Is(SymbolKind::Import), node);
    }
    if name.is_none_or(|name| walk.str(name) != last) {
        walk.define_as(walk.parent(), last, line_of(path), Role::Is(SymbolKind::Import), node);
    }
}
