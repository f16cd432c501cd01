package strict

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const drafted = `# A file.
# Of two lines.
name  = "x"
alpha = 0.01 # small
ratio = 1.0
also  = { b = true, "c d" = ['a\b', 2] }

[machine]

[[scenario]]
use    = "overhead"
blocks = 3

[[scenario]]
use = "server"

[framework.mine]
agent = "mine.jar"

[framework.mine.stage.1us]
args = ["-Dx"]
`

// A file is written in the order in which it was made, and read again it makes the same draft.
func TestDraft(t *testing.T) {
	d := &Draft{}
	d.Set("name", "x")
	d.Note("alpha", 0.01, "small")
	d.Set("ratio", 1.0)
	d.Set("also", map[string]any{"c d": []any{`a\b`, 2}, "b": true})
	d.Table("machine")
	first, second := &Draft{}, &Draft{}
	first.Set("use", "overhead")
	first.Set("blocks", 3)
	second.Set("use", "server")
	d.List("scenario", first, second)
	mine := d.Table("framework").Table("mine")
	mine.Set("agent", "mine.jar")
	mine.Table("stage").Table("1us").Set("args", []string{"-Dx"})
	const comment = "A file.\nOf two lines."
	text := string(d.Text(comment))
	if diff := cmp.Diff(drafted, text); diff != "" {
		t.Fatal(diff)
	}
	doc, err := Parse("f.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	again := doc.Draft()
	again.Note("alpha", again.Value("alpha"), "small") // comments are lost
	if diff := cmp.Diff(text, string(again.Text(comment))); diff != "" {
		t.Error(diff)
	}
}

// What is changed keeps its place, and what is deleted is gone with all below it.
func TestDraftIsChanged(t *testing.T) {
	doc, err := Parse("f.toml", []byte(drafted))
	if err != nil {
		t.Fatal(err)
	}
	d := doc.Draft()
	d.Set("name", "y")
	d.Delete("alpha", "also", "ratio", "framework", "none")
	one := d.Tables("scenario")[1]
	one.Set("label", "z")
	d.List("scenario", one)
	d.Put("machine", &Draft{})
	d.Table("gate").Set("worse_by", "1%")
	const want = "name = \"y\"\n\n[machine]\n\n[[scenario]]\nuse   = \"server\"\nlabel = \"z\"\n\n[gate]\nworse_by = \"1%\"\n"
	if diff := cmp.Diff(want, string(d.Text(""))); diff != "" {
		t.Error(diff)
	}
	if d.Tables("name") != nil || d.Value("scenario") != nil || d.Value("none") != nil {
		t.Error("a value is not a table, and a table no value")
	}
}

// A table in braces can be changed as any other, and so can those of a list.
func TestDraftOpensBraces(t *testing.T) {
	const text = "build = { old = { agent = \"a.jar\" } }\nscenario = [{ use = \"overhead\" }, { use = \"server\" }]\nkept = { b = [{ c = 1 }] }\n"
	doc, err := Parse("f.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d := doc.Draft()
	d.Table("build").Table("new").Set("agent", "b.jar")
	for _, s := range d.Tables("scenario") {
		s.Set("blocks", 3)
	}
	const want = `kept = { b = [{ c = 1 }] }

[build.old]
agent = "a.jar"

[build.new]
agent = "b.jar"

[[scenario]]
use    = "overhead"
blocks = 3

[[scenario]]
use    = "server"
blocks = 3
`
	if diff := cmp.Diff(want, string(d.Text(""))); diff != "" {
		t.Error(diff)
	}
}

// Tables keep their values, however they were written: in braces, by dots, or below a header.
func TestDraftKeepsValues(t *testing.T) {
	const text = "a.b = 1\nc = { d = { e = [1, 2] }, f = [{ g = 1.5 }, { g = inf }] }\n[h]\n[h.i.j]\nk = '''two\nlines'''\n[[l]]\n[[l]]\n[l.m]\nn = -0.0\n"
	doc, err := Parse("f.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	written := doc.Draft().Text("")
	again, err := Parse("f.toml", written)
	if err != nil {
		t.Fatalf("%v\n%s", err, written)
	}
	if diff := cmp.Diff(doc.root, again.root); diff != "" {
		t.Errorf("%s\n%s", diff, written)
	}
}

// Any values are read as they were written.
func TestDraftOfAnyValues(t *testing.T) {
	value := rapid.OneOf(rapid.Map(rapid.StringMatching(`[ -~äµ\n\t]{0,12}`), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }), rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.Float64(), func(x float64) any { return x }))
	rapid.Check(t, func(t *rapid.T) {
		d, want := &Draft{}, map[string]any{}
		for _, key := range rapid.SliceOfDistinct(rapid.StringMatching(`[a-z. "]{1,8}`), rapid.ID[string]).Draw(t, "keys") {
			want[key] = value.Draw(t, "value")
			d.Set(key, want[key])
		}
		doc, err := Parse("f.toml", d.Text("x"))
		if err != nil {
			t.Fatalf("%v\n%s", err, d.Text("x"))
		}
		if len(want) > 0 && !cmp.Equal(want, doc.root) {
			t.Errorf("%s", cmp.Diff(want, doc.root))
		}
	})
}
