//! Elixir, where every definition is a call of a macro.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Frame, Walk, children, first};

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_elixir::LANGUAGE.into(),
    rules: &[
        ("call", Rule::Own(call)),
        ("unary_operator", Rule::Own(attribute)),
        ("binary_operator", Rule::Own(operator)),
        ("stab_clause", Rule::Bind(Role::Is(SymbolKind::Local), "left")),
        ("pair", Rule::Own(pair)),
    ],
    patterns: Patterns {
        leaves: &["identifier"],
        skipped: &["call", "keyword", "atom", "string"],
        is_lower_only: true,
    },
    imports: Patterns::NONE,
    dynamic_methods: &[],
};

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let target = first(node, "target").filter(|target| target.kind() == "identifier");
    let arguments = first(node, "arguments");
    let (Some(target), Some(head)) = (target, arguments.and_then(|arguments| arguments.named_child(0))) else { return };
    match walk.str(target) {
        "defmodule" | "defprotocol" => module(walk, head, node),
        "defimpl" => implement(walk, head, node),
        "def" | "defp" | "defdelegate" | "defguard" | "defguardp" | "defn" => {
            function(walk, head, SymbolKind::Method, node);
        }
        "defmacro" | "defmacrop" => function(walk, head, SymbolKind::Macro, node),
        "defstruct" | "defexception" => fields(walk, node),
        "field" | "belongs_to" | "has_many" | "has_one" | "attr" | "slot" if head.kind() == "atom" => {
            walk.define(head, Role::Is(SymbolKind::Member), node);
        }
        "use" => {
            if let Some(module) = walk.parent() {
                walk.symbols.at(module).is_dynamic = true;
                let name = walk.last_name(head);
                walk.symbols.add_bases(module, name.into_iter().collect());
            }
            import(walk, head, node);
        }
        "alias" | "import" | "require" => import(walk, head, node),
        _ => {}
    }
}

/// A module, by the last segment of its name.
fn module<'t>(walk: &mut Walk<'t>, head: Node<'t>, whole: Node<'t>) {
    let symbol = walk.define(head, Role::Is(SymbolKind::Module), whole);
    walk.open(symbol, Frame::Type);
}

/// `defimpl Protocol, for: Type`.
fn implement<'t>(walk: &mut Walk<'t>, head: Node<'t>, whole: Node<'t>) {
    let symbol = walk.last_name(head).map(|name| walk.extend(&name, whole));
    walk.open(symbol, Frame::Type);
}

/// `name(parameters) when guard`, or a name alone.
fn function<'t>(walk: &mut Walk<'t>, head: Node<'t>, kind: SymbolKind, whole: Node<'t>) {
    let is_guarded = head.kind() == "binary_operator";
    let Some(head) = (if is_guarded { first(head, "left") } else { Some(head) }) else { return };
    let name = if head.kind() == "call" { first(head, "target") } else { Some(head) };
    let name = name.filter(|name| name.kind() == "identifier");
    let symbol = name.and_then(|name| walk.define(name, Role::Is(kind), whole));
    walk.open(symbol, Frame::Function);
    if let Some(parameters) = first(head, "arguments").filter(|_| head.kind() == "call") {
        walk.bind(parameters, Role::Is(SymbolKind::Parameter));
    }
}

/// The atoms and keywords that a struct is made of.
fn fields<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        let known = open.len();
        let mut names = Vec::new();
        children(node, |child, field| match child.kind() {
            "arguments" | "list" | "keywords" | "pair" if field != Some("value") => open.push(child),
            "atom" if field != Some("value") => names.push(child),
            "keyword" => names.push(child),
            _ => {}
        });
        open[known..].reverse();
        for name in names {
            walk.define(name, Role::Is(SymbolKind::Member), name);
        }
    }
}

/// `alias A.B`, `alias A.{B, C}`, `alias A.B, as: C`: last segments.
fn import<'t>(walk: &mut Walk<'t>, head: Node<'t>, whole: Node<'t>) {
    let text = walk.str(whole);
    let list = text.split_once('{').map_or("", |(_, list)| list);
    let selected = list.split([',', '}']).map(str::trim).filter(|name| name.starts_with(char::is_uppercase));
    let renamed = text.split_once(" as: ").map(|(_, name)| name);
    let names: Vec<&str> = match list {
        "" => walk.str(head).rsplit('.').next().into_iter().chain(renamed).collect(),
        _ => selected.collect(),
    };
    let line = crate::outline::walk::line_of(head);
    for name in names {
        walk.define_as(walk.parent(), name, line, Role::Is(SymbolKind::Import), whole);
    }
}

/// `@name value` in a module.
fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let operand = first(node, "operand").filter(|_| walk.str(node).starts_with('@'));
    let Some(call) = operand.filter(|operand| operand.kind() == "call") else { return };
    let (Some(name), Some(value)) = (first(call, "target"), first(call, "arguments")) else { return };
    match walk.str(name) {
        "doc" | "moduledoc" | "typedoc" | "spec" | "impl" | "behaviour" | "dialyzer" | "deprecated" | "since" => {}
        "type" | "typep" | "opaque" => specified(walk, value, SymbolKind::Type, node),
        "callback" | "macrocallback" => specified(walk, value, SymbolKind::Method, node),
        _ => _ = walk.define(name, Role::Assigned, node),
    }
}

/// The name that `name(…) :: type` specifies.
fn specified<'t>(walk: &mut Walk<'t>, value: Node<'t>, kind: SymbolKind, whole: Node<'t>) {
    let left = value.named_child(0).and_then(|value| first(value, "left"));
    let name = left.map(|left| first(left, "target").unwrap_or(left));
    if let Some(name) = name.filter(|name| name.kind() == "identifier") {
        walk.define(name, Role::Is(kind), whole);
    }
}

/// `pattern = value`, `"key" => value`, `pattern <- value`.
fn operator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let (Some(left), Some(operator)) = (first(node, "left"), node.child_by_field_name("operator")) else { return };
    match walk.str(operator) {
        "=" | "<-" if walk.frame() == Frame::Function => walk.bind(left, Role::Assigned),
        "=>" if matches!(left.kind(), "string" | "atom") => {
            walk.define(left, Role::Is(SymbolKind::Key), node);
        }
        _ => {}
    }
}

fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(key) = first(node, "key") else { return };
    if !matches!(walk.str(key).trim(), "do:" | "else:" | "as:" | "only:" | "except:" | "for:") {
        walk.define(key, Role::Is(SymbolKind::Key), node);
    }
}
