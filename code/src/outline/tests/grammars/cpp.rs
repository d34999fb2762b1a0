//! Cpp.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"#include <vector>
using namespace std;
using std::string;
using Alias = int;
namespace a::b { int x; }
namespace { void anon(); }
template <typename T, int N> class Foo : public Base<T>, private ns::Other {
 public:
  Foo(int a) : m_(a) {}
  ~Foo();
  void run(const std::string& s, int* p, int&& r = 1) const override;
  static constexpr int kMax = 3;
  int m_ = 0, *q_;
  int& operator[](int i);
  operator bool() const;
  enum class Mode : int { Fast, Slow };
  friend class Bar;
  using Base<T>::foo;
  struct Inner { int z; };
  virtual int pure() = 0;
  typedef int my_int;
  template <class U> void tm(U u) {}
};
template <> void Foo<int>::run(const std::string& s) const { auto [a, b] = p; auto l = [x = 1](int y) { return y; }; for (auto& e : v) {} }
ns::Elsewhere::Elsewhere() {}
struct P { int x; } g_p;
namespace al = a::b;
concept_t f(int);
class EXPORT_API Exported { int e; };
template <typename T> concept C = true;
int Foo<int>::counter = 0;
"##;

const NAMES: &str = r##"
1 vector:Import
2 std:Import
3 string:Import
4 Alias:Type
5 a::b:Module x:Constant<a::b
6 anon:Function
7 Foo:Type[Base,Other]
9 Foo:Method<Foo a:Parameter<Foo
10 Foo:Method<Foo
11 run:Method<Foo s:Parameter<run p:Parameter<run r:Parameter<run
12 kMax:Member<Foo
13 m_:Member<Foo q_:Member<Foo
14 i:Parameter<Foo
16 Mode:Type<Foo Fast:Member<Mode Slow:Member<Mode
18 foo:Import<Foo
19 Inner:Type<Foo z:Member<Inner
20 pure:Method<Foo
21 my_int:Type<Foo
22 tm:Method<Foo u:Parameter<tm
24 run:Method<Foo s:Parameter<run a:Local<run b:Local<run l:Local<run y:Parameter<run e:Local<run
25 Elsewhere:Extension Elsewhere:Method<Elsewhere
26 g_p:Constant P:Type x:Member<P
27 al:Module
28 f:Function
29 Exported:Type e:Member<Exported
30 C:Type
31 counter:Member<Foo
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Cpp, TEXT, NAMES);
}
