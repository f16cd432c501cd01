package plot

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"moobench/internal/testgolden"
)

// golden compares a text with testdata/NAME.txt.
func golden(t *testing.T, name, got string) {
	t.Helper()
	testgolden.Check(t, filepath.Join("testdata", name+".txt"), got)
}

// elements are those of a drawing, a line each: its name, its attributes, and its text.
func elements(t *testing.T, svg string) string {
	t.Helper()
	in := xml.NewDecoder(strings.NewReader(svg))
	var b strings.Builder
	depth := 0
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return strings.TrimPrefix(b.String(), "\n") + "\n"
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			b.WriteString("\n" + strings.Repeat("  ", depth) + token.Name.Local)
			for _, a := range token.Attr {
				fmt.Fprintf(&b, " %s=%s", a.Name.Local, a.Value)
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if text := strings.Join(strings.Fields(string(token)), " "); text != "" {
				b.WriteString(" | " + text)
			}
		}
	}
}

// someRows has a row of each kind but boxes.
func someRows() *Rows {
	return &Rows{
		Alt: "costs", Axis: Axis{Title: "ns"}, Zero: true, Band: &[2]float64{-5, 5}, Items: []Row{
			{Label: "none", Text: "10 ns", Value: ptr(10)},
			{
				Label: "agent", Text: "20 ns", Class: "t1", Value: ptr(20), Low: ptr(15), High: ptr(25),
				Notes: []string{"disturbed by others in two of eight runs, and once more"}, Remarks: []string{"eight runs"},
			},
			{Label: "bar", Text: "30 ns", Bar: true, Value: ptr(30)},
			{Label: "void <&>"},
		},
	}
}

func boxes() *Rows {
	return &Rows{Alt: "calls", Axis: Axis{Title: "µs", Log: true, Factor: 1000}, Items: []Row{
		{Label: strings.Repeat("long", 10), Box: &Box{Values: [8]float64{1e3, 2e3, 3e3, 4e3, 5e3, 1e4, 1e5, 1e6}, Title: "1,000 calls"}},
		{Label: "alike", Box: &Box{Values: [8]float64{2e3, 2e3, 2e3, 2e3, 2e3, 2e3, 2e3, 2e3}}},
	}}
}

// lines is a chart with everything that it may hold.
func lines() *XY {
	none := math.NaN()
	p := &XY{
		Alt: "growth", Frame: Wide, X: NewAxis([]float64{0, 10}, false), Y: NewAxis([]float64{0, 100}, false),
		Spans: []Span{{2, 4, "span", 0}, {6, 7, "span", 0.25}},
		Bands: []Band{{0, 0, 10, 20, "margin"}, {2, 6, 30, 60, "level"}},
		Series: []Series{
			{Name: "dots", Look: LookOf(1), Line: true, Dots: Shapes, Points: []Point{
				{X: 0, Y: 10, Low: 5, High: 15, Title: "first"},
				{X: 1, Y: none},
				{X: 2, Y: 20, Low: 20, High: 20, Kind: "failed", Title: "it failed"},
				{X: 3, Y: 30, Kind: "void"},
				{X: 4, Y: 40, Kind: "ring"},
			}},
			{Name: "band", Look: LookOf(2), Band: true, Dots: Plain, Points: []Point{{X: 0, Y: 50, Low: 40, High: 60}, {X: 10, Y: 90, Low: 80, High: 100}}},
			{Name: "curve", Class: "own", Dots: Plain, Curve: [][2]float64{{0, 0}, {5, 25}, {10, 110}}, Points: []Point{{X: 5, Y: 24}}},
		},
		Rules: []Rule{{Y: ptr(50), Class: "zero"}, {X: ptr(5), Class: "update"}, {X: ptr(8), Class: "mark", Letter: "A", Title: "an alarm"}},
		Lanes: []Lane{
			{Top: 372, Bottom: 380, High: 2, Label: "CPU", Blocks: []Block{{0, 5, 1, "bar", "half"}, {5, 5, 4, "bar", "much"}}},
			{Top: 384, Bottom: 388, Blocks: []Block{{8, 10, 0, "block", ""}}},
		},
	}
	p.X.Title, p.Y.Title = "calls", "ns"
	return p
}

func graph() *Graph {
	return &Graph{
		Alt: "calls", Layers: [][]Node{
			{{ID: 0, Name: "START main", Title: "start", Class: "start"}},
			{{ID: 1, Name: "a.B", Title: "a.B: 3 calls", Below: "and 2 within"}, {ID: 2, Name: "a.ClassWithAVeryLongNameIndeed", Class: "marked"}},
		},
		Arrows: []Arrow{
			{From: 0, To: 1, Text: "3"}, {From: 1, To: 2, Text: "1", Class: "marked"}, {From: 2, To: 0, Class: "dashed"}, {From: 2, To: 1, Text: "7"},
		},
	}
}

func someLanes() *Lanes {
	return &Lanes{
		Alt: "threads", Axis: CloseAxis([]float64{300, 400}, 1), Names: []string{"a.B.put", "a.B.take"}, Rows: []LaneRow{
			{Name: "main", Text: "3 calls", Tint: 9, Blocks: []LaneBlock{
				{310, 320, 1, 1, Thrown},
				{300, 390, 0, 0, Open},
				{330, 335, 1, 1, Waiting},
				{395, 395.1, 0, 1, Ordinary},
				{395.1, 395.12, 1, 1, Ordinary},
				{340, 341, 4, 1, Ordinary},
			}},
			{Name: strings.Repeat("worker-", 6), Text: "many calls", Tint: 1},
		},
	}
}

