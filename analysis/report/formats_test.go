package report

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"html"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/report/doc"
)

// others are the formats of other tools, with the ends of their files.
var others = map[string]string{
	"markdown": "md", "comment": "comment.md", "latex": "tex", "latex-macros": "macros.tex", "methods": "methods.md", "latex-methods": "methods.tex", "svg": "svg", "pgf": "pgf", "csv": "csv", "junit": "xml", "gobench": "txt",
	"github-action-benchmark": "action.json", "bencher": "bencher.json", "openmetrics": "om",
}

func written(t *testing.T, format string, a *analysis.Answers) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, a, Options{}); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

func TestOtherFormats(t *testing.T) {
	campaigns := map[string]*analysis.Answers{
		"troubled": shared(t, testcampaign.Troubled), "hostile": shared(t, testcampaign.Hostile),
		"unordered": shared(t, testcampaign.Unordered), "served": shared(t, testcampaign.Served), "swapped": swapped(t),
	}
	for campaign, a := range campaigns {
		for format, end := range others {
			// The swapped campaign is large: files with a line for every number of
			// it would show nothing that the others do not.
			if campaign == "swapped" && !slices.Contains([]string{"markdown", "latex", "svg", "pgf", "junit"}, format) {
				continue
			}
			name := "formats/" + campaign + "." + end
			t.Run(name, func(t *testing.T) {
				got := written(t, format, a)
				if want := string(golden(t, name, []byte(got))); !alike(want, got) {
					t.Errorf("(-want +got)\n%s", cmp.Diff(want, got))
				}
			})
		}
	}
}

var aNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?`)

// alike says whether two texts differ in nothing but the last digits of numbers,
// in which processors may differ.
func alike(x, y string) bool {
	if aNumber.ReplaceAllString(x, "0") != aNumber.ReplaceAllString(y, "0") {
		return false
	}
	xs, ys := aNumber.FindAllString(x, -1), aNumber.FindAllString(y, -1)
	for i := range xs {
		if xs[i] == ys[i] { // what looks like a number need not be one: 62e6368
			continue
		}
		v, errV := strconv.ParseFloat(xs[i], 64)
		w, errW := strconv.ParseFloat(ys[i], 64)
		if errV != nil || errW != nil || math.Abs(v-w) > 1e-9*math.Max(math.Abs(v), math.Abs(w)) {
			return false
		}
	}
	return true
}

// spoiltAnswers are of a campaign in which everything that spoils numbers is
// there: marks, a failed A/A, a shortened replication.
func spoiltAnswers(t *testing.T) *analysis.Answers {
	a := changeable(whole(t))
	a.Campaign.Scale = 0.1
	return a
}

// Each mark stands in each format, in the words or by the kind that the format
// has room for.
func TestEveryFormatHasTheMarks(t *testing.T) {
	a := spoiltAnswers(t)
	quoted := func(s string) string { return s }
	for format, c := range map[string]struct {
		shows bool // the amounts, not the kinds alone
		write func(string) string
	}{
		"markdown": {true, inMarkdown}, "latex": {true, inLaTeX}, "latex-macros": {true, doc.EscapeLaTeX}, "svg": {true, html.EscapeString}, "pgf": {true, doc.EscapeLaTeX}, "csv": {true, quoted}, "junit": {true, html.EscapeString},
		"github-action-benchmark": {true, quoted}, "openmetrics": {true, escapeLabel}, "gobench": {true, quoted},
		"bencher": {false, func(s string) string { return `"caveat-` + doc.Slug(s) + `"` }},
	} {
		text := written(t, format, a)
		if format != "bencher" && !strings.Contains(text, "A/A FAILED") || !strings.Contains(strings.ToLower(text), "shortened") {
			t.Errorf("%s does not say that the A/A failed and the campaign was shortened", format)
		}
		for i := range a.Scenarios[0].Cells {
			cell := &a.Scenarios[0].Cells[i]
			for _, m := range cell.Marks {
				want := c.write(m.Show)
				if !c.shows {
					want = c.write(m.Kind)
				}
				// These formats have nothing at all about a cell without a number.
				numberless := format == "github-action-benchmark" || format == "bencher"
				if a := metricOf(cell, "duration"); slices.Contains([]string{"markdown", "latex"}, format) && cell.Unanswered("duration") != "" {
					continue // the reason stands in place of the number
				} else if numberless && (cell.Invalid != "" || a.Mean == nil) || format == "openmetrics" && cell.Invalid != "" {
					continue
				}
				if !strings.Contains(text, want) {
					t.Errorf("%s does not say %q of %s", format, want, cell.Label)
				}
			}
		}
	}
}

// A cell that was not instrumented has no number in any format, but in words.
func TestNoFormatHasInvalidNumbers(t *testing.T) {
	a := shared(t, testcampaign.Troubled)
	const void = "wrong-class"
	for _, line := range strings.Split(written(t, "gobench", a), "\n") {
		if strings.Contains(line, void) && !strings.HasPrefix(line, "#") {
			t.Errorf("gobench: %s", line)
		}
	}
	for _, line := range strings.Split(written(t, "openmetrics", a), "\n") {
		if strings.Contains(line, void) && !strings.HasPrefix(line, "moobench_cell_invalid{") {
			t.Errorf("openmetrics: %s", line)
		}
	}
	for _, format := range []string{"github-action-benchmark", "bencher"} {
		if strings.Contains(written(t, format, a), void) {
			t.Errorf("%s names a cell that is void", format)
		}
	}
	for _, r := range csvLines(t, a) {
		if r["variant"] == "kieker/bci/"+void && (r["mean"]+r["difference"]+r["ratio"]+r["p50"] != "" || !strings.Contains(r["invalid"], "not instrumented")) {
			t.Errorf("csv: %v", r)
		}
	}
}

// csvLines are the lines as a reader of CSV has them, by head.
func csvLines(t *testing.T, a *analysis.Answers) []map[string]string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(written(t, "csv", a)))
	all, err := r.ReadAll() // which refuses lines of different lengths
	if err != nil {
		t.Fatal(err)
	}
	var lines []map[string]string
	for _, fields := range all[1:] {
		line := map[string]string{}
		for i, head := range all[0] {
			if _, twice := line[head]; twice {
				t.Fatalf("two columns are named %s", head)
			}
			line[head] = fields[i]
		}
		lines = append(lines, line)
	}
	return lines
}

// What the answers hold comes back from CSV to the last digit, and what they do
// not hold is empty.
func TestCSVBringsNumbersBack(t *testing.T) {
	for name, a := range map[string]*analysis.Answers{"troubled": shared(t, testcampaign.Troubled), "served": shared(t, testcampaign.Served), "unordered": shared(t, testcampaign.Unordered)} {
		lines := csvLines(t, a)
		at := 0
		for _, s := range a.Scenarios {
			for i := range s.Cells {
				for _, m := range s.Metrics {
					line, answer := lines[at], metricOf(&s.Cells[i], m.Name)
					at++
					if line["cell"] != s.Cells[i].ID || line["metric"] != m.Name || line["absent"] != doc.Clean(answer.Absent) {
						t.Fatalf("%s: line %d is about %s of %s", name, at, line["metric"], line["cell"])
					}
					sameEstimate(t, line, "mean", answer.Mean)
					sameEstimate(t, line, "difference", answer.Difference)
					sameEstimate(t, line, "ratio", answer.Ratio)
				}
			}
		}
		if at != len(lines) {
			t.Errorf("%s: %d lines, want %d", name, len(lines), at)
		}
	}
}

func sameEstimate(t *testing.T, line map[string]string, name string, e *analysis.Estimate) {
	t.Helper()
	if e == nil {
		if line[name]+line[name+"_n"]+line[name+"_low"] != "" {
			t.Errorf("%s of %s is %q, and is not known", name, line["cell"], line[name])
		}
		return
	}
	if got, err := strconv.ParseFloat(line[name], 64); err != nil || got != e.Value || line[name+"_n"] != strconv.Itoa(e.N) {
		t.Errorf("%s of %s is %q of %s, want %v of %d", name, line["cell"], line[name], line[name+"_n"], e.Value, e.N)
	}
	if e.Interval == nil {
		return
	}
	if got, err := strconv.ParseFloat(line[name+"_high"], 64); err != nil || got != e.Interval.High {
		t.Errorf("%s_high of %s is %q, want %v", name, line["cell"], line[name+"_high"], e.Interval.High)
	}
}

// summaryMost is what the summary of a job holds, in bytes, and pageRows how many rows
// of figures fit on a page.
const summaryMost, pageRows = 1 << 20, 36

// Markdown for the summary of a job is never larger than that may be, and says
// what it leaves out.
func TestMarkdownIsBounded(t *testing.T) {
	a := changeable(shared(t, testcampaign.Troubled))
	if text := written(t, "markdown", a); strings.Contains(text, "left out**") {
		t.Error("a small summary leaves something out")
	}
	for len(a.Warnings) < 20_000 {
		a.Warnings = append(a.Warnings, append(a.Warnings, "reading invocations/b0009.s00.r0: it is cut off")...)
	}
	text := written(t, "markdown", a)
	if len(text) > summaryMost || len(text) < summaryMost/2 {
		t.Errorf("%d bytes", len(text))
	}
	if end := text[len(text)-300:]; !strings.Contains(end, "lines are left out**") {
		t.Errorf("it ends with %q", end)
	}
}

// Every number of a table of figures has its row in LaTeX, however many pages
// that takes; no table is longer than a page.
func TestLaTeXGoesOnOverPages(t *testing.T) {
	a := changeable(shared(t, testcampaign.Troubled))
	s := &a.Scenarios[0]
	one := s.Cells
	for range 19 {
		s.Cells = append(s.Cells, one...)
	}
	var b strings.Builder
	if err := Write(&b, "latex", a, Options{All: true}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, "    kieker/bci/collect & 3 & "); n < 20 {
		t.Errorf("%d rows of the cell, want 20", n)
	}
	if !strings.Contains(text, `\label{tab:moobench-overhead-part-4}`) {
		t.Error("140 cells are not in four tables")
	}
	for _, table := range strings.Split(text, `\begin{table}`)[1:] {
		if n := strings.Count(table, "\\\\\n"); n > pageRows+1 {
			t.Errorf("a table of %d rows", n)
		}
	}
}

// Each table has a name that stands for it alone; all of them together are what there is.
func TestLaTeXTablesByName(t *testing.T) {
	a := shared(t, testcampaign.Troubled)
	print := func(o Options) string {
		var b strings.Builder
		if err := Write(&b, "latex", a, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	head, all, _ := strings.Cut(print(Options{All: true}), "\n\\begin{table}")
	all = "\n\\begin{table}" + all
	names := Tables(a)
	if !slices.Contains(names, "overhead") || len(names) < 9 {
		t.Errorf("the tables are %q", names)
	}
	for _, name := range names {
		one, ok := strings.CutPrefix(print(Options{Table: name}), head)
		rest, begins := strings.CutPrefix(all, one)
		if !ok || !begins || !strings.Contains(one, `\label{tab:moobench-`+name+"}") {
			t.Fatalf("the table %s is %s", name, one)
		}
		all = rest
	}
	if all != "" {
		t.Errorf("of no table is %s", all)
	}
}

// OpenMetrics is in base units.
func TestOpenMetricsIsInBaseUnits(t *testing.T) {
	a := shared(t, testcampaign.Tiny)
	text := written(t, "openmetrics", a)
	m := metricOf(&a.Scenarios[0].Cells[2], "duration")
	for _, want := range []string{
		"# TYPE moobench_duration_mean_seconds gauge\n# UNIT moobench_duration_mean_seconds seconds\n# HELP moobench_duration_mean_seconds ",
		`moobench_duration_mean_seconds{campaign="made-up",scenario="overhead",variant="kieker/bci/tcp",role="variant",metric="duration"} ` + strconv.FormatFloat(m.Mean.Value/1e9, 'g', -1, 64) + "\n",
		`moobench_rss_peak_mean_bytes{`,
		`moobench_duration_over_baseline_low_ratio{campaign="made-up",scenario="overhead",variant="kieker/bci/tcp",role="variant",metric="duration",confidence="0.95"} `,
		`moobench_campaign_info{campaign="made-up",`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q", want)
		}
	}
	if !strings.HasSuffix(text, "\n# EOF\n") {
		t.Error("the end is missing")
	}
}

// XML of both kinds is well formed, whatever labels hold.
func TestXMLIsWellFormed(t *testing.T) {
	a := changeable(shared(t, testcampaign.Hostile))
	a.Scenarios[0].Cells[2].Label = "a\x00b\x1b[31m]]>&amp;\xff<x y='\"'>\ufffe"
	for _, format := range []string{"svg", "junit"} {
		wellFormed(t, format, written(t, format, a))
	}
}

func wellFormed(t *testing.T, format, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
	}
}

// Every column of CSV, and every format with what else it is called, is
// documented.
func TestFormatsAreDocumented(t *testing.T) {
	data, err := os.ReadFile("FORMATS.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := string(data)
	for _, f := range table() {
		for _, name := range append(f.also, f.name) {
			if !strings.Contains(documented, "`"+name+"`") {
				t.Errorf("FORMATS.md does not say what %s is", name)
			}
			if got, ok := Named(name); !ok || got != f.name {
				t.Errorf("%s is %q", name, got)
			}
		}
	}
	for name := range csvLines(t, shared(t, testcampaign.Tiny))[0] {
		if !documentedColumn(documented, name) {
			t.Errorf("FORMATS.md does not say what the column %s is", name)
		}
	}
	if got, ok := Named("htlm"); ok {
		t.Errorf("htlm is %s", got)
	}
}

// documentedColumn knows that the columns of an estimate are documented once.
func documentedColumn(text, name string) bool {
	for _, end := range []string{"", "_n", "_sd", "_low", "_high", "_level"} {
		if base, ok := strings.CutSuffix(name, end); ok && strings.Contains(text, "`"+base+"`") && (end == "" || strings.Contains(text, "`"+end+"`")) {
			return true
		}
	}
	return false
}
