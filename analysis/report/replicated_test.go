package report

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/replication"
	"moobench/results/published"
)

// paperOf reads a figures.toml.
func paperOf(t *testing.T, name, text string) *replication.Paper {
	t.Helper()
	p, err := replication.Parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// servedPaper is the one that the made-up server repeats.
func servedPaper(t *testing.T) *replication.Paper {
	t.Helper()
	text, err := os.ReadFile("../replication/testdata/served.toml")
	if err != nil {
		t.Fatal(err)
	}
	return paperOf(t, "served", string(text))
}

// TestReplicationPage: a reader meets the verdicts first, and each printed picture has ours beside it,
// or why there is none. It needs no script.
func TestReplicationPage(t *testing.T) {
	var out strings.Builder
	store := testcampaign.Served()
	r := replication.Compare(servedPaper(t), store, analyse(t, store))
	if err := WriteReplication(&out, "html", r, Options{EChartsJS: []byte("echarts()")}); err != nil {
		t.Fatal(err)
	}
	html := out.String()
	place := 0
	for _, id := range []string{"claims", "lost", "latency", "course", "drawn-lost", "elsewhere", "recomputed"} {
		at := strings.Index(html, `id="`+id+`"`)
		if at < place {
			t.Fatalf("%s is at %d, and what comes before at %d", id, at, place)
		}
		place = at
	}
	section := func(id, next string) string {
		_, rest, _ := strings.Cut(html, `id="`+id+`"`)
		part, _, _ := strings.Cut(rest, `id="`+next+`"`)
		return part
	}
	for id, next := range map[string]string{"latency": "course", "course": "drawn-lost", "drawn-lost": "elsewhere"} {
		if !strings.Contains(section(id, next), "<svg") {
			t.Errorf("%s has no picture", id)
		}
	}
	if got := section("elsewhere", "recomputed"); strings.Contains(got, "<svg") || !strings.Contains(got, "the campaign has no scenario") {
		t.Errorf("what was not measured: %s", got)
	}
	if strings.Contains(html, "echarts()") {
		t.Error("the pictures need a script")
	}
}

// grown is a paper whose figure shows how something grows.
const grown = `
title  = "Growth"
source = "made up"
[[table]]
id      = "nothing"
title   = "Nothing"
source  = "page 1"
unit    = "ms"
[[table.column]]
id      = "a"
figures = { mean = "1" }
[[figure]]
id       = "growth"
title    = "Figure 1"
source   = "page 2"
scenario = "scalability"
shows    = "growth"
`

// TestReplicatedGrowth: how something grows is in every format, with a picture on the page.
func TestReplicatedGrowth(t *testing.T) {
	store := testcampaign.Swapped()
	r := replication.Compare(paperOf(t, "grown", grown), store, shared(t, testcampaign.Swapped))
	if len(r.Figures[0].Growths) == 0 {
		t.Fatal("no growth")
	}
	for format, want := range map[string][]string{
		"text": {"growth of", "slope per unit", "linear", "at_once"}, "markdown": {"slope per unit"}, "html": {"slope per unit", "<svg"}, "json": {`"growths": [`},
	} {
		var out strings.Builder
		if err := WriteReplication(&out, format, r, Options{Width: 100}); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%s: no %q in:\n%s", format, w, out.String())
			}
		}
	}
}

func TestReplicationInWords(t *testing.T) {
	folder, err := published.Open("flaig-2014")
	if err != nil {
		t.Fatal(err)
	}
	figures, err := fs.ReadFile(folder, published.FiguresFile)
	if err != nil {
		t.Fatal(err)
	}
	thesis, served := paperOf(t, "flaig-2014", string(figures)), servedPaper(t)
	store := testcampaign.Served()
	store.Made.Scale = 0.1
	answers, err := analysis.Analyse(store)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*replication.Replication{
		"flaig-2014-check": replication.Alone(thesis), "replicated": replication.Compare(served, store, answers),
	} {
		for _, format := range []string{"text", "markdown"} {
			var out strings.Builder
			if err := WriteReplication(&out, format, r, Options{Width: 100}); err != nil {
				t.Fatal(err)
			}
			file := name + map[string]string{"text": ".txt", "markdown": ".md"}[format]
			if diff := cmp.Diff(string(golden(t, file, []byte(out.String()))), out.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		}
	}
}
