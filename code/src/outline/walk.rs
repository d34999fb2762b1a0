//! Walks a syntax tree once, without recursion, and applies the rules of its language.

use std::collections::HashMap;

use tree_sitter::{Node, TreeCursor};

use super::bases::bases;
use super::rules::{Grammar, Patterns, Role, Rule};
use super::symbols::Symbols;
use super::{Outline, Symbol, SymbolKind, budget};

/// A grammar with its rules by the numbers of node kinds.
pub(super) struct Compiled {
    grammar: &'static Grammar,
    language: tree_sitter::Language,
    rules: Vec<Option<Rule>>,
}

impl Compiled {
    pub(super) fn new(grammar: &'static Grammar) -> Compiled {
        let by_name: HashMap<&str, Rule> =
            grammar.rules.iter().flat_map(|&(kinds, rule)| kinds.split(' ').map(move |kind| (kind, rule))).collect();
        let language = (grammar.language)();
        let rules = (0..language.node_kind_count() as u16)
            .map(|id| by_name.get(language.node_kind_for_id(id)?).copied().filter(|_| language.node_kind_is_named(id)))
            .collect();
        Compiled { grammar, language, rules }
    }
}

/// The state of one walk.
pub(super) struct Walk<'t> {
    pub text: &'t str,
    pub symbols: Symbols,
    grammar: &'static Grammar,
    /// The nodes around the current one, outermost first.
    path: Vec<Node<'t>>,
    scopes: Vec<Scope>,
    /// The depth of a decorator or attribute seen just now that may add members to the type that follows it.
    adding: Option<usize>,
    errors: Vec<(u32, u32)>,
}

/// A node whose inside belongs to a symbol.
struct Scope {
    depth: usize,
    symbol: Option<u32>,
    frame: Frame,
}

/// What declarations mean in a scope.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    Module,
    Type,
    Function,
}

/// Reads the outline of a text; `None` when parsing it takes too long.
pub(super) fn read(compiled: &Compiled, text: &str) -> Option<Outline> {
    let tree = budget::parse(&compiled.language, text)?;
    let mut walk = Walk {
        text,
        symbols: Symbols::default(),
        grammar: compiled.grammar,
        path: Vec::new(),
        scopes: vec![Scope { depth: 0, symbol: None, frame: Frame::Module }],
        adding: None,
        errors: Vec::new(),
    };
    walk.through(&compiled.rules, &mut tree.walk());
    Some(Outline { symbols: walk.symbols.into_resolved(), errors: walk.errors })
}

impl<'t> Walk<'t> {
    fn through(&mut self, rules: &[Option<Rule>], cursor: &mut TreeCursor<'t>) {
        loop {
            let node = cursor.node();
            self.visit(rules, node);
            if cursor.goto_first_child() {
                self.path.push(node);
                continue;
            }
            loop {
                self.close();
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
                self.path.pop();
                self.adding = self.adding.filter(|&depth| depth <= self.path.len());
            }
        }
    }

    fn visit(&mut self, rules: &[Option<Rule>], node: Node<'t>) {
        if node.is_error() || node.is_missing() {
            self.errors.push((line_of(node), end_line_of(node)));
        }
        if let Some(&Some(rule)) = rules.get(usize::from(node.kind_id())) {
            self.apply(rule, node);
        }
    }

    fn apply(&mut self, rule: Rule, node: Node<'t>) {
        match rule {
            Rule::Module(name) => self.scope_of(node, name, SymbolKind::Module, Frame::Module),
            Rule::Type(name, places) => self.type_of(node, name, places),
            Rule::Extension(name, places) => self.extension_of(node, name, places),
            Rule::Callable(name) => {
                let kind = self.callable();
                self.scope_of(node, name, kind, Frame::Function);
            }
            Rule::Variant(name) => self.scope_of(node, name, SymbolKind::Member, Frame::Type),
            Rule::Name(role, place) => {
                for name in at(node, place) {
                    self.define(name, role, node);
                }
            }
            Rule::Bind(role, "") => self.bind(node, role),
            Rule::Bind(role, place) => at(node, place).into_iter().for_each(|pattern| self.bind(pattern, role)),
            Rule::Import => {
                let patterns = &self.grammar.imports;
                self.bind_by(patterns, node, Role::Is(SymbolKind::Import));
            }
            Rule::Dynamic => self.mark_dynamic(),
            Rule::Own(own) => own(self, node),
        }
    }

