package chapter

import (
	"slices"
	"testing"

	"moobench/analysis/caveat"
	"moobench/analysis/rows"
	"moobench/results"
)

// A scene knows its cells and metrics; of what it doesn't know it has the name.
func TestScene(t *testing.T) {
	marks := []caveat.Mark{{Show: "lost 3 %"}, {Show: "only 4"}}
	s := &Scene{
		Metrics: []results.Metric{{Name: "duration", Unit: "ns"}},
		Cells: []Cell{
			{Key: rows.Key{Cell: "c00", Label: "none"}},
			{Key: rows.Key{Cell: "c01", Label: "agent"}, Marks: marks},
		},
	}
	if s.Label("c01") != "agent" || s.Label("c09") != "c09" || s.Cell("c09") != nil {
		t.Errorf("labels %q and %q", s.Label("c01"), s.Label("c09"))
	}
	if s.Metric("duration").Unit != "ns" || s.Metric("other").Name != "other" || s.Metric("").Unit != "" {
		t.Errorf("metrics %+v, %+v", s.Metric("duration"), s.Metric("other"))
	}
	for _, c := range []struct {
		ids  []string
		want string
	}{
		{[]string{"c01"}, "lost 3 %, only 4"},
		{[]string{"c00", "c01"}, "agent: lost 3 %, agent: only 4"},
		{[]string{"c00"}, ""},
		{[]string{"c01", "c09"}, ""},
	} {
		if got := s.Marks(c.ids...).Text; got != c.want {
			t.Errorf("marks of %q: %q, want %q", c.ids, got, c.want)
		}
	}
	if s.Lacks("c09") {
		t.Error("a whole scene leaves nothing out")
	}
	s.Partial = true
	if !s.Lacks("c00", "c09") || s.Lacks("c00", "c01") {
		t.Error("a partial scene lacks what it doesn't show")
	}
}

// Cells that the scene leaves out get no drawing, and of many only the first sixty do.
func TestDrawn(t *testing.T) {
	itself := func(id string) string { return id }
	at := &Scene{Partial: true, Cells: []Cell{{Key: rows.Key{Cell: "a"}}, {Key: rows.Key{Cell: "c"}}}}
	if drawn, more := Drawn(at, []string{"a", "b", "c"}, itself); !slices.Equal(drawn, []string{"a", "c"}) || more != 0 {
		t.Errorf("%q, and %d more", drawn, more)
	}
	for n, want := range map[int][2]int{0: {0, 0}, 60: {60, 0}, 61: {60, 1}, 100: {60, 40}} {
		all := make([]string, n)
		if drawn, more := Drawn(&Scene{}, all, itself); len(drawn) != want[0] || more != want[1] {
			t.Errorf("of %d: %d, and %d more", n, len(drawn), more)
		}
	}
}
