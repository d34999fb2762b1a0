//! Swift.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"import struct Foo.Bar
let limit = 3
@Observable
public class Foo<T>: Base, Proto {
  static let shared = Foo()
  var name: String = "x", other: Int { 1 }
  @Published private var p: Int
  init(a: Int, _ b: String, with c: Int = 1) {
    let l = 1
    for i in xs {}
    if let u = o {}
    f(key: 1)
    foo { q in q }
    let (m, n) = t
  }
  func run(for y: String) -> Int { return 1 }
  enum Mode: String {
    case fast, slow = "s"
    case val(x: Int)
  }
  typealias Alias = Int
}
protocol Proto: AnyObject { var v: Int { get }; func m(); associatedtype Item }
struct S { var z: Int }
extension S: Other { func ext() {} }
extension Elsewhere { func more() {} }
let d = ["key": 1]
"##;

const NAMES: &str = r##"
1 Bar:Import
2 limit:Constant
4 Foo:Type[Base,Proto]!
5 shared:Member<Foo
6 name:Member<Foo other:Member<Foo
7 p:Member<Foo
8 init:Method<Foo a:Parameter<init b:Parameter<init with:Parameter<init c:Parameter<init
9 l:Local<init
10 i:Local<init
11 u:Local<init
12 key:Key<init
13 q:Parameter<init
14 m:Local<init n:Local<init
16 run:Method<Foo for:Parameter<run y:Parameter<run
17 Mode:Type<Foo[String]
18 fast:Member<Mode slow:Member<Mode
19 val:Member<Mode x:Parameter<Mode
21 Alias:Type<Foo
23 Proto:Type[AnyObject] v:Member<Proto m:Method<Proto Item:Type<Proto
24 S:Type[Other] z:Member<S
25 ext:Method<S
26 Elsewhere:Extension more:Method<Elsewhere
27 d:Constant key:Key
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Swift, TEXT, NAMES);
}
