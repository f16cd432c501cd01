package report

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// wandering is a campaign of eight blocks on a machine whose CPU is slower by a factor, and
// goes up and down by a tenth; calls of the variant cost so many ns more. Its reference is
// taken, or not.
func wandering(t *testing.T, slower, cost float64, reference bool) *analysis.Answers {
	t.Helper()
	cells := append(testcampaign.Baselines(), testcampaign.Variant(2, "kieker/bci/collect", results.ProofPlan{Kind: results.ProofNone}))
	var values []testcampaign.Value
	for b := range 8 {
		for i, mean := range []float64{50, 50, 50 + cost} {
			x := float64(3*b + i)
			speed, jvm := slower*math.Exp(0.1*math.Sin(5*x)), 1+0.01*math.Sin(11*x)
			v := testcampaign.Value{Block: b + 1, Slot: i, Cell: cells[i].ID, NS: mean * speed * jvm, CPUNS: 1.2 * mean * speed * jvm}
			if reference {
				v.ReferenceNS = 2000 * speed
			}
			values = append(values, v)
		}
	}
	a, err := analysis.Analyse(testcampaign.FromValues(cells, values))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Both sides of a row stand at the speed between the campaigns, costs are those of one
// execution as in a report, and what they differ by is the change beside them.
func TestComparedAtOneSpeed(t *testing.T) {
	older, newer := wandering(t, 1, 6000, true), wandering(t, 1.3, 6600, true)
	c := comparisonOf(t, compare.Options{All: true}, older, newer)
	for name, o := range map[string]Options{"compare-speeds-140.txt": {Width: 140}, "compare-speeds-80.txt": {Width: 80}} {
		got := printedComparison(t, "text", c, o)
		if diff := cmp.Diff(string(golden(t, name, got)), string(got)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
	rows := c.Scenarios[0].Metrics[0].Rows
	for _, r := range rows {
		ch := r.Changes[0]
		x := ch.OneSpeed
		if x == nil || math.Abs(x.Slower()-0.3) > 0.01 || math.Abs(x.AtNS-2000*math.Sqrt(1.3)) > 30 {
			t.Fatalf("%s: at one speed %+v", r.Cell, x)
		}
		want := x.New.Value - x.Old.Value
		if ch.Relative {
			want = x.New.Value / x.Old.Value
		}
		if math.Abs(ch.Estimate.Value-want) > 1e-6*math.Abs(x.New.Value) { // a ratio is that of geometric means
			t.Errorf("%s: %v, and its sides differ by %v", r.Cell, ch.Estimate.Value, want)
		}
	}
	for format, want := range map[string]string{
		"text": "at one speed of the CPU (new ran 30 % slower)", "html": "(new ran 30 % slower)", "markdown": "cost of one monitored execution; a call makes 10 of them",
		"json": `"at_one_speed": {`,
	} {
		if got := string(printedComparison(t, format, c, Options{Width: 200})); !strings.Contains(got, want) {
			t.Errorf("%s doesn't say %q", format, want)
		}
	}
	faster := string(printedComparison(t, "text", comparisonOf(t, compare.Options{}, newer, older), Options{Width: 140}))
	if !strings.Contains(faster, "(new ran 30 % faster)") {
		t.Errorf("turned round:\n%s", faster)
	}
	if again := string(printedComparison(t, "text", comparisonOf(t, compare.Options{}, older, older), Options{})); strings.Contains(again, "one speed") {
		t.Errorf("speeds that are alike are told apart:\n%s", again)
	}
	three := string(printedComparison(t, "text", comparisonOf(t, compare.Options{}, older, newer, older), Options{Width: 200}))
	if !strings.Contains(three, "at one speed of the CPU (B ran 30 % slower); the column of A, and all means, are at their own") {
		t.Errorf("of three:\n%s", three)
	}
}

// What the speed was taken out of is not compared with what has it in.
func TestAdjustedIsNotComparedWithUnadjusted(t *testing.T) {
	adjusted, other := wandering(t, 1, 6000, true), wandering(t, 1, 6000, false)
	for _, c := range []struct {
		older, newer *analysis.Answers
		want         string
	}{{adjusted, other, "old is adjusted for the speed of the CPU and new is not"}, {other, adjusted, "new is adjusted for the speed of the CPU and old is not"}} {
		got := string(printedComparison(t, "text", comparisonOf(t, compare.Options{Anyway: true}, c.older, c.newer), Options{Width: 200}))
		if strings.Count(got, c.want+": what they differ by may be the speed") < 1 || !strings.Contains(got, "3 no answer") && !strings.Contains(got, "1 no answer") {
			t.Errorf("no word of %q:\n%s", c.want, got)
		}
	}
}

// A report says once at which speed its numbers are, and other formats have what was
// measured beside them.
func TestFormatsSayAtWhichSpeed(t *testing.T) {
	a, plain := wandering(t, 1.2, 6000, true), wandering(t, 1.2, 6000, false)
	for format, want := range map[string][]string{
		"text":                    {"costs, CPU time: at one speed of the CPU, this campaign's mean (reference 2,396 ns, JDK 17.0.15+6; JVMs differed by 7.2 %, sd)", "other times are at the speed of their hour", "call CPU"},
		"comment":                 {"at one speed of the CPU, reference 2,396 ns"},
		"methods":                 {"y ∝ w^ε", "0.7 N(1, 0.2²) + 0.3 N(1, 0.5²)", "takes 2,396 ns on JDK 17.0.15+6", "Elasticities ε: none ", "Berger and Berliner 1986", "F = (1 + ρ)/(1 − ρ)"},
		"github-action-benchmark": {"at one speed of the CPU"},
		"openmetrics":             {"moobench_reference_at_seconds{", "moobench_duration_difference_unadjusted_seconds{"},
		"gobench":                 {" unadjusted-ns", " reference-ns"},
		"csv":                     {",reference_ns,at_ns,elasticity,elasticity_se,unadjusted_n,unadjusted,"},
		"json":                    {`"at_ns": 2395.`, `"elasticity_se": `},
		"html":                    {"at one speed of the CPU", "y ∝ w^ε"},
	} {
		var with, without bytes.Buffer
		if err := Write(&with, format, a, Options{Width: 200}); err != nil {
			t.Fatal(err)
		}
		if err := Write(&without, format, plain, Options{Width: 200}); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(with.String(), text) {
				t.Errorf("%s doesn't say %q:\n%.3000s", format, text, with.String())
			}
			other := text == "call CPU" || text == "F = (1 + ρ)/(1 − ρ)" || format == "csv"
			if strings.Contains(without.String(), text) != other {
				t.Errorf("%s of unadjusted numbers: %q", format, text)
			}
		}
	}
}

// Values of invocations are what was measured, carried by the elasticity from one speed to the
// other: a reader of the exports can do so again.
func TestAdjustmentCanBeDoneAgain(t *testing.T) {
	a := wandering(t, 1.2, 6000, true)
	var b bytes.Buffer
	if err := Write(&b, "csv", a, Options{}); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, head := range lines[0] {
		at[head] = i
	}
	elasticities := map[string]float64{}
	for _, line := range lines[1:] {
		if line[at["metric"]] == "duration" {
			elasticities[line[at["cell"]]], _ = strconv.ParseFloat(line[at["elasticity"]], 64)
		}
	}
	for _, inv := range a.Invocations {
		want := *inv.Unadjusted * math.Pow(inv.AtNS/inv.ReferenceNS, elasticities[inv.Cell])
		if math.Abs(*inv.Value/want-1) > 1e-9 {
			t.Errorf("%s: %v, and by its elasticity %v", inv.ID, *inv.Value, want)
		}
	}
}
