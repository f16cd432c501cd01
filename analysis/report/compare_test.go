package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/history"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// comparedNight are the answers of a made-up campaign: times of a baseline, of a second
// one, and of variants, on a machine that is slower by a factor that night.
func comparedNight(t *testing.T, seed uint64, slower float64, variants ...testcampaign.Behaviour) *analysis.Answers {
	t.Helper()
	p := testcampaign.Plan{Seed: seed, Blocks: 8, Resources: 2, Samples: 500, Cells: testcampaign.Baselines(), Behaves: []testcampaign.Behaviour{{Mean: 561}, {Mean: 561}}}
	for i, b := range variants {
		name := []string{"kieker/bci/tcp", "probe/hotswap/collect", "mine/bci/default", "new/bci/default"}[i]
		proof := results.ProofPlan{Kind: results.ProofCount, Source: "kieker-tcp", Expected: 20_000_000}
		p.Cells = append(p.Cells, testcampaign.Variant(2+i, name, proof))
		p.Behaves = append(p.Behaves, b)
	}
	for i := range p.Behaves {
		p.Behaves[i].Mean *= slower
	}
	a := analyse(t, testcampaign.Make(p))
	a.Scenarios[0].Metrics[6].Key = true
	return a
}

// twoNights are two nights: one variant became dearer, one cheaper by losing
// records, one stayed as it was, and one is new.
func twoNights(t *testing.T) (older, newer *analysis.Answers) {
	t.Helper()
	older = comparedNight(t, 11, 1, testcampaign.Behaviour{Mean: 2072, Arrives: 1}, testcampaign.Behaviour{Mean: 901, Arrives: 1}, testcampaign.Behaviour{Mean: 700, Arrives: 1})
	newer = comparedNight(t, 12, 1.05, testcampaign.Behaviour{Mean: 2238, Arrives: 1}, testcampaign.Behaviour{Mean: 901, Arrives: 1}, testcampaign.Behaviour{Mean: 658, Arrives: 0.8}, testcampaign.Behaviour{Mean: 800, Arrives: 1})
	newer.Scenarios[0].Cells[2].Launch.Artifacts = []results.Artifact{{Name: "kieker:2.0.2", SHA256: "0123456789abcdef"}}
	return older, newer
}