    fn scope_of(&mut self, node: Node<'t>, name: &str, kind: SymbolKind, frame: Frame) {
        let symbol = first(node, name).and_then(|name| self.define(name, Role::Is(kind), node));
        self.open(symbol, frame);
    }

    /// Defines a type and opens it.
    pub(super) fn type_of(&mut self, node: Node<'t>, name: &str, places: &[&str]) {
        let Some(symbol) = first(node, name).and_then(|name| self.define(name, Role::Is(SymbolKind::Type), node))
        else {
            return self.open(None, Frame::Type);
        };
        self.bases_of(symbol, node, places);
        self.open(Some(symbol), Frame::Type);
    }

    /// Adds what stands at these places to the bases of a type.
    pub(super) fn bases_of(&mut self, symbol: u32, node: Node<'t>, places: &[&str]) {
        for place in places.iter().flat_map(|place| at(node, place)) {
            let text = self.str(place);
            let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
            self.symbols.add_bases(symbol, bases(inside));
        }
    }

    fn extension_of(&mut self, node: Node<'t>, name: &str, places: &[&str]) {
        let Some(name) = first(node, name).and_then(|name| self.last_name(name)) else {
            return self.open(None, Frame::Type);
        };
        let symbol = self.extend(&name, node);
        self.bases_of(symbol, node, places);
        self.open(Some(symbol), Frame::Type);
    }

    /// The stand-in for the type of this name.
    pub(super) fn extend(&mut self, name: &str, node: Node<'t>) -> u32 {
        let symbol = self.symbols.extension(name, node);
        self.symbols.at(symbol).is_dynamic |= self.adding.take().is_some();
        symbol
    }

    /// The last segment of a type's name, without generics: `Foo` of `&mut a::Foo<T>`.
    pub(super) fn last_name(&self, node: Node<'t>) -> Option<String> {
        let text = self.str(node).trim_start_matches(['&', '*']);
        bases(text.strip_prefix("mut ").unwrap_or(text)).pop()
    }

    /// Whether a function defined here is a method.
    pub(super) fn callable(&self) -> SymbolKind {
        if self.frame() == Frame::Type { SymbolKind::Method } else { SymbolKind::Function }
    }

    /// Lets what is in the current node belong to the symbol, or without one to the symbol around.
    pub(super) fn open(&mut self, symbol: Option<u32>, frame: Frame) {
        let symbol = symbol.or(self.parent());
        self.scopes.push(Scope { depth: self.path.len(), symbol, frame });
    }

    fn close(&mut self) {
        while self.scopes.len() > 1 && self.scopes.last().is_some_and(|scope| scope.depth >= self.path.len()) {
            self.scopes.pop();
        }
    }

    pub(super) fn frame(&self) -> Frame {
        self.scopes.last().map_or(Frame::Module, |scope| scope.frame)
    }

    pub(super) fn parent(&self) -> Option<u32> {
        self.scopes.last().and_then(|scope| scope.symbol)
    }

    /// The type that the current node is in, whatever is between.
    pub(super) fn enclosing_type(&self) -> Option<u32> {
        let is_type = |symbol: &u32| matches!(self.symbols.kind(*symbol), SymbolKind::Type | SymbolKind::Extension);
        self.scopes.iter().rev().filter_map(|scope| scope.symbol).find(is_type)
    }

    /// The module that the current node is in, whatever is between.
    pub(super) fn enclosing_module(&self) -> Option<u32> {
        let is_module = |symbol: &u32| self.symbols.kind(*symbol) == SymbolKind::Module;
        self.scopes.iter().rev().filter_map(|scope| scope.symbol).find(is_module)
    }

