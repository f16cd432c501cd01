package report

import (
	"slices"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// calibration is what is known of a machine's ability to measure.
type calibration struct {
	Text string
	Bad  bool
}

// calibrations says, of every machine, what its last calibration showed.
func calibrations(a *analysis.Answers) []calibration {
	var latest []*results.Machine
	for _, m := range a.Machines { // the latest state of each comes first
		if m != nil && !slices.ContainsFunc(latest, func(l *results.Machine) bool { return l.ID == m.ID }) {
			latest = append(latest, m)
		}
	}
	var all []calibration
	for _, m := range latest {
		if m.Calibration == nil && a.Campaign.Design == results.DesignUnordered {
			continue // it was measured elsewhere, by another tool
		}
		c := calibrated(m)
		if len(latest) > 1 {
			c.Text = m.Host + " " + c.Text
		}
		all = append(all, c)
	}
	return all
}

func calibrated(m *results.Machine) calibration {
	c := m.Calibration
	if c == nil {
		return calibration{Text: "not calibrated: moobench doctor --calibrate shows whether this machine recovers a known cost"}
	}
	s := figure.Fit("ns", c.MeasuredNS, c.LowNS, c.HighNS)
	text := "calibrated " + c.When.UTC().Format("2006-01-02") + ": a known cost of " + figure.Exactly(c.KnownNS, "ns") + " came out as " +
		s.WithUnit(s.Number(c.MeasuredNS)+" ("+s.Number(c.LowNS)+" … "+s.Number(c.HighNS)+")")
	switch {
	case !c.Recovered:
		return calibration{text + ": NOT recovered: differences that are measured here can be wrong by more than their intervals say; quieten the machine and calibrate again" + selfTest(c), true}
	case c.TooWide():
		return calibration{text + ": too noisy to say whether it is recovered; quieten the machine and calibrate again" + selfTest(c), true}
	}
	return calibration{text + ": recovered" + selfTest(c), c.AA == string(analysis.AAFailed)}
}

func selfTest(c *results.Calibration) string {
	switch {
	case c.AA == "":
		return ""
	case c.AA == string(analysis.AAResolves) && c.Resolves > 0:
		return "; A/A within " + figure.Percent(c.Resolves)
	}
	return "; A/A: " + c.AA
}
