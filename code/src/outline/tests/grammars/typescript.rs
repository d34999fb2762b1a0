//! TypeScript.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"import type { T } from 't';
import fs = require('fs');
export interface Opts extends Base, Other<X> { port: number; host?: string; run(a: string): void; [key: string]: any; new (x: number): Opts; readonly 'dry-run': boolean }
export type Alias = { a: number; b: string } | X;
export enum Color { Red, Green = 'g', 'str' }
declare global { interface Window { foo: string } }
namespace NS.Inner { export const v = 1; }
declare module 'mod' { export function f(x: number): void; }
export function over(a: string): void;
export function over(a: number): void;
export function over(a?: any) {}
abstract class A<T> extends B implements I, J { private x: number = 1; constructor(private readonly dep: Dep, public y = 2) { super() } abstract m(): void; static s?: string; declare z: number; @Dec() foo() {} m2(o?: string): void; }
declare const dc: number;
declare class DC { m(): void }
@Injectable() export class Deco {}
export = A;
"##;

const NAMES: &str = r##"
1 T:Import
2 fs:Import
3 Opts:Type[Base,Other]! port:Member<Opts host:Member<Opts run:Method<Opts a:Parameter<run x:Parameter<Opts dry-run:Member<Opts
4 Alias:Type a:Member<Alias b:Member<Alias
5 Color:Type Red:Member<Color Green:Member<Color
6 global:Module! Window:Type<global! foo:Member<Window
7 NS.Inner:Module v:Constant<NS.Inner
8 mod:Module f:Function<mod x:Parameter<f
9 over:Function a:Parameter<over
10 over:Function a:Parameter<over
11 over:Function a:Parameter<over
12 A:Type[B,I,J] x:Member<A constructor:Method<A dep:Parameter<constructor y:Parameter<constructor dep:Member<A y:Member<A m:Method<A s:Member<A z:Member<A foo:Method<A m2:Method<A o:Parameter<m2
13 dc:Constant
14 DC:Type m:Method<DC
15 Deco:Type!
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::TypeScript, TEXT, NAMES);
}
