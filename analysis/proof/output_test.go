package proof

import (
	"strings"
	"testing"

	"moobench/analysis/evidence"
	"moobench/results"
)

// outputOf is what a program printed, a line each.
func outputOf(text string) *results.Output {
	o := &results.Output{}
	for line := range strings.SplitSeq(text, "|") {
		if line == "" {
			continue
		}
		o.Lines++
		o.Said = append(o.Said, results.Said{Line: line, Times: 1})
	}
	return o
}

// A program that does less with an agent has no cost, and one that prints more, or otherwise
// where runs of the baseline differ, has.
func TestOutputsAreCompared(t *testing.T) {
	for name, c := range map[string]struct {
		without, with []string
		want          string // "" where the cell counts
	}{
		"the same":                    {[]string{"begun|done: 0", "begun|done: 0"}, []string{"begun|done: 0"}, ""},
		"nothing, which is right":     {[]string{"", ""}, []string{"", ""}, ""},
		"ended early":                 {[]string{"done: 0", "done: 0"}, []string{"", ""}, "printed nothing in 2 of 2 runs; without it, it printed 1 line in all 2"},
		"one of them":                 {[]string{"done: 0", "done: 0"}, []string{"done: 0", ""}, "printed nothing in 1 of 2 runs"},
		"less":                        {[]string{"begun|done: 0", "begun|done: 0"}, []string{"begun"}, `did not print "done: 0" in 1 of 1 run; without it, it did in all 2`},
		"the agent speaks, too":       {[]string{"done: 0", "done: 0"}, []string{"agent 0|done: 0"}, ""},
		"the agent speaks instead":    {[]string{"done: 0", "done: 0"}, []string{"agent 0|bye"}, `did not print "done: 0"`},
		"its own command line":        {[]string{"run: -x|done: 0", "run: -x|done: 0"}, []string{"run: -agent -x|done: 0"}, ""},
		"the baseline varies":         {[]string{"a", "b"}, []string{"c"}, ""},
		"it varies, but never silent": {[]string{"a", "b|c"}, []string{""}, "printed nothing in 1 of 1 run; without it, it printed something"},
		"in part":                     {[]string{"a|x", "b|x"}, []string{"c"}, `did not print "x"`},
		"one run shows nothing":       {[]string{"done: 0"}, []string{""}, ""},
	} {
		var all []evidence.Invocation
		add := func(cell, text string) {
			e := ran(cell)
			e.Output = outputOf(text)
			all = append(all, e)
		}
		for i, text := range c.without {
			add([]string{"c00", "c01"}[i%2], text)
		}
		for _, text := range c.with {
			add("c02", text)
		}
		v := viewOf([]results.Cell{variant("c02", "mine", results.ProofPlan{})}, all...)
		Judge(v)
		if got := v.Invalid["c02"]; (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want …%s…", name, got, c.want)
		}
	}
}

// What a line says that was not kept is not known.
func TestCutOutput(t *testing.T) {
	usual := usualOutput([]*results.Output{outputOf("a|b"), outputOf("a|b")})
	cut := &results.Output{Lines: 70, Said: []results.Said{{Line: "a", Times: 1}}, More: true}
	if did, _ := usual.lacking(cut); did != "" {
		t.Errorf("it %s, which is not known", did)
	}
	cut.More = false
	if did, should := usual.lacking(cut); did != `did not print "b"` || should != "did" {
		t.Errorf("it %q and %q", did, should)
	}
	twice := usualOutput([]*results.Output{{Lines: 2, Said: []results.Said{{Line: "a", Times: 2}}}, {Lines: 2, Said: []results.Said{{Line: "a", Times: 2}}}})
	if did, should := twice.lacking(outputOf("a|c")); did != `printed "a" once` || should != "did so 2 times" {
		t.Errorf("it %q and %q", did, should)
	}
}
