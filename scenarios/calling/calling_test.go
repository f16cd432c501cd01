package calling

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// TestReady: a fixture is told the target, the parameters of its calls and what the scenario says besides, before
// anything else.
func TestReady(t *testing.T) {
	var asked []jvm.Message
	ask := func(verb string, args map[string]string) ([]jvm.Message, error) {
		asked = append(asked, jvm.Message{Verb: verb, Args: args})
		return []jvm.Message{{Verb: "ready"}}, nil
	}
	inv := invocation(
		framework.Variant{}, results.Value{Name: "threads", Value: "3"},
		results.Value{Name: "method_time", Value: "500"}, results.Value{Name: "busy_wait", Value: "cpu"},
	)
	p := Ready(t.Context(), inv, answering{ask: ask}, nil, map[string]string{"calls": "7", "threads": "4"})
	want := []jvm.Message{{Verb: "setup", Args: map[string]string{
		"target": "a.B", "depth": "10", "threads": "4", "method_time": "500", "busy_wait": "cpu", "calls": "7",
	}}}
	if diff := cmp.Diff(want, asked); p.Ask.Err != nil || p.Seen != 0 || diff != "" {
		t.Errorf("%v, %d calls seen (-want +got):\n%s", p.Ask.Err, p.Seen, diff)
	}
	if p.prime(); asked[1].Args["calls"] != "20000" { // it knows its invocation
		t.Errorf("primed with %v", asked[1])
	}
}

// TestCheck: a fixture has a most of threads, and an application takes no parameter of a method that calls itself.
func TestCheck(t *testing.T) {
	tests := []struct {
		fixture, target string
		threads, depth  int64
		waitNS          int64
		wait            string
		key             string // refused; "": nothing
		why             string
	}{
		{"calls", "a.B", 4096, 10, 5, "wall", "", ""},
		{"calls", "a.B", 4097, 10, 0, "lazy", "threads", "threads = 4097: the fixture has at most 4096"},
		{"h2", "moobench.h2.Unit", 4097, 1, 0, "lazy", "threads", "at most 4096"},
		{"h2", "moobench.h2.Unit", 4096, 1, 0, "lazy", "", ""},
		{"freemarker", "moobench.freemarker.Unit", 1, 1, 0, "lazy", "", ""},
		{"h2", "moobench.h2.Unit", 1, 0, 0, "lazy", "depth", "does not call itself to depth 0"},
		{"h2", "moobench.h2.Unit", 1, 2, 0, "lazy", "depth", "does not call itself to depth 2"},
		{"h2", "moobench.h2.Unit", 1, 1, 1, "lazy", "method_time", "fixture h2 is an application"},
		{"h2", "moobench.h2.Unit", 1, 1, 0, "cpu", "busy_wait", "it waits for nothing"},
		{"h2", "moobench.h2x.Unit", 1, 1, 0, "lazy", "variants", "v is compiled into another program"},
		{"h2", "moobench.calls.Plain", 1, 1, 0, "lazy", "variants", "and fixture h2 is an application"},
	}
	for _, tt := range tests {
		c := plan.Cell{Work: plan.Work{Threads: tt.threads, Depth: tt.depth, WaitNS: tt.waitNS}}
		c.Variant, c.Launch = "v", results.Launch{Fixture: tt.fixture, Target: tt.target}
		depth := results.Value{Name: "depth", Value: string('0' + rune(tt.depth%10))}
		c.Parameters = []results.Value{depth, {Name: "busy_wait", Value: tt.wait}}
		switch got := Check(&c); {
		case tt.key == "":
			if got != nil {
				t.Errorf("%+v: %v", tt, got)
			}
		case len(got) != 1 || got[0].Key != tt.key || !strings.Contains(got[0].Why, tt.why):
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// TestPrimingOfAPattern: one call makes many calls of the methods that a pattern names, and no more of them are made
// than are measured.
func TestPrimingOfAPattern(t *testing.T) {
	for _, tt := range []struct {
		pattern     string
		calls, want int64
	}{
		{"", 50, 20_000},
		{"* a..*.*(..)", 50, 50},
		{"* a..*.*(..)", 20_001, 20_000},
	} {
		f := &fakeFixture{}
		inv := invocation(framework.Variant{})
		inv.Cell.Work.Pattern, inv.Cell.Work.Calls = tt.pattern, tt.calls
		p := Probe{Ask: run.StartFixture(t.Context(), answering{f, f.ask}), inv: inv}
		if got := p.prime(); got != tt.want || p.Ask.Err != nil {
			t.Errorf("pattern %q, %d calls: %d primed, %v; want %d", tt.pattern, tt.calls, got, p.Ask.Err, tt.want)
		}
	}
}
