package report

import (
	"math"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/history"
)

// The inside of a trend's drawing, in the units of its view box: the ratios
// above, the raw values below, the days between them.
const (
	trendWidth  = 960
	trendHeight = 360
	trendLeft   = 76
	trendRight  = 944
	trendTop    = 22
	trendBottom = 216
	rawTop      = 262
	rawBottom   = 348

	dayWidth = 76 // of the text of a day

	sparkWidth  = 240
	sparkHeight = 44
	// leastSpan is what the drawing of a ratio spans at least, as a logarithm:
	// else the noise of a quiet series would look like a mountain range.
	leastSpan = 0.05
	// floorReach is how many standard deviations the noise floor's band reaches
	// to either side: 95 nights of 100 lie within.
	floorReach = 1.96
)

// trendPlot is the drawing of one series. Coordinates are whole: the drawing is
// as wide as three times the nights of a year.
type trendPlot struct {
	Width, Height                      int
	Left, Right, Top, Bottom           int
	RawTop, RawBottom                  int
	Line, Whiskers, Dots, Raw, RawBase string // path data
	Rings                              []trendRing
	Levels                             []trendLevel
	Marks                              []trendMark
	Ticks, Days                        []trendTick
	RawHigh, RawLow                    string
}

// trendTick is a place on an axis with its text.
type trendTick struct {
	At     int
	Text   string
	Anchor string // of the text: start or end
}

// trendLevel is a segment: a line, and the band of the noise floor round it.
type trendLevel struct {
	X1, X2, Y         int
	BandY, BandHeight int // 0 high: the floor is not known
}

// trendMark is where a level changes.
type trendMark struct {
	X            int
	Letter       string
	Class, Title string
}

// trendRing is a night that is not judged.
type trendRing struct{ X, Y int }

// trendAxis maps values to places between from and to.
type trendAxis struct {
	low, high float64
	from, to  int
}

func (a trendAxis) at(v float64) int {
	if math.IsNaN(v) {
		v = a.low
	}
	v = max(a.low, min(a.high, v))
	return a.from + int(math.Round(float64(a.to-a.from)*(v-a.low)/(a.high-a.low)))
}

// newTrendAxis spans the values, and at least so much; what is not finite is left out.
func newTrendAxis(vs []float64, least float64, from, to int) trendAxis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range vs {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		low, high = 0, 0
	}
	if lack := least - (high - low); lack > 0 {
		low, high = low-lack/2, high+lack/2
	}
	if low == high {
		room := max(1, math.Abs(low)/100)
		low, high = low-room, high+room
	}
	return trendAxis{low, high, from, to}
}

// newTrendPlot draws a series; halves are half-widths of the nights' intervals
// on the logarithmic scale.
func newTrendPlot(s *history.Series, halves []float64) trendPlot {
	p := trendPlot{
		Width: trendWidth, Height: trendHeight, Left: trendLeft, Right: trendRight, Top: trendTop, Bottom: trendBottom,
		RawTop: rawTop, RawBottom: rawBottom,
	}
	y := ratioAxis(s, halves)
	p.nights(s, halves, y)
	p.levels(s, y)
	p.changes(s)
	p.Ticks, p.Days = ratioTicks(y), p.days(s)
	p.raw(s)
	return p
}

// ratioAxis spans the nights and a little of their intervals: one night with
// two blocks must not flatten all the others.
func ratioAxis(s *history.Series, halves []float64) trendAxis {
	vs := make([]float64, len(s.Nights))
	for i := range s.Nights {
		vs[i] = s.Nights[i].Log
	}
	a := newTrendAxis(vs, leastSpan, trendBottom, trendTop)
	room := (a.high - a.low) / 2
	low, high := a.low, a.high
	for i, v := range vs {
		if h := min(halves[i], room); h > 0 {
			low, high = min(low, v-h), max(high, v+h)
		}
	}
	return newTrendAxis([]float64{low, high}, leastSpan, trendBottom, trendTop)
}

// x is the place of a night among n.
func (p *trendPlot) x(i, n int) int {
	return trendAxis{0, float64(max(n-1, 1)), p.Left, p.Right}.at(float64(i))
}

func (p *trendPlot) nights(s *history.Series, halves []float64, y trendAxis) {
	n := len(s.Nights)
	var line, whiskers, dots strings.Builder
	for i := range s.Nights {
		x, at := p.x(i, n), y.at(s.Nights[i].Log)
		if i == 0 {
			line.WriteString("M")
		} else {
			line.WriteString(" ")
		}
		line.WriteString(trendPoint(x, at))
		dots.WriteString("M" + trendPoint(x, at) + "h0")
		if h := halves[i]; h > 0 && !math.IsInf(h, 0) {
			whiskers.WriteString("M" + trendPoint(x, y.at(s.Nights[i].Log-h)) + "V" + strconv.Itoa(y.at(s.Nights[i].Log+h)))
		}
		if !s.Nights[i].Judged() {
			p.Rings = append(p.Rings, trendRing{x, at})
		}
	}
	p.Line, p.Whiskers, p.Dots = line.String(), whiskers.String(), dots.String()
}

func trendPoint(x, y int) string { return strconv.Itoa(x) + " " + strconv.Itoa(y) }

