package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/results"
)

// A caveat that counts invocations says so where no row does.
func TestSaid(t *testing.T) {
	for _, c := range []struct {
		mark caveat.Mark
		want string
	}{
		{caveat.Mark{Kind: "disturbed", Show: "disturbed 2 of 5", Of: 5}, "disturbed 2 of 5 invocations"},
		{caveat.Mark{Kind: markFew, Show: "only 3"}, "only 3 invocations"},
		{caveat.Mark{Kind: "queue", Show: "queue not filled"}, "queue not filled"},
	} {
		if got := said(c.mark); got != c.want {
			t.Errorf("%+v: %q, want %q", c.mark, got, c.want)
		}
	}
}

// TestFarthest: of three values on, one that lies a tenth off the median is mentioned.
func TestFarthest(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want string
	}{
		{[]float64{100}, ""},
		{[]float64{100, 200}, ""},
		{[]float64{100, 100, 109}, ""},
		{[]float64{100, 100, 111}, "; the furthest is 11 % off their median"},
		{[]float64{88, 100, 111}, "; the furthest is 12 % off their median"},
		{[]float64{100, 90, 100}, ""},
		{[]float64{-1, 0, 9}, ""},
		{[]float64{-3, -2, -1}, ""},
		{[]float64{1, 1, 1000}, "; the furthest is 99900 % off their median"},
		{[]float64{1, 1, 1001}, ""},
	} {
		got := farthest(c.xs)
		if strings.ReplaceAll(got, ",", "") != c.want {
			t.Errorf("%v: %q, want %q", c.xs, got, c.want)
		}
	}
}

// TestWarned: warnings that differ only in figures are one kind, those of most invocations come first, and a
// disturbance has a caveat of its own.
func TestWarned(t *testing.T) {
	inv := func(disturbed string, warnings ...string) *evidence.Invocation {
		e := &evidence.Invocation{Invocation: &results.Invocation{Warnings: warnings}}
		if disturbed != "" {
			e.Disturbed = &results.Disturbance{Reason: disturbed}
		}
		return e
	}
	for _, c := range []struct {
		name string
		es   []*evidence.Invocation
		text string
		n    int
	}{
		{"none", []*evidence.Invocation{inv("")}, "", 0},
		{"one", []*evidence.Invocation{inv("", "took 5 ms"), inv("")}, "took 5 ms (1 ×)", 1},
		{
			"of one kind",
			[]*evidence.Invocation{inv("", "took 5 ms", "took 6 ms"), inv("", "took 7 ms")},
			"took 5 ms (2 ×)", 2,
		},
		{"the most first", []*evidence.Invocation{inv("", "a", "b"), inv("", "b")}, "b (2 ×); a (1 ×)", 2},
		{"disturbed", []*evidence.Invocation{inv("noise", "noise")}, "", 0},
		{
			"disturbed, and more",
			[]*evidence.Invocation{inv("noise", "noise", "a"), inv("", "noise")},
			"a (1 ×); noise (1 ×)", 2,
		},
		{
			"many",
			[]*evidence.Invocation{inv("", "a", "b", "c", "d", "e")},
			"a (1 ×); b (1 ×); c (1 ×); d (1 ×); and 1 more kinds", 1,
		},
	} {
		if text, n := warned(c.es); text != c.text || n != c.n {
			t.Errorf("%s: %q, %d; want %q, %d", c.name, text, n, c.text, c.n)
		}
	}
	var es []*evidence.Invocation
	for i := range named + 2 {
		e := inv("")
		e.Identity, e.Invalid = results.Identity{Block: i + 1}, fmt.Sprint("i", i)
		e.Void = map[string]string{"m": fmt.Sprint("v", i)}
		es = append(es, e)
	}
	if got := whyInvalid(es[:1]); got != "b0001.s00.r0 (i0)" {
		t.Errorf("%s", got)
	}
	got := whyVoid(es, "m")
	const more = "(v3), and 2 more, which the JSON names"
	if !strings.HasPrefix(got, "b0001.s00.r0 (v0), ") || !strings.HasSuffix(got, more) {
		t.Errorf("%s", got)
	}
}

// TestShownMarks: repeated invocations are shown if they are more than a tenth; counts are said of invocations.
func TestShownMarks(t *testing.T) {
	c := &Cell{OK: 20, Marks: []caveat.Mark{
		{Kind: "failed", Show: "failed 1", Of: 3},
		{Kind: markFew, Show: "only 3"},
		{Kind: markRepeated, Show: "2 repeated"},
		{Kind: "faster", Show: "faster than none"},
	}}
	for repeated, want := range map[int]string{
		2: "x failed 1, x only 3, x faster than none", 3: "x failed 1, x only 3, x 2 repeated, x faster than none",
	} {
		c.Repeated = repeated
		if got := strings.Join(c.shows("x "), ", "); got != want {
			t.Errorf("%d repeated: %s", repeated, got)
		}
	}
	c.Repeated = 3
	want := []string{"failed 1 invocations", "only 3 invocations", "2 repeated", "faster than none"}
	if got := c.says(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if len(c.Marks) != 4 {
		t.Errorf("marks are gone: %+v", c.Marks)
	}
}

// TestUnnoticed: where disturbed invocations are repeated, cells with windows below 50 ms of CPU time are named.
func TestUnnoticed(t *testing.T) {
	cells := []results.Cell{
		{ID: "c0", Variant: "none", Role: results.RoleBaseline},
		{ID: "c1", Variant: "none", Role: results.RoleAA, Baseline: "c0"},
		{ID: "c2", Variant: "agent", Role: results.RoleVariant, Baseline: "c0"},
	}
	inv := func(cell string, ns float64, cpus string) *evidence.Invocation {
		return &evidence.Invocation{Invocation: &results.Invocation{
			Cell: cell, CPUs: cpus, Profile: results.ProfileTiming, Status: results.StatusOK,
			Scalars: map[string]float64{loopScalar: ns},
		}}
	}
	const short = ": the windows are so short ("
	for _, c := range []struct {
		name string
		es   []*evidence.Invocation
		want string // "": none
	}{
		{"long ones", []*evidence.Invocation{inv("c0", 50e6, "1"), inv("c2", 90e6, "1")}, ""},
		{"one short one", []*evidence.Invocation{inv("c0", 49e6, "1"), inv("c2", 90e6, "1")}, "none" + short + "49"},
		{"both", []*evidence.Invocation{inv("c0", 9e6, "1"), inv("c2", 20e6, "")}, "none, agent" + short + "20"},
		{"of several CPUs", []*evidence.Invocation{inv("c0", 25e6, "0-1"), inv("c2", 90e6, "1")}, ""},
		{"the longest counts", []*evidence.Invocation{inv("c0", 9e6, "1"), inv("c0", 60e6, "1")}, ""},
		{"a second baseline", []*evidence.Invocation{inv("c1", 9e6, "1")}, ""},
		{"not known", []*evidence.Invocation{inv("c0", 0, "1")}, ""},
	} {
		made := oneScenario(cells...)
		made.Control = &results.Control{Repeat: true}
		got := strings.Join(readerOf(made, c.es...).unnoticed(), "\n")
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		made.Control.Repeat = false
		if got := readerOf(made, c.es...).unnoticed(); got != nil {
			t.Errorf("%s: nothing is repeated, %q", c.name, got)
		}
		made.Control = nil
		if got := readerOf(made, c.es...).unnoticed(); got != nil {
			t.Errorf("%s: nothing is controlled, %q", c.name, got)
		}
	}
}
