package main

import (
	"cmp"
	"slices"
	"testing"

	"moobench/analysis/replication"
	"moobench/cmd/internal/session"
	"moobench/results"
	"moobench/results/published"
	"moobench/scenarios"
)

// TestPapersPlan plans every paper whole and in small: another plan, which says
// so, and asks all that its claims need to know.
func TestPapersPlan(t *testing.T) {
	lab := &session.Lab{Scenarios: scenarios.All()}
	for _, name := range published.Names() {
		p, err := openPaper(name)
		if err != nil {
			t.Fatal(err)
		}
		var hashes []string
		for _, scale := range []float64{1, 0.5, 0.02} {
			s, err := p.plan(lab, session.Options{}, scale)
			if err != nil {
				t.Fatalf("%s at %v: %v", name, scale, err)
			}
			c := s.Plan.Campaign
			hashes = append(hashes, c.PlanHash)
			if whole := scale == 1; whole && c.Scale != 0 || !whole && c.Scale != scale {
				t.Errorf("%s at %v: the campaign's scale is %v", name, scale, c.Scale)
			}
			if c.Name != name {
				t.Errorf("%s: the campaign is called %q", name, c.Name)
			}
			for _, claim := range p.Claims {
				missing := 0
				for _, pair := range pairsOf(claim) {
					switch {
					case claim.Absent != "" && !has(c, pair):
						missing++
					case !asks(c, pair):
						t.Errorf("%s, %q: the campaign doesn't ask for %s against %s", name, claim.Text, pair.A, pair.B)
					}
				}
				if claim.Absent != "" && missing == 0 {
					t.Errorf("%s, %q: the campaign measures it all, and the claim says that something is absent", name, claim.Text)
				}
			}
		}
		if slices.Sort(hashes); len(slices.Compact(hashes)) != 3 {
			t.Errorf("%s: three scales have the plans %q", name, hashes)
		}
	}
}

// pairsOf are the comparisons that a claim rests on.
func pairsOf(c replication.Claim) []replication.Claim {
	switch {
	case len(c.Others) > 0:
		return results.Each(c.Others, func(other string) replication.Claim {
			return replication.Claim{Scenario: c.Scenario, Metric: c.Metric, A: c.A, B: other}
		})
	case c.B == "" && c.Absent != "":
		return []replication.Claim{{Scenario: c.Scenario, A: c.A, B: c.A}}
	case c.B == "":
		return nil
	case len(c.Than) > 0:
		return []replication.Claim{{Scenario: c.Scenario, Metric: c.Metric, A: c.A, B: c.B}, {Scenario: cmp.Or(c.In, c.Scenario), Metric: c.Metric, A: c.Than[0], B: c.Than[1]}}
	case c.Saves != "": // when a swap pays is asked of both scenarios' cells, by no question
		return []replication.Claim{{Scenario: c.Saves, A: c.A, B: c.B}}
	}
	return []replication.Claim{{Scenario: c.Scenario, Metric: c.Metric, A: c.A, B: c.B}}
}

// has says whether the campaign has cells of both variants.
func has(c *results.Campaign, p replication.Claim) bool {
	s := c.Scenario(p.Scenario)
	return s != nil && !slices.ContainsFunc([]string{p.A, p.B}, func(name string) bool {
		return !slices.ContainsFunc(c.Cells, func(cell results.Cell) bool {
			return cell.Scenario == p.Scenario && (cell.Variant == name || cell.Label() == name)
		})
	})
}

// asks says whether a question compares the two, either way round.
func asks(c *results.Campaign, p replication.Claim) bool {
	s := c.Scenario(p.Scenario)
	if s == nil {
		return false
	}
	metric := p.Metric
	for _, m := range s.Metrics {
		if metric == "" && m.Primary {
			metric = m.Name
		}
	}
	return slices.ContainsFunc(s.Questions, func(q results.Question) bool {
		of := func(id, name string) bool { cell := c.Cell(id); return cell.Variant == name || cell.Label() == name }
		return q.Metric == metric && (of(q.A, p.A) && of(q.B, p.B) || of(q.A, p.B) && of(q.B, p.A))
	})
}