    /// The node `up` levels above the current one; 0 is its parent.
    pub(super) fn ancestor(&self, up: usize) -> Option<Node<'t>> {
        self.path.iter().rev().nth(up).copied()
    }

    pub(super) fn mark_dynamic(&mut self) {
        if let Some(symbol) = self.enclosing_type() {
            self.symbols.at(symbol).is_dynamic = true;
        }
    }

    pub(super) fn mark_next_dynamic(&mut self) {
        self.adding = Some(self.path.len());
    }

    pub(super) fn str(&self, node: Node) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Defines the name at a node, in the current scope.
    pub(super) fn define(&mut self, name: Node<'t>, role: Role, whole: Node<'t>) -> Option<u32> {
        self.define_in(self.parent(), name, role, whole)
    }

    /// Defines the name at a node, in the scope of the given symbol.
    pub(super) fn define_in(
        &mut self,
        parent: Option<u32>,
        name: Node<'t>,
        role: Role,
        whole: Node<'t>,
    ) -> Option<u32> {
        let line = line_of(name);
        self.define_as(parent, self.str(name), line, role, whole)
    }

    /// Defines a name that is only a part of a node.
    pub(super) fn define_as(
        &mut self,
        parent: Option<u32>,
        name: &str,
        line: u32,
        role: Role,
        whole: Node<'t>,
    ) -> Option<u32> {
        let is_added_to = self.adding.take().is_some();
        let name = bare(name);
        if name.is_empty() || name == "_" || name.contains(char::is_whitespace) {
            return None;
        }
        let kind = match (role, self.frame()) {
            (Role::Is(kind), _) => kind,
            (_, Frame::Module) => SymbolKind::Constant,
            (_, Frame::Type) => SymbolKind::Member,
            (_, Frame::Function) => SymbolKind::Local,
        };
        if role == Role::Assigned && !self.symbols.is_new(parent, name) {
            return None;
        }
        if kind == SymbolKind::Method && self.grammar.dynamic_methods.contains(&name) {
            self.mark_dynamic();
        }
        Some(self.symbols.push(Symbol {
            name: name.to_owned(),
            kind,
            parent,
            line,
            end_line: end_line_of(whole),
            bases: Vec::new(),
            is_dynamic: is_added_to && kind == SymbolKind::Type,
        }))
    }

    /// Defines the names that a pattern binds.
    pub(super) fn bind(&mut self, pattern: Node<'t>, role: Role) {
        let patterns = &self.grammar.patterns;
        self.bind_by(patterns, pattern, role);
    }

    fn bind_by(&mut self, patterns: &'static Patterns, pattern: Node<'t>, role: Role) {
        let mut open = vec![pattern];
        while let Some(node) = open.pop() {
            if patterns.leaves.contains(&node.kind()) {
                let is_reference = patterns.is_lower_only && self.str(node).starts_with(char::is_uppercase);
                if !is_reference {
                    self.define(node, role, node);
                }
                continue;
            }
            let known = open.len();
            children(node, |child, field| {
                if !patterns.skips(node.kind(), field, child.kind()) {
                    open.push(child);
                }
            });
            open[known..].reverse();
        }
    }
}

/// A name without sigils and quotes.
fn bare(name: &str) -> &str {
    let name = name.trim().trim_start_matches(['$', '@', '#', ':', '&', '*', '~']);
    name.trim_end_matches(':').trim_matches(['"', '\'', '`'])
}

pub(super) fn line_of(node: Node) -> u32 {
    node.start_position().row as u32 + 1
}

pub(super) fn end_line_of(node: Node) -> u32 {
    let end = node.end_position();
    // A node that takes in its line break ends at the start of the next line.
    let ends_before = end.column == 0 && end.row > node.start_position().row;
    end.row as u32 + u32::from(!ends_before)
}

/// Calls `each` with every named child and its field.
pub(super) fn children<'t>(node: Node<'t>, mut each: impl FnMut(Node<'t>, Option<&'t str>)) {
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return;
    }
    loop {
        if cursor.node().is_named() {
            each(cursor.node(), cursor.field_name());
        }
        if !cursor.goto_next_sibling() {
            return;
        }
    }
}

/// The children in the field `place`, else those of the kind `place`.
pub(super) fn at<'t>(node: Node<'t>, place: &str) -> Vec<Node<'t>> {
    let (mut fields, mut kinds) = (Vec::new(), Vec::new());
    children(node, |child, field| {
        if field == Some(place) {
            fields.push(child);
        }
        if child.kind() == place {
            kinds.push(child);
        }
    });
    if fields.is_empty() { kinds } else { fields }
}

/// The first child in the field or of the kind `place`.
pub(super) fn first<'t>(node: Node<'t>, place: &str) -> Option<Node<'t>> {
    node.child_by_field_name(place).or_else(|| at(node, place).into_iter().next())
}
