package lanes

import (
	"strings"
	"testing"

	"moobench/analysis/chapter"
	"moobench/analysis/infer"
	"moobench/analysis/rows"
	"moobench/results"
)

// disturbed are two lanes, of which one cell takes 5 % more with both busy.
func disturbed() *Lanes {
	ratio := &infer.Estimate{N: 5, Value: 1.05, Interval: &infer.Interval{Low: 1.03, High: 1.07, Level: 0.95}}
	return &Lanes{
		Count: 2, Margin: undisturbed, Judgement: infer.Changed,
		Cells: []Cell{
			{Cell: "a", Label: "none", Ratio: &infer.Estimate{Value: 1}, Verdict: infer.Equivalent},
			{Cell: "b", Label: "agent", Ratio: ratio, Verdict: infer.Higher},
		},
	}
}

// Only a disturbed cell gets a caveat, and only lanes that disturb each other get a note.
func TestMarks(t *testing.T) {
	l := disturbed()
	marks, notes := l.Marks(), l.Notes()
	if len(marks) != 1 || len(marks["b"]) != 1 || !strings.Contains(marks["b"][0].Text, "takes") {
		t.Errorf("caveats %+v", marks)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "agent") || strings.Contains(notes[0], "none takes") {
		t.Errorf("notes %q", notes)
	}
	l.Judgement = infer.Same
	if len(l.Marks()) > 0 || len(l.Notes()) > 0 {
		t.Errorf("lanes that don't disturb each other: %+v, %q", l.Marks(), l.Notes())
	}
}

// The note names the disturbed cells; where none is, those that are not shown to be undisturbed.
func TestNoteNames(t *testing.T) {
	of := func(label string, v infer.Verdict) Cell {
		return Cell{Label: label, Ratio: &infer.Estimate{Value: 1.02}, Verdict: v}
	}
	all := []Cell{of("quiet", infer.Equivalent), of("slowed", infer.Higher), of("open", infer.Undecided)}
	for _, c := range []struct {
		judgement infer.Judgement
		cells     []Cell
		named     string
		then      string
	}{
		{infer.Changed, all, "slowed", "use fewer lanes, or none"},
		{infer.UndecidedYet, []Cell{all[0], all[2]}, "open", "more blocks would tell"},
	} {
		note := (&Lanes{Count: 2, Margin: undisturbed, Judgement: c.judgement, Cells: c.cells}).Notes()[0]
		for _, label := range []string{"quiet", "slowed", "open"} {
			if strings.Contains(note, label+" takes") != (label == c.named) {
				t.Errorf("%s, of %s: %s", c.judgement, label, note)
			}
		}
		if !strings.HasSuffix(note, c.then) {
			t.Errorf("%s: %s", c.judgement, note)
		}
	}
}

// A campaign without lanes has nothing to show.
func TestNoLanes(t *testing.T) {
	var l *Lanes
	at := &chapter.Scene{}
	if l.Show(at) != nil || l.Rows(at) != nil || l.Marks() != nil || l.Notes() != nil {
		t.Error("no lanes say something")
	}
}

func TestRows(t *testing.T) {
	at := &chapter.Scene{
		Primary: "duration", Metrics: []results.Metric{{Name: "duration", Unit: "ns"}},
		Cells: []chapter.Cell{{Key: rows.Key{Cell: "a"}}, {Key: rows.Key{Cell: "b", Label: "agent"}}},
	}
	found := disturbed().Rows(at)
	if len(found) != 2 || found[1].Name() != "duration_busy_over_alone" || found[1].Unit != "" || found[1].Estimate.Value != 1.05 {
		t.Errorf("rows %+v", found)
	}
}
