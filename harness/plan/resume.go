package plan

import (
	"fmt"
	"strconv"
	"strings"

	"moobench/results"
)

// Changed says that a campaign was started with another plan.
type Changed struct{ Line string } // as Compare returns it

func (e *Changed) Error() string { return "the plan has changed: " + e.Line }

// Compare says whether two canonical plans differ, and how their first
// differing lines read.
func Compare(old, now []string) (line string, changed bool) {
	for i := range max(len(old), len(now)) {
		switch {
		case i >= len(old):
			return fmt.Sprintf("it says now: %s; the campaign was started without that", now[i]), true
		case i >= len(now):
			return fmt.Sprintf("it lacks now: %s; the campaign was started with that", old[i]), true
		case old[i] != now[i]:
			return fmt.Sprintf("it says now: %s; the campaign was started with: %s", now[i], old[i]), true
		}
	}
	return "", false
}

// Resume makes the plan go on where a campaign stands, with its extra blocks
// and what it gave up. The plan is first restricted as the campaign was; when
// it still differs, the error is *Changed.
func (p *Plan) Resume(c *results.Campaign) error {
	if pattern := restriction(c.Plan); pattern != "" && pattern != p.only {
		if err := p.Only(pattern); err != nil {
			return err
		}
	}
	if line, changed := Compare(c.Plan, p.Campaign.Plan); changed {
		return &Changed{line}
	}
	p.Campaign = *c
	return nil
}

// restriction is the pattern of Only in a canonical plan, or "".
func restriction(lines []string) string {
	for _, l := range lines {
		if rest, ok := strings.CutPrefix(l, onlyLine); ok {
			if pattern, err := strconv.Unquote(rest); err == nil {
				return pattern
			}
		}
	}
	return ""
}
