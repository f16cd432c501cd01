package history

import (
	"math"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/chapter/fleet"
	"moobench/analysis/infer"
	"moobench/results"
)

// TestNews: a change for the better is news for two weeks, one for the worse until it is settled.
func TestNews(t *testing.T) {
	s := &Series{Nights: make([]Night, 30), Shifts: []Shift{{Night: 3}, {Night: 9}}}
	for _, c := range []struct {
		name   string
		change *Change
		want   bool
	}{
		{"none", nil, false},
		{"worse", &Change{State: StateDetected, Worse: true}, true},
		{"better, two weeks ago", &Change{State: StateDetected, Night: 30 - newsNights}, true},
		{"better, before that", &Change{State: StateDetected, Night: 30 - newsNights - 1}, false},
		{"refuted", &Change{State: StateRefuted, Worse: true, Night: 29}, false},
		{"accepted", &Change{State: StateAccepted, Worse: true, Night: 29}, false},
		{"over", &Change{State: StateConfirmed, Worse: true, Night: 29, Over: "x"}, false},
	} {
		if got := s.News(c.change); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
	if !s.Carried(8) || s.Carried(9) || s.Carried(20) || (&Series{}).Carried(0) {
		t.Error("nights before the last shift are carried, and no others")
	}
	s.Nights[28].AA = true
	if s.IsFloor() || (&Series{}).IsFloor() {
		t.Error("no series is a floor by an earlier night, or without nights")
	}
	if s.Nights[29].AA = true; !s.IsFloor() {
		t.Error("a series of two equal baselines is the floor")
	}
}

// TestByUrgency: the most urgent series come first, of equally urgent ones that with the larger change, then by their
// keys, and the floor after all that stand as still.
func TestByUrgency(t *testing.T) {
	series := func(cell string, aa bool, changes ...Change) Series {
		return Series{Key: key(cell), Nights: []Night{{AA: aa}}, Changes: changes}
	}
	worse := func(state State, log float64) Change { return Change{State: state, Worse: true, Log: log} }
	f := &Findings{Series: []Series{
		series("a floor", true), series("b still", false), series("a still", false), series("b floor", true),
		series("small", false, worse(StateDetected, 0.1)), series("large", false, worse(StateDetected, -0.3)),
		series("confirmed", false, worse(StateConfirmed, 0.01)), series("suspected", false, worse(StateSuspected, 0.9)),
		series("alike", false, worse(StateDetected, 0.1)), series("accepted", false, worse(StateAccepted, 0.2)),
	}}
	sorted := f.ByUrgency()
	got := results.Each(sorted, func(s *Series) string { return s.Cell })
	want := []string{
		"confirmed", "large", "alike", "small", "suspected", "accepted", "a still", "b still", "a floor", "b floor",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if sorted[0] != &f.Series[6] {
		t.Error("they are copies")
	}
}

// TestConfirmationOf: tonight's blocks are recorded with their interval, and the verdict of all nights of the pair.
func TestConfirmationOf(t *testing.T) {
	alarm := results.Alarm{
		HistoryKey: key("c"), Log: 0.2,
		Scatter: &results.Scatter{SD: 0.001, DF: 40, Within: 0.0005},
		Before:  []results.Remeasured{{When: firstNight, Log: 0.19, SE: 0.001, DF: 14}},
	}
	plan := &results.Confirm{Night: "new", Against: "old", OldCommit: "aa", NewCommit: "bb"}
	tonight := results.Remeasured{When: firstNight.AddDate(0, 0, 1), Log: 0.21, SE: 0.001, DF: 14}
	c := ConfirmationOf(plan, alarm, tonight, 15)
	const half = 2.976843 * 0.001 // t(14; 0.005)
	if math.Abs(c.Low-(0.21-half)) > 1e-7 || math.Abs(c.High-(0.21+half)) > 1e-7 || c.Log != 0.21 || c.N != 15 {
		t.Errorf("%+v", c)
	}
	if c.Verdict != infer.Confirmed || c.Alarm != 0.2 || c.Joint.Nights != 2 || math.Abs(c.Joint.Log-0.2) > 1e-12 ||
		c.Night+c.Against+c.OldCommit+c.NewCommit != "newoldaabb" || c.Alpha != ConfirmAlpha {
		t.Errorf("%+v, %+v", c, c.Joint)
	}
	for _, says := range []string{
		"new is +23 % against old (99 % interval +23 % … +24 %), and +22 % raised the alarm; 15 blocks; ",
		"over 2 nights: +22 % (",
	} {
		if !strings.Contains(c.Reason, says) {
			t.Errorf("%s\nwant %s", c.Reason, says)
		}
	}
	if len(alarm.Before) != 1 {
		t.Error("the alarm itself is changed")
	}
	c.Distrust("its A/A failed")
	if c.Verdict != infer.Open || c.Joint != nil || !c.Distrusted ||
		!strings.HasSuffix(c.Reason, "; but its A/A failed") {
		t.Errorf("%+v", c)
	}
	alarm.Scatter = nil
	c = ConfirmationOf(plan, alarm, tonight, 1)
	if c.Verdict != infer.Open || !strings.HasSuffix(c.Reason, "; 1 block; how much nights differ is not known, "+
		"so nothing is confirmed") {
		t.Errorf("%s: %s", c.Verdict, c.Reason)
	}
	plan.Least = 0.5
	small := tonight
	small.Log = 0.001
	alarm.Before = nil
	if c := ConfirmationOf(plan, alarm, small, 15); c.Verdict != infer.Refuted {
		t.Errorf("%s: %s", c.Verdict, c.Reason)
	}
}

// TestPoolOfPairs: pairs that show no change scatter about 0, confirmed ones about their own mean.
func TestPoolOfPairs(t *testing.T) {
	of := func(night string, log float64, v infer.Settlement) *Confirmation {
		return &Confirmation{Key: key("c"), Night: night, Against: "old", Log: log, SE: 0.5, DF: 9, Verdict: v}
	}
	for _, c := range []struct {
		name   string
		all    []*Confirmation
		factor float64
		want   pool
	}{
		{"none", nil, 1, pool{}},
		{"no change", []*Confirmation{of("a", 1, infer.Refuted), of("a", 3, infer.Open)}, 1, pool{10, 2, 0.5, 2, 0}},
		{"confirmed", []*Confirmation{of("a", 1, infer.Confirmed), of("a", 3, infer.Open)}, 1, pool{2, 1, 0.5, 2, 0}},
		{"widened", []*Confirmation{of("a", 1, infer.Confirmed), of("a", 3, infer.Open)}, 2, pool{8, 1, 2, 2, 0}},
		{
			"both",
			[]*Confirmation{of("a", 1, infer.Confirmed), of("a", 3, infer.Open), of("b", 2, infer.Open)},
			1,
			pool{6, 2, 0.75, 3, 0},
		},
	} {
		if got := poolOf(c.all, c.factor); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestStandardNights: a night takes its value at standard speed from its pin. Only numbers pass its check.
func TestStandardNights(t *testing.T) {
	if standardOf(nil) != nil {
		t.Error("no pin has a value")
	}
	far := standardOf(&analysis.PinnedStandard{StandardNS: 2000, AtNS: 3000, Alike: 2})
	if far.Log != nil || far.NS != 2000 || far.AtNS != 3000 || far.Alike != 2 || far.check() != nil {
		t.Errorf("%+v, %v", far, far.check())
	}
	log := &analysis.Estimate{Value: 0.3}
	if s := standardOf(&analysis.PinnedStandard{StandardNS: 2000, AtNS: 3000, Log: log}); *s.Log != 0.3 || s.SE != 0 {
		t.Errorf("%+v", s)
	}
	log.SE, log.DF = of(0.01), of(15)
	if s := standardOf(&analysis.PinnedStandard{StandardNS: 2000, AtNS: 3000, Log: log}); s.SE != 0.01 || s.DF != 15 {
		t.Errorf("%+v", s)
	}
	good := func() StandardNight { return StandardNight{NS: 1, AtNS: 1, Log: of(99), SE: 99, DF: 3} }
	for name, c := range map[string]struct {
		change func(*StandardNight)
		ok     bool
	}{
		"a number":             {func(*StandardNight) {}, true},
		"no value":             {func(s *StandardNight) { s.Log = nil }, true},
		"no error":             {func(s *StandardNight) { s.SE, s.DF = 0, 0 }, true},
		"no standard":          {func(s *StandardNight) { s.NS = 0 }, false},
		"an infinite standard": {func(s *StandardNight) { s.NS = math.Inf(1) }, false},
		"no speed":             {func(s *StandardNight) { s.AtNS = 0 }, false},
		"an infinite speed":    {func(s *StandardNight) { s.AtNS = math.Inf(1) }, false},
		"a large error":        {func(s *StandardNight) { s.SE = 100 }, false},
		"a negative error":     {func(s *StandardNight) { s.SE = -0.1 }, false},
		"negative freedom":     {func(s *StandardNight) { s.DF = -1 }, false},
		"infinite freedom":     {func(s *StandardNight) { s.DF = math.Inf(1) }, false},
		"a large value":        {func(s *StandardNight) { s.Log = of(100) }, false},
		"no number":            {func(s *StandardNight) { s.Log = of(math.NaN()) }, false},
	} {
		s := good()
		c.change(&s)
		if err := s.check(); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (*StandardNight)(nil).check(); err != nil {
		t.Errorf("without one: %v", err)
	}
}

// TestMarksOfAReference: a night has the caveats of its reference, with its name; lanes make another plan.
func TestMarksOfAReference(t *testing.T) {
	a := answers()
	a.Scenarios[0].Cells[2].Marks = []analysis.Mark{{Kind: "few", Show: "only 3"}}
	night := func() Night {
		all := Nights(a, []analysis.Pinned{pin(a, "c03", 0.1)}, Origin{})
		if len(all) != 1 {
			t.Fatalf("%d nights", len(all))
		}
		return all[0]
	}
	n := night()
	if !slices.Equal(n.Marks, []string{"lost 4 %", "pinned/bci/collect: only 3"}) || !n.Judged() {
		t.Errorf("%q", n.Marks)
	}
	a.Campaign.Hosts = []fleet.Host{{Lane: 1}, {Lane: 2}}
	lanes := night()
	if a.Campaign.Hosts = a.Campaign.Hosts[:1]; lanes.Plan == n.Plan || night().Plan == lanes.Plan {
		t.Error("a machine with lanes counts as one without, or with fewer")
	}
	a.Scenarios[0].Cells[2].Broken = "broken"
	if n := night(); n.Judged() || !slices.Contains(n.Marks, MarkInvalid) {
		t.Errorf("%q", n.Marks)
	}
}
