package course

import (
	"math"
	"strings"
	"testing"

	"moobench/analysis/chapter"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/reading"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// read reads the campaign of JVMs that were followed, after a change of it.
func read(change func(*testcampaign.Store)) *reading.Reading {
	s := testcampaign.Followed()
	if change != nil {
		change(s)
	}
	all, byCell := evidence.Gather(s), map[string][]*evidence.Invocation{}
	for i := range all.Invocations {
		e := &all.Invocations[i]
		byCell[e.Cell] = append(byCell[e.Cell], e)
	}
	return reading.New(s.Made, &s.Made.Scenarios[0], byCell, nil, nil)
}

// slope returns the slope of a quantity in a cell, or nil.
func slope(all Courses, cell, quantity string) *Slope {
	return results.Find(all.Slopes, func(s *Slope) bool { return s.Cell == cell && s.Quantity == quantity })
}

// A leak is the slope of memory, within its interval; the first half of a window, in which memory grows until
// everything has been used once, is not in it.
func TestSlopes(t *testing.T) {
	all := Of(read(nil))
	if len(all.Typical) != 3 || len(all.Typical[0].Lines) != 2 || len(all.Typical[2].Lines) != 1 {
		t.Fatalf("typical: %+v", all.Typical)
	}
	const leak = 10e3 * 3600 // B an hour
	for _, c := range []struct {
		cell, quantity string
		want, within   float64
	}{
		{"c00", "jvm_heap_after_gc", 0, 2e6},
		{"c00", "process_rss", 0, 2e6},
		{"c02", "jvm_heap_after_gc", leak, leak / 10},
		{"c02", "process_rss", leak, leak / 10},
		{"c00", "jvm_classes", 0, 1e-9},
		{"c00", "jvm_collections", 720, 1},
		{"c00", "jvm_gc", 720 * 2e6, 1e6},
		{"c03", "process_cpu", 0.8 * 3600e9, 1e6},
	} {
		s := slope(all, c.cell, c.quantity)
		if s == nil || math.Abs(s.PerHour.Value-c.want) > c.within || s.PerHour.N != 5 || s.SpanNS != 299.5e9 {
			t.Errorf("%s of %s: %+v, want %v", c.quantity, c.cell, s, c.want)
			continue
		}
		if i := s.PerHour.Interval; c.within > 1e6 && !(i.Low <= c.want && i.High >= c.want) {
			t.Errorf("%s of %s: interval %+v, want %v in it", c.quantity, c.cell, i, c.want)
		}
	}
	for _, absent := range [][2]string{{"c01", "process_rss"}, {"c03", "jvm_classes"}, {"c00", "process_written"}} {
		if s := slope(all, absent[0], absent[1]); s != nil {
			t.Errorf("%v: %+v", absent, s)
		}
	}
}

// What is cut short is left out: a cell that is invalid, runs of another profile, JVMs without the series.
func TestLeftOut(t *testing.T) {
	r := read(nil)
	r.Invalid["c02"] = "not instrumented"
	if all := Of(r); slope(all, "c02", "process_rss") != nil || slope(all, "c00", "process_rss") == nil || len(all.Typical) != 2 {
		t.Errorf("an invalid cell: %d typical", len(all.Typical))
	}
	all := Of(read(func(s *testcampaign.Store) {
		for _, inv := range s.Runs {
			switch {
			case inv.Cell == "c00" && inv.Block == 1:
				inv.Profile = results.ProfileResources
			case inv.Cell == "c00":
				inv.Void = map[string]string{s.Made.Scenarios[0].Metrics[0].Name: "it came too late"}
			case inv.Cell == "c02":
				inv.Series = inv.Series[:1] // the durations
			case inv.Cell == "c03" && inv.Block < 5:
				inv.Series = inv.Series[:1]
			}
		}
	}))
	if s := slope(all, "c00", "process_rss"); s == nil || s.PerHour.N != 4 {
		t.Errorf("one of five is of another profile: %+v", s)
	}
	if len(all.Typical) != 2 || all.Typical[0].Invocation != "b0002.s00.r0" {
		t.Errorf("typical, where no value counts: %+v", all.Typical)
	}
	if s := slope(all, "c02", "process_rss"); s != nil {
		t.Errorf("no series: %+v", s)
	}
	if s := slope(all, "c03", "process_rss"); s == nil || s.PerHour.N != 1 || s.PerHour.Interval != nil {
		t.Errorf("one JVM has an interval: %+v", s)
	}
}

// Readings from the middle of the window on count, and two of them are no line.
func TestSecondHalf(t *testing.T) {
	for _, c := range []struct {
		keep int     // rows of the campaign's, one a second
		want float64 // classes per hour: 5 in each second until there are 1,500
	}{
		{5, 5 * 3600}, // at 2, 3 and 4 s
		{4, math.NaN()},
		{150, math.NaN()},
	} {
		r := read(func(s *testcampaign.Store) {
			for _, sum := range s.Summaries {
				for i := range sum.Columns {
					if col := &sum.Columns[i]; col.Series != "duration" {
						col.Count = int64(c.keep)
						col.Sum = col.Sum[:c.keep]
					}
				}
			}
		})
		e := r.Succeeded("c00", results.ProfileTiming)[0]
		q := quantityNamed("jvm_classes")
		got := perHour(q.in(e), q)
		if c.keep == 150 { // from 75 to 149 s: it rises up to 100 s, and the line lies between both slopes
			if got <= 0 || got >= 5*3600 {
				t.Errorf("bent: %v", got)
			}
		} else if math.Abs(got-c.want) > 1e-6 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%d rows: %v, want %v", c.keep, got, c.want)
		}
	}
}

