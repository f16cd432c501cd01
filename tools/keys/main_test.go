package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The committed documents are what the comments of the structs say.
func TestDocuments(t *testing.T) {
	if err := run("../..", true); err != nil {
		t.Error(err)
	}
}

const made = `package a

import (
	"time"

	"moobench/b/c"
)

type Mode string

const (
	ModeFast Mode = "fast"
	ModeSlow Mode = "slow"
	Usual         = "usual"
	OneTwo        = "one_two"
)

type Alias = c.Other

type Whole struct {
	// Name is the name; nil|"" is none.
	//
	// This is for developers.
	Name string ` + "`json:\"name\"`" + `
	Mode Mode ` + "`json:\"mode,omitempty\"` // ModeFast by default, OneTwo or c.OtherOne else" + `
	// From and To are bounds of Whole.
	From int        ` + "`json:\"from\"`" + `
	To   *time.Time ` + "`json:\"to,omitempty\"`" + `
	c.Embedded
	List []Alias            ` + "`json:\"list\"` // of Number" + `
	Map  map[string]float64 ` + "`json:\"map\"` // Usual values" + `
	No   string             ` + "`json:\"-\"`" + `
	own  int
}
`

const embedded = `package c

type Embedded struct {
	Number int ` + "`json:\"number\"` // how many" + `
}

const OtherOne = "other"

type Other struct {
	X bool ` + "`json:\"x\"` // whether" + `
}
`

const want = "# A `page` of <keys>\n" + `
<!-- keys: a.Whole -->

| key | type | meaning |
|---|---|---|
| ` + "`name` | text | the name; absent\\|\"\" is none |" + `
| ` + "`mode` | `fast`, `slow`, optional | `fast` by default, `one_two` or c.OtherOne else |" + `
| ` + "`from`, `to` | number; time, optional | `from` and `to` are bounds of Whole |" + `
| ` + "`number` | number | how many |" + `
| ` + "`list` | list of [Other](../d.md#other-ones) | of `number` |" + `
| ` + "`map` | number by name | Usual values |" + `

<!-- end of keys -->
after
`

// sourcesOf are files below a new folder.
func sourcesOf(t *testing.T, files map[string]string) *sources {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return newSources(root)
}

func TestTables(t *testing.T) {
	s := sourcesOf(t, map[string]string{"a/a.go": made, "a/a_test.go": "no Go", "b/c/c.go": embedded})
	page := "# A `page` of <keys>\n\n<!-- keys: a.Whole -->\nold\n<!-- end of keys -->\nafter\n"
	s.findTables("x/page.md", page)
	s.findTables("d.md", "## Other ones\n<!-- keys: b/c.Other -->\n<!-- end of keys -->\n")
	for range 2 { // what was made is made again
		var err error
		if page, err = s.document("x/page.md", page); err != nil {
			t.Fatal(err)
		}
		if page != want {
			t.Errorf("got\n%s\nwant\n%s", page, want)
		}
	}
}

func TestMistakes(t *testing.T) {
	const mark = "<!-- keys: a.T -->\n"
	field := func(f string) string { return "package a\n\ntype T struct {\n" + f + "\n}\n" }
	for name, c := range map[string]struct{ source, page, want string }{
		"no end":     {field(""), mark, "the last table has no end"},
		"two begins": {field(""), mark + mark, "has no end"},
		"no type":    {"package a\n", mark + endMark + "\n", "there is no type a.T"},
		"no struct":  {"package a\n\ntype T int\n", mark + endMark + "\n", "a.T is not a struct"},
		"no comment": {field("X int `json:\"x\"`"), mark + endMark + "\n", "a.T.X has no comment"},
		"no key":     {field("X int // x"), mark + endMark + "\n", "a.T.X has no key"},
		"no table":   {field("X U `json:\"x\"` // x") + "\ntype U struct{}\n", mark + endMark + "\n", "no document has a table of a.U"},
		"shared":     {field("X int `json:\"x\"` // beside\nY int `json:\"y\"`"), mark + endMark + "\n", "a.T.Y has no comment"},
	} {
		s := sourcesOf(t, map[string]string{"a/a.go": c.source})
		if _, err := s.document("page.md", c.page); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
