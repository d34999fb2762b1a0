//! Java.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"package com.example.app;
import java.util.List;
import static java.lang.Math.max;
import a.b.*;
@Deprecated @Data
public class Foo<T> extends Base implements A, B<C> {
  public static final int LIMIT = 3, Other = 4;
  private String name;
  public Foo(int a) { this.name = "x"; int l = 1; for (String s : xs) {} try (R r = f()) {} catch (E e) {} Fn g = (p, q) -> p; Fn h = w -> w; }
  public <X> int run(final String x, int... rest) throws E { return 1; }
  enum Mode { FAST, SLOW(1) { void m() {} }; int f; }
  interface I extends J { int K = 1; void m(int p); }
  record Point(int x, int y) { Point { } static int z; }
  @interface Ann { String value() default "x"; }
}
"##;

const NAMES: &str = r##"
1 com.example.app:Module
2 List:Import
3 max:Import
4 b:Import
6 Foo:Type[Base,A,B]!
7 LIMIT:Member<Foo Other:Member<Foo
8 name:Member<Foo
9 Foo:Method<Foo a:Parameter<Foo l:Local<Foo s:Local<Foo r:Local<Foo e:Local<Foo g:Local<Foo p:Parameter<Foo q:Parameter<Foo h:Local<Foo w:Parameter<Foo
10 run:Method<Foo x:Parameter<run rest:Parameter<run
11 Mode:Type<Foo FAST:Member<Mode SLOW:Member<Mode m:Method<SLOW f:Member<Mode
12 I:Type<Foo[J] K:Member<I m:Method<I p:Parameter<m
13 Point:Type<Foo x:Member<Point y:Member<Point x:Parameter<Point y:Parameter<Point Point:Method<Point z:Member<Point
14 Ann:Type<Foo value:Method<Ann
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Java, TEXT, NAMES);
}
