//! Scala.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"package com.example
package app
import a.b.{C, D => E}
import x.y._
import z.W
case class Foo[T](a: Int, val b: String = "") extends Base(a) with Mix { 
  val name = "x"; var v: Int = 1; lazy val lz = 1
  def run(x: Int)(implicit y: String): Int = { val l = 1; for (i <- xs) yield i; f(name = 1); val (m, n) = t; xs.map(q => q) ; t match { case Some(z) => z } }
  type Alias = Int
  private val (g, h) = p
}
object Foo extends App { val LIMIT = 3; def make = 1 }
trait Sh { def area: Double; val nn: Int }
sealed abstract class Q
enum Color { case Red, Green; case Blue(x: Int) }
given ord: Ordering[Int] = ???
extension (s: String) def ext = 1
def top() = 1
val tv = 1
package object po { val k = 1 }
"##;

const NAMES: &str = r##"
1 com.example:Module
2 app:Module
3 C:Import D:Import E:Import
5 W:Import
6 Foo:Type[Base,Mix] a:Member<Foo b:Member<Foo
7 name:Member<Foo v:Member<Foo lz:Member<Foo
8 run:Method<Foo x:Parameter<run y:Parameter<run l:Local<run i:Local<run name:Key<run m:Local<run n:Local<run q:Parameter<run z:Local<run
9 Alias:Type<Foo
10 g:Member<Foo h:Member<Foo
12 Foo:Type[App] LIMIT:Member<Foo make:Method<Foo
13 Sh:Type area:Method<Sh nn:Member<Sh
14 Q:Type
15 Color:Type Red:Member<Color Green:Member<Color Blue:Member<Color x:Member<Blue
16 ord:Constant
17 s:Parameter ext:Function
18 top:Function
19 tv:Constant
20 po:Module k:Constant<po
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Scala, TEXT, NAMES);
}
