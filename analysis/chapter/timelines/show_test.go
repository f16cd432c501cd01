package timelines

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/chapter"
	"moobench/analysis/evidence"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// loaded is a load of n stretches of 100 ms with a toggle in every second one.
func loaded(label string, n int, latency float64) Timeline {
	t := Timeline{Cell: label, Course: evidence.Course{StepNS: 1e8}}
	for i := range n {
		at := float64(i) * 1e8
		r := evidence.TimelineRow{SinceNS: at, Requests: 400, P50NS: latency, P99NS: 2 * latency, MaxNS: 5 * latency}
		if i%2 == 1 {
			t.Toggles = append(t.Toggles, evidence.Toggle{SinceNS: at + 2e7, TookNS: 1e6, On: i%4 == 1})
			if i%4 != 1 {
				r.Lost = 3
			}
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// drawnLoads are the drawings of loads, and their tables.
func drawnLoads(loads ...Timeline) (drawings []string, tables []*doc.Table) {
	at := &chapter.Scene{Paged: true, Common: []results.Value{{Name: "ramp", Value: "1000000000", Unit: "ns"}}}
	sec := Loads{Timelines: loads}.Drawn(at)
	if sec == nil {
		return nil, nil
	}
	svg := testdoc.Blocks[*doc.Figure](sec.Blocks)[0].SVG
	return strings.Split(svg, `<div class="timeline">`)[1:], testdoc.Blocks[*doc.Table](sec.Blocks)
}

// All cells have the same axes: the same latency is at the same height.
func TestTimelinesHaveEqualAxes(t *testing.T) {
	drawn, _ := drawnLoads(loaded("none", 40, 1e6), loaded("agent", 20, 3e6))
	ticks := regexp.MustCompile(`<text class="quiet"[^>]*>[^<]*</text>`)
	a, b := drawn[0], drawn[1]
	if strings.Join(ticks.FindAllString(a, -1), " ") != strings.Join(ticks.FindAllString(b, -1), " ") || len(ticks.FindAllString(a, -1)) < 6 {
		t.Errorf("axes differ: %v, %v", ticks.FindAllString(a, -1), ticks.FindAllString(b, -1))
	}
	if y, lower := height(t, a, "p50"), height(t, b, "p50"); y <= lower {
		t.Errorf("1 ms is drawn at %v, 3 ms at %v", y, lower)
	}
	for class, want := range map[string]int{"ramp": 1, "lost": 10, "in": 10, "toggle": 20, "hair": 20} {
		if n := strings.Count(a, `class="`+class+`"`); n != want {
			t.Errorf("%d of the class %s, want %d", n, class, want)
		}
	}
	if !strings.Contains(a, "<title>on at 120.0 ms, took 1.000 ms</title>") {
		t.Errorf("no toggle says when it was, and how long it took")
	}
}

// height is the y of the first point of a line.
func height(t *testing.T, svg, class string) float64 {
	t.Helper()
	_, line, _ := strings.Cut(svg, `<polyline class="`+class+`"`)
	_, y, _ := strings.Cut(testdoc.Points(line)[0], ",")
	v, err := strconv.ParseFloat(y, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A line ends where nothing was answered, and goes on behind it.
func TestTimelineInterrupted(t *testing.T) {
	load := loaded("dies", 10, 1e6)
	r := &load.Rows[4]
	r.P50NS, r.P99NS, r.MaxNS, r.Lost = 0, 0, 0, 400
	drawn, tables := drawnLoads(load)
	lines := strings.Split(drawn[0], `<polyline class="p50"`)[1:]
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	if n := len(testdoc.Points(lines[1])); n != 5 {
		t.Errorf("the line behind it has %d points", n)
	}
	row := tables[0].Rows[4].Cells
	if row[4].Text != "–" || row[2].Text != "400" || !strings.Contains(drawn[0], ">400 lost</text>") {
		t.Errorf("row %+v", row)
	}
}

func TestNothingToDraw(t *testing.T) {
	if drawn, _ := drawnLoads(Timeline{Course: evidence.Course{StepNS: 1e9, Rows: []evidence.TimelineRow{{Requests: 3, Lost: 3}}}}); drawn != nil {
		t.Error("axes of no latency")
	}
}

// What is joined neither loses a request nor hides the longest.
func TestStretches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		load := loaded("x", rapid.IntRange(1, 300).Draw(t, "stretches"), 1e6)
		for i := range load.Rows {
			load.Rows[i].MaxNS = rapid.Float64Range(1, 1e9).Draw(t, "worst")
		}
		most := rapid.IntRange(1, 50).Draw(t, "most")
		all, joined := timelineBins(&load, len(load.Rows)), timelineBins(&load, most)
		if len(joined) > most || joined[0].SinceNS != 0 || joined[len(joined)-1].until != float64(len(load.Rows))*1e8 {
			t.Fatalf("%d stretches, until %v", len(joined), joined[len(joined)-1].until)
		}
		if sums(all) != sums(joined) {
			t.Fatalf("%v became %v", sums(all), sums(joined))
		}
	})
}

func sums(all []stretch) (sum [5]float64) {
	for _, s := range all {
		sum[0], sum[1], sum[2], sum[3] = sum[0]+s.Requests, sum[1]+s.Lost, sum[2]+s.on, sum[3]+s.off
		sum[4] = max(sum[4], s.MaxNS)
	}
	return sum
}

// No drawing has a place that is not a number, whatever was measured.
func TestDrawingsHoldNumbers(t *testing.T) {
	places := regexp.MustCompile(`<rect class="(?:lost|in|toggle)" x="([^"]*)" y="[^"]*" width="([^"]*)"`)
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, math.MaxFloat64), rapid.Float64Range(0, 1e10))
		load := Timeline{Cell: "x", Course: evidence.Course{StepNS: value.Draw(t, "step")}}
		for range rapid.IntRange(0, 5).Draw(t, "stretches") {
			at := value.Draw(t, "since")
			load.Rows = append(load.Rows, evidence.TimelineRow{SinceNS: at, Lost: value.Draw(t, "lost"), P50NS: value.Draw(t, "p50"), P99NS: value.Draw(t, "p99"), MaxNS: value.Draw(t, "worst")})
			load.Toggles = append(load.Toggles, evidence.Toggle{SinceNS: at, TookNS: value.Draw(t, "took"), On: rapid.Bool().Draw(t, "on")})
		}
		drawn, _ := drawnLoads(load)
		for _, svg := range drawn {
			for _, found := range places.FindAllStringSubmatch(svg, -1) {
				for _, v := range found[1:] {
					if f, err := strconv.ParseFloat(v, 64); err != nil || math.IsNaN(f) || f < 0 || f > 340 {
						t.Fatalf("%s lies outside the drawing", found[0])
					}
				}
			}
		}
	})
}

