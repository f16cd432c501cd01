package page

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis/report/doc"
)

// zipped is an archive with one entry.
func zipped(t *testing.T, entry, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create(entry)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFindECharts(t *testing.T) {
	repository := t.TempDir()
	jar := filepath.Join(repository, filepath.FromSlash(echartsJar))
	if err := os.MkdirAll(filepath.Dir(jar), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(jar, zipped(t, echartsEntry, "alert(1)"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ repository, explicit, want string }{
		"another digest": {repository, "", echartsDigest},
		"no jar":         {t.TempDir(), "", "org.webjars:echarts:5.5.0"},
		"no repository":  {"", "", "not known"},
		"no file":        {repository, filepath.Join(repository, "none.js"), "none.js"},
		"another file":   {repository, jar, echartsDigest},
	} {
		if _, err := FindECharts(c.repository, c.explicit); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want … %s …", name, err, c.want)
		}
	}
}

// A page has its own scripts alone; one that is offered another says so.
func TestWrongScript(t *testing.T) {
	text, size, err := Render(&doc.Document{Title: "x", Blocks: []doc.Block{doc.ChartedFigure("", "", "<svg/>", map[string]any{}, "")}}, Options{EChartsJS: []byte("alert(1)")})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Count(text, []byte("<script")) != 1 || !bytes.Contains(text, []byte("is not the one it knows")) || size != len(text) {
		t.Error("a script with another digest went into the page, or nothing is said")
	}
}

// What stands at the foot of every printed page can't be more than text.
func TestFoot(t *testing.T) {
	got := string(foot(`moobench · "; } </style><script>alert(1) · plan \22;}`))
	if strings.ContainsAny(got, `<>\`) || strings.Count(got, `"`) != 4 || strings.Count(got, "{") != 3 || !strings.Contains(got, "script_alert_1_") {
		t.Errorf("%s", got)
	}
	if got := foot(""); got != "" {
		t.Errorf("no foot is %q", got)
	}
}
