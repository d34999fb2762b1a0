//! Kotlin.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"package com.example.app
import a.b.C as D
import x.y.Z
const val LIMIT = 3
typealias Alias = Int
fun String.ext(a: Int, vararg b: String): Int {
  val (m, n) = p
  for (i in xs) {}
  foo { q -> f(name = 1) }
  try {} catch (e: E) {}
}
data class Foo(val a: Int, c: Int) : Base(c), I {
  var prop: Int
    get() = 1
    set(value) {}
  constructor(z: Int) : this(z, 1)
  fun run() = 1
  companion object {
    const val X = 1
    fun make() {}
  }
  enum class Mode(val v: Int) {
    FAST(1),
    SLOW(2);
    fun f() {}
  }
  sealed interface S {
    fun m()
  }
}
object Single : Base() {
  val s = 1
}
"##;

const NAMES: &str = r##"
1 com.example.app:Module
2 C:Import D:Import
3 Z:Import
4 LIMIT:Constant
5 Alias:Type
6 String:Extension ext:Method<String a:Parameter<ext b:Parameter<ext
7 m:Local<ext n:Local<ext
8 i:Local<ext
9 q:Parameter<ext name:Key<ext
10 e:Local<ext
12 Foo:Type[Base,I] a:Member<Foo c:Parameter<Foo
13 prop:Member<Foo
16 z:Parameter<Foo
17 run:Method<Foo
19 X:Member<Foo
20 make:Method<Foo
22 Mode:Type<Foo v:Member<Mode
23 FAST:Member<Mode
24 SLOW:Member<Mode
25 f:Method<Mode
27 S:Type<Foo
28 m:Method<S
31 Single:Type[Base]
32 s:Member<Single
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Kotlin, TEXT, NAMES);
}
