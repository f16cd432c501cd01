package locked

import (
	"strings"
	"testing"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
)

// TestVerdictOnWaits: what runs say of those before, as far as so many can say anything.
func TestVerdictOnWaits(t *testing.T) {
	for name, c := range map[string]struct {
		runs         [2]int
		verdict      infer.Verdict
		tone         doc.Tone
		want, row    string // the sentence's beginning, and the verdict of the table
		hasItsLegend bool
	}{
		"one against one": {[2]int{1, 1}, infer.Higher, doc.Plain, "Threads waited ", "one run each", false},
		"two against one": {[2]int{1, 2}, infer.Higher, doc.Plain, "Threads waited ", "too few runs", true},
		"three and three": {[2]int{3, 3}, infer.Higher, doc.Plain, "Threads waited ", "too few runs", true},
		"longer": {
			[2]int{4, 4}, infer.Higher, doc.Bad, "Worse: threads wait longer (+20.00 ns).", "worse", true,
		},
		"shorter": {
			[2]int{4, 4}, infer.Lower, doc.Good, "Better: threads wait less (+20.00 ns).", "better", true,
		},
		"as long":           {[2]int{4, 4}, infer.Equivalent, doc.Plain, "Equivalent: ", "equivalent within 1 %", true},
		"about as long":     {[2]int{4, 4}, infer.Negligible, doc.Plain, "Equivalent: ", "equivalent within 1 %", true},
		"nobody can say it": {[2]int{4, 4}, infer.Undecided, doc.Plain, "Undecided: ", "undecided", true},
		"no answer":         {[2]int{4, 4}, infer.NoAnswer, doc.Plain, "Threads waited ", "no answer", true},
	} {
		one := locks.Change{Answer: infer.Answer{Verdict: c.verdict, Difference: &infer.Estimate{Value: 20}}}
		s := Against(&locks.Comparison{Runs: c.runs, All: one, Classes: []locks.Change{one}}, "theirs")
		said, table := s.Blocks[0].(doc.Paragraph), s.Blocks[1].(*doc.Table)
		if !strings.HasPrefix(said.Text, c.want) || said.Tone != c.tone || len(table.Rows) != 2 {
			t.Errorf("%s: %+v, %d rows", name, said, len(table.Rows))
		}
		if got := table.Rows[0].Cells[4].Text; got != c.row {
			t.Errorf("%s: %s, want %s", name, got, c.row)
		}
		if (len(table.Legend) > 0) != c.hasItsLegend {
			t.Errorf("%s: %q", name, table.Legend)
		}
	}
}

// TestTooFewRuns: it is said how many runs there are, and how many could show something.
func TestTooFewRuns(t *testing.T) {
	for runs, want := range map[[2]int]string{
		{1, 1}: ". That is one run against one: ",
		{2, 1}: ". 1 run against 2 runs can't show a change, ",
		{1, 2}: ". 2 runs against 1 run can't show a change, ",
	} {
		if got := Verdict(&locks.Comparison{Runs: runs}); !strings.Contains(got, want) {
			t.Errorf("%v: %s, want %s", runs, got, want)
		}
	}
}
