//! Php.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"<?php
namespace App\Http;
use Foo\Bar;
use Foo\{A, B as C};
use function x\y;
const LIMIT = 3;
define('DEFINED', 1);
abstract class Foo extends Base implements I, J {
  use SomeTrait, Other;
  public const X = 1, Y = 2;
  private ?string $name = 'x', $b;
  public function __construct(private readonly int $a, string $p = '', ...$rest) { $this->z = 1; $l = 2; [$q, $r] = $t; }
  public static function make(): static { return new static(name: 1); }
  public function __call($n, $a) {}
}
interface I extends K { public function m(int $x); }
trait T { public $tp; }
enum Suit: string { case Hearts = 'H'; const W = 1; }
function main(array $o) { $arr = ['dry-run' => 1, $k => 2]; foreach ($arr as $k => $v) {} $f = fn($x) => $x; $g = function ($y) use ($z) {}; static $st = 1; global $gl; try {} catch (E $e) {} }
$top = 1;
"##;

const NAMES: &str = r##"
2 App\Http:Module
3 Bar:Import
4 A:Import B:Import C:Import
5 y:Import
6 LIMIT:Constant
7 DEFINED:Constant
8 Foo:Type[Base,I,J,SomeTrait,Other]!
10 X:Member<Foo Y:Member<Foo
11 name:Member<Foo b:Member<Foo
12 __construct:Method<Foo a:Parameter<__construct a:Member<Foo p:Parameter<__construct rest:Parameter<__construct z:Member<Foo l:Local<__construct q:Local<__construct r:Local<__construct
13 make:Method<Foo name:Key<make
14 __call:Method<Foo n:Parameter<__call a:Parameter<__call
16 I:Type[K] m:Method<I x:Parameter<m
17 T:Type tp:Member<T
18 Suit:Type Hearts:Member<Suit W:Member<Suit
19 main:Function o:Parameter<main arr:Local<main dry-run:Key<main k:Local<main v:Local<main f:Local<main x:Parameter<main g:Local<main y:Parameter<main st:Local<main e:Local<main
20 top:Constant
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Php, TEXT, NAMES);
}
