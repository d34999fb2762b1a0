//! Rust.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"use std::{fmt, io::{self as sio, Read}};
use a::b as c;
pub mod net {
    pub const LIMIT: usize = 3;
    static mut COUNT: u32 = 0;
}
#[derive(Debug, Serialize)]
#[serde(rename = "x")]
pub struct Config<T> { pub port: u16, name: T }
struct Pair(u8, u8);
enum Mode { Fast, Slow { speed: u8 }, Code = 3 }
union U { a: u8 }
#[async_trait]
impl<T> fmt::Display for Config<T> {
    const X: u8 = 1;
    type Out = u8;
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { let n = 1; let (a, b) = p; if let Some(z) = q {} Ok(()) }
}
trait Shape: Base { fn area(&self) -> f64; const N: u8; type Item; fn d(&self) {} }
type Alias = Vec<u8>;
macro_rules! hello { () => {} }
extern "C" { fn puts(s: *const u8); }
fn main() { let c = |w| w + 1; for i in 0..3 {} let s = Config { port: 1, name }; match x { Foo { a, b: y } => {} } }
bitflags! { struct Flags: u8 { const A = 1; } }
impl Elsewhere<u8> { pub fn new() {} }
extern crate foo as bar;
"##;

const NAMES: &str = r##"
1 fmt:Import sio:Import Read:Import
2 b:Import c:Import
3 net:Module
4 LIMIT:Constant<net
5 COUNT:Constant<net
9 Config:Type[Display]! port:Member<Config name:Member<Config
10 Pair:Type
11 Mode:Type Fast:Member<Mode Slow:Member<Mode speed:Member<Slow Code:Member<Mode
12 U:Type a:Member<U
15 X:Member<Config
16 Out:Type<Config
17 fmt:Method<Config f:Parameter<fmt n:Local<fmt a:Local<fmt b:Local<fmt z:Local<fmt
19 Shape:Type[Base] area:Method<Shape N:Member<Shape Item:Type<Shape d:Method<Shape
20 Alias:Type
21 hello:Macro
22 puts:Function s:Parameter<puts
23 main:Function c:Local<main w:Parameter<main i:Local<main s:Local<main port:Key<main name:Key<main a:Local<main y:Local<main
24 Flags:Type A:Constant
25 Elsewhere:Extension new:Method<Elsewhere
26 foo:Import bar:Import
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Rust, TEXT, NAMES);
}
