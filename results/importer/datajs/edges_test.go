package datajs

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is left out is said with its file and what it is, and the rest counts.
func TestLeftOut(t *testing.T) {
	run := func(date, benches string) string {
		return `{"commit": {"id": "c` + date + `"}, "date": ` + date + `, "benches": [` + benches + `]}`
	}
	text := func(runs ...string) string {
		return ` window.BENCHMARK_DATA = {"entries": {"s": [` + strings.Join(runs, ",") + `]}}`
	}
	const x, y = `{"name": "x", "value": 2}`, `{"name": "y", "value": 3}`
	for _, c := range []struct {
		name, reference, text string
		nights                int
		left                  []string
	}{
		{"all", "", text(run("1", x+","+y), run("137438953407999", x)), 3, nil},
		{
			"no date", "", text(run("0", x), run("1", y)), 1,
			[]string{"1 run has no date in ms since 1970: left out, at d0.js (c0)"},
		},
		{
			"too late", "", text(run("137438953408000", x), run("1", y)), 1,
			[]string{"1 run has no date in ms since 1970: left out, at d0.js (c137438953408000)"},
		},
		{"again", "", text(run("1", x), run("1", y)), 1, []string{"1 run is there already: left out, at d0.js (c1)"}},
		{
			"no reference", "y", text(run("1", x), run("2", x+","+y)), 1,
			[]string{"1 run has no value of the reference: left out, at d0.js (y)"},
		},
		{
			"no value", "", text(run("1", `{"name": "z", "value": 0},{"name": "", "value": 1},`+x)), 1,
			[]string{"2 values are not above 0: left out, first at d0.js (z 0)"},
		},
		{
			"two of a name", "", text(run("1", x+","+x)), 1,
			[]string{"1 value has the name of another one in its run: left out, at d0.js (x)"},
		},
		{"no number", "", text(run("1", `7,`+x)), 1, []string{"1 value can't be read: left out, at d0.js (7)"}},
		{
			"no run", "", text(`7`, run("1", x)), 1,
			[]string{
				"1 run can't be read: left out, at d0.js (json: cannot unmarshal number into Go value of " +
					"type datajs.run)",
			},
		},
	} {
		n, err := read(t, c.reference, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var left []string
		for _, l := range n.LeftOut {
			left = append(left, regexp.MustCompile(`\S*/d0`).ReplaceAllString(l, "d0"))
		}
		if diff := cmp.Diff(c.left, left); diff != "" || len(n.All) != c.nights {
			t.Errorf("%s: %d nights; left out (-want +got):\n%s", c.name, len(n.All), diff)
		}
	}
}

// The text begins with the name that is assigned, and what follows it is the data, wherever that begins.
func TestBeginnings(t *testing.T) {
	const data = `{"entries": {"s": [{"date": 1, "benches": [{"name": "x", "value": 2}]}]}}`
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{assigned + " = " + data, true},
		{"\n " + assigned + "=" + data + ";", true},
		{data, false},
		{assigned, false},
		{" " + data[1:], false},
	} {
		if n, err := read(t, "", c.text); (err == nil) != c.ok || c.ok && len(n.All) != 1 {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	// Lines are counted where there is one.
	for text, want := range map[string]string{
		data: "d0.js:1: it does not begin with", assigned + " = {": "d0.js: it can't be read",
	} {
		if _, err := read(t, "", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A commit is kept if it can be printed, and a processor if it is named.
func TestNames(t *testing.T) {
	long := strings.Repeat("c", 200)
	for commit, want := range map[string]string{
		"": "", "4f": "4f", "!": "!", "~": "~", " ": "", "a b": "", "\x7f": "", "ä": "", long: long, long + "c": "",
	} {
		if got := clean(commit); got != want {
			t.Errorf("clean(%q) = %q", commit, got)
		}
	}
	for extra, want := range map[string]string{
		"": "", "cpu=A": "A", "CPU model: A B \nx": "A B", "x\ncpu_name=C; y": "C", "cpu-model=D, y": "D",
		"mycpu=A": "", "cpus=2": "", "cpu A": "",
	} {
		if got := cpuOf(extra); got != want {
			t.Errorf("cpuOf(%q) = %q, want %q", extra, got, want)
		}
	}
}

// Without a unit the reference is one unit.
func TestReferenceOfNoUnit(t *testing.T) {
	for unit, want := range map[string]string{"": "1 unit", "ns": "1 ns"} {
		n, err := read(
			t, "",
			fmt.Sprintf(
				`%s = {"entries": {"s": [{"date": 1, "benches": [{"name": "x", "value": 2, "unit": %q}]}]}}`, assigned,
				unit,
			),
		)
		if err != nil || n.All[0].Reference != want || n.All[0].ReferenceValue != 1 {
			t.Errorf("%q: %+v, %v", unit, n, err)
		}
	}
}
