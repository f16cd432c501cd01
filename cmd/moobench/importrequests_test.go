package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/results"
)

// request is a line of a made-up JTL.
type request struct {
	label string
	ms    int
	wrong bool
}

// runOf writes requests one after the other, at an hour of their own, as a JTL.
func runOf(hour int, requests []request) string {
	var b strings.Builder
	b.WriteString("timeStamp,elapsed,label,responseCode,threadName,success\n")
	at := 1_700_000_000_000 + hour*3_600_000
	for _, r := range requests {
		code := 200
		if r.wrong {
			code = 500
		}
		fmt.Fprintf(&b, "%d,%d,%s,%d,T 1-1,%v\n", at, r.ms, r.label, code, !r.wrong)
		at += r.ms + 5
	}
	return b.String()
}

// arms are the requests of each run of each variant.
type arms map[string][][]request

// answersOf imports runs, and answers for the only scenario.
func answersOf(t *testing.T, dir string, all arms) (*analysis.Answers, *analysis.Scenario) {
	t.Helper()
	args, files, hour := []string{"import", "--baseline", "none", "-o", dir}, map[string]string{}, 0
	for _, variant := range []string{"none", "agent"} {
		for i, requests := range all[variant] {
			name := fmt.Sprintf("%s-%s-%d.jtl", dir, variant, i)
			files[name] = runOf(hour, requests)
			args = append(args, "--variant", variant+"="+name)
			hour++
		}
	}
	writeFiles(t, files)
	if out, status := here(t, args...); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	s, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, err := analysis.Analyse(s)
	if err != nil {
		t.Fatal(err)
	}
	return a, &a.Scenarios[0]
}

// service is what is known of the primary metric of a variant.
func service(t *testing.T, s *analysis.Scenario, variant string) *analysis.MetricAnswer {
	t.Helper()
	for i := range s.Cells {
		if s.Cells[i].Variant == variant {
			return s.Cells[i].MetricNamed("service")
		}
	}
	t.Fatalf("no cell of %s", variant)
	return nil
}

// drawn are n requests of a label around a time, of which some are wrong, and quick.
func drawn(rng *rand.Rand, label string, n, ms, wrong int) []request {
	var all []request
	for i := range n {
		r := request{label: label, ms: ms + rng.IntN(7)}
		if i < wrong {
			r.ms, r.wrong = 3, true
		}
		all = append(all, r)
	}
	return all
}

// Where most answers are wrong, of the variant or of its baseline, their times say nothing, and
// every format says what was lost.
func TestWrongAnswersMakeNothingFaster(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, failing := range []string{"agent", "none"} {
		rng, all := rand.New(rand.NewPCG(1, 2)), arms{}
		for range 4 {
			for _, variant := range []string{"none", "agent"} {
				wrong := 0
				if variant == failing {
					wrong = 28
				}
				all[variant] = append(all[variant], drawn(rng, "get", 40, 35, wrong))
			}
		}
		dir := "failing-" + failing
		_, s := answersOf(t, dir, all)
		a := service(t, s, "agent")
		if want := failing + " lost 112 of 160 requests (70.0 %)"; a.Difference != nil || a.Ratio != nil || !strings.HasPrefix(a.NoDifference, want) {
			t.Errorf("%s fails: difference %v, %q, want %q", failing, a.Difference, a.NoDifference, want)
		}
		if mean := service(t, s, failing).Mean; mean == nil || mean.Value < 35e6 || mean.Value > 42e6 {
			t.Errorf("the mean of right answers is %+v", mean)
		}
		for _, answer := range s.Answers {
			if answer.Metric == "service" && (answer.Verdict.Shown() || !strings.Contains(answer.Sentence.String(), "112 of 160")) {
				t.Errorf("verdict %s: %s", answer.Verdict, answer.Sentence)
			}
		}
		for _, format := range []string{"text", "comment", "markdown", "html", "json", "github-action", "csv", "junit", "gobench", "openmetrics"} {
			out, _ := here(t, "report", dir, "--format", format)
			if !strings.Contains(out, "112 of 160") {
				t.Errorf("%s fails: %s says nothing of it:\n%.2000s", failing, format, out)
			}
			if strings.Contains(out, "none seen") {
				t.Errorf("%s fails, and %s says that none was seen", failing, format)
			}
		}
		if out, _ := here(t, "report", dir, "--format", "bencher"); !strings.Contains(out, "lost") {
			t.Errorf("bencher's numbers have no losses:\n%s", out)
		}
	}
}

