package session

import (
	"fmt"

	"moobench/analysis/replication"
	"moobench/harness/strict"
)

// Shortened plans a paper's campaign with fewer blocks, and less of what figures.toml names: scale is above 0
// and at most 1, which leaves the text as it is. What comes out is run and resumed as any other campaign.
func (l *Lab) Shortened(o Options, path string, text []byte, p *replication.Paper, scale float64) (*Session, error) {
	if scale == 1 {
		return l.Parse(o, path, text)
	}
	doc, err := strict.Parse(path, text)
	if err != nil {
		return nil, err
	}
	draft := doc.Draft()
	var scenarios []replication.Section
	for _, s := range draft.Tables("scenario") {
		scenarios = append(scenarios, s)
	}
	if err := p.Shorten(scenarios, scale); err != nil {
		return nil, err
	}
	comment := fmt.Sprintf("Shortened to %v of the paper's experiment: blocks, and what figures.toml names.", scale)
	s, err := l.Parse(o, path, draft.Text(comment))
	if err == nil {
		s.Plan.Campaign.Scale = scale
	}
	return s, err
}
