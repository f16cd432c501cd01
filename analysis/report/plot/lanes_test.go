package plot

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawnLanes are lanes from 300 to 400, in their wide drawing and their narrow one.
func drawnLanes(rows ...LaneRow) (wide, narrow string) {
	l := Lanes{Axis: CloseAxis([]float64{300, 400}, 1), Names: []string{"a.B.put", "a.B.aMethodWithAVeryLongName"}, Rows: rows}
	wide, narrow, _ = strings.Cut(l.SVG(), `<div class="narrow">`)
	return wide, narrow
}

// TestWaitsAreLines: a wait takes the height of its block, and is a line in its middle; nothing that is
// drawn by itself is pale.
func TestWaitsAreLines(t *testing.T) {
	for _, svg := range func() []string {
		wide, narrow := drawnLanes(LaneRow{Name: "t", Text: "1 call", Blocks: []LaneBlock{{300, 400, 0, 0, Ordinary}, {320, 380, 1, 0, Waiting}}})
		return []string{wide, narrow}
	}() {
		rect := regexp.MustCompile(`<rect class="(block|waiting|wait)" x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"`).FindAllStringSubmatch(svg, -1)
		if len(rect) != 3 || rect[1][1] != "waiting" || rect[1][5] != rect[0][5] || rect[2][1] != "wait" || rect[2][5] != "3" || rect[2][4] != rect[1][4] || strings.Contains(svg, "opacity") {
			t.Errorf("%q in %s", rect, svg)
		}
	}
}

// TestShares: where there are too many blocks, those of a pixel are drawn together, as dark as the time that they take,
// and neighbours that look alike as one.
func TestShares(t *testing.T) {
	row := LaneRow{Name: "t", Tint: 9, Shares: make([]float64, 1400)} // two for each pixel
	for i := range 350 {
		row.Shares[700+i] = 0.5
	}
	row.Shares[1399] = 0.0001
	for i := range 10 {
		row.Shares[i] = 1
	}
	wide, _ := drawnLanes(row)
	var got []string
	for _, m := range regexp.MustCompile(`<g opacity="([^"]*)"><rect class="share" x="([^"]*)" y="[^"]*" width="([^"]*)" height="22"`).FindAllStringSubmatch(wide, -1) {
		got = append(got, strings.Join(m[1:], " "))
	}
	if want := "1.00 190 5; 0.58 540 175; 0.25 889 1"; strings.Join(got, "; ") != want {
		t.Errorf("opacity, place and width %q, want %s", got, want)
	}
	text := html.UnescapeString(regexp.MustCompile(`data-lanes="([^"]*)"`).FindStringSubmatch(wide)[1])
	var data struct {
		Rows []struct {
			T int
			S []float64
		}
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil || data.Rows[0].T != 1 || len(data.Rows[0].S) != 1400 || data.Rows[0].S[1399] != 0.001 || data.Rows[0].S[700] != 0.5 {
		t.Errorf("%v %.100s", err, text)
	}
}

// TestNamesInBlocks: a block has the name of its method where there is room for it, beside what is drawn
// above it.
func TestNamesInBlocks(t *testing.T) {
	for _, c := range []struct {
		name   string
		blocks []LaneBlock
		want   []string
	}{
		{"wide", []LaneBlock{{300, 400, 0, 0, Ordinary}}, []string{"put"}},
		{"too narrow", []LaneBlock{{300, 302, 0, 0, Ordinary}, {310, 325, 0, 1, Ordinary}}, nil},
		{"another one in it, too", []LaneBlock{{300, 400, 0, 0, Ordinary}, {340, 380, 1, 1, Ordinary}}, []string{"put", "aMethodWithAVeryLongName"}},
		{"no room beside that", []LaneBlock{{300, 400, 0, 0, Ordinary}, {301, 399, 1, 1, Ordinary}}, []string{"aMethodWithAVeryLongName"}},
		{"further in", []LaneBlock{{300, 400, 2, 0, Ordinary}}, nil},
		{"waits", []LaneBlock{{300, 400, 0, 0, Ordinary}, {300, 400, 1, 0, Waiting}}, nil},
	} {
		wide, _ := drawnLanes(LaneRow{Name: "t", Blocks: c.blocks})
		var got []string
		for _, m := range regexp.MustCompile(`<text class="named"[^>]*>([^<]*)`).FindAllStringSubmatch(wide, -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestLaneLabelsFit: whatever a thread is called, its name has room, and the whole of it can be
// pointed at.
func TestLaneLabelsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.RuneFrom([]rune("WMWmil./-t日A1"))).Draw(t, "name")
		wide, _ := drawnLanes(LaneRow{Name: name, Text: "1 call"})
		m := regexp.MustCompile(`<text class="lane" x="178" [^>]*>([^<]*)(<title>([^<]*))?`).FindStringSubmatch(wide)
		if name == "" {
			return
		}
		if m == nil || textWidth(html.UnescapeString(m[1]), textSize) > 174 || m[1] != name && m[3] != name {
			t.Errorf("%q is %q", name, m)
		}
	})
}

// TestLanesBegin: the axis of a part begins with the part, for a page's script, too.
func TestLanesBegin(t *testing.T) {
	wide, _ := drawnLanes(LaneRow{Name: "t", Blocks: []LaneBlock{{310, 320, 0, 0, Ordinary}}})
	text := html.UnescapeString(regexp.MustCompile(`data-lanes="([^"]*)"`).FindStringSubmatch(wide)[1])
	var data struct {
		Low, High float64
		Rows      []struct{ B []int64 }
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil || data.Low != 300 || data.High != 400 || data.Rows[0].B[0] != 310 {
		t.Errorf("%v %+v", err, data)
	}
	if !strings.Contains(wide, ">300<") || strings.Contains(wide, ">0<") {
		t.Errorf("the axis: %s", wide)
	}
}
