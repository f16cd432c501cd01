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

func TestReplicationInWords(t *testing.T) {
	folder, err := published.Open("flaig-2014")
	if err != nil {
		t.Fatal(err)
	}
	figures, err := fs.ReadFile(folder, published.FiguresFile)
	if err != nil {
		t.Fatal(err)
	}
	thesis, err := replication.Parse("flaig-2014", figures)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../replication/testdata/served.toml")
	if err != nil {
		t.Fatal(err)
	}
	served, err := replication.Parse("served", text)
	if err != nil {
		t.Fatal(err)
	}
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
