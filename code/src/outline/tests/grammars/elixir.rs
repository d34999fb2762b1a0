//! Elixir.

use crate::language::Language;
use crate::outline::tests::check;

const TEXT: &str = r##"defmodule My.App do
  @moduledoc """
  Doc
  """
  use GenServer, restart: :temporary
  alias Foo.Bar
  alias Foo.{A, B}
  alias X.Y, as: Z
  import Ecto.Query
  require Logger
  @limit 3
  @type t :: %__MODULE__{a: 1}
  @callback cb(x :: term) :: :ok
  defstruct [:name, port: 1]
  def run(a, b \\ 1, %{key: v} = m, opts) when is_binary(a) do
    x = 1
    {:ok, y} = f(key: 1)
    fn q -> q end
    %{"dry-run" => 1, :c => 3}
    case z do {:ok, w} -> w end
  end
  defp priv(), do: 1
  def noargs, do: :ok
  defmacro mac(q) do quote do end end
  defguard is_x(v) when v == 1
  defdelegate foo(x), to: Bar
  defmodule Inner do end
  defexception [:msg]
  schema "t" do field :email, :string end
end
defprotocol P do def size(d) end
defimpl P, for: List do def size(d), do: 1 end
"##;

const NAMES: &str = r##"
1 My.App:Module[GenServer]!
5 GenServer:Import<My.App restart:Key<My.App
6 Bar:Import<My.App
7 A:Import<My.App B:Import<My.App
8 Y:Import<My.App Z:Import<My.App
9 Query:Import<My.App
10 Logger:Import<My.App
11 limit:Member<My.App
12 t:Type<My.App a:Key<My.App
13 cb:Method<My.App
14 name:Member<My.App port:Member<My.App port:Key<My.App
15 run:Method<My.App a:Parameter<run b:Parameter<run v:Parameter<run m:Parameter<run opts:Parameter<run v:Local<run key:Key<run
16 x:Local<run
17 y:Local<run key:Key<run
18 q:Local<run
19 dry-run:Key<run c:Key<run
20 w:Local<run
22 priv:Method<My.App
23 noargs:Method<My.App
24 mac:Macro<My.App q:Parameter<mac
25 is_x:Method<My.App v:Parameter<is_x
26 foo:Method<My.App x:Parameter<foo to:Key<foo
27 Inner:Module<My.App
28 msg:Member<My.App
29 email:Member<My.App
31 P:Module size:Method<P d:Parameter<size
32 size:Method<P d:Parameter<size
"##;

#[test]
fn a_realistic_text_gives_exactly_these_names() {
    check(Language::Elixir, TEXT, NAMES);
}
