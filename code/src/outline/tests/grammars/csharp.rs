//! CSharp.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"using System;
using Al = System.Text;
using static System.Math;
namespace My.App;
[Serializable]
public partial class Foo<T> : Base, IBar<T> where T : class {
  public const int Limit = 3;
  private readonly string _name, _b = "x";
  public string Name { get; set; } = "y";
  public int this[int i] => 1;
  public event EventHandler Changed; 
  public event EventHandler Ch2 { add {} remove {} }
  public Foo(int a, params string[] b) : base(a) { var l = 1; foreach (var x in y) {} F(name: 1); if (o is int n) {} using var u = z; try {} catch (E e) {} Fn g = (p, q) => p; var an = new { A = 1 }; var oi = new Foo { Name = "x" }; F(out var ov); int Loc(int k) => k; var (d1, d2) = t; }
  ~Foo() {}
  public async Task<int> RunAsync(CancellationToken ct = default) => 1;
  public static Foo operator +(Foo a, Foo b) => a;
  enum Mode { Fast, Slow = 2 }
  interface I { void M(int p); int P { get; } }
  record Point(int X, int Y);
  struct S { int z; }
  delegate void D(int q);
}
namespace Other { record struct R(int W); }
"##;

const NAMES: &str = r##"
1 System:Import
2 Al:Import Text:Import
3 Math:Import
4 My.App:Module
6 Foo:Type[Base,IBar]!
7 Limit:Member<Foo
8 _name:Member<Foo _b:Member<Foo
9 Name:Member<Foo
10 i:Parameter<Foo
11 Changed:Member<Foo
12 Ch2:Member<Foo
13 Foo:Method<Foo b:Parameter<Foo a:Parameter<Foo l:Local<Foo x:Local<Foo name:Key<Foo n:Local<Foo u:Local<Foo e:Local<Foo g:Local<Foo p:Parameter<Foo q:Parameter<Foo an:Local<Foo A:Key<Foo oi:Local<Foo Name:Key<Foo ov:Local<Foo Loc:Function<Foo k:Parameter<Loc d1:Local<Foo d2:Local<Foo
14 Foo:Method<Foo
15 RunAsync:Method<Foo ct:Parameter<RunAsync
16 a:Parameter<Foo b:Parameter<Foo
17 Mode:Type<Foo Fast:Member<Mode Slow:Member<Mode
18 I:Type<Foo M:Method<I p:Parameter<M P:Member<I
19 Point:Type<Foo X:Member<Point Y:Member<Point X:Parameter<Point Y:Parameter<Point
20 S:Type<Foo z:Member<S
21 D:Type<Foo q:Parameter<D
23 Other:Module R:Type<Other W:Member<R W:Parameter<R
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::CSharp, TEXT, NAMES);
}
