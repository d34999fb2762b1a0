//! Ruby.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"require 'set'
require_relative 'foo/bar'
module A::B
  LIMIT = 3
  class Foo < Base::X
    include Comparable
    extend Other
    attr_accessor :name, :port
    attr_reader 'q'
    @@count = 0
    NAMES = %w[a b].freeze
    def initialize(a, b = 1, *rest, key:, opt: 2, **kw, &blk)
      @x = a
      local = 1
      l1, l2 = 1, 2
      @y ||= 1
    end
    def self.make; end
    class << self
      def inner; end
    end
    define_method(:dyn) { |v| v }
    alias_method :new_name, :old
    alias nn oo
    def method_missing(name); end
    private def priv = 1
  end
end
def top; f(key: 1, "str" => 2, :sym => 3); { a: 1, "b-c": 2 }; end
$global = 1
Point = Struct.new(:x, :y)
scope :active, -> { }
begin; rescue E => e; end
[1].each do |i, (j, k)| end
"##;

const NAMES: &str = r##"
1 set:Import
2 bar:Import
3 B:Module
4 LIMIT:Member<B
5 Foo:Type<B[X,Comparable,Other]!
8 name:Member<Foo port:Member<Foo
9 q:Member<Foo
10 count:Member<Foo
11 NAMES:Member<Foo
12 initialize:Method<Foo a:Parameter<initialize b:Parameter<initialize rest:Parameter<initialize key:Parameter<initialize opt:Parameter<initialize kw:Parameter<initialize blk:Parameter<initialize
13 x:Member<Foo
14 local:Local<initialize
15 l1:Local<initialize l2:Local<initialize
16 y:Member<Foo
18 make:Method<Foo
20 inner:Method<Foo
22 dyn:Method<Foo v:Parameter<Foo
23 new_name:Method<Foo
24 nn:Method<Foo
25 method_missing:Method<Foo name:Parameter<method_missing
26 priv:Method<Foo
29 top:Function key:Key<top str:Key<top sym:Key<top a:Key<top b-c:Key<top
30 global:Constant
31 Point:Type x:Member<Point y:Member<Point
32 active:Function
33 e:Local
34 i:Parameter j:Parameter k:Parameter
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Ruby, TEXT, NAMES);
}
