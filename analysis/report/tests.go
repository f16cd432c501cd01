package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/numbers"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/stats"
)

// WriteTests prints the report of moobench test in a format of documents: the verdict first. Its text has an
// ASCII minus, so that numbers can be copied.
func WriteTests(w io.Writer, format string, r *numbers.Report, o Options) error {
	var b strings.Builder
	build := func(bool) *doc.Document {
		d := &doc.Document{}
		for _, c := range r.Comparisons {
			p := &testRows{r, &doc.Entries{Names: 12}}
			p.comparison(&c)
			d.Add(&doc.Section{Silent: true, Flush: true, Blocks: []doc.Block{doc.Paragraph{Text: c.Sentence}}},
				&doc.Section{Silent: true, Blocks: []doc.Block{p.Entries}})
		}
		d.Add(&doc.Section{
			Silent: true,
			Blocks: doc.Paragraphs(doc.Paragraph{Mark: "!", Tone: doc.Warning}, r.Warnings...),
		})
		return d
	}
	if err := WriteDocument(&b, format, r, build, o); err != nil {
		return err
	}
	text := b.String()
	if format == "text" {
		text = strings.ReplaceAll(text, "−", "-")
	}
	_, err := io.WriteString(w, text)
	return err
}

// testRows are the rows of one comparison: a name and a text each.
type testRows struct {
	r *numbers.Report
	*doc.Entries
}

func (p *testRows) row(name, format string, args ...any) {
	p.Items = append(p.Items, doc.Entry{Name: name, Term: fmt.Sprintf(format, args...)})
}

func (p *testRows) comparison(c *numbers.Comparison) {
	asked := ""
	if p.r.Alternative == stats.Less || p.r.Alternative == stats.Greater {
		asked = fmt.Sprintf(", alternative: %s is %s than %s", c.A.Name, p.r.Alternative, c.B.Name)
	}
	p.row("test", "%s%s", p.r.Method, asked)
	p.statistic(c)
	if s := c.Scatter; s != nil {
		p.row("scatter", "chi² = %s, df %s, %s of Poisson's law", fixed(s.Chi2), degrees(s.DF), figure.P(s.P))
		p.row("quasi", "F = %s, df %s and %s, %s by quasi-Poisson, variance %s times the mean",
			fixed(s.F), degrees(s.DF1), degrees(s.DF2), figure.P(s.PQuasi), figure.Ratio(s.Dispersion))
		if s.PPermuted != nil {
			how := map[bool]string{
				true:  "by all permutations of the runs",
				false: "by a seeded sample of the permutations of the runs",
			}[s.Exact]
			p.row("permutation", "%s%s %s", figure.P(*s.PPermuted),
				textIf(s.Least, ", the least that so few can have"), how)
		}
	}
	if q, m := c.Equivalence, p.r.Margin; q != nil && m != nil {
		low, high, unit := -m.Size, m.Size, p.r.Unit
		if m.Relative {
			low, high, unit = 1/(1+m.Size), 1+m.Size, ""
		}
		p.row("equivalence", "%s (lower %s, upper %s)", p.pValue(c), figure.P(q.PLow), figure.P(q.PHigh))
		p.row("", "%s CI %s, margins %s", figure.Level(q.Level), figure.Range(q.Low, q.High, unit),
			figure.Range(low, high, unit))
	}
	p.estimate("estimate", c.Estimate)
	p.estimate("delta method", c.Delta)
	// With standard deviations far smaller than the difference, the ratio says more than
	// any effect size, and stands first anyway.
	if e := c.Effects; e != nil {
		p.row("effect", "%s", strings.Join(prose.NonEmpty(
			prefixed("ratio of means ", doc.Optional(e.Ratio, figure.Ratio)),
			prefixed("Hedges g ", doc.Optional(e.HedgesG, figure.Ratio)),
			prefixed("Cliff's delta ", doc.Optional(e.CliffDelta, figure.Ratio)),
			prefixed("A12 ", doc.Optional(e.A12, figure.Ratio)),
		), ", "))
	}
	if d := c.Detectable; d != nil {
		kind, _ := infer.KindOf(p.r.Kind)
		size := textIf(kind.Ratio, "a difference of ") + figure.Quantity(d.Value, p.r.Unit)
		if d.Ratio {
			size = "a ratio of " + figure.Ratio(d.Value)
		}
		p.row("detectable", "%s%s is found with 80 %% power", size, textIf(d.ByT, " by the t test"))
	}
	p.sample(c.A)
	if c.B.N > 0 {
		p.sample(c.B)
	}
}