// TestDrawings: each drawing has these elements, with these attributes.
func TestDrawings(t *testing.T) {
	bare := &Rows{Axis: Axis{Title: "ns"}, Items: []Row{{Label: "agent", Value: ptr(20), Low: ptr(15)}, {Label: "other", Value: ptr(-10), Bar: true}}}
	panel := &XY{Frame: Panel, X: NewAxis([]float64{1, 1000}, true), Y: NewAxis([]float64{1, 1000}, true)}
	small := &XY{Frame: Spark, X: CloseAxis([]float64{0, 3}, 1), Y: CloseAxis([]float64{1, 2}, 1), Series: []Series{{Line: true, Points: []Point{{X: 0, Y: 1}, {X: 3, Y: 2}}}}}
	nights := &XY{Frame: Nights, X: CloseAxis([]float64{0, 3}, 1), Y: CloseAxis([]float64{1, 2}, 1)}
	nights.X.Names = []string{"Mon", "Tue", "Wed", "Thu"}
	grid := Grid([]string{"agent", strings.Repeat("cell", 10)}, []Column{
		{Name: "time", Axis: NewAxis([]float64{10, 20}, false), Points: []Point{{Y: 12, Low: 10, High: 14}, {Y: math.NaN()}}, Baseline: ptr(5)},
		{Name: "memory of the whole process", Axis: Axis{High: 1, Step: 2, Title: "MiB"}, Points: []Point{{Y: 1}, {Y: 0.5, Low: 0.5, High: 0.5}}},
	})
	for name, svg := range map[string]string{
		"rows": someRows().SVG(), "rowsbare": bare.SVG(), "boxes": boxes().SVG(), "xy": lines().SVG(), "panel": panel.SVG(), "spark": small.SVG(),
		"nights": nights.SVG(), "grid": grid, "graph": graph().SVG(), "lanes": someLanes().SVG(),
		"legend":    Legend(append(lines().Series, Series{Name: "band"}, Series{})),
		"oddlegend": OddLegend([]string{"void", "failed", "disturbed", "ring"}), "sheet": sheetOf(NewSVG("a < b")).String(),
	} {
		golden(t, name, elements(t, svg))
	}
	golden(t, "pgf", sheetOf(NewPGF("50 % & more")).String())
}

// sheetOf writes and draws on a sheet.
func sheetOf(s *Sheet) *Sheet {
	s.Line("name", "overhead", "")
	s.Line("small", strings.Repeat("a line of many words ", 12))
	rows := someRows()
	rows.Items[0].Label = strings.Repeat("long", 10)
	if !s.Rows(rows) || s.Rows(&Rows{}) {
		panic("rows are drawn where there are some")
	}
	s.Line("spoilt", "behind it")
	return s
}

// TestNothingIsDrawn: without anything to draw there is no drawing.
func TestNothingIsDrawn(t *testing.T) {
	for name, svg := range map[string]string{
		"rows": (&Rows{Items: []Row{{Label: "void"}}}).SVG(), "graph": (&Graph{Layers: [][]Node{nil}}).SVG(), "lanes": (&Lanes{}).SVG(),
		"legend": Legend(nil), "odd ones": OddLegend([]string{"ring"}), "strip": Strip(Axis{High: 1}, nil, ptr(0), ptr(1)), "heading": heading(""),
	} {
		if svg != "" {
			t.Errorf("%s: %s", name, svg)
		}
	}
	if c := (&Rows{Items: []Row{{Label: "void"}}}).Chart(); c != nil {
		t.Errorf("a chart of nothing: %v", c)
	}
}

// chartText is what an interactive chart shows: its axes, and a line for each series.
func chartText(t *testing.T, options map[string]any) string {
	t.Helper()
	text, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	type axis struct {
		Type, Name string
		Data       []string
	}
	var c struct {
		Grid    []struct{ Top, Bottom, Left, Right string }
		Legend  struct{ Show bool }
		Tooltip struct{ Trigger string }
		XAxis   []axis
		YAxis   []axis
		Series  []struct {
			Name, Type, Symbol string
			SymbolSize         any
			ShowSymbol         bool
			RenderItem         string
			Encode             map[string]any
			LineStyle          struct{ Type, Color string }
			Data               []struct {
				Name, Symbol string
				Value        any
			}
		}
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%+v legend %t tooltip %s\nx %+v\ny %+v\n", c.Grid, c.Legend.Show, c.Tooltip.Trigger, c.XAxis, c.YAxis)
	for _, s := range c.Series {
		fmt.Fprintf(&b, "%s %s %s %v %t %q %v %+v\n", s.Name, s.Type, s.Symbol, s.SymbolSize, s.ShowSymbol, s.RenderItem, s.Encode, s.LineStyle)
		for _, d := range s.Data {
			fmt.Fprintf(&b, "  %s %v %s\n", d.Name, d.Value, d.Symbol)
		}
	}
	return b.String()
}

// TestCharts: interactive charts have the numbers of the drawings.
func TestCharts(t *testing.T) {
	log := &XY{
		X: NewAxis([]float64{1, 1000}, true), Y: NewAxis([]float64{1, 1000}, true), Series: []Series{
			{Name: "a", Points: []Point{{X: 1, Y: 10, Low: 0, High: 20}, {X: 10, Y: 100, Low: 90, High: 110}}},
			{Name: "b", Band: true, Points: []Point{{X: 1, Y: 10, Low: 0, High: 20}, {X: 10, Y: 100, Low: 90, High: 110}}},
		},
	}
	for name, options := range map[string]map[string]any{
		"rowschart": someRows().Chart(), "boxeschart": boxes().Chart(), "xychart": lines().Chart(), "logchart": log.Chart(),
	} {
		golden(t, name, chartText(t, options))
	}
}
