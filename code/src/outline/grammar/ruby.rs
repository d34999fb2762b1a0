//! Ruby.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Frame, Walk, children, first, line_of};

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_ruby::LANGUAGE.into(),
    rules: &[
        ("module", Rule::Own(module)),
        ("class", Rule::Own(class)),
        ("singleton_class", Rule::Own(singleton)),
        ("method singleton_method", Rule::Callable("name")),
        ("alias", Rule::Own(alias)),
        ("block do_block lambda", Rule::Own(block)),
        ("method_parameters block_parameters lambda_parameters", Rule::Bind(Role::Is(SymbolKind::Parameter), "")),
        ("assignment operator_assignment", Rule::Own(assignment)),
        ("exception_variable", Rule::Bind(Role::Is(SymbolKind::Local), "")),
        ("pair", Rule::Own(pair)),
        ("call", Rule::Own(call)),
    ],
    patterns: Patterns {
        leaves: &["identifier"],
        skipped: &["optional_parameter.value", "keyword_parameter.value", "call", "element_reference"],
        is_lower_only: false,
    },
    imports: Patterns::NONE,
    dynamic_methods: &["method_missing", "respond_to_missing?"],
};

/// The last segment of `A::B`.
fn last<'t>(name: Node<'t>) -> Node<'t> {
    if name.kind() == "scope_resolution" { first(name, "name").unwrap_or(name) } else { name }
}

fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let symbol = first(node, "name").and_then(|name| walk.define(last(name), Role::Is(SymbolKind::Module), node));
    walk.open(symbol, Frame::Type);
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let symbol = first(node, "name").and_then(|name| walk.define(last(name), Role::Is(SymbolKind::Type), node));
    if let Some(symbol) = symbol {
        walk.bases_of(symbol, node, &["superclass"]);
    }
    walk.open(symbol, Frame::Type);
}

/// `class << self` goes on with the class around.
fn singleton<'t>(walk: &mut Walk<'t>, _: Node<'t>) {
    walk.open(None, Frame::Type);
}

/// Blocks in a class body (`included do`, `class_methods do`) define for the class.
fn block<'t>(walk: &mut Walk<'t>, _: Node<'t>) {
    walk.open(None, walk.frame());
}

fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = first(node, "name") {
        walk.define(name, Role::Is(walk.callable()), node);
    }
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(left) = first(node, "left") else { return };
    let mut names = vec![left];
    if left.kind() == "left_assignment_list" {
        names.clear();
        children(left, |child, _| names.push(child));
    }
    for name in names {
        target(walk, name, node);
    }
}

fn target<'t>(walk: &mut Walk<'t>, name: Node<'t>, whole: Node<'t>) {
    match name.kind() {
        "instance_variable" | "class_variable" => {
            let parent = owner(walk);
            if walk.symbols.is_new(parent, walk.str(name)) {
                walk.define_in(parent, name, Role::Is(SymbolKind::Member), whole);
            }
        }
        "global_variable" if walk.symbols.is_new(None, walk.str(name)) => {
            walk.define_in(None, name, Role::Is(SymbolKind::Constant), whole);
        }
        "constant" => constant(walk, name, whole),
        "identifier" => _ = walk.define(name, Role::Assigned, whole),
        _ => {}
    }
}

/// The class or module around.
fn owner(walk: &Walk) -> Option<u32> {
    walk.enclosing_type().or_else(|| walk.enclosing_module())
}

/// `Name = Struct.new(:member)` is a type, any other constant a constant.
fn constant<'t>(walk: &mut Walk<'t>, name: Node<'t>, whole: Node<'t>) {
    let value = first(whole, "right").filter(|value| {
        let text = walk.str(*value);
        text.starts_with("Struct.new") || text.starts_with("Data.define") || text.starts_with("Class.new")
    });
    let Some(value) = value else {
        walk.define(name, Role::Variable, whole);
        return;
    };
    let symbol = walk.define(name, Role::Is(SymbolKind::Type), whole);
    for member in symbols(value) {
        walk.define_in(symbol, member, Role::Is(SymbolKind::Member), member);
    }
    walk.open(symbol, Frame::Type);
}

/// The symbols and strings among the arguments of a call.
fn symbols(call: Node) -> Vec<Node> {
    let mut names = Vec::new();
    if let Some(arguments) = first(call, "arguments") {
        children(arguments, |argument, _| {
            if matches!(argument.kind(), "simple_symbol" | "string") {
                names.push(argument);
            }
        });
    }
    names
}

fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let key = first(node, "key").filter(|key| matches!(key.kind(), "hash_key_symbol" | "string" | "simple_symbol"));
    if let Some(key) = key {
        let symbol = walk.define(key, Role::Is(SymbolKind::Key), node);
        walk.open(symbol, walk.frame());
    }
}

/// The calls by which Ruby declares.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if node.child_by_field_name("receiver").is_some() {
        return;
    }
    let method = first(node, "method").map_or("", |method| walk.str(method));
    match method {
        "require" | "require_relative" | "load" | "autoload" => {
            for path in symbols(node) {
                let name = walk.str(path).trim_matches(['"', '\'']).rsplit('/').next().unwrap_or_default();
                walk.define_as(walk.parent(), name, line_of(path), Role::Is(SymbolKind::Import), node);
            }
        }
        "attr_accessor" | "attr_reader" | "attr_writer" | "cattr_accessor" | "mattr_accessor" | "class_attribute"
        | "attribute" | "option" | "property" | "delegate" => declare(walk, node, SymbolKind::Member),
        "define_method" | "alias_method" | "scope" => {
            let name = symbols(node).into_iter().next();
            if let Some(name) = name {
                walk.define(name, Role::Is(walk.callable()), node);
            }
            // A computed name: there are methods whose names are not here.
            if name.is_none() && method == "define_method" {
                mark(walk);
            }
        }
        "include" | "extend" | "prepend" => {
            let is_self = first(node, "arguments").is_some_and(|list| walk.str(list) == "self");
            if let Some(owner) = owner(walk).filter(|_| !is_self) {
                walk.bases_of(owner, node, &["arguments"]);
                mark(walk);
            }
        }
        "class_eval" | "instance_eval" | "module_eval" | "instance_variable_set" => mark(walk),
        _ => {}
    }
}

fn declare<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) {
    if walk.frame() == Frame::Type {
        for name in symbols(node) {
            walk.define(name, Role::Is(kind), node);
        }
    }
}

fn mark(walk: &mut Walk) {
    if let Some(owner) = owner(walk) {
        walk.symbols.at(owner).is_dynamic = true;
    }
}
