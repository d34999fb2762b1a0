//! Configuration and build files.

use super::check;
use crate::language::Language;

#[test]
fn yaml_keys_nest_by_indentation() {
    let text = "# c\non:\n  push: {branches: main, tags: x}\njobs:\n  build:\n    steps:\n      - name: a\n        run: |\n          not: a key\n      - \"uses\": b # c\nurl: http://x\n---\nother:\n- k: 1\n";
    let expected = "
2 on:Key
3 push:Key<on branches:Key<push tags:Key<push
4 jobs:Key
5 build:Key<jobs
6 steps:Key<build
7 name:Key<steps
8 run:Key<steps
10 uses:Key<steps
11 url:Key
13 other:Key
14 k:Key<other
";
    check(Language::Yaml, text, expected);
}

#[test]
fn toml_keys_belong_to_their_tables() {
    let text = "top = 1 # c = 2\n[a.b]\nx-y = { version = \"1\", features = [\"z = 1\"] }\n\"q r\" = 1\nlist = [\n  { path = \"p\" },\n]\nlong = \"\"\"\nno = 1\n\"\"\"\n[[bin]]\nc.d = true\n[a.e]\n";
    let expected = "
1 top:Key
2 a:Key b:Key<a
3 x-y:Key<b version:Key<x-y features:Key<x-y
4 q r:Key<b
5 list:Key<b
6 path:Key<list
8 long:Key<b
11 bin:Key
12 c:Key<bin d:Key<c
13 e:Key<a
";
    check(Language::Toml, text, expected);
}

#[test]
fn json_keys_nest_by_braces() {
    let text = "{\n  // \"no\": 1\n  \"a\": {\"b\": [1, {\"c\": \"d: e\"}]},\n  \"f\\\"g\": null,\n  \"h\": 1\n}";
    let expected = "
3 a:Key b:Key<a c:Key<b
4 f\\\"g:Key
5 h:Key
";
    check(Language::Json, text, expected);
}

#[test]
fn ini_keys_belong_to_their_sections() {
    let text = "# c = 1\nA=1\nexport B=2\n[core]\n; no = 1\nkey = v\nother: v\nnot a key = x\n";
    check(Language::Ini, text, "2 A:Key\n3 B:Key\n4 core:Key\n6 key:Key<core\n7 other:Key<core");
}

#[test]
fn hcl_blocks_go_by_their_labels() {
    let text = "variable \"region\" {\n  default = \"eu\"\n}\nresource \"aws_s3\" \"logs\" {\n  tags = {\n    Name = 1\n  }\n  lifecycle {\n  }\n}\n";
    let expected = "
1 region:Constant
2 default:Key<region
4 logs:Key
5 tags:Key<logs
6 Name:Key<tags
8 lifecycle:Key<logs
";
    check(Language::Hcl, text, expected);
}

#[test]
fn build_files_name_variables_and_targets() {
    let make = "CC ?= gcc\nexport DEST := /x\n.PHONY: all\nall test: dep\n\techo a: b\n";
    check(Language::Makefile, make, "1 CC:Constant\n2 DEST:Constant\n4 all:Function test:Function");
    let just =
        "set shell := [\"sh\"]\nx := \"1\"\nalias b := build\n[private]\n@build target='all' *flags: dep\n  echo\n";
    let expected =
        "1 shell:Key\n2 x:Constant\n3 b:Function\n5 build:Function target:Parameter<build flags:Parameter<build";
    check(Language::Just, just, expected);
    let docker = "ARG VERSION=1\nFROM rust:1 AS builder\nENV A=1 B=2\nENV OLD value\nRUN x=1\n";
    check(
        Language::Dockerfile,
        docker,
        "1 VERSION:Constant\n2 builder:Module\n3 A:Constant B:Constant\n4 OLD:Constant",
    );
    let cmake = "project(demo CXX)\noption(WITH_SSL \"d\" ON)\nset(DIR x)\nfunction(add_it name)\n";
    check(Language::CMake, cmake, "1 demo:Module\n2 WITH_SSL:Constant\n3 DIR:Constant\n4 add_it:Function");
}

#[test]
fn protobuf_fields_belong_to_their_messages() {
    let text = "package a.b;\nmessage M { // c\n  string name = 1;\n  oneof kind {\n    int32 n = 2;\n  }\n}\nenum E { A = 0; }\nservice S { rpc Get(M) returns (M); }\n";
    let expected = "
1 a.b:Module
2 M:Type
3 name:Member<M
4 kind:Type<M
5 n:Member<kind
8 E:Type
9 S:Type
";
    check(Language::Protobuf, text, expected);
}
