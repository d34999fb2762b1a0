//! Rust.

use tree_sitter::Node;

use crate::outline::SymbolKind;
use crate::outline::rules::{Grammar, Patterns, Role, Rule};
use crate::outline::walk::{Walk, line_of};

pub(super) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_rust::LANGUAGE.into(),
    rules: &[
        ("mod_item", Rule::Module("name")),
        ("struct_item enum_item union_item trait_item", Rule::Type("name", &["bounds"])),
        ("type_item associated_type", Rule::Name(Role::Is(SymbolKind::Type), "name")),
        ("impl_item", Rule::Extension("type", &["trait"])),
        ("function_item function_signature_item", Rule::Callable("name")),
        ("closure_expression", Rule::Callable("")),
        ("const_item static_item", Rule::Name(Role::Variable, "name")),
        ("field_declaration", Rule::Name(Role::Is(SymbolKind::Member), "name")),
        ("enum_variant", Rule::Variant("name")),
        ("macro_definition", Rule::Name(Role::Is(SymbolKind::Macro), "name")),
        ("use_declaration extern_crate_declaration", Rule::Import),
        ("parameter", Rule::Bind(Role::Is(SymbolKind::Parameter), "pattern")),
        ("closure_parameters", Rule::Bind(Role::Is(SymbolKind::Parameter), "")),
        ("let_declaration let_condition for_expression", Rule::Bind(Role::Is(SymbolKind::Local), "pattern")),
        ("match_pattern", Rule::Bind(Role::Is(SymbolKind::Local), "")),
        ("field_initializer", Rule::Name(Role::Is(SymbolKind::Key), "field")),
        ("shorthand_field_initializer", Rule::Name(Role::Is(SymbolKind::Key), "identifier")),
        ("attribute_item", Rule::Own(attribute)),
        ("token_tree", Rule::Own(macro_items)),
    ],
    patterns: Patterns {
        leaves: &["identifier", "shorthand_field_identifier"],
        skipped: &[
            "parameter",
            "scoped_identifier",
            "match_pattern.condition",
            "tuple_struct_pattern.type",
            "struct_pattern.type",
            "macro_invocation",
        ],
        is_lower_only: true,
    },
    imports: Patterns {
        leaves: &["identifier", "type_identifier"],
        skipped: &["scoped_identifier.path", "scoped_use_list.path", "use_wildcard", "visibility_modifier"],
        is_lower_only: false,
    },
    dynamic_methods: &[],
};

/// Attributes that add no members: the language's own, and helpers of well-known derives. Any other may be a macro
/// that rewrites what follows.
const INERT: [&str; 42] = [
    "derive",
    "cfg",
    "cfg_attr",
    "doc",
    "allow",
    "warn",
    "deny",
    "forbid",
    "expect",
    "must_use",
    "inline",
    "cold",
    "repr",
    "non_exhaustive",
    "deprecated",
    "test",
    "ignore",
    "should_panic",
    "track_caller",
    "no_mangle",
    "unsafe",
    "export_name",
    "link",
    "link_name",
    "link_section",
    "macro_use",
    "macro_export",
    "path",
    "automatically_derived",
    "diagnostic",
    "rustfmt",
    "clippy",
    "default",
    "serde",
    "clap",
    "arg",
    "command",
    "value",
    "error",
    "schemars",
    "strum",
    "structopt",
];

fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let text = walk.str(node).trim_start_matches(['#', '[', ' ']);
    let name = text.split(|character: char| character != '_' && !character.is_alphanumeric()).next();
    if !name.is_some_and(|name| INERT.contains(&name)) {
        walk.mark_next_dynamic();
    }
}

/// Finds items among the tokens that a macro is given: `bitflags! { struct Flags … }`.
fn macro_items<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    let mut keyword = None;
    for token in node.children(&mut cursor) {
        let kind = keyword.filter(|_| matches!(token.kind(), "identifier" | "type_identifier"));
        if let Some(kind) = kind {
            let (parent, line) = (walk.parent(), line_of(token));
            walk.define_as(parent, walk.str(token), line, Role::Is(kind), token);
        }
        // `static ref NAME` is what lazy_static reads, `static mut` the language.
        if !matches!(token.kind(), "mutable_specifier" | "ref") {
            keyword = item(walk.str(token));
        }
    }
}

fn item(keyword: &str) -> Option<SymbolKind> {
    match keyword {
        "struct" | "enum" | "trait" | "type" | "union" => Some(SymbolKind::Type),
        "fn" => Some(SymbolKind::Function),
        "const" | "static" => Some(SymbolKind::Constant),
        "mod" => Some(SymbolKind::Module),
        _ => None,
    }
}
