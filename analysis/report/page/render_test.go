package page

import (
	"bytes"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis/report/doc"
)

func rendered(t *testing.T, d *doc.Document, o Options) string {
	t.Helper()
	text, size, err := Render(d, o)
	if err != nil {
		t.Fatal(err)
	}
	if size != len(text) {
		t.Errorf("%d bytes of %d, and no script is in it", size, len(text))
	}
	return string(text)
}

// A page says what it is, and only what belongs to it is in it.
func TestRender(t *testing.T) {
	chart := []doc.Block{doc.ChartedFigure("", "", "<svg/>", map[string]any{}, "")}
	drawn := func(svg string) []doc.Block {
		return []doc.Block{&doc.Section{Title: "Drawn", Blocks: []doc.Block{doc.FigureOf(svg, "")}}}
	}
	const (
		notFound = "The ECharts script was not found when this page was written: " +
			"it has its tables and drawings, and no interactive charts."
		program = "Written by moobench 1.2 from its own files"
	)
	for _, c := range []struct {
		name        string
		d           doc.Document
		o           Options
		has, hasNot []string
	}{
		{
			"nothing",
			doc.Document{},
			Options{},
			[]string{"<title>moobench · moobench</title>", "Written by moobench from"},
			[]string{"ECharts", "@bottom-left", lanes},
		},
		{
			"a title",
			doc.Document{Title: "a\nb"},
			Options{Version: "1.2"},
			[]string{"<title>a b · moobench</title>", program},
			[]string{"ECharts"},
		},
		{"a chart", doc.Document{Blocks: chart}, Options{}, []string{notFound}, []string{"not the one it knows", draw}},
		{
			"no chart",
			doc.Document{Blocks: drawn("<svg/>")},
			Options{EChartsJS: []byte("x")},
			[]string{"<svg/>"},
			[]string{"ECharts"},
		},
		{"lanes", doc.Document{Blocks: drawn(`<svg data-lanes="1"/>`)}, Options{}, []string{lanes, script}, nil},
		{"a foot", doc.Document{}, Options{Foot: "plan_1"}, []string{
			style + `@page { @bottom-left { content: "plan_1"; font: 8pt sans-serif; } ` +
				`@bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }`,
		}, nil},
	} {
		text := rendered(t, &c.d, c.o)
		for _, want := range c.has {
			if !strings.Contains(text, want) && !strings.Contains(html.UnescapeString(text), want) {
				t.Errorf("%s: there is no %.60q", c.name, want)
			}
		}
		for _, other := range c.hasNot {
			if strings.Contains(text, other) {
				t.Errorf("%s: there is %.60q", c.name, other)
			}
		}
	}
}

// What is offered as the script is named where it is not the one, and none larger than the largest is read.
func TestOfferedScripts(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, size int64) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const ofNone = "its SHA-256 is " +
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, want " + echartsDigest
	small, large := file("small.js", 0), file("large.js", 16<<20+1)
	if _, err := FindECharts(dir, small); err == nil || err.Error() != "reading the ECharts script "+small+": "+ofNone {
		t.Errorf("%v", err)
	}
	if _, err := FindECharts(dir, large); err == nil ||
		!strings.HasPrefix(err.Error(), "reading the ECharts script: ") {
		t.Errorf("%v", err)
	}
	if err := checkECharts(nil); err == nil || err.Error() != ofNone {
		t.Errorf("%v", err)
	}
}

// An archive is read to its entry, and one without it says so.
func TestReadZip(t *testing.T) {
	dir := t.TempDir()
	jar := filepath.Join(dir, "a.jar")
	if err := os.WriteFile(jar, zipped(t, "b.js", "alert(1)"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := readZip(jar, "b.js"); err != nil || !bytes.Equal(text, []byte("alert(1)")) {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := readZip(jar, "c.js"); err == nil {
		t.Error("an entry that is not there is read")
	}
	if _, err := readZip(filepath.Join(dir, "none"), "b.js"); err == nil {
		t.Error("an archive that is not there is read")
	}
}
