//! Lua.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"local M = {}
local json = require("json")
LIMIT = 3
local a, b = 1, 2
function M.run(x, ...) local l = 1; self.y = 2 for i = 1, 3 do end for k, v in pairs(t) do end end
function M:method(q) self.z = 1 end
local function loc(p) end
function glob() end
M.fn = function(w) end
local t = { key = 1, ["dry-run"] = 2, f = function() end }
M.sub = { n = 1 }
M["s"] = 1
local anon = function(z) end
return M
"##;

const NAMES: &str = r##"
1 M:Constant
2 json:Constant json:Import<json
3 LIMIT:Constant
4 a:Constant b:Constant
5 run:Method<M x:Parameter<run l:Local<run y:Member<M i:Local<run k:Local<run v:Local<run
6 method:Method<M q:Parameter<method z:Member<M
7 loc:Function p:Parameter<loc
8 glob:Function
9 fn:Method<M w:Parameter<fn
10 t:Constant key:Key<t dry-run:Key<t f:Key<t
11 sub:Member<M n:Key<sub
12 s:Member<M
13 anon:Function z:Parameter<anon
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Lua, TEXT, NAMES);
}
