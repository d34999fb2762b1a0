//! Python.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"#!/usr/bin/env python
import os, sys as system
from a.b import c, d as e
from x import *
LIMIT: int = 3
a, b = 1, 2
@dataclass
class Config(Base, mixin.Other, metaclass=Meta):
    """Doc."""
    port: int = 1
    name = "x"
    host: str
    def __init__(self, p, q=1, *args, r: int, s: str = "", **kwargs):
        self.x = self.y = 1
        self.z: int = 2
        local = 3
    @property
    def area(self): return lambda v: v
    async def go(self): pass
def main():
    f(name=1, **{"k": 2})
    d = {"dry-run": 1, key: 2}
    for i in x: pass
    with open() as fh: pass
    try: pass
    except E as err: pass
    if (n := 1): pass
    [t for t in y]
    x: int = 3
    d["foo"] = 1
type Alias = int
dict(foo=1)
class E(Enum):
    A = 1
T = TypeVar("T")
__getattr__ = 1
"##;

const NAMES: &str = r##"
2 os:Import sys:Import system:Import
3 c:Import d:Import e:Import
5 LIMIT:Constant
6 a:Constant b:Constant
8 Config:Type[Base,Other]! metaclass:Key<Config
10 port:Member<Config
11 name:Member<Config
12 host:Member<Config
13 __init__:Method<Config self:Parameter<__init__ p:Parameter<__init__ q:Parameter<__init__ args:Parameter<__init__ r:Parameter<__init__ s:Parameter<__init__ kwargs:Parameter<__init__
14 x:Member<Config y:Member<Config
15 z:Member<Config
16 local:Local<__init__
18 area:Method<Config self:Parameter<area v:Parameter<area
19 go:Method<Config self:Parameter<go
20 main:Function
21 name:Key<main k:Key<main
22 d:Local<main dry-run:Key<main
23 i:Local<main
24 fh:Local<main
26 err:Local<main
27 n:Local<main
28 t:Local<main
29 x:Local<main
30 foo:Key<main
31 Alias:Type
32 foo:Key
33 E:Type[Enum]
34 A:Member<E
35 T:Constant
36 __getattr__:Constant
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Python, TEXT, NAMES);
}
