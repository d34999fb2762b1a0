//! JavaScript.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"#!/usr/bin/env node
import def, { a, b as c } from 'x';
import * as ns from 'y';
export { foo as bar } from 'z';
const r = require('r'), { p, q: qq } = require('s');
export default class Foo extends Bar {
  static z = 1; #priv = 2; 'str' = 3;
  constructor(a, { b, c: d = 1 }, [e], ...rest) { this.y = a; this['k'] = 1; }
  get area() { return 1 } async *gen() {}
  static { }
}
function main(x = 1) { let l = 1; var m; for (const i of x) {} try {} catch (err) {} function inner() {} }
function* gen() {}
const arrow = (v) => v, fn = function named() {};
const one = w => w;
exports.x = 1; module.exports.y = function () {}; Foo.prototype.z = function () {}; obj.w = () => 1; module.exports = { aa, bb: 1 };
const o = { key: 1, 'dry-run': 2, short, method() {}, get g() { return 1 }, [comp]: 1, ...spread, 3: 1 };
label: for (;;) {}
Object.defineProperty(exports, 'dp', {});
const C = class extends B { m() {} };
"##;

const NAMES: &str = r##"
2 def:Import a:Import b:Import c:Import
3 ns:Import
4 foo:Import bar:Import
5 r:Import p:Import q:Import qq:Import
6 Foo:Type[Bar]
7 z:Member<Foo priv:Member<Foo str:Member<Foo
8 constructor:Method<Foo a:Parameter<constructor b:Parameter<constructor c:Parameter<constructor d:Parameter<constructor e:Parameter<constructor rest:Parameter<constructor y:Member<Foo k:Member<Foo
9 area:Method<Foo gen:Method<Foo
12 main:Function x:Parameter<main l:Local<main m:Local<main i:Local<main err:Local<main inner:Function<main
13 gen:Function
14 arrow:Function v:Parameter<arrow fn:Function named:Function<fn
15 one:Function w:Parameter<one
16 x:Constant y:Function z:Method<Foo obj:Extension w:Method<obj aa:Key bb:Key
17 o:Constant key:Key<o dry-run:Key<o short:Key<o method:Method<o g:Method<o
19 dp:Constant
20 C:Type[B] m:Method<C
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::JavaScript, TEXT, NAMES);
}