// scene shows cells by their IDs.
func scene(paged, partial bool, cells ...string) *chapter.Scene {
	at := &chapter.Scene{Paged: paged, Partial: partial}
	for _, id := range cells {
		at.Cells = append(at.Cells, chapter.Cell{Key: rows.Key{Cell: id, Label: "label " + id}})
	}
	return at
}

func TestDrawn(t *testing.T) {
	line := func(quantity string, n int) Line {
		l := Line{Quantity: quantity}
		for i := range n {
			l.SinceNS, l.Values = append(l.SinceNS, 1e9*float64(i)), append(l.Values, 1e6*float64(i))
		}
		return l
	}
	of := func(cells ...Course) Courses { return Courses{Typical: cells} }
	const drawnMost = 60 // chapter.Drawn draws no more
	many := make([]Course, drawnMost+1)
	for i := range many {
		many[i] = Course{Cell: "c", Lines: []Line{line("process_rss", 2)}}
	}
	a, b := Course{Cell: "a", Lines: []Line{line("process_rss", 3)}}, Course{Cell: "b", Lines: []Line{line("process_rss", 3)}}
	for name, c := range map[string]struct {
		all           Courses
		at            *chapter.Scene
		tiles, points int
		caption       string
	}{
		"two cells":          {of(a, b), scene(true, false, "a", "b"), 2, 3, "same axes."},
		"a part of a page":   {of(a, b), scene(true, true, "b"), 1, 3, "same axes."},
		"a terminal":         {of(a, b), scene(false, false, "a", "b"), 0, 0, ""},
		"one reading":        {of(Course{Lines: []Line{line("process_rss", 1)}}), scene(true, false), 0, 0, ""},
		"nothing":            {Courses{}, scene(true, false), 0, 0, ""},
		"as many as fit":     {of(many[1:]...), scene(true, false), drawnMost, 2, "same axes."},
		"one too many":       {of(many...), scene(true, false), drawnMost, 2, " 1 more cells are not drawn."},
		"as many readings":   {of(Course{Lines: []Line{line("process_rss", 190)}}), scene(true, false), 1, 190, ""},
		"too many readings":  {of(Course{Lines: []Line{line("process_rss", 191)}}), scene(true, false), 1, 96, ""},
		"a thousand of them": {of(Course{Lines: []Line{line("process_rss", 1000)}}), scene(true, false), 1, 167, ""},
	} {
		f := c.all.drawn(c.at)
		if (f == nil) != (c.tiles == 0) {
			t.Errorf("%s: drawn %v", name, f != nil)
		}
		if f == nil {
			continue
		}
		if n := strings.Count(f.SVG, `<div class="timeline">`); n != c.tiles || !strings.HasSuffix(f.Caption, c.caption) {
			t.Errorf("%s: %d drawings, %q", name, n, f.Caption)
		}
		_, first, _ := strings.Cut(f.SVG, "<polyline")
		if n := len(testdoc.Points(first)); n != c.points {
			t.Errorf("%s: %d points", name, n)
		}
	}
}

// Cells that are not shown have neither slopes nor a say in how long windows were.
func TestShownCells(t *testing.T) {
	all := Courses{Slopes: []Slope{
		{Cell: "a", Quantity: "process_rss", Unit: "B", SpanNS: 30e9, PerHour: &infer.Estimate{N: 2, Value: 1}},
		{Cell: "b", Quantity: "process_cpu", Unit: "ns", SpanNS: 20e9, PerHour: &infer.Estimate{N: 2, Value: 1}},
	}}
	for id, about := range map[string]string{"a": "30.00 s or more", "b": "20.00 s or more"} {
		at := scene(false, true, id)
		sec := all.Show(at)[0].(*doc.Section)
		if !strings.Contains(sec.About, about) {
			t.Errorf("%s: %s", id, sec.About)
		}
		tables := testdoc.Blocks[*doc.Table](sec.Blocks)
		if n := len(all.Rows(at)); n != 1 || len(tables) != 1 || len(tables[0].Rows) != 1 || (tables[0].Depth == doc.Full) != (id == "b") {
			t.Errorf("%s: %d rows, %d tables", id, n, len(tables))
		}
	}
	if got := all.Show(scene(false, true, "c")); got != nil {
		t.Errorf("no cell: %v", got)
	}
	all.Slopes[0].Quantity = "of another version"
	if got := all.Rows(scene(false, false, "a", "b")); len(got) != 1 {
		t.Errorf("an unknown quantity: %d rows", len(got))
	}
}