// Of very many cells the first sixty are drawn, and the caption counts the others.
func TestVeryManyLoads(t *testing.T) {
	for n, want := range map[int]string{60: "is the most in any.", 61: " 1 more cells are not drawn."} {
		var loads []Timeline
		for range n {
			loads = append(loads, loaded("x", 2, 1e6))
		}
		sec := Loads{Timelines: loads}.Drawn(&chapter.Scene{Paged: true})
		figure := testdoc.Blocks[*doc.Figure](sec.Blocks)[0]
		drawn := strings.Count(figure.SVG, `<div class="timeline">`)
		if drawn != 60 || !strings.HasSuffix(figure.Caption, want) {
			t.Errorf("%d loads: %d drawn, %q", n, drawn, figure.Caption)
		}
	}
}

// Up to 300 toggles are drawn one by one, and up to 60 have a line across the latencies.
func TestManyToggles(t *testing.T) {
	for n, want := range map[int][2]int{60: {60, 60}, 61: {61, 0}, 300: {300, 0}, 301: {1, 0}} {
		load := loaded("x", 2, 1e6)
		load.Toggles = nil
		for i := range n {
			load.Toggles = append(load.Toggles, evidence.Toggle{SinceNS: float64(i) * 1e5, TookNS: 10})
		}
		drawn, _ := drawnLoads(load)
		toggles, lines := strings.Count(drawn[0], `class="toggle"`), strings.Count(drawn[0], `class="hair"`)
		if toggles != want[0] || lines != want[1] {
			t.Errorf("%d toggles: %d bars, %d lines; want %v", n, toggles, lines, want)
		}
	}
}

// A part of a page leaves the loads of other cells out, and other documents have none.
func TestLoadsLeftOut(t *testing.T) {
	all := Loads{Timelines: []Timeline{loaded("a", 4, 1e6), loaded("b", 4, 1e6)}}
	at := &chapter.Scene{Paged: true, Partial: true, Cells: []chapter.Cell{{Key: rows.Key{Cell: "b", Label: "agent"}}}}
	svg := testdoc.Blocks[*doc.Figure](all.Drawn(at).Blocks)[0].SVG
	if strings.Count(svg, `<div class="timeline">`) != 1 || !strings.Contains(svg, "agent") {
		t.Error("the load of another cell is drawn")
	}
	if at.Paged = false; all.Drawn(at) != nil {
		t.Error("a terminal has drawings")
	}
}
