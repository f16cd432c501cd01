package evidence

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

const (
	outcomeRight   = 0
	outcomeWrong   = 1
	outcomeTimeout = 4
	outcomeLate    = 6
)

// TestIsRight: an answer that came late is one, too.
func TestIsRight(t *testing.T) {
	var got []int64
	for outcome := int64(-1); outcome <= int64(len(results.Outcomes)); outcome++ {
		if isRight(outcome) {
			got = append(got, outcome)
		}
	}
	if !slices.Equal(got, []int64{outcomeRight, outcomeLate}) {
		t.Errorf("right are %d", got)
	}
}

// scored is an invocation with these numbers.
func scored(scalars map[string]float64) *Invocation {
	return &Invocation{Invocation: &results.Invocation{Status: results.StatusOK, Scalars: scalars}}
}

// lossy is an invocation that lost some of its requests.
func lossy(lost, of float64) *Invocation {
	return scored(map[string]float64{results.ScalarLost: lost, results.ScalarRequests: of})
}

// TestLosses: what was counted is added up, and what was not is in neither sum.
func TestLosses(t *testing.T) {
	for _, c := range []struct {
		es       []*Invocation
		lost, of float64
	}{
		{nil, 0, 0},
		{[]*Invocation{lossy(0, 10), lossy(2, 30)}, 2, 40},
		{[]*Invocation{lossy(1, 10), lossy(5, 0), lossy(-1, 10), lossy(1, math.Inf(1)), scored(nil)}, 1, 10},
	} {
		if lost, of := Losses(c.es); lost != c.lost || of != c.of {
			t.Errorf("%v of %v, want %v of %v", lost, of, c.lost, c.of)
		}
	}
}

// requestColumns are what is kept of each request.
var requestColumns = []results.Column{
	{Name: "outcome", Kind: results.KindID},
	{Name: "latency", Kind: results.KindDuration},
	{Name: "request", Kind: results.KindID, Dict: []string{"get", "put"}},
	{Name: "intended", Kind: results.KindInstant},
}

// requested is a source of the requests of one invocation.
type requested struct {
	Source
	values [][]int64 // by column
	broken []int64   // labels of requests that broke off
	err    error
}

func (r requested) Samples(_ *results.Invocation, fn func(results.Series, int, []int64) error) error {
	request := results.Series{Name: results.SeriesRequest, Columns: requestColumns}
	for column, values := range r.values {
		for _, one := range values { // in pages of one value
			if err := fn(request, column, []int64{one}); err != nil {
				return err
			}
		}
	}
	two := []results.Column{{Name: "latency"}, {Name: "request"}}
	broken := results.Series{Name: results.SeriesBroken, Columns: two}
	other := results.Series{Name: results.SeriesTimeline, Columns: []results.Column{{Name: "request"}}}
	all := fn(broken, 0, []int64{7})
	return errors.Join(all, fn(broken, 1, r.broken), fn(other, 0, []int64{1, 1, 1}), r.err)
}

// asked is an invocation that has a series of requests.
func asked(wrong float64, dict ...string) *Invocation {
	columns := slices.Clone(requestColumns)
	columns[2].Dict = dict
	e := scored(map[string]float64{"wrong": wrong, "timed_out": 0})
	e.Invocation.Series = []results.Series{{Name: results.SeriesRequest, Columns: columns}}
	return e
}

