package jtl

import (
	"fmt"
	"slices"
	"strings"

	"moobench/results"
	"moobench/results/importer"
)

// scenario is the label of the one scenario of an imported campaign.
const scenario = "jmeter"

// The metrics of an imported campaign that are no outcomes.
const (
	metricRequests   = "requests"
	metricLost       = "lost"
	metricThroughput = "throughput"
)

// newCampaign has a cell for each variant, in the order in which they come
// first.
func newCampaign(made results.Campaign, sources []Source, baseline string) (*results.Campaign, error) {
	cells := importer.Cells{Scenario: scenario}
	for _, s := range sources {
		cells.ID(s.Variant)
	}
	settled, err := cells.Settle(baseline)
	if err != nil {
		return nil, err
	}
	c := &results.Campaign{
		Name: made.Name, Created: made.Created, Versions: made.Versions, Source: Tool, Design: results.DesignUnordered,
		Scenarios: []results.Scenario{{
			Label: scenario, Use: scenario, Window: results.WindowAll, Metrics: metrics(nil),
			About: "requests that JMeter sent, from its result files",
		}},
		Cells: settled,
	}
	for cell, b := range importer.Compared(settled) {
		c.Scenarios[0].Questions = append(c.Scenarios[0].Questions, questions(cell, b)...)
	}
	return c, nil
}

// cellOf is the ID of a variant's cell.
func cellOf(c *results.Campaign, variant string) string {
	i := slices.IndexFunc(c.Cells, func(cell results.Cell) bool { return cell.Variant == variant })
	return c.Cells[i].ID
}

func questions(cell, baseline *results.Cell) []results.Question {
	return []results.Question{
		{
			ID: "lost-" + cell.ID, Text: fmt.Sprintf("Does %s lose more requests than %s?", cell.Variant, baseline.Variant),
			Metric: metricLost, A: cell.ID, B: baseline.ID, Test: results.TestRates, Family: importer.Family(cell, metricLost),
		},
		{
			ID: "service-" + cell.ID, Text: fmt.Sprintf("How much longer does an answer take with %s?", cell.Variant),
			Metric: columnService, A: cell.ID, B: baseline.ID, Test: results.TestWelch, Family: importer.Family(cell, columnService),
		},
	}
}

// metrics are those of an imported campaign, with those of optional columns
// that some file has.
func metrics(optional map[string]bool) []results.Metric {
	all := []results.Metric{{
		Name: columnService, Unit: "ns", Better: results.Lower, Primary: true, Series: results.SeriesRequest, Column: columnService,
		Profile: results.ProfileTiming, About: "from the sending of a request to the last byte of its answer (JMeter's elapsed)",
	}}
	for _, c := range []struct{ name, about string }{
		{columnFirstByte, "from the sending of a request to the first byte of its answer (JMeter's Latency)"},
		{columnConnect, "how long it took to connect; 0 where a connection was there"},
	} {
		if optional[c.name] {
			all = append(all, results.Metric{
				Name: c.name, Unit: "ns", Better: results.Lower, Series: results.SeriesRequest, Column: c.name,
				Profile: results.ProfileTiming, About: c.about,
			})
		}
	}
	all = append(
		all,
		results.Metric{
			Name: metricLost, Unit: "1", Better: results.Lower, Of: metricRequests, Key: true, Profile: results.ProfileTiming,
			About: "requests that got no right answer: wrong, refused, reset, timed out or truncated",
		},
		results.Metric{Name: metricRequests, Unit: "1", Better: results.Neither, Profile: results.ProfileTiming, About: "requests that were sent"},
	)
	for _, o := range results.Outcomes {
		if o == late {
			continue // JMeter has no such bound
		}
		m := results.Metric{
			Name: metricName(o), Unit: "1", Better: results.Lower, Of: metricRequests, Profile: results.ProfileTiming,
			About: "requests whose outcome was: " + o,
		}
		if o == right {
			m.Better = results.Higher
		}
		all = append(all, m)
	}
	return append(all, results.Metric{
		Name: metricThroughput, Unit: "1/s", Better: results.Higher, Profile: results.ProfileTiming,
		About: "right answers per second, from the first sending to the last answer",
	})
}

// metricName is that of the count of an outcome.
func metricName(outcome string) string { return strings.ReplaceAll(outcome, " ", "_") }
