package report

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/caveat"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// The counts of a JUnit report are those of its test cases.
func TestJUnitCounts(t *testing.T) {
	a := spoiltAnswers(t)
	var all junitSuites
	if err := xml.Unmarshal([]byte(written(t, "junit", a)), &all); err != nil {
		t.Fatal(err)
	}
	tests, broken, skipped := 0, 0, 0
	for _, s := range all.Suites {
		for _, c := range s.Cases {
			tests++
			if c.Error != nil {
				broken++
			}
			if c.Skipped != nil {
				skipped++
			}
			if c.Failure != nil {
				t.Errorf("%s fails, and only a gate may", c.Name)
			}
		}
	}
	if all.Tests != tests || all.Errors != broken || all.Skipped != skipped || broken < 4 {
		t.Errorf("counts %+v, want %d tests, %d errors, %d skipped", all.junitCounts, tests, broken, skipped)
	}
	// Two cells without an answer and their questions, the failed A/A, and the
	// campaign as a whole.
	for _, want := range []string{"measured: kieker/bci/wrong-class", "measured: mine/bci/default", "A/A", "every planned cell has an answer"} {
		if !slices.ContainsFunc(all.Suites, func(s junitSuite) bool {
			return slices.ContainsFunc(s.Cases, func(c junitCase) bool { return c.Name == want && c.Error != nil })
		}) {
			t.Errorf("%s is not an error", want)
		}
	}
}

// An undecided question is skipped, with what could have been found.
func TestJUnitSkipsTheUndecided(t *testing.T) {
	text := written(t, "junit", shared(t, testcampaign.Hostile))
	if !strings.Contains(text, `<skipped message="undecided: the difference of probe/bci/disabled from none`) {
		t.Error("the undecided question is not skipped")
	}
}

// The lines of a cell in Go's format are its invocations: their mean is that of
// the answers.
func TestGoBenchLinesAreInvocations(t *testing.T) {
	for campaign, a := range map[string]*analysis.Answers{"troubled": shared(t, testcampaign.Troubled), "repeated": shared(t, testcampaign.Repeated), "factored": shared(t, testcampaign.Factored)} {
		values := goBenchValues(t, written(t, "gobench", a))
		for i := range a.Scenarios[0].Cells {
			s, c := &a.Scenarios[0], &a.Scenarios[0].Cells[i]
			got, m := values[goName(s, c)]["ns/op"], metricOf(c, s.Primary)
			if c.Invalid != "" || m.Mean == nil {
				if len(got) > 0 {
					t.Errorf("%s: %s has %d lines and no mean", campaign, c.Label, len(got))
				}
				continue
			}
			sum := 0.0
			for _, v := range got {
				sum += v
			}
			if len(got) != m.Mean.N || math.Abs(sum/float64(len(got))-m.Mean.Value) > 1e-9*m.Mean.Value {
				t.Errorf("%s: %s has %d lines with a mean of %v, want %d with %v", campaign, c.Label, len(got), sum/float64(len(got)), m.Mean.N, m.Mean.Value)
			}
		}
	}
}

// goBenchValues reads the format as its specification has it: values by name and
// unit.
func goBenchValues(t *testing.T, text string) map[string]map[string][]float64 {
	t.Helper()
	found := map[string]map[string][]float64{}
	other := regexp.MustCompile(`^(#.*|[a-z][^A-Z\s:]*:( .*)?|Unit \S+ better=(lower|higher))$`)
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fields := strings.Fields(line)
		if !strings.HasPrefix(line, "Benchmark") {
			if !other.MatchString(line) {
				t.Errorf("neither a benchmark nor anything else: %q", line)
			}
			continue
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil || n < 1 || len(fields) < 4 || len(fields)%2 != 0 || regexp.MustCompile(`-[0-9]+$`).MatchString(fields[0]) {
			t.Fatalf("no line of a benchmark: %q", line)
		}
		if found[fields[0]] == nil {
			found[fields[0]] = map[string][]float64{}
		}
		for i := 2; i < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			found[fields[0]][fields[i+1]] = append(found[fields[0]][fields[i+1]], v)
		}
	}
	return found
}

