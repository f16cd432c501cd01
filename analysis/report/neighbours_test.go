package report

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// TestFiguresFollowFromTheirNeighbours: whatever was measured, in no table and no sentence does
// a figure contradict the ones beside it: a difference is what is with less what is without, a
// sentence and a table have the verdict that JSON has, ±0 is what is equivalent, shares lie
// within 0 and 1, and neither a count nor a time is negative.
func TestFiguresFollowFromTheirNeighbours(t *testing.T) {
	seen := map[analysis.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		s := randomCampaign(t)
		a, err := analysis.Analyse(s)
		if err != nil {
			t.Fatal(err)
		}
		var wrong []string
		say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
		plausible(reflect.ValueOf(a).Elem(), "", say)
		for i := range a.Scenarios {
			sc := &a.Scenarios[i]
			for _, q := range sc.Answers {
				seen[q.Verdict]++
				sentenceHasVerdict(&q, say)
			}
			pricesFollow(sc, say)
		}
		d := campaign(a, rapid.IntRange(0, 4).Draw(t, "page") == 0, 0)
		eachTable(d.Blocks, func(t *doc.Table) { tableFollows(t, say) })
		answersHaveVerdicts(a, say)
		var text bytes.Buffer
		if err := Write(&text, "markdown", a, Options{All: true}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(text.String(), "\n") {
			if impossible.MatchString(line) {
				say("%s", line)
			}
		}
		if len(wrong) > 0 {
			t.Fatalf("%s", strings.Join(wrong[:min(len(wrong), 8)], "\n"))
		}
	})
	for _, v := range []analysis.Verdict{infer.Higher, infer.Undecided, infer.Equivalent} {
		if seen[v] == 0 {
			t.Errorf("no question was answered %q: the test shows little", v)
		}
	}
}

// impossible are counts below 0.
var impossible = regexp.MustCompile(`[-−]\d+ (of \d+|calls|records|JVMs|blocks|invocations)\b`)

// randomCampaign is one of few JVMs, some of which fail, lose records or are disturbed.
func randomCampaign(t *rapid.T) *testcampaign.Store {
	blocks := rapid.IntRange(1, 9).Draw(t, "blocks")
	means := func(name string) float64 { return rapid.SampledFrom([]float64{20, 300, 561, 900, 5000}).Draw(t, name) }
	some := func(name string) []int {
		return rapid.SliceOfN(rapid.IntRange(1, blocks), 0, 2).Draw(t, name)
	}
	behave := func(name string, mean float64) testcampaign.Behaviour {
		return testcampaign.Behaviour{
			Mean: mean, Arrives: rapid.SampledFrom([]float64{0.02, 0.5, 1, 1}).Draw(t, name+" arrives"),
			Late: rapid.SampledFrom([]float64{0, 0.4}).Draw(t, name+" late"), Disturbed: some(name + " disturbed"), Slower: 0.2,
			Fails: some(name + " fails"),
		}
	}
	base := means("none")
	expects := results.ProofPlan{Kind: results.ProofCount, Source: "fixture", Expected: 20_000_000}
	s := testcampaign.Make(testcampaign.Plan{
		Seed: rapid.Uint64().Draw(t, "seed"), Blocks: blocks, Resources: rapid.IntRange(0, 7).Draw(t, "resources"), Samples: 100,
		Cells: append(
			testcampaign.Baselines(),
			testcampaign.Variant(2, "probe/bci/collect", expects),
			testcampaign.Variant(3, "probe/bci/free", results.ProofPlan{Kind: results.ProofNone}),
		),
		Behaves: []testcampaign.Behaviour{
			{Mean: base},
			{Mean: base},
			behave("collect", base+means("cost")), behave("free", base*rapid.SampledFrom([]float64{0.9, 1, 1, 1.02}).Draw(t, "free")),
		},
	})
	sc := &s.Made.Scenarios[0]
	if rapid.Bool().Draw(t, "margin") {
		for i := range sc.Questions {
			sc.Questions[i].Margin = &results.Margin{Share: 0.02}
		}
	}
	if rapid.Bool().Draw(t, "of a program") { // whose first table has a row for each metric
		for i := range sc.Metrics {
			sc.Metrics[i].Primary = sc.Metrics[i].Name == "loop_ns"
		}
		for i := range sc.Questions {
			sc.Questions[i].Metric = "loop_ns"
		}
		for _, inv := range s.Runs {
			if inv.Scalars != nil {
				inv.Scalars["loop_ns"] *= 1 + float64(inv.Block*7%5+inv.Slot)/100
			}
		}
	}
	return s
}

