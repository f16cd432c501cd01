package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/results"
)

// pressingStates are the states of a change, those first that say most.
var pressingStates = []history.State{
	history.StateConfirmed, history.StateDetected, history.StateSuspected, history.StateRefuted, history.StateAccepted,
}

// settledUrgency is the urgency from which on nobody has to do anything.
const settledUrgency = 6

// urgency says how much a change needs attention: 0 is most. What became worse
// goes before what became better, and what is settled comes last.
func urgency(c *history.Change) int {
	if c == nil || c.Over != "" {
		return settledUrgency + 2
	}
	i := slices.Index(pressingStates, c.State)
	switch {
	case i < 0:
		return settledUrgency + 2
	case i >= 3 || !c.Worse:
		i += 3
	}
	return i
}

// failingChange says whether a check fails of a change.
func failingChange(c *history.Change) bool {
	return c != nil && c.State == history.StateConfirmed && c.Worse && c.Over == ""
}

// Standing is the change that the present state of a series hangs on: the one
// that needs attention most, or nil. What is over is none, and what became better
// before the present level is none either.
func Standing(s *history.Series) *history.Change {
	first := 0
	if n := len(s.Segments); n > 0 {
		first = s.Segments[n-1].First
	}
	var top *history.Change
	for i := range s.Changes {
		c := &s.Changes[i]
		if c.Over == "" && (c.Worse || c.Night >= first) && (top == nil || urgency(c) <= urgency(top)) {
			top = c
		}
	}
	return top
}

// newsNights is for how many nights what became better is news.
const newsNights = 14

// isNews says whether somebody should look at a change.
func isNews(s *history.Series, c *history.Change) bool {
	return urgency(c) < settledUrgency && (c.Worse || len(s.Nights)-c.Night <= newsNights)
}

// stateText is a change's direction and state in words.
func stateText(s *history.Series, c *history.Change) string {
	switch {
	case c.State == history.StateRefuted || c.State == history.StateAccepted:
		return string(c.State)
	case c.Worse:
		return "worse, " + string(c.State)
	case betterOf(s) == results.Neither:
		return "changed, " + string(c.State)
	}
	return "better, " + string(c.State)
}

func betterOf(s *history.Series) results.Better {
	if n := len(s.Nights); n > 0 {
		return s.Nights[n-1].Better
	}
	return results.Neither
}

// seriesState is the present state of a series in words.
func seriesState(s *history.Series) string {
	switch c := Standing(s); {
	case s.Ended:
		return "ended"
	case isFloor(s):
		return "noise floor"
	case c != nil:
		return stateText(s, c)
	case s.Short > 0 || len(s.Segments) == 0:
		return "too few nights"
	}
	return "no change"
}

// isFloor says whether a series is of two equal baselines: the noise floor.
func isFloor(s *history.Series) bool { return len(s.Nights) > 0 && s.Nights[len(s.Nights)-1].AA }

// byUrgency are all series, those first that need attention.
func byUrgency(f *history.Findings) []*history.Series {
	all := make([]*history.Series, len(f.Series))
	for i := range f.Series {
		all[i] = &f.Series[i]
	}
	slices.SortStableFunc(all, func(a, b *history.Series) int {
		x, y := Standing(a), Standing(b)
		if d := cmp.Compare(urgency(x), urgency(y)); d != 0 {
			return d
		}
		if x != nil && y != nil && x.Log != y.Log {
			return cmp.Compare(math.Abs(y.Log), math.Abs(x.Log))
		}
		return cmp.Or(compareBools(isFloor(a), isFloor(b)), strings.Compare(keyText(a.Key), keyText(b.Key)))
	})
	return all
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func keyText(k history.Key) string {
	return strings.Join([]string{k.Campaign, k.Scenario, k.Cell, k.Metric, k.Reference, k.Machine, k.Runtime}, "\x00")
}

// keyParts are the parts of a key as one reads them, but for the cell.
func keyParts(k history.Key) []string {
	parts := []string{k.Campaign, k.Scenario, k.Metric, "against the baseline", "", ""}
	if k.Reference != "" {
		parts[3] = "against " + k.Reference
	}
	if k.Machine != "" {
		parts[4] = "on " + k.Machine
	}
	if k.Runtime != "" {
		parts[5] = "JDK " + k.Runtime
	}
	return parts
}

// seriesNamer names series by what tells them from the others of the same
// findings; what all of them share is said once.
type seriesNamer struct {
	differs []bool
	shared  []string
}

func newSeriesNamer(f *history.Findings) seriesNamer {
	if len(f.Series) == 0 {
		return seriesNamer{}
	}
	first := keyParts(f.Series[0].Key)
	n := seriesNamer{differs: make([]bool, len(first))}
	for i := range f.Series {
		for j, part := range keyParts(f.Series[i].Key) {
			n.differs[j] = n.differs[j] || part != first[j]
		}
	}
	for j, part := range first {
		if !n.differs[j] && part != "" {
			n.shared = append(n.shared, Clean(part))
		}
	}
	return n
}

// of is the cell, and behind it what else tells the series from the others.
func (n seriesNamer) of(k history.Key) string {
	name := []string{k.Cell}
	for j, part := range keyParts(k) {
		if n.differs[j] && part != "" {
			name = append(name, part)
		}
	}
	return Clean(strings.Join(name, " · "))
}

// trendHeadline says what the findings are about.
func trendHeadline(f *history.Findings, n seriesNamer) []string {
	parts := append([]string{}, n.shared...)
	parts = append(parts, figure.Plural(len(f.Series), "series", "series")+" × "+figure.Plural(len(f.Nights), "night", "nights"))
	if len(f.Nights) > 0 {
		parts = append(parts, dayOf(f.Nights[0].When)+" … "+dayOf(f.Nights[len(f.Nights)-1].When))
	}
	return parts
}

func nightDay(n *history.Night) string { return dayOf(n.When) }

func dayOf(when time.Time) string { return when.UTC().Format("2006-01-02") }

// stateCounts says how many series are in which state, most urgent first.
func stateCounts(all []*history.Series) string {
	var order []string
	counts := map[string]int{}
	for _, s := range all {
		state := seriesState(s)
		if counts[state] == 0 {
			order = append(order, state)
		}
		counts[state]++
	}
	for i, state := range order {
		order[i] = figure.Count(int64(counts[state])) + " " + state
	}
	return strings.Join(order, " · ")
}
