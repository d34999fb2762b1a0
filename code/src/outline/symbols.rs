//! The symbols of a file while they are collected, and the last pass over them.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::{Symbol, SymbolKind};

/// Symbols in order of appearance.
#[derive(Default)]
pub(super) struct Symbols {
    all: Vec<Symbol>,
    extensions: FxHashMap<String, u32>,
    assigned: FxHashSet<(Option<u32>, String)>,
}

impl Symbols {
    pub(super) fn push(&mut self, symbol: Symbol) -> u32 {
        self.all.push(symbol);
        (self.all.len() - 1) as u32
    }

    pub(super) fn at(&mut self, index: u32) -> &mut Symbol {
        &mut self.all[index as usize]
    }

    pub(super) fn kind(&self, index: u32) -> SymbolKind {
        self.all[index as usize].kind
    }

    pub(super) fn is_dynamic(&self, index: u32) -> bool {
        self.all[index as usize].is_dynamic
    }

    /// Whether the name is assigned for the first time in this scope.
    pub(super) fn is_new(&mut self, parent: Option<u32>, name: &str) -> bool {
        self.assigned.insert((parent, name.to_owned()))
    }

    /// The stand-in for a type that members are added to here.
    pub(super) fn extension(&mut self, name: &str, node: Node) -> u32 {
        if let Some(&index) = self.extensions.get(name) {
            return index;
        }
        let index = self.push(Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Extension,
            parent: None,
            line: node.start_position().row as u32 + 1,
            end_line: node.end_position().row as u32 + 1,
            bases: Vec::new(),
            is_dynamic: false,
        });
        self.extensions.insert(name.to_owned(), index);
        index
    }

    pub(super) fn add_bases(&mut self, index: u32, bases: Vec<String>) {
        let known = &mut self.at(index).bases;
        for base in bases {
            if !known.contains(&base) {
                known.push(base);
            }
        }
    }

    /// Replaces stand-ins by the types they stand for where the file defines those.
    pub(super) fn into_resolved(mut self) -> Vec<Symbol> {
        let mut target: Vec<u32> = (0..self.all.len() as u32).collect();
        for (name, &index) in &self.extensions {
            if let Some(owner) = self.owner(name) {
                target[index as usize] = owner;
            }
        }
        let mut moved: Vec<_> = self.extensions.values().copied().filter(|&at| target[at as usize] != at).collect();
        moved.sort_unstable();
        for &index in &moved {
            let stand_in = std::mem::take(&mut self.at(index).bases);
            let is_dynamic = self.is_dynamic(index);
            let owner = target[index as usize];
            self.add_bases(owner, stand_in);
            self.at(owner).is_dynamic |= is_dynamic;
        }
        let shift = |index: u32| index - moved.partition_point(|&at| at < index) as u32;
        for symbol in &mut self.all {
            symbol.parent = symbol.parent.map(|parent| shift(target[parent as usize]));
        }
        let mut index = 0..;
        self.all.retain(|_| index.next().is_none_or(|index| moved.binary_search(&index).is_err()));
        self.all
    }

    /// What an extension of this name extends: a type if there is one, else what else can hold members.
    fn owner(&self, name: &str) -> Option<u32> {
        let rank = |kind| match kind {
            SymbolKind::Type => Some(0),
            SymbolKind::Module => Some(1),
            SymbolKind::Function => Some(2),
            SymbolKind::Constant => Some(3),
            _ => None,
        };
        let named = (0..).zip(&self.all).filter(|(_, symbol)| symbol.name == name);
        named.filter_map(|(index, symbol)| Some((rank(symbol.kind)?, index))).min().map(|(_, index)| index)
    }
}