// notNegative are the fields that are never below 0, and shares those that are at most 1, too.
var (
	notNegative = []string{"SE", "SD", "DF", "N", "Planned", "OK", "Failed", "Missing", "Disturbed", "Repeated", "Received", "Expected", "Lost", "Deferred", "Executions", "BetweenSD", "WithinSD", "Margin", "Detectable"}
	shares      = []string{"P", "ICC", "Level", "Alpha", "Confidence", "PLow", "PHigh"}
)

// plausible checks every number of the answers by its name, and every estimate by its interval.
func plausible(v reflect.Value, path string, say func(string, ...any)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			plausible(v.Elem(), path, say)
		}
	case reflect.Slice:
		for i := range v.Len() {
			plausible(v.Index(i), path+"["+strconv.Itoa(i)+"]", say)
		}
	case reflect.Struct:
		if e, ok := v.Interface().(analysis.Estimate); ok && e.Interval != nil && (e.Interval.Low > e.Value || e.Interval.High < e.Value) {
			say("%s: %v lies outside of %v", path, e.Value, *e.Interval)
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() || f.Name == "Values" {
				continue
			}
			x := v.Field(i)
			number(x, f.Name, path+"."+f.Name, say)
			plausible(x, path+"."+f.Name, say)
		}
	}
}

func number(x reflect.Value, name, path string, say func(string, ...any)) {
	if x.Kind() == reflect.Pointer && !x.IsNil() {
		x = x.Elem()
	}
	value := 0.0
	switch {
	case x.CanInt():
		value = float64(x.Int())
	case x.CanFloat():
		value = x.Float()
	default:
		return
	}
	if share := slices.Contains(shares, name); value < 0 && (share || slices.Contains(notNegative, name)) || share && value > 1 {
		say("%s is %v", path, value)
	}
}

// sentenceHasVerdict says whether an answer in words is the one in a word.
func sentenceHasVerdict(q *analysis.Answer, say func(string, ...any)) {
	text := q.Sentence.String()
	words := map[analysis.Verdict]string{infer.Undecided: "undecided", infer.Equivalent: "equivalent within", infer.NoAnswer: "no answer", infer.Negligible: "that is within the margin of"}
	for v, word := range words {
		if has := strings.Contains(text, word); has != (v == q.Verdict) && v != infer.Negligible {
			say("%s: %q is worded %q", q.ID, q.Verdict, text)
		}
	}
	if d := q.Difference; d != nil && (q.Verdict == infer.Higher && !(d.Value > 0) || q.Verdict == infer.Lower && !(d.Value < 0)) {
		say("%s: %q of a difference of %v", q.ID, q.Verdict, d.Value)
	}
}

// pricesFollow says whether what a record costs, times the records, is what they cost together,
// and whether no time or size has a negative bound.
func pricesFollow(s *analysis.Scenario, say func(string, ...any)) {
	for _, c := range s.Cells {
		for _, m := range c.Metrics {
			unit := metricNamed(s, m.Metric).Unit
			if e := m.Mean; e != nil && e.Interval != nil && e.Interval.Low < 0 && (unit == "ns" || unit == "B") {
				say("%s of %s: %v of a time or a size", m.Metric, c.Label, *e.Interval)
			}
			if m.Difference == nil || m.Mean == nil || m.Difference.N != m.Mean.N {
				continue
			}
			base := metricOf(s.Cell(c.Baseline), m.Metric).Mean
			if base != nil && base.N == m.Mean.N && math.Abs(m.Difference.Value-(m.Mean.Value-base.Value)) > 1e-6*(math.Abs(base.Value)+math.Abs(m.Mean.Value)) {
				say("%s of %s: %v is not %v - %v", m.Metric, c.Label, m.Difference.Value, m.Mean.Value, base.Value)
			}
		}
	}
}

