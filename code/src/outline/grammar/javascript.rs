//! JavaScript and TypeScript.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Frame, Walk, at, first};

pub(super) const JAVASCRIPT: Grammar = Grammar {
    language: || tree_sitter_javascript::LANGUAGE.into(),
    rules: RULES,
    patterns: PATTERNS,
    imports: IMPORTS,
    dynamic_methods: &[],
};
pub(super) const TYPESCRIPT: Grammar =
    Grammar { language: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), ..JAVASCRIPT };
pub(super) const TSX: Grammar = Grammar { language: || tree_sitter_typescript::LANGUAGE_TSX.into(), ..JAVASCRIPT };

const BASES: &[&str] = &["class_heritage", "extends_type_clause"];

const RULES: &[(&str, Rule)] = &[
    ("internal_module module", Rule::Module("name")),
    ("ambient_declaration", Rule::Own(ambient)),
    ("class_declaration abstract_class_declaration class", Rule::Type("name", BASES)),
    ("interface_declaration", Rule::Own(interface)),
    ("type_alias_declaration enum_declaration", Rule::Type("name", &[])),
    (
        "function_declaration generator_function_declaration function_signature function_expression \
         generator_function method_signature abstract_method_signature",
        Rule::Callable("name"),
    ),
    ("method_definition", Rule::Own(method)),
    ("arrow_function", Rule::Own(arrow)),
    ("formal_parameters", Rule::Bind(Role::Is(SymbolKind::Parameter), "")),
    ("required_parameter", Rule::Own(parameter_property)),
    ("field_definition", Rule::Own(field)),
    ("public_field_definition", Rule::Own(field)),
    ("property_signature enum_assignment", Rule::Name(Role::Is(SymbolKind::Member), "name")),
    ("property_identifier", Rule::Own(enumerator)),
    ("index_signature", Rule::Dynamic),
    ("variable_declarator", Rule::Own(variable)),
    ("assignment_expression", Rule::Own(assignment)),
    ("for_in_statement", Rule::Own(for_in)),
    ("catch_clause", Rule::Bind(Role::Is(SymbolKind::Local), "parameter")),
    ("pair", Rule::Own(pair)),
    ("shorthand_property_identifier", Rule::Own(shorthand)),
    ("jsx_attribute", Rule::Name(Role::Is(SymbolKind::Key), "property_identifier")),
    ("import_statement", Rule::Import),
    ("export_clause", Rule::Import),
    ("decorator", Rule::Own(decorator)),
    ("call_expression", Rule::Own(call)),
    ("new_expression", Rule::Own(new)),
];

const PATTERNS: Patterns = Patterns {
    leaves: &["identifier", "shorthand_property_identifier_pattern", "property_identifier"],
    skipped: &[
        "assignment_pattern.right",
        "object_assignment_pattern.right",
        "required_parameter.type",
        "required_parameter.value",
        "optional_parameter.type",
        "optional_parameter.value",
        "computed_property_name",
        "decorator",
        "member_expression",
        "subscript_expression",
        "type_annotation",
    ],
    is_lower_only: false,
};

const IMPORTS: Patterns = Patterns { leaves: &["identifier"], skipped: &[], is_lower_only: false };

fn is_function(node: Node) -> bool {
    matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function")
}

/// What `declare global` holds adds to types of elsewhere.
fn ambient<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(global) = node.child(1).filter(|word| word.kind() == "global") else { return };
    let symbol = walk.define(global, Role::Is(SymbolKind::Module), node);
    if let Some(symbol) = symbol {
        walk.symbols.at(symbol).is_dynamic = true;
    }
    walk.open(symbol, Frame::Module);
}

/// Interfaces in `declare global` have members elsewhere.
fn interface<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_open = walk.enclosing_module().is_some_and(|module| walk.symbols.is_dynamic(module));
    walk.type_of(node, "name", BASES);
    if is_open {
        walk.mark_dynamic();
    }
}

/// A method of a class or of an object.
fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let name = first(node, "name").filter(|name| name.kind() != "computed_property_name");
    let symbol = name.and_then(|name| walk.define(name, Role::Is(SymbolKind::Method), node));
    walk.open(symbol, Frame::Function);
}

/// A member of an enum without a value.
fn enumerator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.ancestor(0).is_some_and(|above| above.kind() == "enum_body") {
        walk.define(node, Role::Is(SymbolKind::Member), node);
    }
}

fn arrow<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.open(None, Frame::Function);
    if let Some(parameter) = node.child_by_field_name("parameter") {
        walk.define(parameter, Role::Is(SymbolKind::Parameter), node);
    }
}

/// `constructor(private x: X)` declares a member.
fn parameter_property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_property = node.child(0).is_some_and(|word| matches!(word.kind(), "accessibility_modifier" | "readonly"));
    if let Some(name) = first(node, "pattern").filter(|_| is_property) {
        walk.define_in(walk.enclosing_type(), name, Role::Is(SymbolKind::Member), node);
    }
}

fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let name = first(node, "property").or_else(|| first(node, "name"));
    let Some(name) = name.filter(|name| name.kind() != "computed_property_name") else { return };
    let is_method = first(node, "value").is_some_and(is_function);
    let kind = if is_method { SymbolKind::Method } else { SymbolKind::Member };
    let symbol = walk.define(name, Role::Is(kind), node);
    walk.open(symbol, walk.frame());
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = node.child_by_field_name("name") else { return };
    let value = node.child_by_field_name("value");
    if value.is_some_and(|value| is_require(walk, value)) {
        return walk.bind(name, Role::Is(SymbolKind::Import));
    }
    if name.kind() != "identifier" {
        return walk.bind(name, Role::Variable);
    }
    match value.map(|value| (value, value.kind())) {
        Some((value, _)) if is_function(value) => {
            let symbol = walk.define(name, Role::Is(SymbolKind::Function), node);
            walk.open(symbol, walk.frame());
        }
        Some((value, "class")) => {
            let symbol = walk.define(name, Role::Is(SymbolKind::Type), node);
            if let Some(symbol) = symbol {
                walk.bases_of(symbol, value, BASES);
            }
            walk.open(symbol, Frame::Type);
        }
        _ => {
            let symbol = walk.define(name, Role::Variable, node);
            walk.open(symbol, walk.frame());
        }
    }
}

fn is_require(walk: &Walk, value: Node) -> bool {
    let text = walk.str(value);
    text.starts_with("require(") || text.starts_with("await import(")
}

/// Members and exports come into being by assignment.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return;
    };
    let (Some(object), Some(name)) = (first(left, "object"), property(left)) else {
        // `this[name] = …`: members whose names are not here.
        if left.kind() == "subscript_expression" && walk.str(left).starts_with("this[") {
            walk.mark_dynamic();
        }
        return;
    };
    let is_function = is_function(right);
    let member = if is_function { SymbolKind::Method } else { SymbolKind::Member };
    let (parent, kind) = match walk.str(object) {
        "this" => (walk.enclosing_type().or(walk.parent()), member),
        "exports" | "module.exports" if is_function => (None, SymbolKind::Function),
        "exports" | "module.exports" => (None, SymbolKind::Constant),
        "module" => return,
        path => {
            let is_class = path.starts_with(char::is_uppercase) || is_function;
            let Some(owner) = walk.last_name(prototype_owner(walk, object)).filter(|_| is_class) else { return };
            (Some(walk.extend(&owner, left)), member)
        }
    };
    if is_function || walk.symbols.is_new(parent, walk.str(name)) {
        let symbol = walk.define_in(parent, name, Role::Is(kind), node);
        walk.open(symbol, walk.frame());
    }
}

/// `Foo` of `Foo.prototype`, else the object itself.
fn prototype_owner<'t>(walk: &Walk<'t>, object: Node<'t>) -> Node<'t> {
    let is_prototype = first(object, "property").is_some_and(|property| walk.str(property) == "prototype");
    first(object, "object").filter(|_| is_prototype).unwrap_or(object)
}

/// The property that is assigned to, if its name is written out.
fn property(left: Node) -> Option<Node> {
    match left.kind() {
        "member_expression" => first(left, "property"),
        "subscript_expression" => first(left, "index").filter(|index| index.kind() == "string"),
        _ => None,
    }
}

fn for_in<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let declares = node.child_by_field_name("kind").is_some();
    if let Some(left) = node.child_by_field_name("left").filter(|_| declares) {
        walk.bind(left, Role::Is(SymbolKind::Local));
    }
}

fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(key) = first(node, "key").filter(|key| matches!(key.kind(), "property_identifier" | "string")) else {
        return;
    };
    let symbol = walk.define(key, Role::Is(SymbolKind::Key), node);
    walk.open(symbol, walk.frame());
}

fn shorthand<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.define(node, Role::Is(SymbolKind::Key), node);
}

/// Any decorator of a class may add to it; those of methods and fields may not.
fn decorator<'t>(walk: &mut Walk<'t>, _: Node<'t>) {
    match walk.ancestor(0).map_or("", |above| above.kind()) {
        "class_declaration" | "abstract_class_declaration" | "class" => walk.mark_dynamic(),
        "export_statement" => walk.mark_next_dynamic(),
        _ => {}
    }
}

/// `Object.defineProperty(x, 'name', …)`, and what fills objects with names that are not here.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let function = first(node, "function").map_or("", |function| walk.str(function));
    let Some(arguments) = first(node, "arguments").filter(|_| function.starts_with("Object.")) else { return };
    let (object, name) = (arguments.named_child(0), arguments.named_child(1));
    let (Some(object), Some(name)) = (object, name) else { return };
    let is_this = walk.str(object) == "this";
    match function {
        "Object.assign" if is_this => walk.mark_dynamic(),
        "Object.defineProperty" if name.kind() == "string" => {
            let (parent, kind) = match walk.str(object) {
                "this" => (walk.enclosing_type(), SymbolKind::Member),
                "exports" | "module.exports" => (None, SymbolKind::Constant),
                _ => match walk.last_name(prototype_owner(walk, object)) {
                    Some(owner) => (Some(walk.extend(&owner, object)), SymbolKind::Member),
                    None => return,
                },
            };
            walk.define_in(parent, name, Role::Is(kind), node);
        }
        "Object.assign" | "Object.defineProperties" => {
            let owner = prototype_owner(walk, object);
            if owner != object
                && let Some(name) = walk.last_name(owner)
            {
                let owner = walk.extend(&name, object);
                walk.symbols.at(owner).is_dynamic = true;
            }
        }
        _ => {}
    }
}

fn new<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if at(node, "constructor").first().is_some_and(|&name| walk.str(name) == "Proxy") {
        walk.mark_dynamic();
    }
}
