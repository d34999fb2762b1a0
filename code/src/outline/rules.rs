//! The vocabulary of the tables in [`grammar`](super::grammar): what a kind of node means for the outline.

use tree_sitter::{Language, Node};

use super::SymbolKind;
use super::walk::Walk;

/// How the outline of one language is read off its syntax trees.
pub(super) struct Grammar {
    pub language: fn() -> Language,
    /// Kinds of nodes, separated by spaces, and what they mean.
    pub rules: &'static [(&'static str, Rule)],
    pub patterns: Patterns,
    pub imports: Patterns,
    /// Methods that make up members when asked for them, or directives that add some.
    pub dynamic_methods: &'static [&'static str],
}

/// What a node means. A `&str` names either a field of the node or a kind among its children.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// A module with what is in it.
    Module(&'static str),
    /// A type with what is in it: where its name is, and where its bases are.
    Type(&'static str, &'static [&'static str]),
    /// Members of a type that is defined elsewhere: where its name is, and where its bases are.
    Extension(&'static str, &'static [&'static str]),
    /// A function or method with what is in it. Without a name it is a closure.
    Callable(&'static str),
    /// A member that has members: an enum variant.
    Variant(&'static str),
    /// Every such child is a name, whatever its kind.
    Name(Role, &'static str),
    /// Every such child is a pattern; the names that it binds are meant. Empty: the node itself.
    Bind(Role, &'static str),
    /// Names from elsewhere, as [`Grammar::imports`] finds them.
    Import,
    /// The enclosing type may have members that are not spelled out.
    Dynamic,
    /// Anything else.
    Own(for<'t> fn(&mut Walk<'t>, Node<'t>)),
}

/// What a name is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Is(SymbolKind),
    /// A local in a function, a member in a type, else a constant.
    Variable,
    /// The same where the language declares by assigning: only the first assignment in a scope counts.
    Assigned,
}

/// Which nodes of a pattern bind names.
pub(super) struct Patterns {
    pub leaves: &'static [&'static str],
    /// Nodes that hold no names, by their kind, or by their parent's kind and their field (`kind.field`).
    pub skipped: &'static [&'static str],
    /// Whether a capital at the start makes a name refer to something instead of binding it.
    pub is_lower_only: bool,
}

impl Patterns {
    pub(super) const NONE: Patterns = Patterns { leaves: &[], skipped: &[], is_lower_only: false };

    pub(super) fn skips(&self, parent: &str, field: Option<&str>, kind: &str) -> bool {
        self.skipped.iter().any(|skipped| match skipped.split_once('.') {
            Some((of, name)) => of == parent && Some(name) == field,
            None => *skipped == kind,
        })
    }
}
