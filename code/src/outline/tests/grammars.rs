//! Languages that are read by tree-sitter.

mod bash;
mod c;
mod cpp;
mod csharp;
mod elixir;
mod go;
mod java;
mod javascript;
mod kotlin;
mod lua;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod swift;
mod typescript;
