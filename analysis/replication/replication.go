// Package replication sets a paper's printed figures beside ours.
//
// A paper is a figures.toml: tables as printed, checks that recompute numbers from the printed figures alone,
// and claims with the cells of a campaign that decide them. The package knows formulas, never a paper: a new
// one is a folder without code. It is pure, and reads no file.
package replication

import (
	"cmp"
	"errors"
	"slices"

	"moobench/analysis"
	"moobench/analysis/chapter/growth"
	"moobench/results"
)

// Replication is a paper beside a campaign of ours or, for a check, alone.
type Replication struct {
	Version int    `json:"format"`
	Paper   string `json:"paper"`
	Source  string `json:"source"`
	// Campaign, Machines and Runtimes are the provenance of our figures.
	Campaign string   `json:"campaign,omitempty"`
	Machines []string `json:"machines,omitempty"`
	Runtimes []string `json:"runtimes,omitempty"`
	// Scale is the scale of a shortened campaign; 0 at full length.
	Scale  float64  `json:"scale,omitempty"`
	Tables []Beside `json:"tables,omitempty"`
	// Figures are printed pictures, with ours in their place.
	Figures []Pictured   `json:"figures,omitempty"`
	Checks  []Recomputed `json:"checks"`
	Claims  []Judged     `json:"claims,omitempty"`
	// Unanswered says why not every cell of the campaign has a reliable answer.
	Unanswered []string `json:"incomplete,omitempty"`
	Warnings   []string `json:"warnings,omitempty"`
	// Answers are the answers of our campaign, for its pictures; nil for a check.
	Answers *analysis.Answers `json:"-"`
}

// Pictured is a printed picture, with ours in its place.
type Pictured struct {
	Figure
	Growths growth.Lines `json:"growths,omitempty"` // for ShowsGrowth
	NoOurs  string       `json:"no_measured,omitempty"`
}

// Beside is a printed table with ours beside it.
type Beside struct {
	Table
	Columns []ColumnPair `json:"columns"`
}

// ColumnPair is one column of a table: as printed, ours by the paper's
// arithmetic, and ours by our own.
type ColumnPair struct {
	Column
	Ours   map[string]Number `json:"measured,omitempty"`
	NoOurs string            `json:"no_measured,omitempty"`
	// Mean is the mean over invocations with its interval, in MeanUnit; Rate is the rate of lost transactions.
	Mean     *analysis.Estimate `json:"mean,omitempty"`
	MeanUnit string             `json:"mean_unit,omitempty"`
	Rate     *analysis.Rate     `json:"rate,omitempty"`
	// Speed says that Mean is at one speed of the CPU; figures in the paper's arithmetic are of the same calls
	// as they ran.
	Speed *analysis.Speed `json:"speed,omitempty"`
}

// Compare sets a paper beside a campaign and its answers.
func Compare(p *Paper, src analysis.Source, a *analysis.Answers) *Replication {
	c := &campaign{src: src, answers: a, used: map[string]bool{}}
	for _, i := range a.Invocations {
		c.used[i.ID] = i.Status == results.StatusOK && i.Profile == results.ProfileTiming
	}
	c.all, _ = src.Invocations() // the answers' warnings name unreadable ones
	r := Alone(p)
	r.Campaign, r.Runtimes, r.Scale = a.Campaign.Name, a.Campaign.Runtimes, src.Campaign().Scale
	c.scale = r.Scale
	r.Answers, r.Figures = a, pictures(p, a)
	r.Unanswered, r.Warnings = a.Unanswered, a.Warnings
	for _, m := range a.Machines { // a resumed campaign describes its machine again
		if m == nil { // unreadable, as the answers say
			continue
		}
		if name := m.Host + ", " + m.CPU; !slices.Contains(r.Machines, name) {
			r.Machines = append(r.Machines, name)
		}
	}
	found := map[string]map[string]Number{} // our figures, by table/column
	for i := range p.Tables {
		t := &p.Tables[i]
		b := Beside{Table: *t}
		for _, column := range t.Columns {
			pair, err := ColumnPair{Column: column}, errors.New("nothing of ours does the same")
			if column.Variant != "" {
				err = c.figures(t, &pair)
			}
			if err != nil {
				pair.NoOurs = err.Error()
			}
			found[t.ID+"/"+pair.ID] = pair.Ours
			b.Columns = append(b.Columns, pair)
		}
		r.Tables = append(r.Tables, b)
	}
	for i := range r.Checks {
		if one := &r.Checks[i]; one.Beside {
			x, err := one.value(func(place string) map[string]Number { return found[place] })
			if one.Ours = &x; err != nil {
				one.Ours, one.NoOurs, one.Never = nil, err.Error(), errors.Is(err, errNever)
			}
		}
	}
	for i := range p.Claims {
		j := p.Claims[i].judge(p, c)
		j.Scale = r.Scale
		r.Claims = append(r.Claims, j)
	}
	return r
}

// pictures are the pictures of a paper, with ours in their place.
func pictures(p *Paper, a *analysis.Answers) []Pictured {
	return results.Each(p.Drawn, func(f Figure) Pictured {
		x := Pictured{Figure: f}
		s, err := scenarioOf(a, f.Scenario)
		switch {
		case err != nil:
			x.NoOurs = err.Error()
		case f.Shows == ShowsGrowth:
			x.Growths = slices.DeleteFunc(slices.Clone(s.Growths), func(g growth.Line) bool {
				return f.Metric != "" && g.Metric != f.Metric
			})
			for i := range x.Growths {
				x.Growths[i].Points = possiblePoints(s, x.Growths[i])
			}
			if len(x.Growths) == 0 {
				x.NoOurs = "the campaign doesn't say how " + cmp.Or(f.Metric, "anything") + " of " + f.Scenario +
					" grows"
			}
		}
		return x
	})
}

// possiblePoints are the points of a growth, with intervals cut at the bounds of its metric.
func possiblePoints(s *analysis.Scenario, g growth.Line) []growth.Point {
	m, err := metricOf(s, g.Metric)
	return results.Each(g.Points, func(p growth.Point) growth.Point {
		if err == nil {
			p.Mean = possible(p.Mean, m)
		}
		return p
	})
}

// Alone evaluates the paper's figures without a campaign.
func Alone(p *Paper) *Replication {
	r := &Replication{Version: results.Format, Paper: p.Title, Source: p.Source, Checks: []Recomputed{}}
	for i := range p.Checks {
		r.Checks = append(r.Checks, p.Checks[i].recompute(p.printed))
	}
	return r
}

// Wrong counts the checks that contradict figures.toml.
func (r *Replication) Wrong() int {
	n := 0
	for _, c := range r.Checks {
		if c.Wrong != "" {
			n++
		}
	}
	return n
}
