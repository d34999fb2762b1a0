//! C.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"#include <stdio.h>
#include "my/foo.h"
#define LIMIT 3
#define MAX(a, b) ((a) > (b))
#ifdef X
typedef struct node { int val; struct node *next; char buf[10], *p; unsigned f : 3; } node_t;
#endif
enum color { RED, GREEN = 2 };
typedef int (*cb)(int a);
typedef unsigned long ulong_t;
static int count = 0, *ptr, arr[3];
extern int ext;
int add(int a, char *b, int (*fn)(int));
static const char *name(void) { int l = 1; for (int i = 0;;) {} static struct s v = { .val = 1 }; return 0; }
union u { int x; struct { int y; }; };
typedef struct { int anon; } anon_t;
"##;

const NAMES: &str = r##"
1 stdio:Import
2 foo:Import
3 LIMIT:Macro
4 MAX:Macro a:Parameter b:Parameter
6 node_t:Type node:Type val:Member<node next:Member<node buf:Member<node p:Member<node f:Member<node
8 color:Type RED:Member<color GREEN:Member<color
9 cb:Type a:Parameter
10 ulong_t:Type
11 count:Constant ptr:Constant arr:Constant
12 ext:Constant
13 add:Function a:Parameter<add b:Parameter<add fn:Parameter<add
14 name:Function l:Local<name i:Local<name v:Local<name val:Key<name
15 u:Type x:Member<u y:Member<u
16 anon_t:Type anon:Member<anon_t
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::C, TEXT, NAMES);
}