func comparisonOf(t *testing.T, o compare.Options, as ...*analysis.Answers) *compare.Comparison {
	t.Helper()
	c, err := compare.Several(as, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// comparisons are the ones that are looked at in every format. They are made once; a test
// that changes them fails.
func comparisons(t *testing.T) map[string]*compare.Comparison {
	t.Helper()
	made := &madeComparisons
	if made.all == nil {
		made.all = comparisonsAnew(t)
		made.digest = digestOf(t, made.all)
	}
	t.Cleanup(func() {
		if digestOf(t, made.all) != made.digest {
			made.all = nil
			t.Error("it changes the comparisons, which other tests read")
		}
	})
	return made.all
}

var madeComparisons struct {
	all    map[string]*compare.Comparison
	digest [sha256.Size]byte
}

func comparisonsAnew(t *testing.T) map[string]*compare.Comparison {
	t.Helper()
	older, newer := twoNights(t)
	third := comparedNight(t, 13, 1, testcampaign.Behaviour{Mean: 2072, Arrives: 1}, testcampaign.Behaviour{Mean: 905, Arrives: 0})
	unlike := comparedNight(t, 12, 1, testcampaign.Behaviour{Mean: 2238, Arrives: 1}, testcampaign.Behaviour{Mean: 905, Arrives: 1})
	unlike.Scenarios[0].WindowKind, unlike.Invocations = results.WindowHalf, nil
	unlike.Scenarios[0].Common[0].Value = "1"
	unlike.Scenarios[0].AA[0].State, unlike.Scenarios[0].AA[0].Text = analysis.AAFailed, analysis.Sentence{Opening: "failed", Rest: "two equal baselines differ by 5 %"}
	unlike.Unanswered = []string{"overhead: the A/A failed"}
	hostile := shared(t, testcampaign.Hostile)
	return map[string]*compare.Comparison{
		"nightly":  comparisonOf(t, compare.Options{Folders: []string{"2026-11-20-nightly", "2026-11-21-nightly"}, Nights: nightsBefore(older)}, older, newer),
		"narrow":   comparisonOf(t, compare.Options{Margin: 0.005, All: true}, older, newer),
		"three":    comparisonOf(t, compare.Options{Folders: []string{"v1", "v2", "v3"}}, older, newer, third),
		"anyway":   comparisonOf(t, compare.Options{Anyway: true}, older, unlike),
		"hostile":  comparisonOf(t, compare.Options{Folders: []string{testcampaign.Script, "\x1b[31m"}}, hostile, hostile),
		"factored": comparisonOf(t, compare.Options{}, shared(t, testcampaign.Factored), shared(t, testcampaign.Factored)),
		"single":   comparisonOf(t, compare.Options{}, shared(t, testcampaign.Single), shared(t, testcampaign.Single)),
	}
}

// nightsBefore is a history of the first variant.
func nightsBefore(a *analysis.Answers) *history.Findings {
	s := history.Series{
		Key:      history.Key{Campaign: "made-up", Scenario: "overhead", Cell: "kieker/bci/tcp", Metric: "duration", Reference: "none", Machine: "m1", Runtime: "17.0.15+6"},
		Segments: []history.Segment{{First: 0, Last: 5}},
	}
	for i, l := range []float64{1.30, 1.31, 1.30, 1.29, 1.31, 1.29} {
		s.Nights = append(s.Nights, history.Night{When: a.Campaign.Start.AddDate(0, 0, i-30), Log: l, SE: 0.002, DF: 7, N: 8, ReferenceRaw: 561, Raw: 561 * math.Exp(l)})
	}
	return &history.Findings{Series: []history.Series{s}}
}

func printedComparison(t *testing.T, format string, c *compare.Comparison, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteComparison(&b, format, c, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestComparisonText(t *testing.T) {
	all := comparisons(t)
	for name, c := range map[string]struct {
		of string
		o  Options
	}{
		"compare-nightly-80.txt":   {"nightly", Options{Width: 80}},
		"compare-nightly-140.txt":  {"nightly", Options{Width: 140}},
		"compare-nightly-ansi.txt": {"nightly", Options{Width: 140, Color: true}},
		"compare-narrow-140.txt":   {"narrow", Options{Width: 140}},
		"compare-three-100.txt":    {"three", Options{Width: 100}},
		"compare-anyway-100.txt":   {"anyway", Options{Width: 100}},
		"compare-anyway-60.txt":    {"anyway", Options{Width: 60}},
		"compare-hostile-140.txt":  {"hostile", Options{Width: 140}},
		"compare-factored-120.txt": {"factored", Options{Width: 120}},
		"compare-single-80.txt":    {"single", Options{Width: 80}},
	} {
		t.Run(name, func(t *testing.T) {
			got := printedComparison(t, "text", all[c.of], c.o)
			if diff := cmp.Diff(string(golden(t, name, got)), string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if c.o.Width > 60 { // below, a table is wider than the terminal
				inspect(t, string(got), c.o)
			}
		})
	}
}

func TestComparisonMarkdown(t *testing.T) {
	all := comparisons(t)
	for _, name := range []string{"nightly", "three", "anyway", "hostile"} {
		got := printedComparison(t, "markdown", all[name], Options{})
		if diff := cmp.Diff(string(golden(t, "compare-"+name+".md", got)), string(got)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		columns := 0
		for _, line := range strings.Split(string(got), "\n") {
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			switch {
			case !strings.HasPrefix(line, "|"):
				columns = 0
			case columns == 0:
				columns = n
			case n != columns:
				t.Errorf("%s: %d columns, and not %d: %s", name, n-1, columns-1, line)
			}
			bare := strings.NewReplacer(`\<`, "", "<!-- -->", "").Replace(line)
			if strings.Contains(bare, "<") || strings.Contains(line, "\x1b") {
				t.Errorf("%s: a label became more than text: %s", name, line)
			}
		}
	}
}

func TestComparisonHTML(t *testing.T) {
	all := comparisons(t)
	got := printedComparison(t, "html", all["nightly"], Options{})
	if diff := cmp.Diff(string(golden(t, "compare-nightly.html", got)), string(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for name, c := range all {
		page := printedComparison(t, "html", c, Options{})
		if !bytes.Equal(page, printedComparison(t, "html", c, Options{})) {
			t.Errorf("%s: the same comparison gives two pages", name)
		}
		if n := strings.Count(string(page), "<script"); n != 1 {
			t.Errorf("%s: %d scripts, want only the page's own", name, n)
		}
		for _, bad := range []string{" src=", "@import", "url(", "<link", "NaN", "Inf", "ZgotmplZ", "%!", "\x1b", "\u202e"} {
			if strings.Contains(string(page), bad) {
				t.Errorf("%s: the page contains %q", name, bad)
			}
		}
	}
}

// What must not be overlooked stands in every format.
func TestComparisonStamps(t *testing.T) {
	all := comparisons(t)
	for _, format := range DocumentFormats() {
		for name, words := range map[string][]string{
			"anyway":  {"between-night variation not included", "window", "two equal baselines differ"},
			"three":   {"between-night variation not included"},
			"nightly": {"between-night variation not included", "lost 20.0"},
		} {
			text := string(printedComparison(t, format, all[name], Options{Width: 400}))
			for _, want := range words {
				if !strings.Contains(strings.ReplaceAll(text, "\\", ""), want) {
					t.Errorf("%s of %s does not say %q", format, name, want)
				}
			}
			if stamped := strings.Contains(text, "NOT ALIKE") || strings.Contains(text, `"incompatible"`); stamped != (name == "anyway") {
				t.Errorf("%s of %s: stamped %v", format, name, stamped)
			}
		}
	}
}

func TestComparisonColourCarriesNothingAlone(t *testing.T) {
	c := comparisons(t)["nightly"]
	plain, coloured := string(printedComparison(t, "text", c, Options{Width: 120})), string(printedComparison(t, "text", c, Options{Width: 120, Color: true}))
	if got := ansi.ReplaceAllString(coloured, ""); got != plain || got == coloured {
		t.Error("text with colours says something else than without")
	}
}

func TestComparisonJSON(t *testing.T) {
	all := comparisons(t)
	data := printedComparison(t, "json", all["nightly"], Options{})
	var want, got any
	if err := json.Unmarshal(golden(t, "compare-nightly.json", data), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	// Processors may differ in the last digit.
	if diff := cmp.Diff(want, got, lastDigit); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	doc, err := os.ReadFile("COMPARISON.md")
	if err != nil {
		t.Fatal(err)
	}
	shared, err := os.ReadFile("JSON.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		var v map[string]any
		if err := json.Unmarshal(printedComparison(t, "json", c, Options{}), &v); err != nil {
			t.Fatal(err)
		}
		undocumented(t, string(doc)+string(shared), v)
	}
}

func TestComparisonThatCannotBeWritten(t *testing.T) {
	c := comparisons(t)["single"]
	for _, format := range DocumentFormats() {
		if err := WriteComparison(full{}, format, c, Options{}); err == nil {
			t.Errorf("%s: a full disk went unnoticed", format)
		}
	}
	if err := WriteComparison(&bytes.Buffer{}, "junit", c, Options{}); err == nil || !strings.Contains(err.Error(), "text, json, markdown, html") {
		t.Errorf("unknown format: %v", err)
	}
	if err := WriteComparison(&bytes.Buffer{}, "md", c, Options{}); err != nil {
		t.Errorf("md: %v", err)
	}
}

func TestRefusal(t *testing.T) {
	e := &compare.UnlikeError{Titles: []string{"old", "new"}, Lines: []compare.Difference{
		{What: "window", Values: []string{"steady", "half"}}, {What: "calls", Values: []string{"1", "\x1b[31m2"}, Cells: []string{"x", "y"}},
	}}
	want := "not comparing: the campaigns are not alike: window, calls\n" +
		"               old     new\n" +
		"window         steady  half\n" +
		"calls of x, y  1       \uFFFD[31m2"
	if diff := cmp.Diff(want, Refusal(e)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestChangesInWords(t *testing.T) {
	relative := func(value, low, high float64) *compare.Change {
		return &compare.Change{Relative: true, Estimate: &analysis.Estimate{Value: value, Interval: &analysis.Interval{Low: low, High: high, Level: 0.95}}}
	}
	bytes := results.Metric{Unit: "B"}
	for want, c := range map[string]*compare.Change{
		"+3.2 % (1.1 … 5.4)":         relative(1.03217, 1.01102, 1.05431),
		"−3.2 % (−5.4 … −1.1)":       relative(0.96783, 0.94569, 0.98898),
		"0 % (−0.10 … 0.10)":         relative(1, 0.998999, 1.001001),
		"+0.012 % (0.010 … 0.014)":   relative(1.00012, 1.0001, 1.00014),
		"+3900 % (3800 … 4000)":      relative(40, 39, 41),
		"+1e+08 % (9e+07 … 1.1e+08)": relative(1e6+1, 9e5+1, 1.1e6+1),
		"0 % (0 … 0)":                relative(1, 1, 1),
		"+8.00 B (7.00 … 9.00)":      {Estimate: &analysis.Estimate{Value: 8, Interval: &analysis.Interval{Low: 7, High: 9}}},
		"+5.0 %":                     {Relative: true, Estimate: &analysis.Estimate{Value: 1.05}},
		"":                           {},
	} {
		if got := changeOf(c, bytes).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The page opens offline in both schemes, its charts are drawn, and its console stays empty.
func TestComparisonPageInBrowser(t *testing.T) {
	js := script(t)
	ctx := browser(t)
	all := comparisons(t)
	for name, first := range map[string]string{"nightly": "light", "three": "dark", "hostile": "light"} {
		second := map[string]string{"light": "dark", "dark": "light"}[first]
		var charts, drawn, again int
		if complaints := visit(t, ctx, printedComparison(t, "html", all[name], Options{EChartsJS: js}), first,
			chromedp.Evaluate(`document.querySelectorAll(".chart").length`, &charts), explore(&drawn),
			otherScheme(second), explore(&again)); len(complaints) > 0 || drawn != charts || again != charts || charts == 0 {
			t.Errorf("%s, first %s: %q, %d and then %d of %d charts", name, first, complaints, drawn, again, charts)
		}
	}
}
