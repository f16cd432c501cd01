package strict

import (
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

const tricky = `# [not.a.section]
"quoted key" = "a [string] with # and \" quotes"
a.b . "c.d" = 1 # dotted
list = [ # over lines
  "x]", 'y"[', # comment ]
  [1, 2], { in = "line", t.u = [3,
  4] },
]
text = """
[fake] "quotes" \""" x = 1
"""""
lit = '''it's [x] '''''
when = 1979-05-27 07:32:00
[[scenario]]
use = "α"
`

func TestPositions(t *testing.T) {
	text := tricky + `  [scenario.sub] # belongs to the first
  k = 1
[[ scenario ]]
e = 1
"é" = { v = true }
  [[scenario.deep]]
  [[scenario.deep]]
  v = 2
[x . 'y']
z = 3
`
	var raw map[string]any
	if _, err := toml.Decode(text, &raw); err != nil {
		t.Fatal(err)
	}
	found, deep := findPlaces(text)
	if deep != nil {
		t.Errorf("too deep at %v", *deep)
	}
	for _, c := range []struct {
		path []any
		want position
	}{
		{[]any{"quoted key"}, position{2, 1}},
		{[]any{"a", "b", "c.d"}, position{3, 7}},
		{[]any{"list", 1}, position{5, 9}},
		{[]any{"list", 2, 1}, position{6, 7}},
		{[]any{"list", 3, "in"}, position{6, 13}},
		{[]any{"list", 3, "t", "u", 1}, position{7, 3}},
		{[]any{"lit"}, position{12, 1}},
		{[]any{"when"}, position{13, 1}},
		{[]any{"scenario", 0}, position{14, 3}},
		{[]any{"scenario", 0, "use"}, position{15, 1}},
		{[]any{"scenario", 0, "sub", "k"}, position{17, 3}},
		{[]any{"scenario", 1}, position{18, 4}},
		{[]any{"scenario", 1, "é", "v"}, position{20, 9}},
		{[]any{"scenario", 1, "deep", 1, "v"}, position{23, 3}},
		{[]any{"x", "y", "z"}, position{25, 1}},
	} {
		if got := found.nearest(c.path); got != c.want {
			t.Errorf("%v stands at %v, want %v", c.path, got, c.want)
		}
	}
	allFound(t, found, raw, nil)
	if found.keys["fake"] != nil {
		t.Error("a line inside a string was taken for a section")
	}
}

// allFound checks that whatever the parser found in the text has its place.
func allFound(t *testing.T, at *place, v any, path []any) {
	t.Helper()
	if at == nil || at.line < 1 || at.column < 1 {
		t.Errorf("%v has no place", path)
		return
	}
	element := func(i int) *place {
		if i < len(at.elements) {
			return at.elements[i]
		}
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			allFound(t, at.keys[k], e, append(slices.Clip(path), k))
		}
	case []any:
		for i, e := range v {
			allFound(t, element(i), e, append(slices.Clip(path), i))
		}
	case []map[string]any:
		for i, e := range v {
			allFound(t, element(i), e, append(slices.Clip(path), i))
		}
	}
}

// FuzzParse checks that no text makes it panic, that every error stands on a
// line of the text, and that the finder finds all that the parser finds.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "name = \"x", tricky, "\ufeffname = 'x'", "[[scenario]]\n[scenario]", "scenario = [{use = \"overhead\"}, 1]", "scenario = 3",
		"name = \"x\"\n[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\ndepth = [1, 1.5]\nmethod_time = 10\n", "\"\\u00e9\" = 1\r\na=[{b=1},{b=[[]]}]",
		"[a.b]\n[a]\nc = {\n d = 1, # x\n}\n", "framework.x.mode.bci.args = [\"{class}\"]\n", "x=[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := Parse("f.toml", []byte(text))
		if es, ok := err.(Errors); ok {
			lines := len(newlines(text))
			for _, e := range es {
				if e.Line < 1 || e.Line > lines || e.Column < 1 {
					t.Errorf("%v stands at %d:%d of %d lines", e, e.Line, e.Column, lines)
				}
			}
		} else if err != nil {
			t.Errorf("want Errors, got %v", err)
		} else {
			allFound(t, doc.places, doc.root, nil)
		}
	})
}

// A key or list that is deeper than any of ours is told before anything reads it
// that takes longer for each of its parts.
func TestTooDeep(t *testing.T) {
	for name, text := range map[string]string{
		"key":         strings.Repeat("a.", 200_000) + "a = 1\n",
		"quoted":      "name = 'x'\n" + strings.Repeat(`"\u0061".`, 20_000) + "a = 1\n",
		"section":     "name = 'x'\n[" + strings.Repeat("a.", 20_000) + "a]\n",
		"sections":    "[[" + strings.Repeat("a.", 40) + "a]]\n",
		"lists":       "x = " + strings.Repeat("[", 500_000),
		"tables":      "x = " + strings.Repeat("{a=", 300_000),
		"long name":   "[" + strings.Repeat("a", maxPath) + "]\n",
		"long quoted": `"` + strings.Repeat("a", 500_000) + `" = 1`,
	} {
		_, err := Parse("f.toml", []byte(text))
		es, ok := err.(Errors)
		if !ok || len(es) != 1 || !strings.Contains(err.Error(), "this key has more than 32 parts, or more than 500 bytes") {
			t.Errorf("%s: %.300v", name, err)
		}
	}
	path := strings.Repeat("a.", maxDepth-1) + "a"
	for _, text := range []string{
		path + " = 1", "[" + path + "]", "x = " + strings.Repeat("[", maxDepth), strings.Repeat("a", maxPath-1) + " = 1",
	} {
		if _, deep := findPlaces(text); deep != nil {
			t.Errorf("%s is too deep at %v", text, *deep)
		}
	}
}

// TestLongPaths: what stands before a key and in its path counts, each list as one byte.
func TestLongPaths(t *testing.T) {
	for n, want := range map[int]bool{maxPath - 4: false, maxPath - 3: true} {
		if _, deep := findPlaces("x = [{ " + strings.Repeat("k", n) + " = 1 }]"); (deep != nil) != want {
			t.Errorf("a key of %d bytes in a list: %v", n, deep)
		}
	}
}

// TestEmptyName: a key may be empty, and it stands where it is written, not at the end of its section's line.
func TestEmptyName(t *testing.T) {
	found, _ := findPlaces("[a] # of one key\n\"\" = 1\n[[b]]\n'' = 2\n")
	for _, c := range []struct {
		path []any
		want position
	}{{[]any{"a", ""}, position{2, 1}}, {[]any{"b", 0, ""}, position{4, 1}}} {
		if got := found.nearest(c.path); got != c.want {
			t.Errorf("%q stands at %v, want %v", c.path, got, c.want)
		}
	}
}

// Each key of a long line has its own column.
func TestColumnsOfALongLine(t *testing.T) {
	found, _ := findPlaces("é = [" + strings.Repeat("'µ', ", 100_000) + "]")
	list := found.keys["é"]
	if len(list.elements) != 100_000 {
		t.Fatalf("%d elements", len(list.elements))
	}
	for i, e := range list.elements {
		if (e.position != position{1, 6 + 5*i}) {
			t.Fatalf("element %d stands at %v", i, e.position)
		}
	}
}
