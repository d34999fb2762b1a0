//! C and C++.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Frame, Walk, at, children, first, line_of};

pub(super) const C: Grammar = Grammar {
    language: || tree_sitter_c::LANGUAGE.into(),
    rules: RULES,
    patterns: Patterns { leaves: &["identifier"], skipped: &["type_annotation"], is_lower_only: false },
    imports: Patterns {
        leaves: &["identifier", "type_identifier"],
        skipped: &["qualified_identifier.scope"],
        is_lower_only: false,
    },
    dynamic_methods: &[],
};
pub(super) const CPP: Grammar = Grammar { language: || tree_sitter_cpp::LANGUAGE.into(), ..C };

const RULES: &[(&str, Rule)] = &[
    ("preproc_def preproc_function_def", Rule::Name(Role::Is(SymbolKind::Macro), "name")),
    ("preproc_params", Rule::Name(Role::Is(SymbolKind::Parameter), "identifier")),
    ("preproc_include", Rule::Own(include)),
    ("namespace_definition", Rule::Module("name")),
    ("namespace_alias_definition", Rule::Name(Role::Is(SymbolKind::Module), "name")),
    ("struct_specifier union_specifier class_specifier enum_specifier", Rule::Own(specifier)),
    ("enumerator", Rule::Name(Role::Is(SymbolKind::Member), "name")),
    ("type_definition", Rule::Own(typedef)),
    ("alias_declaration concept_definition", Rule::Name(Role::Is(SymbolKind::Type), "name")),
    ("function_definition", Rule::Own(function)),
    ("declaration field_declaration", Rule::Own(declaration)),
    ("parameter_declaration optional_parameter_declaration", Rule::Own(parameter)),
    ("lambda_expression", Rule::Callable("")),
    ("for_range_loop", Rule::Own(range_loop)),
    ("initializer_pair", Rule::Own(designated)),
    ("using_declaration", Rule::Import),
];

fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(path) = first(node, "path") else { return };
    let file = walk.str(path).trim_matches(['<', '>', '"']).rsplit('/').next().unwrap_or_default();
    let name = file.split('.').next().unwrap_or_default();
    walk.define_as(walk.parent(), name, line_of(path), Role::Is(SymbolKind::Import), node);
}

/// A class with a body; without one it is a use or a forward declaration.
fn specifier<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if node.child_by_field_name("body").is_some() {
        walk.type_of(node, "name", &["base_class_clause"]);
    }
}

fn typedef<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let of = first(node, "type");
    let tag = of.and_then(|of| first(of, "name"));
    let is_anonymous = tag.is_none() && of.is_some_and(|of| first(of, "body").is_some());
    for declarator in at(node, "declarator") {
        let Some(declared) = declared(declarator) else { continue };
        // `typedef struct x {…} x` is one name.
        if tag.is_none_or(|tag| walk.str(tag) != walk.str(declared.name)) {
            let symbol = walk.define(declared.name, Role::Is(SymbolKind::Type), node);
            if is_anonymous {
                walk.open(symbol, Frame::Type);
            }
        }
    }
}

/// A name at the core of a declarator.
struct Declared<'t> {
    name: Node<'t>,
    /// `Foo` of `Foo::name`.
    scope: Option<Node<'t>>,
    is_function: bool,
}

/// Unwraps pointers, arrays, references and parameter lists.
fn declared(declarator: Node) -> Option<Declared> {
    let (mut node, mut scope, mut is_function) = (declarator, None, false);
    // Declarators nest as deep as types do; the bound only keeps hostile ones short.
    for _ in 0..64 {
        match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" | "operator_name" | "destructor_name" => {
                return Some(Declared { name: node, scope, is_function });
            }
            "qualified_identifier" => {
                scope = first(node, "scope").or(scope);
                node = first(node, "name")?;
            }
            "template_function" | "template_method" => node = first(node, "name")?,
            "structured_binding_declarator" => return None,
            kind => {
                // What a pointer to a function points to is no function of this name.
                is_function = kind == "function_declarator" || is_function && kind != "parenthesized_declarator";
                node = first(node, "declarator")
                    .or_else(|| node.named_child(node.named_child_count().checked_sub(1)? as u32))?;
            }
        }
    }
    None
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = exported_class(node) {
        let symbol = walk.define(name, Role::Is(SymbolKind::Type), node);
        return walk.open(symbol, Frame::Type);
    }
    let symbol = first(node, "declarator").and_then(|declarator| {
        let declared = declared(declarator)?;
        define_function(walk, &declared, node)
    });
    walk.open(symbol, Frame::Function);
}

/// `class EXPORT_MACRO Name {…}`, which the grammar takes for a function that returns a class.
fn exported_class(node: Node) -> Option<Node> {
    let of = first(node, "type")?;
    let is_class = matches!(of.kind(), "class_specifier" | "struct_specifier") && first(of, "body").is_none();
    first(node, "declarator").filter(|name| is_class && name.kind() == "identifier")
}

fn define_function<'t>(walk: &mut Walk<'t>, declared: &Declared<'t>, whole: Node<'t>) -> Option<u32> {
    let name = match declared.name.kind() {
        "destructor_name" => declared.name.named_child(0)?,
        "operator_name" => return None,
        _ => declared.name,
    };
    match declared.scope.and_then(|scope| walk.last_name(scope)) {
        Some(owner) => {
            let parent = walk.extend(&owner, whole);
            walk.define_in(Some(parent), name, Role::Is(SymbolKind::Method), whole)
        }
        None => walk.define(name, Role::Is(walk.callable()), whole),
    }
}

/// Variables, fields and prototypes.
fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for declarator in at(node, "declarator") {
        let binding = first(declarator, "declarator").unwrap_or(declarator);
        if binding.kind() == "structured_binding_declarator" {
            walk.bind(binding, Role::Variable);
            continue;
        }
        let Some(declared) = declared(declarator) else { continue };
        // Within functions `Foo x(y)` is rather a variable than a prototype.
        if declared.is_function && walk.frame() != Frame::Function {
            let symbol = define_function(walk, &declared, node);
            walk.open(symbol, Frame::Function);
        } else if let Some(owner) = declared.scope.and_then(|scope| walk.last_name(scope)) {
            let parent = walk.extend(&owner, node);
            walk.define_in(Some(parent), declared.name, Role::Is(SymbolKind::Member), node);
        } else if declared.name.kind() != "operator_name" {
            walk.define(declared.name, Role::Variable, node);
        }
    }
}

fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_of_template = walk.ancestor(0).is_some_and(|above| above.kind() == "template_parameter_list");
    let declared = first(node, "declarator").and_then(declared).filter(|_| !is_of_template);
    if let Some(declared) = declared {
        walk.define(declared.name, Role::Is(SymbolKind::Parameter), node);
    }
}

fn range_loop<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(declarator) = first(node, "declarator") {
        walk.bind(declarator, Role::Is(SymbolKind::Local));
    }
}

/// `.field = value`.
fn designated<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut names = Vec::new();
    children(node, |child, _| {
        if child.kind() == "field_designator" {
            names.extend(child.named_child(0));
        }
    });
    for name in names {
        walk.define(name, Role::Is(SymbolKind::Key), node);
    }
}