// Each label is a tenth slower with the agent, whatever is asked for how often.
func TestUnlikeMixesAreComparedLabelByLabel(t *testing.T) {
	t.Chdir(t.TempDir())
	rng, all := rand.New(rand.NewPCG(3, 4)), arms{}
	for range 6 {
		all["none"] = append(all["none"], append(drawn(rng, "list", 60, 97, 0), append(drawn(rng, "export", 60, 997, 0), drawn(rng, "rare", 2, 5000, 0)...)...))
		all["agent"] = append(all["agent"], append(drawn(rng, "list", 96, 107, 0), drawn(rng, "export", 24, 1097, 0)...))
	}
	_, s := answersOf(t, "mix", all)
	a := service(t, s, "agent")
	if d := a.Difference; d == nil || math.Abs(d.Value/55e6-1) > 0.03 || d.Interval == nil || d.Interval.Low < 50e6 {
		t.Errorf("difference %+v, %s", a.Difference, a.NoDifference)
	}
	if r := a.Ratio; r == nil || math.Abs(r.Value-1.1) > 0.005 {
		t.Errorf("ratio %+v, %s", a.Ratio, a.NoRatio)
	}
	if len(a.Quantiles) > 0 || a.NoQuantiles == "" {
		t.Errorf("there are quantiles of a mixture: %v", a.Quantiles)
	}
	cell := &s.Cells[slices.IndexFunc(s.Cells, func(c analysis.Cell) bool { return c.Variant == "agent" })]
	if x := cell.AtMix; x == nil || math.Abs(x.Value/55e6-1) > 0.05 {
		t.Errorf("at the baseline's mix %+v", x)
	}
	var labels []string
	for _, l := range cell.Labels {
		labels = append(labels, fmt.Sprintf("%s %v", l.Label, l.Combined))
		if l.Combined && (l.Mean == nil || l.Difference == nil || len(l.Quantiles) != 5) {
			t.Errorf("label %+v", l)
		}
	}
	if got := strings.Join(labels, ", "); got != "export true, list true, rest false" {
		t.Errorf("labels %s", got)
	}
	for _, format := range []string{"text", "comment"} {
		if out, _ := here(t, "report", "mix", "--format", format); !strings.Contains(out, "mix differs: 49 % list without, 80 % with") {
			t.Errorf("%s does not say that the mix differs:\n%s", format, out)
		}
	}
}

// Labels that no run has often enough are not compared, and their mixture isn't either.
func TestTooFewOfEachLabel(t *testing.T) {
	t.Chdir(t.TempDir())
	rng, all := rand.New(rand.NewPCG(3, 4)), arms{}
	for range 4 {
		all["none"] = append(all["none"], append(drawn(rng, "list", 19, 10, 0), drawn(rng, "export", 10, 100, 0)...))
		all["agent"] = append(all["agent"], append(drawn(rng, "list", 19, 11, 0), drawn(rng, "export", 5, 110, 0)...))
	}
	_, s := answersOf(t, "few", all)
	if a := service(t, s, "agent"); a.Difference != nil || !strings.Contains(a.NoDifference, "no label has 20 right answers in every run (export, list)") || a.Mean == nil {
		t.Errorf("difference %+v, %q", a.Difference, a.NoDifference)
	}
}

