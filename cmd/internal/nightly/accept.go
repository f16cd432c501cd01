package nightly

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
)

// Acceptance is which changed levels become the new normal.
type Acceptance struct {
	History string
	Series  string // pattern, as Choose takes it
	Night   string // first night of the new level; "" is that of the change that the check speaks of
	Why     string
}

// Accept accepts one change of each series that is named, and says of each in a line
// what was accepted. That there is none is a mistake in how moobench was
// called.
func (a Acceptance) Accept(now time.Time) (lines []string, err error) {
	f, err := Check(a.History, 0)
	if err != nil {
		return nil, err
	}
	chosen, err := Choose(f, []string{a.Series})
	if err != nil {
		return nil, err
	}
	var records []history.Record
	var others []string
	for i := range chosen {
		s := &chosen[i]
		for _, c := range s.Acceptable() {
			others = append(others, doc.Clean(fmt.Sprintf("%s in night %s", s.Key, nightName(&s.Nights[c.Night]))))
		}
		c := s.ToAccept(a.Night)
		if c == nil {
			continue
		}
		night := &s.Nights[c.Night]
		records = append(records, history.Record{
			Format: history.Format, Kind: history.KindAcceptance,
			Acceptance: &history.Acceptance{Key: s.Key, Night: night.ID, When: now, Why: a.Why},
		})
		lines = append(lines, fmt.Sprintf("accepted: %s, %s since %s", s.Key, figure.SignedPercent(c.Share), nightName(night)))
	}
	switch {
	case len(records) > 0:
		_, err := history.Append(a.History, records...)
		return lines, err
	case a.Night != "" && len(others) > 0:
		err = refusal.New(fmt.Errorf("no change that could be accepted began in night %q", a.Night), "there is "+strings.Join(others, "; "))
	case len(chosen) == 1:
		err = fmt.Errorf("%s has no change that could be accepted", doc.Clean(chosen[0].Key.String()))
	default:
		err = errors.New("none of these series has a change that could be accepted")
	}
	return nil, outcome.Usage(err)
}

// nightName is a night as one calls it.
func nightName(n *history.Night) string {
	if n.Commit == "" {
		return n.ID
	}
	return n.ID + " (" + n.Commit + ")"
}
