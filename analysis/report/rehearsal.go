package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/report/doc"
)

// WriteRehearsal prints a rehearsal in a format of documents: how often checks fail by
// chance, and which level shifts they find.
func WriteRehearsal(w io.Writer, format string, r *history.Rehearsal, o Options) error {
	return WriteDocument(w, format, r, func(bool) *doc.Document { return newRehearsed(r).document() }, o)
}

// rehearsed makes the document of a rehearsal.
type rehearsed struct {
	*history.Rehearsal
	names *trend // names of the series
}

func newRehearsed(r *history.Rehearsal) *rehearsed {
	series := each(r.Series, func(s history.RehearsedSeries) history.Series { return history.Series{Key: s.Key} })
	return &rehearsed{r, newTrend(&history.Findings{Series: series})}
}

// name is the name of a series in a table.
func (r *rehearsed) name(s *history.RehearsedSeries) string {
	return r.names.name(&history.Series{Key: s.Key})
}

func (r *rehearsed) document() *doc.Document {
	d := &doc.Document{Title: "rehearsal", Facts: slices.Clone(r.names.shared)}
	d.Facts = append(d.Facts, figure.Plural(len(r.Series), "series", "series"),
		figure.Count(int64(r.Years))+" simulated years in which nothing changes",
		"least change reported "+figure.Percent(r.Least))
	d.Add(doc.Paragraphs(doc.Paragraph{Mark: "!", Tone: doc.Warning}, r.Warnings...)...)
	for _, part := range []struct {
		title string
		table *doc.Table
	}{
		{r.event() + " a year by chance, with the 95 % interval", r.yearly()},
		{"level shift for the worse that is found in 80 %", r.found()},
		{"what was resampled", r.sampled()},
	} {
		d.Add(&doc.Section{Title: part.title, Tight: true, Blocks: []doc.Block{part.table}})
	}
	d.Add(&doc.Section{Silent: true, Flush: true, Blocks: doc.Paragraphs(doc.Paragraph{Tone: doc.Soft}, r.legend()...)})
	return d
}

// event names the counted event: a series that can't be re-measured fails no check.
func (r *rehearsed) event() string {
	remeasured := func(s history.RehearsedSeries) bool { return s.Remeasured }
	switch {
	case !slices.ContainsFunc(r.Series, remeasured):
		return "alarms"
	case slices.ContainsFunc(r.Series, func(s history.RehearsedSeries) bool { return !s.Remeasured }):
		return "failures, or alarms where nothing can be re-measured,"
	}
	return "failures"
}

// blocksText is a number of blocks, compared with the present one.
func blocksText(i, n int) string {
	if n == 0 {
		return []string{"as they are", "one more", "twice"}[i]
	}
	return fmt.Sprint(n) + []string{"", " (one more)", " (twice)"}[i]
}

// yearly has a row for each series and number of blocks: how often something happens by chance.
func (r *rehearsed) yearly() *doc.Table {
	t := &doc.Table{Joined: true, Columns: []doc.Column{
		{Head: "series"},
		{Head: "blocks", Number: true},
		{Head: "check", Number: true, Help: "the history's check, which re-measures what it suspects"},
		{Head: "gate on one night", Number: true, Help: "a gate that judges each night by itself"},
		{Head: "re-measured", Number: true, Rank: 1, Help: "campaigns a year in which old and new are measured again"},
	}}
	row := func(name string, i int, b history.RehearsedBlocks) {
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			{Text: name},
			{Text: blocksText(i, b.N)},
			yearlyCell(b.Check), yearlyCell(b.Gate),
			{Text: rare(b.Again), Sort: new(b.Again)},
		}})
	}
	for i := range r.Series {
		s := &r.Series[i]
		for j, b := range s.Blocks {
			row(r.name(s), j, b)
		}
	}
	if len(r.Series) > 1 {
		for j, b := range r.Total {
			row("all series", j, b)
		}
	}
	return t
}

// ownShare is the contribution of nights' own blocks to the differences between nights; a dash if nights have
// no errors of their own.
func ownShare(s *history.RehearsedSeries) string {
	if s.Within == 0 {
		return "–"
	}
	return figure.Percent(math.Expm1(s.Within))
}

func yearlyCell(y history.Yearly) doc.Cell {
	return doc.Cell{Text: rare(y.Rate), Interval: rare(y.Low) + " … " + rare(y.High), Sort: new(y.Rate)}
}

// rare formats a frequency per year, in two significant digits.
func rare(x float64) string {
	switch {
	case x >= 99.5:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x == 0 || x >= 0.0001:
		return strconv.FormatFloat(x, 'f', decimals(x), 64)
	}
	return "< 0.0001"
}

