package main

import (
	"fmt"

	"moobench/harness/plan"
	"moobench/refusal"
	"moobench/results"
)

// resumable is a campaign that an earlier sitting began.
type resumable struct {
	dir      string
	campaign *results.Campaign
	toml     []byte
}

func openResumable(dir string) (*resumable, error) {
	store, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	c := store.Campaign()
	if c.Source != "moobench" {
		return nil, fmt.Errorf("resuming %s: it was imported from %s; there is nothing to go on with", dir, c.Source)
	}
	toml, err := store.TOML()
	if err != nil {
		return nil, fmt.Errorf("resuming %s: %w", dir, err)
	}
	return &resumable{dir: dir, campaign: c, toml: toml}, nil
}

// adopt makes a fresh plan go on where the campaign stands. It refuses when
// the plan is no longer the same: pairs of two plans are no pairs.
func (r *resumable) adopt(p *plan.Plan) error {
	if err := p.Resume(r.campaign); err != nil {
		return refusal.New(fmt.Errorf("resuming %s: %w", r.dir, err), "undo the change, or start a new campaign without --resume")
	}
	return nil
}

// fixtureJars is the version of a campaign that says which build of the fixtures it
// measures, and not only of which sources. Campaigns of an older moobench have none.
const fixtureJars = "fixture_jars"

// sameSetting refuses to go on with another JDK, another build of the
// fixtures, or on another machine: a block belongs to one host, and a campaign
// to one setting.
func sameSetting(old, now map[string]string) error {
	for _, key := range []string{"jdk", "fixtures", fixtureJars, "machine"} {
		if _, known := old[key]; !known && key == fixtureJars {
			continue
		}
		if old[key] != now[key] {
			return refusal.New(fmt.Errorf("the campaign was started with %s %q, now it is %q", key, old[key], now[key]), "start a new campaign without --resume")
		}
	}
	return nil
}
