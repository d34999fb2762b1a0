//! Go.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"package main
import (
	"fmt"
	f "foo/bar-baz"
	_ "x"
	. "y"
)
const A, B = 1, 2
const (
	C = iota
	D
)
var X int = 1
var (
	Y, Z = 1, 2
)
type Config struct {
	Port, Host string `json:"port"`
	Embedded
	*pkg.Ptr
	inner struct { Q int }
}
type Shape interface { Area(x int) float64; fmt.Stringer }
type Alias = int
type Fn func(a int) error
func (c *Config[T]) Run(ctx context.Context, a, b int, rest ...string) (n int, err error) { x := 1; var y int; for i, v := range z { } ; w, _ := f(); return }
func main[T any](x T) { c := Config{Port: 1, "k": 2}; go func(q int) {}(1); switch t := x.(type) { } ; if e := f(); e != nil {} ; const lc = 1; m := map[string]int{"a-b": 1} }
"##;

const NAMES: &str = r##"
1 main:Module
3 fmt:Import
4 f:Import bar-baz:Import
5 x:Import
6 y:Import
8 A:Constant B:Constant
10 C:Constant
11 D:Constant
13 X:Constant
15 Y:Constant Z:Constant
17 Config:Type[Embedded,Ptr]
18 Port:Member<Config Host:Member<Config port:Key<Config
21 inner:Member<Config Q:Member<Config
23 Shape:Type[Stringer] Area:Method<Shape x:Parameter<Area
24 Alias:Type
25 Fn:Type a:Parameter<Fn
26 Run:Method<Config c:Parameter<Run ctx:Parameter<Run a:Parameter<Run b:Parameter<Run rest:Parameter<Run n:Parameter<Run err:Parameter<Run x:Local<Run y:Local<Run i:Local<Run v:Local<Run w:Local<Run
27 main:Function x:Parameter<main c:Local<main Port:Key<main k:Key<main q:Parameter<main t:Local<main e:Local<main lc:Local<main m:Local<main a-b:Key<main
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Go, TEXT, NAMES);
}