// decimals is the number of decimals that leaves two significant digits.
func decimals(x float64) int {
	if x == 0 {
		return 0
	}
	digits := 1 - int(math.Floor(math.Log10(x)))
	rounded := strconv.FormatFloat(x, 'e', 1, 64)
	if strings.HasPrefix(rounded, "1.0e") && x < math.Pow(10, float64(2-digits)) {
		digits-- // 0.0996 is 0.10
	}
	return max(0, digits)
}

// found has a row for each series and number of blocks: the smallest shifts that are found.
func (r *rehearsed) found() *doc.Table {
	t := &doc.Table{
		Joined:  true,
		Split:   true,
		Columns: []doc.Column{{Head: "series"}, {Head: "blocks", Number: true}, {Head: "by"}},
	}
	for i := range r.Series {
		s := &r.Series[i]
		for j, b := range s.Blocks {
			if len(b.Found) == 0 { // not asked for
				continue
			}
			if i == 0 && j == 0 {
				for _, f := range b.Found {
					t.Columns = append(t.Columns, doc.Column{
						Head:   "within " + figure.Plural(f.Nights, "night", "nights"),
						Number: true,
					})
				}
			}
			for _, by := range []struct {
				name  string
				shift func(history.FoundWithin) float64
			}{
				{"check", func(f history.FoundWithin) float64 { return f.Check }},
				{"gate on one night", func(f history.FoundWithin) float64 { return f.Gate }},
			} {
				cells := doc.Texts(r.name(s), blocksText(j, b.N), by.name)
				for _, f := range b.Found {
					cells = append(cells, shiftCell(by.shift(f)))
				}
				t.Rows = append(t.Rows, doc.Row{Cells: cells})
			}
		}
	}
	return t
}

func shiftCell(shift float64) doc.Cell {
	if shift == 0 {
		return doc.Cell{Text: "none"}
	}
	return doc.Cell{Text: figure.SignedPercent(shift), Sort: new(shift)}
}

// sampled has a row for each series: a description of its nights.
func (r *rehearsed) sampled() *doc.Table {
	number := func(head string, rank int, help string, text func(*history.RehearsedSeries) string,
	) doc.ColumnOf[*history.RehearsedSeries] {
		return doc.NewColumn(doc.Column{Head: head, Number: true, Rank: rank, Help: help}, doc.TextOnly(text))
	}
	columns := doc.View[*history.RehearsedSeries]{
		doc.TextColumn("series", r.name),
		number("nights", 0, "", func(s *history.RehearsedSeries) string { return fmt.Sprint(s.Nights) }),
		number("shifts taken out", 2, "", func(s *history.RehearsedSeries) string { return fmt.Sprint(s.Shifts) }),
		number("nights differ by", 0, "standard deviation of typical nights about their levels",
			func(s *history.RehearsedSeries) string { return figure.Percent(math.Expm1(s.SD)) }),
		number("share of blocks", 1, "what more blocks would make smaller", ownShare),
		number("neighbours alike", 4, "correlation of one night with the next",
			func(s *history.RehearsedSeries) string { return strconv.FormatFloat(s.Lag1, 'f', 2, 64) }),
		number("drawn together", 3, "this many neighbouring nights are resampled as one",
			func(s *history.RehearsedSeries) string { return figure.Plural(s.Length, "night", "nights") }),
	}
	t := &doc.Table{Columns: columns.Heads()}
	for i := range r.Series {
		t.Rows = append(t.Rows, columns.Row(&r.Series[i]))
	}
	return t
}

// legend explains the numbers and the assumptions.
func (r *rehearsed) legend() []string {
	var texts []string
	if slices.ContainsFunc(r.Series, func(s history.RehearsedSeries) bool { return s.Remeasured && s.Bound }) {
		texts = append(texts,
			"how much new/old varies from night to night is not known from confirmations yet: "+
				"the variation of the series' own nights is used, an upper bound")
	}
	if slices.ContainsFunc(r.Series, func(s history.RehearsedSeries) bool { return !s.Remeasured }) {
		texts = append(texts,
			"alarms: the last night names no file of the variant that could be measured again, "+
				"and nothing but re-measuring fails a check; alarms of nights in a row count once")
	}
	return append(texts,
		fmt.Sprintf(
			"gate on one night: fails when the one-sided %s bound of a night's own blocks "+
				"is worse than its level by more than %s",
			figure.Level(1-r.GateAlpha), figure.Percent(r.Least)),
		"intervals allow for the history being a sample of nights; "+
			"shifts are estimates, good to about a tenth",
		"more blocks a night: the share of the blocks becomes smaller, the variation between nights does not",
	)
}