// Laws of imported requests, of random ones: an error that is added makes no time better, and how
// often a label is asked for changes no estimate.
func TestLawsOfImportedRequests(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 4 {
		all := arms{}
		for _, variant := range []string{"none", "agent"} {
			for range 3 {
				requests := drawn(rng, "a", 20+rng.IntN(90), 10+rng.IntN(20), 0)
				if round > 0 {
					requests = append(requests, drawn(rng, "b", 20+rng.IntN(90), 50+rng.IntN(100), 0)...)
				}
				all[variant] = append(all[variant], requests)
			}
		}
		_, before := answersOf(t, fmt.Sprintf("before%d", round), all)
		d := service(t, before, "agent").Difference
		if d == nil {
			t.Fatal(service(t, before, "agent").NoDifference)
		}

		// One more wrong answer in a run is at most one of twenty: either the times stay, or nothing is said of them.
		erring := arms{"none": all["none"], "agent": slices.Clone(all["agent"])}
		run := rng.IntN(3)
		erring["agent"][run] = append(slices.Clone(erring["agent"][run]), request{"a", 1 + rng.IntN(500), true})
		_, after := answersOf(t, fmt.Sprintf("erring%d", round), erring)
		if x := service(t, after, "agent"); x.Difference != nil && *x.Difference.Interval != *d.Interval {
			t.Errorf("an error makes %+v of %+v", x.Difference.Interval, d.Interval)
		} else if m := service(t, before, "agent").Mean.Value; math.Abs(x.Mean.Value/m-1) > 1e-12 {
			t.Errorf("an error makes a mean of %v of %v", x.Mean.Value, m)
		}

		// Each answer to the first label comes again, as often as it will.
		mixed := arms{"none": all["none"], "agent": slices.Clone(all["agent"])}
		for i, requests := range mixed["agent"] {
			mixed["agent"][i] = slices.Clone(requests)
			for range 1 + rng.IntN(4) {
				for _, r := range requests {
					if r.label == "a" {
						mixed["agent"][i] = append(mixed["agent"][i], r)
					}
				}
			}
		}
		_, after = answersOf(t, fmt.Sprintf("mixed%d", round), mixed)
		if x := service(t, after, "agent").Difference; x == nil || math.Abs(x.Value-d.Value) > 1e-6*math.Abs(d.Value)+1 {
			t.Errorf("another mix makes %+v of %+v", x, d)
		}
	}
}

// What was measured once never narrows an interval, in any format: a copy is refused.
func TestAFileTwiceIsRefusedInEveryFormat(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{
		"a.jtl":  runOf(0, drawn(rand.New(rand.NewPCG(1, 1)), "get", 30, 20, 0)),
		"a.csv":  "timestamp,latest:startupDurationMs,none:startupDurationMs\n1700000000,17680,16045\n",
		"a.json": `[{"benchmark":"a.B.m","mode":"avgt","threads":1,"forks":1,"jvm":"java","jvmArgs":[],"jdkVersion":"17","vmName":"x","vmVersion":"17","params":{},"primaryMetric":{"score":1,"scoreError":"NaN","scoreUnit":"ns/op","rawData":[[1,2]]},"secondaryMetrics":{}}]`,
	})
	for _, format := range []struct{ from, file, again string }{{"jtl", "a.jtl", "b.jtl"}, {"jmh", "a.json", "b.json"}, {"otel", "a.csv", "b.csv"}} {
		for _, again := range []string{format.file, format.again} {
			out, _ := here(t, "import", format.file, "-o", "once-"+format.from+again)
			if !strings.Contains(out, "imported ") {
				t.Errorf("%s: %s", format.from, out)
			}
			if again != format.file {
				text, err := os.ReadFile(format.file)
				if err != nil {
					t.Fatal(err)
				}
				writeFiles(t, map[string]string{again: string(text)})
			}
			out, status := here(t, "import", format.file, again, "-o", "twice")
			if status != 2 || !strings.Contains(out, again) || !strings.Contains(out, ": it ") {
				t.Errorf("%s: status %d: %s", format.from, status, out)
			}
		}
	}
}

// One run of each variant has means, and nothing says how much others would differ.
func TestOneRunHasMeans(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(1, 2))
	answersOf(t, "one", arms{"none": {drawn(rng, "get", 40, 100, 0)}, "agent": {drawn(rng, "get", 40, 120, 0)}})
	for format, wanted := range map[string][]string{
		"text": {"103 ms", "123 ms", "one invocation of it or of its baseline"}, "comment": {"20.5 ms", "no interval", "only 1"},
	} {
		out, _ := here(t, "report", "one", "--format", format)
		for _, want := range wanted {
			if !strings.Contains(out, want) {
				t.Errorf("%s lacks %q:\n%s", format, want, out)
			}
		}
	}
}