// TestMustRead: samples are read where some may be of wrong answers, or where they have labels.
func TestMustRead(t *testing.T) {
	other := asked(1, "get")
	other.Invocation.Series[0].Name = results.SeriesBroken
	without := asked(1, "get")
	without.Invocation.Series[0].Columns = without.Invocation.Series[0].Columns[1:]
	late := asked(0)
	late.Scalars["timed_out"] = 1
	untold := asked(0)
	delete(untold.Scalars, "wrong")
	for name, c := range map[string]struct {
		e    *Invocation
		want bool
	}{
		"all right":        {asked(0), false},
		"one is wrong":     {asked(1), true},
		"one timed out":    {late, true},
		"nobody counted":   {untold, true},
		"labels":           {asked(0, "get"), true},
		"of another":       {other, false},
		"without outcomes": {without, false},
		"no series":        {scored(nil), false},
	} {
		if got := c.e.mustRead(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestAnswered: times are those of right answers, told by label, and what broke off was sent.
func TestAnswered(t *testing.T) {
	column := func(series, name string) summary.Column {
		return summary.Column{Series: series, Name: name, Count: 99}
	}
	stored := &summary.Summary{Columns: []summary.Column{
		column(results.SeriesRequest, "latency"), column(results.SeriesRequest, "unheard"), column("other", "latency"),
	}}
	values := [][]int64{
		{outcomeRight, outcomeWrong, outcomeLate, outcomeTimeout, outcomeRight, outcomeRight},
		{10, 1000, 30, 2000, 50, 70},
		{0, 0, 0, 1, 1, 2}, // the last one has no name
		{0, 0, 0, 0, 0, 0},
	}
	e := asked(1, "get", "put")
	got := e.answered(requested{values: values, broken: []int64{1, 1, -1, 2}}, stored)
	if len(stored.Columns) != 3 || e.unread != "" {
		t.Errorf("the stored summary has %d columns, unread %q", len(stored.Columns), e.unread)
	}
	if len(got.Columns) != 2 || got.Columns[0].Series != "other" || got.Columns[0].Count != 99 {
		t.Fatalf("%+v", got.Columns)
	}
	if c := &got.Columns[1]; c.Series != results.SeriesRequest || c.Name != "latency" || c.Count != 4 ||
		c.Moments(c.Whole()).Sum != 160 {
		t.Errorf("%+v", c)
	}
	want := map[string]*stratum{
		"get": {
			sent: 3, right: 2, means: map[string]float64{"latency": 20},
			quantiles: map[string][]float64{"latency": {20, 28, 29.8, 29.98, 30}},
		},
		"put": {
			sent: 4, right: 1, means: map[string]float64{"latency": 50},
			quantiles: map[string][]float64{"latency": {50, 50, 50, 50, 50}},
		},
	}
	if diff := cmp.Diff(want, e.strata, cmp.AllowUnexported(stratum{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNotAnswered: what can't be read, or has no right answer, has no times.
func TestNotAnswered(t *testing.T) {
	stored := &summary.Summary{Columns: []summary.Column{{Series: results.SeriesRequest, Name: "latency", Count: 2}}}
	for name, c := range map[string]struct {
		source requested
		unread string
	}{
		"unreadable": {requested{err: errors.New("damaged")}, "damaged"},
		"uneven": {
			requested{values: [][]int64{{0, 0}, {1}}}, "2 requests have 2 outcomes and a time latency of 1",
		},
		"all wrong": {requested{values: [][]int64{{outcomeWrong, outcomeWrong}, {5, 6}}}, ""},
	} {
		e := asked(1)
		if got := e.answered(c.source, stored); len(got.Columns) > 0 || e.unread != c.unread || len(e.strata) > 0 {
			t.Errorf("%s: %d columns, unread %q, %d labels", name, len(got.Columns), e.unread, len(e.strata))
		}
	}
	for name, c := range map[string]struct {
		e      *Invocation
		source Source
	}{
		"a source without samples": {asked(1), requested{}.Source},
		"nothing to tell apart":    {asked(0), requested{err: errors.New("read")}},
	} {
		if got := c.e.answered(c.source, stored); got != stored {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestStrata: requests without labels are of no label.
func TestStrata(t *testing.T) {
	times, both := map[string][]int64{"latency": {1, 2}}, []int64{0, 0}
	for name, c := range map[string]struct {
		t    timed
		want int
	}{
		"named":        {timed{outcome: both, label: []int64{0, 1}, times: times, dict: []string{"a", "b"}}, 2},
		"no names":     {timed{outcome: both, label: []int64{0, 1}, times: times}, 0},
		"some lack it": {timed{outcome: both, label: []int64{0}, times: times, dict: []string{"a"}}, 0},
	} {
		if got := c.t.strata(); len(got) != c.want {
			t.Errorf("%s: %d labels", name, len(got))
		}
	}
}

// labelled is an invocation of a cell with so many right answers by label, whose means are 10, 20 and so on.
func labelled(cell string, block int, lost float64, right ...int64) *Invocation {
	e := lossy(lost, 1000)
	e.Cell, e.Block, e.Profile = cell, block, results.ProfileTiming
	e.Values = map[string]float64{"latency": 1}
	e.quantiles = map[string][]float64{"latency": {1}, "other": {2}}
	e.Batches = map[string]stats.Sample{"latency": {}, "other": {}}
	e.strata = map[string]*stratum{}
	for i, n := range right {
		e.strata[string('a'+rune(i))] = &stratum{
			sent: n + 1, right: n, means: map[string]float64{"l": float64(10 * (i + 1))},
			quantiles: map[string][]float64{"l": {float64(i), float64(i + 1)}},
		}
	}
	return e
}

// TestPopulationOf: labels are compared that each invocation has often enough; what lost too much is not asked.
func TestPopulationOf(t *testing.T) {
	others := labelled("c00", 1, 0, 20)
	others.strata[results.OtherLabels] = &stratum{right: 99}
	for name, c := range map[string]struct {
		es           []*Invocation
		labels, rest string
	}{
		"often enough": {[]*Invocation{labelled("c00", 1, 0, 20, 20), labelled("c01", 1, 0, 20, 21)}, "ab", ""},
		"one rarely":   {[]*Invocation{labelled("c00", 1, 0, 20, 20), labelled("c01", 1, 0, 20, 19)}, "a", "b"},
		"one never":    {[]*Invocation{labelled("c00", 1, 0, 20, 20), labelled("c01", 1, 0, 20)}, "a", "b"},
		"just not too many lost": {
			[]*Invocation{labelled("c00", 1, 0, 20, 20), labelled("c01", 1, 10, 20, 19)}, "a", "b",
		},
		"too many lost":   {[]*Invocation{labelled("c00", 1, 0, 20, 20), labelled("c01", 1, 11, 20, 19)}, "ab", ""},
		"all of them did": {[]*Invocation{labelled("c00", 1, 99, 20, 20), labelled("c01", 1, 11, 20, 19)}, "a", "b"},
		"all others":      {[]*Invocation{others}, "a", results.OtherLabels},
	} {
		p := populationOf(c.es)
		if strings.Join(p.Labels, "") != c.labels || strings.Join(p.Rest, "") != c.rest {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

var latency = results.Metric{Name: "latency", Series: results.SeriesRequest, Column: "l", Primary: true}

// stratifiable is a campaign of a baseline and a variant.
func stratifiable() *results.Campaign {
	return &results.Campaign{
		Scenarios: []results.Scenario{{Label: "s", Metrics: []results.Metric{latency, {Name: "other", Series: "x"}}}},
		Cells:     []results.Cell{{ID: "c00", Scenario: "s"}, {ID: "c01", Scenario: "s", Baseline: "c00"}},
	}
}

// TestStratify: the mean of requests with labels is that of the labels, whatever the mix of them.
func TestStratify(t *testing.T) {
	c := stratifiable()
	failed, unnamed := labelled("c01", 2, 0, 20, 30), labelled("c01", 3, 0)
	failed.Status, unnamed.strata = results.StatusFailed, nil
	all := []Invocation{*labelled("c00", 1, 0, 20, 900), *labelled("c01", 1, 0, 500, 20, 1), *failed, *unnamed}
	stratify(c, all)
	for i, want := range []float64{15, 15, 1, 1} {
		e := &all[i]
		if e.Value("latency") != want || (e.population != nil) != (i < 2) {
			t.Errorf("%s: %v, %+v", e.Cell, e.Value("latency"), e.population)
		}
		_, quantiles := e.quantiles["latency"]
		_, batches := e.Batches["latency"]
		_, kept := e.quantiles["other"]
		if quantiles != (i >= 2) || batches != (i >= 2) || !kept || math.IsNaN(e.Samples.Other) != (i < 2) {
			t.Errorf("%s: quantiles %v, batches %v, %v", e.Cell, e.quantiles, e.Batches, e.Samples.Other)
		}
	}
	one := []Invocation{*labelled("c00", 1, 0, 20), *labelled("c01", 1, 0, 20)}
	stratify(c, one)
	if one[0].population != nil || one[0].Value("latency") != 1 {
		t.Errorf("of one label: %+v, %v", one[0].population, one[0].Value("latency"))
	}
	rare := []Invocation{*labelled("c00", 1, 0, 1, 2), *labelled("c01", 1, 0, 1, 2)}
	stratify(c, rare)
	if p := rare[0].population; p == nil || len(p.Labels) > 0 || rare[0].Value("latency") != 1 {
		t.Errorf("of rare labels: %+v, %v", p, rare[0].Value("latency"))
	}
}

// TestLabels: values of labels, weighted, of one, and how many were sent.
func TestLabels(t *testing.T) {
	c := stratifiable()
	all := []Invocation{*labelled("c00", 1, 0, 20, 60), *labelled("c00", 2, 0, 30, 40), *labelled("c01", 1, 0, 20, 60)}
	delete(all[1].strata, "b")
	v := NewView(c, &c.Scenarios[0], ByCell(all))
	if v.PopulationOf("c00") != nil {
		t.Error("a population before there is one")
	}
	plain := v.LogValues("c00", latency).Numbers()
	if !slices.Equal(plain, []float64{0, 0}) { // of the values, which are 1
		t.Errorf("logarithms without a population: %v", plain)
	}
	p := &Population{Labels: []string{"a", "b"}, Rest: []string{"c"}}
	for i := range all {
		all[i].population = p
	}
	if v.PopulationOf("c00") != p || v.PopulationOf("c02") != nil {
		t.Error("not the cell's population")
	}
	weights := map[string]float64{"a": 3, "b": 1}
	log := (math.Log(10) + math.Log(20)) / 2
	some, sent := v.Sent("c00", "b", "c")
	for what, c := range map[string]struct{ got, want []float64 }{
		"logarithms":       {v.LogValues("c00", latency).Numbers(), []float64{log}},
		"mixed":            {v.MixedValues("c00", latency, weights).Numbers(), []float64{12.5}},
		"evenly mixed":     {v.MixedValues("c01", latency, nil).Numbers(), []float64{15}},
		"of two labels":    {v.LabelValues("c00", latency, "a", "b").Numbers(), []float64{17.5, 10}},
		"of one":           {v.LabelValues("c00", latency, "b").Numbers(), []float64{20}},
		"of none":          {v.LabelValues("c00", latency, "c").Numbers(), nil},
		"first quantile":   {v.LabelQuantiles("c00", latency, "b", 0).Numbers(), []float64{1}},
		"second quantile":  {v.LabelQuantiles("c00", latency, "a", 1).Numbers(), []float64{1, 1}},
		"no such quantile": {v.LabelQuantiles("c00", latency, "a", 2).Numbers(), nil},
		"sent":             {[]float64{float64(some), float64(sent)}, []float64{61, 113}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", what, c.got, c.want)
		}
	}
	if got := v.UnreadOf("c00", latency); got != "" {
		t.Errorf("unread: %s", got)
	}
	all[1].unread = " damaged\n"
	const want = "the times of its right answers can't be told from those of the others: damaged"
	if got := v.UnreadOf("c00", latency); got != want {
		t.Errorf("unread: %s", got)
	}
	if got := v.UnreadOf("c00", c.Scenarios[0].Metrics[1]); got != "" {
		t.Errorf("another metric is unread: %s", got)
	}
}