// statistic prints the test's statistic with its p value and its critical values, as papers do; for counts only
// the p value, struck out if it is not valid.
func (p *testRows) statistic(c *numbers.Comparison) {
	s := c.Statistic
	if s == nil {
		switch {
		case c.Equivalence != nil || c.P == nil:
		case c.Scatter == nil:
			p.row("statistic", "%s by Poisson's law, which one count an arm can't show", p.pValue(c))
		case !c.Scatter.TooScattered:
			p.row("statistic", "%s (exact)", p.pValue(c))
		default:
			p.Items = append(p.Items, doc.Entry{
				Name:   "statistic",
				Struck: p.pValue(c),
				Term:   "by Poisson's law: not valid here",
			})
		}
		return
	}
	text := s.Name + " = " + strconv.FormatFloat(s.Value, 'f', -1, 64) // rank statistics are whole or halves
	if s.DF != nil {
		text = s.Name + " = " + fixed(s.Value) + ", df " + degrees(*s.DF)
	}
	if c.Equivalence == nil {
		text += ", " + p.pValue(c)
	}
	if s.Exact != nil {
		text += map[bool]string{true: " (exact)", false: " (normal approximation)"}[*s.Exact]
	}
	p.row("statistic", "%s", text)
	where := prose.NonEmpty(prefixed("below ", doc.Optional(s.RejectBelow, fixed)),
		prefixed("above ", doc.Optional(s.RejectAbove, fixed)))
	if len(where) > 0 {
		p.row("bound", "reject %s (alpha %.4g)", strings.Join(where, " or "), 1-c.Estimate.Level)
	}
}

func (p *testRows) pValue(c *numbers.Comparison) string {
	return figure.P(*c.P) + doc.Optional(c.PHolm, func(holm float64) string {
		return fmt.Sprintf(" (of %d, Holm: %s)", len(p.r.Comparisons), figure.P(holm))
	})
}

func (p *testRows) estimate(name string, e *numbers.Estimate) {
	if e == nil {
		return
	}
	unit := textIf(e.Neutral != 1, p.r.Unit)
	value := cmp.Or(doc.Optional(e.Value, func(v float64) string { return figure.Quantity(v, unit) }), "infinite")
	var reach []float64
	for _, b := range []*float64{e.Low, e.High} {
		if b != nil {
			reach = append(reach, *b)
		}
	}
	if len(reach) == 0 {
		p.row(name, "%s %s, unbounded on both sides", e.What, value)
		return
	}
	s := figure.Fit(unit, reach...)
	low := cmp.Or(doc.Optional(e.Low, s.Number), textIf(e.Neutral == 1 && !e.Exclusive, "0"), "-inf")
	p.row(name, "%s %s, %s interval %s%s", e.What, value, figure.Level(e.Level),
		textIf(e.Exclusive, "everything outside "), s.WithUnit(low+" … "+cmp.Or(doc.Optional(e.High, s.Number), "inf")))
}

func (p *testRows) sample(d numbers.Described) {
	if d.Rate != nil {
		p.row(d.Name, "%s counted in %s, rate %s", figure.Count(*d.Count),
			figure.Ratio(*d.Exposure), figure.Ratio(*d.Rate))
		return
	}
	quantity := func(v float64) string { return figure.Quantity(v, p.r.Unit) }
	p.row(d.Name, "n = %s%s%s", figure.Count(int64(d.N)), prefixed(", mean ", doc.Optional(d.Mean, quantity)),
		prefixed(", sd ", doc.Optional(d.SD, quantity)))
}

// fixed formats a number with the four decimals of printed tables.
func fixed(v float64) string {
	if a := math.Abs(v); a >= 1e6 || a > 0 && a < 1e-3 {
		return strconv.FormatFloat(v, 'g', 5, 64)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// degrees formats degrees of freedom: whole ones without decimals.
func degrees(df float64) string {
	decimals := 4
	if math.Abs(df-math.Round(df)) <= 1e-12*df {
		decimals = 0
	}
	return strconv.FormatFloat(df, 'f', decimals, 64)
}
