package jmh

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
	"moobench/results/importer"
)

// cellsOf lists the cells of a campaign with their baselines.
func cellsOf(c *results.Campaign) string {
	var all []string
	for _, cell := range c.Cells {
		all = append(all, cell.Label()+":"+cell.Baseline)
	}
	return strings.Join(all, "; ")
}

// TestUnmonitored: benchmarks that are compared with each other run without an agent, unless an option loads one.
// Of variants that somebody has named this is not known.
func TestUnmonitored(t *testing.T) {
	one := func(arg string) string {
		text := element("a.B.c", "avgt", `"agent" : "x"`, "ns/op", `"rawData" : [ [ 1, 2 ] ]`, "")
		return file(strings.Replace(text, `"-Xmx512m"`, fmt.Sprintf("%q", arg), 1))
	}
	for name, c := range map[string]struct {
		arg, by, variant string
		want             results.ProofKind
	}{
		"a heap":              {"-Xmx1g", "", "", results.ProofBaseline},
		"a Java agent":        {"-javaagent:a.jar", "", "", results.ProofNone},
		"a native agent":      {"-agentpath:/a.so", "", "", results.ProofNone},
		"a recording":         {"-XX:StartFlightRecording=a=b", "", "", results.ProofNone},
		"a parameter":         {"-Xmx1g", "agent", "", results.ProofNone},
		"a name":              {"-Xmx1g", "", "mine", results.ProofNone},
		"no name":             {"-Xmx1g", "", "none", results.ProofBaseline},
		"an agent's property": {"-Dx=-javaagent", "", "", results.ProofBaseline},
	} {
		all := files(t, one(c.arg))
		all[0].Variant = c.variant
		campaign, _ := importing.Campaign(t, importer.Request{By: c.by}, all)
		if got := campaign.Cells[0].Proof.Kind; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestBaselineIsNamed: who has not named the baseline is told which it is, if there is anything to compare.
func TestBaselineIsNamed(t *testing.T) {
	one := element("a.B.c", "avgt", "", "ns/op", `"rawData" : [ [ 1, 2 ] ]`, "")
	two := element("a.B.d", "avgt", "", "ns/op", `"rawData" : [ [ 1, 3 ] ]`, "")
	const said = " The baseline is c, the first in the files: --baseline names another."
	for _, c := range []struct {
		text, baseline string
		want           bool
	}{{file(one, two), "", true}, {file(one, two), "c", false}, {file(one), "", false}} {
		campaign, _ := importing.Campaign(t, importer.Request{Baseline: c.baseline}, files(t, c.text))
		if got := strings.HasSuffix(campaign.About, said); got != c.want {
			t.Errorf("baseline %q: %s", c.baseline, campaign.About)
		}
	}
}

// TestLikeWithLike: variants that were each run under several conditions are compared under each of them.
func TestLikeWithLike(t *testing.T) {
	const new = `"jdkVersion" : "21.0.1"`
	text := file(
		setupOf("none", forks(2, 100)), setupOf("none", forks(2, 90), new),
		setupOf("x", forks(2, 110)), setupOf("x", forks(2, 95), new),
	)
	c, _ := importing.Campaign(t, importer.Request{By: "agent"}, files(t, text))
	want := "none jdk=17.0.15+6:; none jdk=21.0.1 (17.0.15+6):; x jdk=17.0.15+6:c00; x jdk=21.0.1 (17.0.15+6):c01"
	if got := cellsOf(c); got != want || len(c.LeftOut) > 0 {
		t.Errorf("cells %s, left out %q, want %s", got, c.LeftOut, want)
	}
}

// TestWithoutTheParameter: one benchmark that has no such parameter is left out, and told.
func TestWithoutTheParameter(t *testing.T) {
	text := file(setupOf("a", forks(2, 1)), element("p.B.x", "avgt", "", "ns/op", `"rawData" : [ [ 1, 2 ] ]`, ""))
	c, _ := importing.Campaign(t, importer.Request{By: "agent"}, files(t, text))
	want := []string{"left out, since there is no parameter agent: x"}
	if got := cellsOf(c); got != "a:" || !cmp.Equal(want, c.LeftOut) {
		t.Errorf("cells %s, left out %q, want %q", got, c.LeftOut, want)
	}
}

// TestThreads: numbers of threads are a factor where they differ, and a parameter that is called so is the same.
func TestThreads(t *testing.T) {
	of := func(agent string, threads int, n float64) string {
		one := setupOf(agent, forks(2, n), fmt.Sprintf(`"threads" : %d`, threads))
		return strings.Replace(one, `"agent"`, fmt.Sprintf(`"threads" : "%d", "agent"`, threads), 1)
	}
	text := file(of("none", 1, 100), of("none", 8, 200), of("x", 1, 110), of("x", 8, 250))
	c, _ := importing.Campaign(t, importer.Request{By: "agent"}, files(t, text))
	if got, want := cellsOf(c), "none threads=1:; none threads=8:; x threads=1:c00; x threads=8:c01"; got != want {
		t.Errorf("cells %s, want %s", got, want)
	}
	want := []results.Value{
		{Name: "benchmark", Value: "p.B.m"},
		{Name: "mode", Value: "avgt"},
		{Name: "threads", Value: "8"},
		{Name: "agent", Value: "x"},
	}
	got := c.Cells[3].Parameters
	if len(got) < len(want) || !cmp.Equal(want, got[:len(want)]) || strings.Count(fmt.Sprint(got), "threads") != 1 {
		t.Errorf("parameters %v, want %v first", got, want)
	}
}

// TestOddEnds: the first or the last iteration of each fork is odd if it is far from what is usual in its fork, and
// on the same side in all forks.
func TestOddEnds(t *testing.T) {
	slow, fast := []float64{200, 100, 101, 99, 100}, []float64{50, 100, 101, 99, 100}
	for name, c := range map[string]struct {
		forks       [][]float64
		last        bool
		ratio, bias float64 // 0: nothing is odd
	}{
		"slow at first":        {[][]float64{slow, slow}, false, 2, 0.2},
		"fast at first":        {[][]float64{fast, fast, fast}, false, 0.5, -0.1},
		"not at last":          {[][]float64{slow, slow}, true, 0, 0},
		"slow at last":         {[][]float64{{100, 101, 99, 100, 200}, {100, 101, 99, 100, 220}}, true, 2.1, 0.22},
		"one fork":             {[][]float64{slow}, false, 0, 0},
		"in one fork of two":   {[][]float64{slow, {100, 100, 101, 99, 100}}, false, 0, 0},
		"now slow, now fast":   {[][]float64{slow, fast}, false, 0, 0},
		"now fast, now slow":   {[][]float64{fast, slow}, false, 0, 0},
		"a little":             {[][]float64{{119, 100, 100, 100}, {119, 100, 100, 100}}, false, 0, 0},
		"more than a little":   {[][]float64{{121, 100, 100, 100}, {121, 100, 100, 100}}, false, 1.21, 0.0525},
		"others are slow, too": {[][]float64{{150, 100, 126, 100}, {150, 100, 126, 100}}, false, 0, 0},
		"others are fast, too": {[][]float64{{150, 100, 74, 100}, {150, 100, 74, 100}}, false, 0, 0},
		"twice the others":     {[][]float64{{150, 100, 124, 100}, {150, 100, 124, 100}}, false, 1.5, 0.0972},
		"three iterations":     {[][]float64{{200, 100, 100}, {200, 100, 100}}, false, 0, 0},
		"short forks between":  {[][]float64{slow, {100, 100, 100}, slow}, false, 2, 0.2},
		"nothing is usual":     {[][]float64{{9, 0, 0, 0}, {9, 0, 0, 0}}, false, 0, 0},
	} {
		ratio, bias, odd := oddEnd(c.forks, c.last)
		if odd != (c.ratio > 0) || math.Abs(ratio-c.ratio) > 1e-3 || math.Abs(bias-c.bias) > 1e-3 {
			t.Errorf("%s: %v times, %v, %v; want %v times, %v", name, ratio, bias, odd, c.ratio, c.bias)
		}
	}
}

// TestOddEndsAreTold: of what is odd the first few are told, and the others counted.
func TestOddEndsAreTold(t *testing.T) {
	odd := metric{forks: [][]float64{{200, 100, 101, 99, 100}, {200, 100, 101, 99, 100}}}
	var all []*benchmark
	for i := range 3 {
		all = append(all, &benchmark{
			Name: fmt.Sprint("p.B.m", i), variant: fmt.Sprint("m", i), Primary: odd,
			Secondary: map[string]metric{"·gc": odd},
		})
	}
	const is = ": the first iteration of each fork is unlike the others, 2 times their median, " +
		"and makes the mean 20 % higher"
	want := []string{"the score of m0" + is, "gc of m0" + is, "the score of m1" + is, "gc of m1" + is}
	if diff := cmp.Diff(want, unlike(all[:2])); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	want = append(want, "and 2 more, of which the first or the last iteration of each fork is unlike the others")
	if diff := cmp.Diff(want, unlike(all)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestListed: up to four names are told, and of more the number.
func TestListed(t *testing.T) {
	for text, want := range map[string]string{
		"a": "a", "a b c d": "a, b, c, d", "a b c d e": "a, b, c, d and 1 more", "a b c d e f": "a, b, c, d and 2 more",
	} {
		if got := listed(strings.Fields(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestGivenTwice: two files that hold the same benchmarks are told once, and not once for each of these.
func TestGivenTwice(t *testing.T) {
	text := file(setupOf("a", forks(2, 1)), setupOf("b", forks(2, 2)))
	in := newReader()
	for _, name := range []string{"one", "two", "three"} {
		in.read(name, []byte(text))
	}
	const same = "p.B.m has the scores, number for number, of one:2: " +
		"what is given twice was measured once; leave one out"
	if want := "two:2: " + same + "\nthree:2: " + same; in.mistakes.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", in.mistakes.Error(), want)
	}
}

// TestSamplesOfForks: each iteration is a sample of one score, in a unit that is a word.
func TestSamplesOfForks(t *testing.T) {
	text := file(element("a.B.c", "avgt", "", "my unit, own", `"rawData" : [ [ 0.25, 3 ] ]`, ""))
	_, list := importing.Campaign(t, importer.Request{}, files(t, text))
	want := results.Series{
		Name: "iteration", Batch: 1, Count: 2, Dump: list[0].Series[0].Dump,
		Columns: []results.Column{{Name: "score", Unit: "1e-6*my_unit_own", Kind: results.KindCount}},
	}
	if diff := cmp.Diff([]results.Series{want}, list[0].Series); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestQuantities: a unit of JMH's says what a score means, and any other stays as it is.
func TestQuantities(t *testing.T) {
	for unit, want := range map[string]quantity{
		"ns/op":    {"ns", 1, results.Lower},
		" us/op ":  {"ns", 1e3, results.Lower},
		"day/op":   {"ns", 86400e9, results.Lower},
		"ops/ns":   {"ops/s", 1e9, results.Higher},
		"ops/min":  {"ops/s", 1. / 60, results.Higher},
		"ops/fort": {"ops/fort", 1, results.Neither},
		"ops/":     {"ops/", 1, results.Neither},
		"op/s":     {"op/s", 1, results.Neither},
		"s/ops":    {"s/ops", 1, results.Neither},
		"fort/op":  {"fort/op", 1, results.Neither},
		"B/op":     {"B", 1, results.Lower},
		"ms":       {"ns", 1e6, results.Lower},
		"counts":   {"1", 1, results.Neither},
		"#":        {"1", 1, results.Neither},
		"#/op":     {"1", 1, results.Neither},
		"":         {"1", 1, results.Neither},
		"MB/sec":   {"MB/sec", 1, results.Neither},
	} {
		if got := quantityOf(unit); got != want {
			t.Errorf("%q: %+v, want %+v", unit, got, want)
		}
	}
}

// TestSettled: the scores of a metric are the finite ones of each fork, or the means of its histograms, and are not
// kept twice.
func TestSettled(t *testing.T) {
	nan, inf := number(math.NaN()), number(math.Inf(1))
	histogram := [][][][2]number{{{{2, 3}, {6, 1}}, {}}}
	for name, c := range map[string]struct {
		m     metric
		forks [][]float64
		lost  []int
	}{
		"nothing":     {metric{}, nil, nil},
		"raw":         {metric{Raw: [][]number{{1, nan, 3}, {}, {inf}}}, [][]float64{{1, 3}, {}, {}}, []int{1, 0, 1}},
		"a histogram": {metric{Histogram: histogram}, [][]float64{{3}}, []int{1}},
		"both":        {metric{Raw: [][]number{{1}}, Histogram: histogram}, [][]float64{{1}}, []int{0}},
	} {
		m := c.m
		m.settle()
		if diff := cmp.Diff(c.forks, m.forks); diff != "" || !cmp.Equal(c.lost, m.lost) {
			t.Errorf("%s: lost %d, want %d (-want +got):\n%s", name, m.lost, c.lost, diff)
		}
		if m.Raw != nil || m.Histogram != nil {
			t.Errorf("%s: it keeps what it was read from", name)
		}
	}
}

// TestSecondaryOfFewerForks: a secondary metric that a fork lacks has no mean there.
func TestSecondaryOfFewerForks(t *testing.T) {
	gc := metric{Unit: "B/op", forks: [][]float64{{2, 4}, {}}}
	b := &benchmark{
		Primary:   metric{Unit: "us/op", forks: [][]float64{{1, 3}, {5}, {7}}, lost: []int{1, 0, 0}},
		Secondary: map[string]metric{"gc": gc}, Measured: 3,
	}
	for fork, want := range []map[string]float64{
		{metricScore(quantityOf("us/op")): 2000, b.secondaryName("gc"): 3},
		{metricScore(quantityOf("us/op")): 5000},
		{metricScore(quantityOf("us/op")): 7000},
	} {
		inv, _, err := b.invocation(fork)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, inv.Scalars); diff != "" {
			t.Errorf("fork %d (-want +got):\n%s", fork, diff)
		}
		warnings := [][]string{
			{"1 iterations have no score: they are left out"},
			{"the fork has 1 of 3 iterations: it ended early"},
			{"the fork has 1 of 3 iterations: it ended early"},
		}[fork]
		if diff := cmp.Diff(warnings, inv.Warnings); diff != "" {
			t.Errorf("fork %d (-want +got):\n%s", fork, diff)
		}
	}
}

// TestThreadsOfACell: a cell has the number of threads that its file gives.
func TestThreadsOfACell(t *testing.T) {
	for threads, want := range map[int]string{-1: "", 0: "", 1: "1", 8: "8"} {
		b := &benchmark{Name: "a.B.c", Threads: threads}
		if c := b.newCell(nil, nil); c.Parameter(factorThreads) != want {
			t.Errorf("%d threads: %q", threads, c.Parameter(factorThreads))
		}
	}
}

// TestSyntaxError: what is not JSON is told with its line.
func TestSyntaxError(t *testing.T) {
	for text, want := range map[string]int{
		"[1]":       0,
		"\n\n[1]":   0,
		"x":         1,
		"[1,\n2,\n": 3,
		"[\nx]":     2,
		"":          1,
	} {
		if line, why := syntaxError([]byte(text)); line != want || (why != "") != (want > 0) {
			t.Errorf("%q: line %d, %q; want line %d", text, line, why, want)
		}
	}
}

// TestConditionsOfACell: a cell says under which conditions its benchmark ran, unless a parameter is called like one.
func TestConditionsOfACell(t *testing.T) {
	b := &benchmark{
		Name: "a.B.c", Mode: "avgt", JDK: "17.0.15", Batch: 4, Threads: 2,
		Params: map[string]string{"agent": "x", "batch": "9", "mode": "mine"},
	}
	want := []results.Value{
		{Name: "benchmark", Value: "a.B.c"},
		{Name: "mode", Value: "avgt"},
		{Name: "threads", Value: "2"},
		{Name: "agent", Value: "x"},
		{Name: "batch", Value: "9"},
		{Name: "jdk", Value: "17.0.15"},
	}
	c := b.newCell([]string{"agent", "none"}, []string{"jdk", "vm"})
	if diff := cmp.Diff(want, c.Parameters); diff != "" {
		t.Errorf("parameters (-want +got):\n%s", diff)
	}
	want = []results.Value{{Name: "agent", Value: "x"}, {Name: "jdk", Value: "17.0.15"}}
	if diff := cmp.Diff(want, c.Factors); diff != "" {
		t.Errorf("factors (-want +got):\n%s", diff)
	}
}

// TestSecondaryMetrics: what was measured beside the score is a metric in a unit of ours, unless it has no values, or
// the name of the score.
func TestSecondaryMetrics(t *testing.T) {
	forks := [][]float64{{2, 4}}
	b := &benchmark{
		Mode: "avgt", Primary: metric{Unit: "us/op", forks: [][]float64{{1, 3}}, lost: []int{0}},
		Secondary: map[string]metric{
			"pause": {Unit: "us/op", forks: forks}, "time": {Unit: "us/op", forks: forks}, "none": {Unit: "us/op"},
		},
	}
	var names []string
	for _, m := range metricsOf([]*benchmark{b}) {
		names = append(names, m.Name+" "+m.Unit)
	}
	if diff := cmp.Diff([]string{"time ns", "pause ns"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	inv, _, err := b.invocation(0)
	if err != nil || inv.Scalars["pause"] != 3000 || inv.Scalars["time"] != 2000 {
		t.Errorf("%v, %v", inv.Scalars, err)
	}
}
