//! PHP.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Walk, at, first};

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_php::LANGUAGE_PHP.into(),
    rules: &[
        ("namespace_definition", Rule::Own(namespace)),
        (
            "class_declaration interface_declaration trait_declaration enum_declaration",
            Rule::Type("name", &["base_clause", "class_interface_clause"]),
        ),
        ("anonymous_class", Rule::Type("", &[])),
        ("function_definition method_declaration", Rule::Callable("name")),
        ("arrow_function anonymous_function", Rule::Callable("")),
        ("const_element", Rule::Name(Role::Variable, "name")),
        ("property_element", Rule::Name(Role::Is(SymbolKind::Member), "name")),
        ("enum_case", Rule::Name(Role::Is(SymbolKind::Member), "name")),
        ("simple_parameter variadic_parameter", Rule::Name(Role::Is(SymbolKind::Parameter), "name")),
        ("property_promotion_parameter", Rule::Own(promoted)),
        ("use_declaration", Rule::Own(mix_in)),
        ("assignment_expression", Rule::Own(assignment)),
        ("foreach_statement", Rule::Own(each)),
        ("static_variable_declaration catch_clause", Rule::Name(Role::Is(SymbolKind::Local), "name")),
        ("array_element_initializer", Rule::Own(element)),
        ("argument", Rule::Name(Role::Is(SymbolKind::Key), "name")),
        ("namespace_use_clause", Rule::Import),
        ("function_call_expression", Rule::Own(call)),
    ],
    patterns: Patterns {
        leaves: &["variable_name"],
        skipped: &["member_access_expression", "subscript_expression", "scoped_property_access_expression"],
        is_lower_only: false,
    },
    imports: Patterns { leaves: &["name"], skipped: &["namespace_name"], is_lower_only: false },
    dynamic_methods: &["__call", "__callStatic", "__get", "__set"],
};

/// A namespace without braces is that of the rest of the file: nothing is inside its node.
fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let symbol = first(node, "name").and_then(|name| walk.define(name, Role::Is(SymbolKind::Module), node));
    if node.child_by_field_name("body").is_some() {
        walk.open(symbol, crate::outline::walk::Frame::Module);
    }
}

fn promoted<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = node.child_by_field_name("name") else { return };
    walk.define(name, Role::Is(SymbolKind::Parameter), node);
    walk.define_in(walk.enclosing_type(), name, Role::Is(SymbolKind::Member), node);
}

fn mix_in<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(owner) = walk.enclosing_type() {
        walk.bases_of(owner, node, &["name", "qualified_name"]);
    }
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(left) = node.child_by_field_name("left") else { return };
    match left.kind() {
        "member_access_expression" => {
            let is_this = first(left, "object").is_some_and(|object| walk.str(object) == "$this");
            let (Some(name), parent, true) = (first(left, "name"), walk.enclosing_type(), is_this) else { return };
            if walk.symbols.is_new(parent, walk.str(name)) {
                walk.define_in(parent, name, Role::Is(SymbolKind::Member), node);
            }
        }
        "subscript_expression" => {
            let key = at(left, "string").into_iter().chain(at(left, "encapsed_string")).next();
            if let Some(key) = key {
                walk.define(key, Role::Is(SymbolKind::Key), node);
            }
        }
        _ => walk.bind(left, Role::Assigned),
    }
}

/// All variables after the first, which is what is gone through.
fn each<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    let heads: Vec<_> = node.named_children(&mut cursor).skip(1).collect();
    for head in
        heads.into_iter().filter(|head| matches!(head.kind(), "variable_name" | "pair" | "by_ref" | "list_literal"))
    {
        walk.bind(head, Role::Assigned);
    }
}

/// `'key' => value`; elements without a key have one child.
fn element<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(key) = node.named_child(0).filter(|_| node.named_child(1).is_some()) else { return };
    if matches!(key.kind(), "string" | "encapsed_string") {
        let symbol = walk.define(key, Role::Is(SymbolKind::Key), node);
        walk.open(symbol, walk.frame());
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if first(node, "function").is_none_or(|function| walk.str(function) != "define") {
        return;
    }
    let argument = first(node, "arguments").and_then(|list| list.named_child(0)).and_then(|node| node.named_child(0));
    if let Some(name) = argument.filter(|argument| argument.kind() == "string") {
        walk.define(name, Role::Is(SymbolKind::Constant), node);
    }
}