// eachTable calls f with each table of a document.
func eachTable(blocks []doc.Block, f func(*doc.Table)) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *doc.Section:
			if b != nil {
				eachTable(b.Blocks, f)
			}
		case *doc.Table:
			if b != nil {
				f(b)
			}
		}
	}
}

// magnitude is a printed number in its smallest unit, and what its last digit is worth.
func magnitude(text string) (value, digit float64, ok bool) {
	number, unit, _ := strings.Cut(strings.ReplaceAll(text, ",", ""), " ")
	factor, known := map[string]float64{
		"": 1, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
	}[unit]
	value, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimPrefix(number, "+"), "−", "-"), 64)
	if err != nil || !known {
		return 0, 0, false
	}
	_, decimals, _ := strings.Cut(number, ".")
	return value * factor, factor * math.Pow(10, -float64(len(decimals))), true
}

// tableFollows says whether the cells of each row follow from each other: what is without and what
// is with are over the same pairs.
func tableFollows(t *doc.Table, say func(string, ...any)) {
	column := func(head string) int {
		return slices.IndexFunc(t.Columns, func(c doc.Column) bool { return c.Head == head })
	}
	without, with, difference := column("without"), column("with"), column("difference")
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if head := t.Columns[i].Head; strings.HasSuffix(head, "mean") || strings.HasSuffix(head, "p50") || strings.HasSuffix(head, "p99") || head == "n" {
				if v, _, ok := magnitude(c.Text); ok && v < 0 {
					say("%s: %s", head, c.Text)
				}
			}
		}
		if without < 0 || with < 0 || difference < 0 || len(r.Cells) <= difference {
			continue
		}
		a, da, okA := magnitude(r.Cells[without].Text)
		b, db, okB := magnitude(r.Cells[with].Text)
		d, dd, okD := magnitude(r.Cells[difference].Text)
		median := strings.Contains(r.Cells[0].Text, "p50") || strings.Contains(r.Cells[0].Text, "p99") // they have no sum
		if okA && okB && okD && !median && math.Abs(d-(b-a)) > 0.51*(da+db+dd) {
			say("%s: %s without, %s with, and a difference of %s", r.Cells[0].Text, r.Cells[without].Text, r.Cells[with].Text, r.Cells[difference].Text)
		}
	}
}

// answersHaveVerdicts says whether the first table has the verdicts of the answers: ±0 is what is
// equivalent, a signed number what is shown, and no metric that a question is about has another
// verdict than its answer.
func answersHaveVerdicts(a *analysis.Answers, say func(string, ...any)) {
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		for _, q := range s.Answers {
			c := s.Cell(q.A)
			if m := c.MetricNamed(q.Metric); !q.Asked && q.B == c.Baseline && q.Quantile == 0 && m != nil && q.Difference != nil && m.Verdict != q.Verdict {
				say("%s of %s is %q, and its question %q", q.Metric, c.Label, m.Verdict, q.Verdict)
			}
		}
		for _, c := range s.Cells {
			for _, x := range measures(s) {
				m := metricOf(&c, x.Name)
				if c.Baseline == "" || m.Difference == nil {
					continue
				}
				text := besideBaseline(&c, m, x).Text
				signed := strings.HasPrefix(text, "+") || strings.HasPrefix(text, "−")
				if (text == noDifference) != (m.Verdict == infer.Equivalent) || signed && !m.Verdict.Shown() {
					say("%s of %s is printed %q, and its verdict is %q", x.Name, c.Label, text, m.Verdict)
				}
			}
		}
	}
}