func (p *trendPlot) levels(s *history.Series, y trendAxis) {
	n := len(s.Nights)
	for _, g := range s.Segments {
		l := trendLevel{X1: p.x(g.First, n), X2: p.x(g.Last, n), Y: y.at(g.Mean)}
		if l.X1 == l.X2 { // one night has a level too
			l.X1, l.X2 = l.X1-3, l.X2+3
		}
		if reach := floorReach * s.Floor; reach > 0 {
			l.BandY = y.at(g.Mean + reach)
			l.BandHeight = y.at(g.Mean-reach) - l.BandY
		}
		p.Levels = append(p.Levels, l)
	}
}

func (p *trendPlot) changes(s *history.Series) {
	for i := range s.Changes {
		c := &s.Changes[i]
		x := p.x(c.Night, len(s.Nights))
		if c.Night > 0 {
			x = (x + p.x(c.Night-1, len(s.Nights))) / 2
		}
		m := trendMark{X: x, Letter: changeLetter(i), Class: changeClass(c), Title: changeTitle(s, c)}
		p.Marks = append(p.Marks, m)
	}
}

// changeLetter names the changes of a series: a … z, then 27, 28, …
func changeLetter(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return strconv.Itoa(i + 1)
}

// changeClass is how a change is drawn.
func changeClass(c *history.Change) string {
	switch {
	case urgency(c) >= settledUrgency:
		return "over"
	case c.Worse:
		return "up"
	}
	return "down"
}

// changeTitle is a change in a few words: when, whose, which state.
func changeTitle(s *history.Series, c *history.Change) string {
	parts := []string{stateText(s, c), figure.SignedPercent(c.Share)}
	if c.Night >= 0 && c.Night < len(s.Nights) {
		parts = append(parts, "since "+s.Nights[c.Night].When.UTC().Format("2006-01-02"))
		if commit := s.Nights[c.Night].Commit; commit != "" {
			parts = append(parts, shortCommit(commit))
		}
	}
	return Clean(strings.Join(parts, " · "))
}

// shortCommit is as much of a hash as people say; other names stay whole.
func shortCommit(commit string) string {
	for _, r := range commit {
		if !strings.ContainsRune("0123456789abcdef", r) {
			return Clean(shorten(commit, 24))
		}
	}
	return commit[:min(len(commit), 9)]
}

// ratioTicks are round ratios on an axis of their logarithms.
func ratioTicks(y trendAxis) []trendTick {
	low, high := math.Exp(y.low), math.Exp(y.high)
	step := niceStep(high - low)
	if !(step > 0) || math.IsInf(step, 0) || math.IsInf(high, 0) {
		return nil
	}
	format, digits := byte('f'), max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	if high >= 1e6 || high < 1e-3 {
		format, digits = 'g', 3
	}
	var ticks []trendTick
	for i := range 20 {
		v := (math.Ceil(low/step) + float64(i)) * step
		if v > high {
			break
		}
		if v > 0 {
			ticks = append(ticks, trendTick{y.at(math.Log(v)), strconv.FormatFloat(v, format, digits, 64), "end"})
		}
	}
	return ticks
}

// days are up to six nights that the axis names.
func (p *trendPlot) days(s *history.Series) []trendTick {
	n := len(s.Nights)
	var ticks []trendTick
	every := max(1, (n+5)/6)
	for i := 0; i < n; i += every {
		tick := trendTick{p.x(i, n), nightDay(&s.Nights[i]), "start"}
		if tick.At > p.Right-dayWidth {
			tick.Anchor = "end"
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// raw draws the values themselves, and those of the reference, on one scale:
// what moves both is the machine.
func (p *trendPlot) raw(s *history.Series) {
	n := len(s.Nights)
	var vs []float64
	for i := range s.Nights {
		vs = append(vs, s.Nights[i].Raw, s.Nights[i].ReferenceRaw)
	}
	y := newTrendAxis(vs, 0, p.RawBottom, p.RawTop)
	var raw, base []string
	for i := range s.Nights {
		raw = append(raw, trendPoint(p.x(i, n), y.at(s.Nights[i].Raw)))
		base = append(base, trendPoint(p.x(i, n), y.at(s.Nights[i].ReferenceRaw)))
	}
	if n == 0 {
		return
	}
	p.Raw, p.RawBase = "M"+strings.Join(raw, " "), "M"+strings.Join(base, " ")
	unit := figure.Fit(Clean(s.Unit), y.low, y.high)
	p.RawHigh, p.RawLow = unit.WithUnit(unit.Number(y.high)), unit.WithUnit(unit.Number(y.low))
}

// sparkPath is the course of a series in a few strokes.
func sparkPath(s *history.Series) string {
	n := len(s.Nights)
	vs := make([]float64, n)
	for i := range s.Nights {
		vs[i] = s.Nights[i].Log
	}
	y := newTrendAxis(vs, leastSpan, sparkHeight-3, 3)
	x := trendAxis{0, float64(max(n-1, 1)), 3, sparkWidth - 3}
	var points []string
	for i, v := range vs {
		points = append(points, trendPoint(x.at(float64(i)), y.at(v)))
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "M" + points[0] + "h0"
	}
	return "M" + strings.Join(points, " ")
}

// Width of a level's band.
func (l trendLevel) Width() int { return l.X2 - l.X1 }

// Banded says whether the noise floor is drawn.
func (p trendPlot) Banded() bool {
	for _, l := range p.Levels {
		if l.BandHeight > 0 {
			return true
		}
	}
	return false
}
