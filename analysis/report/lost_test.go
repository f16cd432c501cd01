package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// lossy is a server's campaign of which a paper's arithmetic is wanted too.
func lossy(t *testing.T) *analysis.Answers {
	t.Helper()
	return sharedBy(t, "lossy", lossyAnew)
}

func lossyAnew(t *testing.T) *analysis.Answers {
	t.Helper()
	s := testcampaign.Served()
	s.Made.Scenarios[0].Pool = results.PoolCalls
	s.Made.Scale = 0.1
	return analyse(t, s)
}

// What the page says of losses, of timelines and of what a server takes.
func TestLostPage(t *testing.T) {
	b := paged(lossy(t), 0)
	var parts []doc.Block
	parts = append(parts, blocks(b.lost())...)
	parts = append(parts, &doc.Section{Blocks: []doc.Block{b.answer()}})
	parts = append(parts, b.chapter("timelines")[1], b.pooledRates()) // without the drawings
	got := fragment(&doc.Section{ID: b.id, Blocks: parts})
	if diff := cmp.Diff(string(golden(t, "lost.html", []byte(got))), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTimelinesOnThePage(t *testing.T) {
	a := lossy(t)
	page := string(htmlOf(t, a, nil))
	if n := strings.Count(page, `<div class="timeline">`); n != len(a.Scenarios[0].Timelines) || n < 4 {
		t.Errorf("%d timelines of %d", n, len(a.Scenarios[0].Timelines))
	}
	for _, want := range []string{`class="ramp"`, `class="hair"`, `<title>on at 1.000 s, took `, "over time, as a table", "<h3>Lost</h3>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if again := string(htmlOf(t, lossy(t), nil)); again != page {
		t.Error("the same data gives two pages")
	}
	if len(page) > 500_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// drawnTimelines is the number of timelines that a page draws.
const drawnTimelines = 60

// Many cells with long timelines and many toggles make no page that is too large
// to be looked at.
func TestManyTimelines(t *testing.T) {
	a := changeable(lossy(t))
	s := &a.Scenarios[0]
	one := s.Timelines[len(s.Timelines)-1]
	for len(one.Rows) < 1000 {
		one.Rows = append(one.Rows, one.Rows[:min(len(one.Rows), 1000-len(one.Rows))]...)
	}
	for i := range one.Rows {
		one.Rows[i].SinceNS = one.StepNS * float64(i)
	}
	for len(one.Toggles) < 1000 {
		one.Toggles = append(one.Toggles, one.Toggles...)
	}
	s.Timelines = nil
	for range 2 * drawnTimelines {
		s.Timelines = append(s.Timelines, one)
	}
	figure := testdoc.Blocks[*doc.Figure](paged(a, 0).chapter("timelines"))[0]
	drawn := strings.Split(figure.SVG, `<div class="timeline">`)[1:]
	if len(drawn) != drawnTimelines || !strings.HasSuffix(figure.Caption, fmt.Sprintf(" %d more cells are not drawn.", drawnTimelines)) ||
		strings.Count(drawn[0], `class="toggle"`) != 1 || !strings.Contains(drawn[0], "too many to be drawn apart") {
		t.Errorf("%d timelines drawn, %q, %d toggles", len(drawn), figure.Caption, strings.Count(drawn[0], `class="toggle"`))
	}
	if page := htmlOf(t, a, nil); len(page) > contentMost {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// Figures of a shortened replication say so wherever they stand.
func TestShortenedReplication(t *testing.T) {
	const want = "Shortened to 0.1 of the paper’s experiment: its figures are not a replication."
	a := changeable(lossy(t))
	page := string(htmlOf(t, a, nil))
	if header, _, _ := strings.Cut(page, "</header>"); !strings.Contains(header, want) || strings.Count(page, want) != 1+len(a.Scenarios) {
		t.Errorf("the page says so %d times", strings.Count(page, want))
	}
	for _, scale := range []float64{0, 1} {
		a.Campaign.Scale = scale
		if strings.Contains(string(htmlOf(t, a, nil)), "are not a replication") {
			t.Errorf("scale %v counts as shortened", scale)
		}
	}
}

// The drawings are there without a script, and nothing sticks out of the page on
// a small screen, in the light or in the dark.
func TestLostInBrowser(t *testing.T) {
	ctx := browser(t)
	page := htmlOf(t, lossy(t), nil)
	for _, scheme := range []string{"light", "dark"} {
		var wide int
		var line string
		complaints := visit(
			t, ctx, page, scheme,
			chromedp.EmulateViewport(400, 800),
			chromedp.Evaluate(`document.documentElement.scrollWidth`, &wide),
			chromedp.Evaluate(`getComputedStyle(document.querySelector(".timeline .p50")).stroke`, &line),
		)
		if len(complaints) > 0 || wide > 400 {
			t.Errorf("%s: console %q, %d wide", scheme, complaints, wide)
		}
		if want := map[string]string{"light": "rgb(31, 95, 191)", "dark": "rgb(127, 176, 255)"}[scheme]; line != want {
			t.Errorf("%s: lines have the colour %s, want %s", scheme, line, want)
		}
	}
}
