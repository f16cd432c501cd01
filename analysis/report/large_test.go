package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
)

// echartsBytes is the size of the pinned script, without which a page may be
// written too.
const echartsBytes = 1_029_203

// pageMost is what a page may have, charts included: it goes by mail.
const pageMost = 2_000_000

// large are the answers of a campaign of 1,000 cells.
func large(t *testing.T) *analysis.Answers {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped by -short: analyses 7,700 invocations")
	}
	return shared(t, testcampaign.Large)
}

// A page of 1,000 cells has them all in its table, and stays small.
func TestThousandCells(t *testing.T) {
	a := large(t)
	page := htmlOf(t, a, nil)
	options := chartOptions(t, a)
	total := len(page) + len(options) + echartsBytes
	t.Logf("%d bytes of page, %d of chart options, %d with ECharts", len(page), len(options), total)
	if total > pageMost {
		t.Errorf("the page has %d bytes, and may have %d", total, pageMost)
	}
	if n := bytes.Count(page, []byte(`<tr data-v="`)); n != 1000 {
		t.Errorf("%d cells in the table", n)
	}
	for _, want := range []string{
		"The first 15 of 1,100 cells are shown in detail below", "The other questions of this kind, which are in the table of cells: ",
		"more invocations of overhead are not listed", "Overhead against", "the equal baselines agree at",
	} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if again := htmlOf(t, a, nil); !bytes.Equal(page, again) {
		t.Error("the same answers give two pages")
	}
}

// What is left out is said, and what is shown belongs together.
func TestInDetail(t *testing.T) {
	a := shared(t, testcampaign.Small)
	if s, more := detailedCells(&a.Scenarios[0], 0); s != &a.Scenarios[0] || more != 0 {
		t.Errorf("of %d cells %d are left out", len(a.Scenarios[0].Cells), more)
	}
	s := analysis.Scenario{}
	for i := range detailMost + 1 {
		s.Cells = append(s.Cells, analysis.Cell{ID: "c" + string(rune('0'+i/10)) + string(rune('0'+i%10))})
	}
	d, more := detailedCells(&s, 0)
	if len(d.Cells) != detailFew || more != detailMost+1-detailFew || len(s.Cells) != detailMost+1 {
		t.Errorf("%d cells, %d more; whole: %d", len(d.Cells), more, len(s.Cells))
	}
}

func TestNamesAreFew(t *testing.T) {
	var names []string
	for range namesMost + 1200 {
		names = append(names, "x")
	}
	if got := named(names[:3], ", "); got != "x, x, x" {
		t.Errorf("%q", got)
	}
	if got := named(names, ", "); !strings.HasSuffix(got, "x, and 1,200 more") || strings.Count(got, "x") != namesMost {
		t.Errorf("%q", got)
	}
}

// So does one of as many cells as are all shown in detail.
func TestAllInDetail(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped by -short: analyses 864 invocations")
	}
	a := shared(t, testcampaign.Broad)
	page := htmlOf(t, a, nil)
	options := chartOptions(t, a)
	total := len(page) + len(options) + echartsBytes
	t.Logf("%d bytes of page, %d of chart options, %d with ECharts", len(page), len(options), total)
	if total > pageMost || bytes.Contains(page, []byte("are shown in detail")) {
		t.Errorf("the page has %d bytes, and may have %d", total, pageMost)
	}
	if dir := os.Getenv("MOOBENCH_SCREENSHOTS"); dir != "" {
		save(t, filepath.Join(dir, "broad.html"), page)
	}
}

// Where several scenarios together are too much, each is shown in less detail,
// and the page says so.
func TestDetailGivesWay(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped by -short: analyses 864 invocations")
	}
	a := *shared(t, testcampaign.Broad)
	one := a.Scenarios[0]
	a.Scenarios = []analysis.Scenario{one, one, one, one}
	page := htmlOf(t, &a, nil)
	if len(page) > contentMost {
		t.Errorf("the page has %d bytes without ECharts", len(page))
	}
	if n := strings.Count(string(page), "of 48 cells are shown in detail below"); n != 4 {
		t.Errorf("%d scenarios say that they are not whole", n)
	}
	if n := strings.Count(string(page), `<tr data-v="`); n != 4*47 {
		t.Errorf("%d cells in the tables", n)
	}
}
