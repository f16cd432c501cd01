package replication

import (
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/stats"
)

// Check recomputes a number from printed figures.
type Check struct {
	Name  string `toml:"name" json:"name"`
	Where string `toml:"where" json:"where,omitempty"` // in the paper
	// Printed is the paper's number; nil if it prints none, but readers may want it.
	Printed *Number  `toml:"printed" json:"printed,omitempty"`
	Finds   Number   `toml:"finds" json:"-"` // the expected result, with the digits of interest
	Kind    string   `toml:"kind" json:"-"`  // a formula, see formulas.go
	Of      []string `toml:"of" json:"-"`    // table/column, in the formula's order
	// Per divides mean and sd of each column by another figure, table/column.figure, to get a common scale.
	Per  []string `toml:"per" json:"-"`
	Note string   `toml:"note" json:"note,omitempty"` // why it does not follow, or what it shows
	// Beside asks for the same from our figures, too.
	Beside bool `toml:"beside" json:"-"`
}

// Follows says whether a printed number follows from the others.
type Follows string

const (
	followsYes   Follows = "follows"
	followsCut   Follows = "follows, cut off"  // further digits were cut off, not rounded
	followsNot   Follows = "does not follow"   // the note says why
	followsAbout Follows = "not in the paper"  // nothing to compare with
	followsWhat  Follows = "can't be computed" // Wrong says why
)

// Recomputed is a check with its result.
type Recomputed struct {
	Check
	// Value is computed from printed figures; Text is Value with the digits of interest.
	Value   *float64 `json:"value,omitempty"`
	Text    string   `json:"recomputed,omitempty"`
	Follows Follows  `json:"follows"`
	// Wrong says how the recomputation contradicts figures.toml, or why it failed.
	Wrong string `json:"problem,omitempty"`
	// Ours is the same from our figures; NoOurs says why it is absent.
	Ours   *float64 `json:"measured,omitempty"`
	NoOurs string   `json:"no_measured,omitempty"`
	// Never says that, by our figures, no number of calls is enough.
	Never bool `json:"never,omitempty"`
}

// figures returns the figures of a column, table/column; nil if it has none.
type figures func(place string) map[string]Number

func (p *Paper) printed(place string) map[string]Number {
	if c := p.column(place); c != nil {
		return c.Printed
	}
	return nil
}

func (c *Check) recompute(from figures) Recomputed {
	r := Recomputed{Check: *c, Follows: followsAbout}
	x, err := c.value(from)
	if err != nil {
		r.Follows, r.Wrong = followsWhat, err.Error()
		return r
	}
	r.Value, r.Text = &x, c.Finds.round(x)
	switch {
	case c.Printed == nil:
	case c.Printed.rounds(x):
		r.Follows = followsYes
	case c.Printed.cutsOff(x):
		r.Follows = followsCut
	default:
		r.Follows = followsNot
	}
	switch {
	case !c.Finds.rounds(x):
		r.Wrong = fmt.Sprintf("figures.toml says that it comes to %s", c.Finds.Text)
	case r.Follows == followsNot && c.Note == "":
		r.Wrong = "figures.toml gives no reason"
	}
	return r
}

// value computes the check from some figures.
func (c *Check) value(from figures) (float64, error) {
	f, err := formulaOf(c.Kind)
	if err != nil {
		return 0, err
	}
	arms := columns{figures: from, places: c.Of}
	arms.per = slices.Repeat([]float64{1}, len(c.Of))
	for i, place := range c.Per[:min(len(c.Per), len(c.Of))] {
		name, figure := cutFigure(place)
		arms.per[i] = arms.take(name, figure)[0]
	}
	if arms.err != nil {
		return 0, arms.err
	}
	x := f.compute(&arms)
	if arms.err == nil && !stats.Finite(x) {
		arms.err = fmt.Errorf("the formula %s has no value for these figures", c.Kind)
	}
	return x, arms.err
}

// check reports the mistakes in a check.
func (m *mistakes) check(p *Paper, c *Check) {
	m.want(c.Name != "", "a check has no name")
	m.want(c.Finds.Text != "", "check %q: it needs finds: what it comes to", c.Name)
	f, err := formulaOf(c.Kind)
	if !m.want(err == nil, "check %q: %v", c.Name, err) {
		return
	}
	m.want(len(c.Of) == f.arms, "check %q: %s takes %d columns, not %d", c.Name, c.Kind, f.arms, len(c.Of))
	m.want(len(c.Per) == 0 || len(c.Per) == len(c.Of), "check %q: per needs a figure for each column", c.Name)
	for _, place := range c.Of {
		m.want(p.column(place) != nil, "check %q: there is no column %q", c.Name, place)
	}
	for _, place := range c.Per {
		column, figure := cutFigure(place)
		_, ok := p.printed(column)[figure]
		m.want(ok, "check %q: there is no figure %q (table/column.figure)", c.Name, place)
	}
}

// cutFigure splits table/column.figure; a table's id may hold dots.
func cutFigure(place string) (column, figure string) {
	i := strings.LastIndex(place, ".")
	if i < 0 {
		return place, ""
	}
	return place[:i], place[i+1:]
}
