//! Bash.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"#!/bin/bash
LIMIT=3
export PATH_X="a" Y=2
readonly RO=1
declare -A map=([k]=v)
run() { local l=1 m; echo "$1"; }
function go { x=1; }
function both() { :; }
for i in a b; do :; done
read -r input
alias ll='ls -l'
FOO=bar cmd --flag
: "${DEF:=1}"
arr+=(1)
source lib.sh
"##;

const NAMES: &str = r##"
2 LIMIT:Constant
3 PATH_X:Constant Y:Constant
4 RO:Constant
5 map:Constant
6 run:Function m:Local<run l:Local<run
7 go:Function x:Constant
8 both:Function
9 i:Constant
10 input:Constant
11 ll:Function
12 FOO:Constant
14 arr:Constant
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Bash, TEXT, NAMES);
}
