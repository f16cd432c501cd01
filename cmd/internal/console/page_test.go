package console

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/report"
	"moobench/internal/testmaven"
)

// TestWidthOfADocument: what goes to a terminal is as wide as that, and what goes to a file as wide as files are.
func TestWidthOfADocument(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	screen := terminal(t, 60)
	for output, want := range map[string]report.Options{
		"":                                   {Width: 60, Color: true, Table: "t"},
		filepath.Join(t.TempDir(), "out.md"): {Width: widthOfFiles, Table: "t"},
	} {
		var got report.Options
		d := Document{Format: "markdown", Output: output, Table: "t"}
		err := (Console{Out: screen}).Write(d, func(_ io.Writer, o report.Options) error {
			got = o
			return nil
		})
		if err != nil || got.Width != want.Width || got.Color != want.Color || got.Table != want.Table {
			t.Errorf("to %q: %+v, %v", output, got, err)
		}
	}
	if got := width(terminal(t, 1), 33); got != 1 {
		t.Errorf("one column is %d", got)
	}
}

// TestNarrowItem: twenty columns are left for what is said of a name, and no more.
func TestNarrowItem(t *testing.T) {
	for text, want := range map[string]string{
		"aaaaaaaaaa bbbbbbbbb":  "name      aaaaaaaaaa bbbbbbbbb\n",
		"aaaaaaaaaa bbbbbbbbbb": "name      aaaaaaaaaa\n          bbbbbbbbbb\n",
	} {
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		(Console{Out: screenTo{terminal(t, 15), out}}).Item("name", 10, text)
		if got, err := os.ReadFile(out.Name()); err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
}

// TestPageWithoutCharts: a page is written where its script can't be had, which is said; and not through a link.
func TestPageWithoutCharts(t *testing.T) {
	testmaven.Fake(t, t.TempDir(), "exit 1\n")
	t.Setenv("MAVEN_OPTS", "-Dmaven.repo.local="+t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	const lacks = "moobench: warning: the page has no interactive charts: "
	var said, out bytes.Buffer
	c := Console{Out: &out, Err: &said}
	dir := t.TempDir()
	name, err := c.Page(&analysis.Answers{}, dir)
	if err != nil || name != filepath.Join(dir, "report.html") || strings.Count(said.String(), lacks) != 1 {
		t.Errorf("%s, %v, %s", name, err, said.String())
	}
	if text, err := os.ReadFile(name); err != nil || !bytes.HasPrefix(text, []byte("<!")) {
		t.Errorf("%.40s, %v", text, err)
	}
	if _, err := c.Page(&analysis.Answers{}, filepath.Join(dir, "gone")); err == nil {
		t.Error("there is no such folder")
	}
	said.Reset()
	d := Document{Format: "html", ECharts: filepath.Join(dir, "none.js")}
	err = c.Write(d, func(_ io.Writer, o report.Options) error {
		if o.EChartsJS != nil {
			t.Errorf("%d bytes of a script that there is not", len(o.EChartsJS))
		}
		return nil
	})
	if err != nil || strings.Count(said.String(), lacks) != 1 {
		t.Errorf("%v, %s", err, said.String())
	}
}
