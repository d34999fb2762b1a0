//! Python.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Walk, first};

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_python::LANGUAGE.into(),
    rules: &[
        ("class_definition", Rule::Own(class)),
        ("function_definition", Rule::Callable("name")),
        ("lambda", Rule::Callable("")),
        ("parameters lambda_parameters", Rule::Bind(Role::Is(SymbolKind::Parameter), "")),
        ("assignment", Rule::Own(assignment)),
        ("augmented_assignment", Rule::Own(assignment)),
        ("named_expression", Rule::Name(Role::Assigned, "name")),
        ("for_statement", Rule::Bind(Role::Assigned, "left")),
        ("for_in_clause", Rule::Bind(Role::Is(SymbolKind::Local), "left")),
        ("as_pattern_target", Rule::Bind(Role::Assigned, "")),
        ("type_alias_statement", Rule::Name(Role::Is(SymbolKind::Type), "left")),
        ("keyword_argument", Rule::Name(Role::Is(SymbolKind::Key), "name")),
        ("pair", Rule::Own(pair)),
        ("import_statement import_from_statement future_import_statement", Rule::Import),
        ("decorator", Rule::Own(decorator)),
        ("call", Rule::Own(call)),
    ],
    patterns: Patterns {
        leaves: &["identifier"],
        skipped: &[
            "default_parameter.value",
            "typed_parameter.type",
            "typed_default_parameter.type",
            "typed_default_parameter.value",
            "attribute",
            "subscript",
        ],
        is_lower_only: false,
    },
    imports: Patterns {
        leaves: &["identifier"],
        skipped: &["import_from_statement.module_name"],
        is_lower_only: false,
    },
    dynamic_methods: &["__getattr__", "__getattribute__", "__init_subclass__"],
};

/// Decorators of classes that add no attributes with names of their own.
const INERT: [&str; 9] =
    ["dataclass", "final", "total_ordering", "runtime_checkable", "unique", "attrs", "define", "frozen", "s"];

fn decorator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let text = walk.str(node).trim_start_matches('@');
    let name = text.split('(').next().and_then(|path| path.rsplit('.').next()).map(str::trim);
    if !name.is_some_and(|name| INERT.contains(&name)) {
        walk.mark_next_dynamic();
    }
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.type_of(node, "name", &["superclasses"]);
    let bases = first(node, "superclasses").map_or("", |bases| walk.str(bases));
    if bases.contains("metaclass") && !bases.contains("ABCMeta") {
        walk.mark_dynamic();
    }
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(left) = node.child_by_field_name("left") else { return };
    match left.kind() {
        "attribute" => attribute(walk, left, node),
        "subscript" => {
            if let Some(key) = first(left, "subscript").filter(|key| key.kind() == "string") {
                walk.define(key, Role::Is(SymbolKind::Key), node);
            }
        }
        // `n += 1` declares nothing.
        _ if node.kind() == "augmented_assignment" => {}
        _ => {
            walk.bind(left, Role::Assigned);
            for attribute_of in targets(left) {
                attribute(walk, attribute_of, node);
            }
        }
    }
}

/// The attributes in `self.x, self.y = …`.
fn targets(left: Node) -> Vec<Node> {
    let mut cursor = left.walk();
    left.named_children(&mut cursor).filter(|child| child.kind() == "attribute").collect()
}

/// `self.x = …` makes a member of the class, `Name.x = …` one of `Name`.
fn attribute<'t>(walk: &mut Walk<'t>, left: Node<'t>, whole: Node<'t>) {
    let (Some(object), Some(name)) = (first(left, "object"), first(left, "attribute")) else { return };
    let parent = match walk.str(object) {
        "self" | "cls" => walk.enclosing_type(),
        object if object.starts_with(char::is_uppercase) && !object.contains('.') => Some(walk.extend(object, left)),
        _ => None,
    };
    if parent.is_some() && walk.symbols.is_new(parent, walk.str(name)) {
        walk.define_in(parent, name, Role::Is(SymbolKind::Member), whole);
    }
}

fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(key) = first(node, "key").filter(|key| key.kind() == "string") else { return };
    if let Some(symbol) = walk.define(key, Role::Is(SymbolKind::Key), node) {
        walk.open(Some(symbol), walk.frame());
    }
}

/// `setattr(self, …)` and `self.__dict__` fill in members that have no name here.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let function = first(node, "function").map_or("", |function| walk.str(function));
    let is_filling = function == "setattr" && walk.str(node).contains("self") || function == "self.__dict__.update";
    if is_filling {
        walk.mark_dynamic();
    }
}
