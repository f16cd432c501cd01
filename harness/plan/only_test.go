package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"moobench/results"
)

// A campaign that was restricted to nothing is not what a restricted plan goes on with.
func TestResumeUnrestricted(t *testing.T) {
	p := mustRead(t, small)
	if err := p.Only("b"); err != nil {
		t.Fatal(err)
	}
	var changed *planChanged
	if err := p.Resume(mustRead(t, small).Campaign); !errors.As(err, &changed) {
		t.Errorf("got %v", err)
	}
}

// A question is asked if both of its sides are measured.
func TestQuestionsOfWhatIsMeasured(t *testing.T) {
	asked := small + "[[question]]\ntext = \"?\"\na = \"a\"\nb = \"b/bci/zero\"\n"
	for only, want := range map[string]int{"": 2, "*": 2, "?/bci/*": 2, "a": 0, "b": 0, "none": 0} {
		p := mustRead(t, asked)
		if only != "" {
			if err := p.Only(only); err != nil {
				t.Fatal(err)
			}
		}
		ofTheFile := func(q results.Question) bool { return !q.Asked }
		if got := slices.DeleteFunc(slices.Clone(p.Campaign.Scenarios[0].Questions), ofTheFile); len(got) != want {
			t.Errorf("only %q: %d questions, want %d: %v", only, len(got), want, got)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		old, now string
		changed  bool
	}{
		{"", "", false},
		{"a b", "a b", false},
		{"a b", "a", true},
		{"a", "a b", true},
		{"", "a", true},
		{"a", "", true},
		{"a b", "b a", true},
		{"a b", "a c", true},
	} {
		line, changed := compare(strings.Fields(c.old), strings.Fields(c.now))
		if changed != c.changed || (line != "") != changed {
			t.Errorf("%q and %q: %t, %q", c.old, c.now, changed, line)
		}
	}
}