// Only metrics of which less is better stand among those of which smaller is
// better, and their names are all different.
func TestGitHubActionEntries(t *testing.T) {
	for name, a := range map[string]*analysis.Answers{"served": shared(t, testcampaign.Served), "factored": shared(t, testcampaign.Factored), "swapped": swapped(t)} {
		var entries []actionEntry
		if err := json.Unmarshal([]byte(written(t, "github-action-benchmark", a)), &entries); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, e := range entries {
			parts := strings.Split(e.Name, " / ")
			metric := parts[len(parts)-1]
			if metric == "baseline" {
				metric = parts[len(parts)-2]
			}
			metric, _, _ = strings.Cut(metric, "_slope_per_")
			lower := metric == "calls_until_break_even"
			for i := range a.Scenarios {
				lower = lower || metricNamed(&a.Scenarios[i], metric).Better == results.Lower
			}
			if seen[e.Name] || !lower || e.Unit == "" || e.Extra == "" {
				t.Errorf("%s: %+v", name, e)
			}
			seen[e.Name] = true
		}
		if len(entries) == 0 {
			t.Errorf("%s: no entry", name)
		}
	}
}

// Bencher reads an object of objects of values, the bounds around the value.
func TestBencherMetrics(t *testing.T) {
	measure := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for name, a := range map[string]*analysis.Answers{"hostile": shared(t, testcampaign.Hostile), "served": shared(t, testcampaign.Served), "swapped": swapped(t)} {
		d := json.NewDecoder(strings.NewReader(written(t, "bencher", a)))
		d.DisallowUnknownFields()
		var all map[string]map[string]bencherMetric
		if err := d.Decode(&all); err != nil || len(all) == 0 {
			t.Fatalf("%s: %d benchmarks, %v", name, len(all), err)
		}
		for benchmark, metrics := range all {
			for m, v := range metrics {
				if !measure.MatchString(m) || len(m) > bencherLongest || v.Lower != nil && (*v.Lower > v.Value || *v.Upper < v.Value) {
					t.Errorf("%s: %s: %s: %+v", name, benchmark, m, v)
				}
			}
		}
	}
}

// What misleads is loud in a figure, and a remark is not, be it of the cell or of its baseline.
func TestFiguresTellRemarksFromWarnings(t *testing.T) {
	a := spoiltAnswers(t)
	for format, line := range map[string]struct {
		loud, quiet string
		write       func(string) string
	}{
		"svg": {`<text class="spoilt" x="770" `, `<text class="small" x="770" `, html.EscapeString},
		"pgf": {`\node[spoilt, anchor=mid west] at (770,`, `\node[small, anchor=mid west] at (770,`, doc.EscapeLaTeX},
	} {
		text, said := written(t, format, a), map[string]bool{"! A/A FAILED": true, "baseline disturbed 1 of 6": false}
		for _, c := range a.Scenarios[0].Cells {
			for _, m := range c.Marks {
				if c.Role == results.RoleVariant {
					said[textIf(m.Rank != caveat.Remark, "! ")+m.Show] = m.Rank != caveat.Remark
				}
			}
		}
		if len(said) < 10 {
			t.Errorf("%s: only %d caveats", format, len(said))
		}
		for show, loud := range said {
			begin := map[bool]string{true: line.loud, false: line.quiet}[loud]
			pattern := regexp.QuoteMeta(begin) + `[^\n]*[>{]` + regexp.QuoteMeta(line.write(show)) + `[<}]`
			if !regexp.MustCompile(pattern).MatchString(text) {
				t.Errorf("%s does not say %q as %s", format, show, begin)
			}
		}
	}
}
