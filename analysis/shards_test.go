package analysis

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// TestShardsOfOneHost: what one host has measured says the same, bit for bit, as one campaign or as merged shards, whatever
// the order in which these are read.
func TestShardsOfOneHost(t *testing.T) {
	for name, made := range map[string]*testcampaign.Store{
		"small": testcampaign.Small(), "troubled": testcampaign.Troubled(), "factored": testcampaign.Factored(),
	} {
		t.Run(name, func(t *testing.T) {
			whole := scenariosOf(t, made)
			c := *made.Made
			c.Merged = &results.Merged{Count: 4}
			c.Blocks = append([]results.Block(nil), c.Blocks...)
			for i := range c.Blocks {
				c.Blocks[i].Shard = 1 + i%4
			}
			c.GivenUp = nil
			for _, g := range made.Made.GivenUp { // by each shard that came to it
				for shard := 1; shard <= 4; shard++ {
					g.Shard = shard
					c.GivenUp = append(c.GivenUp, g)
				}
			}
			merged := *made
			merged.Made, merged.Runs = &c, append([]*results.Invocation(nil), made.Runs...)
			r := rand.New(rand.NewPCG(1, 2))
			r.Shuffle(len(merged.Runs), func(i, j int) { merged.Runs[i], merged.Runs[j] = merged.Runs[j], merged.Runs[i] })
			if got := scenariosOf(t, &merged); got != whole {
				t.Errorf("in shards it says\n%s\nwhole it says\n%s", got, whole)
			}
		})
	}
}

func scenariosOf(t *testing.T, store *testcampaign.Store) string {
	t.Helper()
	a, err := Analyse(store)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(a.Scenarios, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
