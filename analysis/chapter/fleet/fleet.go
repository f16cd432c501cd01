// Package fleet says which hosts measured a merged campaign, and judges the A/A of each.
package fleet

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// Fleet says who measured a merged campaign.
type Fleet struct {
	// Hosts are the hosts of a merged campaign, ordered by time; those of metrics have their numbers.
	Hosts []Host `json:"fleet,omitempty"`
	// Missing are the shards that nobody measured.
	Missing []Missing `json:"missing_shards,omitempty"`
}

// Host is one of the hosts that measured shards of a plan: a machine on one boot, or one of its lanes.
type Host struct {
	Machine string `json:"machine"`        // ID
	Boot    string `json:"boot,omitempty"` // names the boot; absent if unknown
	Lane    int    `json:"lane,omitempty"` // from 1; absent if the machine measured one block at a time
	CPUs    string `json:"cpus,omitempty"` // of the lane's subjects
	Name    string `json:"name"`           // host name
	CPU     string `json:"cpu"`            // model
	Blocks  int    `json:"blocks"`         // planned blocks that it measured
	WallNS  int64  `json:"wall_ns"`        // total time of its invocations
	// P is the smallest p of its own A/As, adjusted over all hosts (Holm); absent with fewer than five blocks,
	// too few for an A/A.
	P *float64 `json:"aa_p,omitempty"`
	// Failed says that P is below 0.01: differences without such hosts are given as well. Nothing is dropped.
	Failed bool `json:"aa_failed,omitempty"`
}

// Missing is a shard that nobody measured, and the time it would take.
type Missing struct {
	Shard  string `json:"shard"`  // 3/16
	Blocks int    `json:"blocks"` // planned blocks
	// WallNS is about how long it will take, by the others' time per block; absent if unknown.
	WallNS int64 `json:"wall_ns,omitempty"`
}

// Of says who measured a merged campaign, and which shards are missing; of others it is empty.
func Of(c *results.Campaign, machines []*results.Machine, all evidence.All) (f Fleet) {
	if c.Merged == nil {
		return f
	}
	planned := map[int]bool{}
	for _, b := range c.Blocks {
		planned[b.Number] = b.Kind == results.BlockPlanned
	}
	wall, blocks := int64(0), map[int]bool{}
	for i, h := range all.Hosts {
		one, own := Host{Machine: h.Machine, Boot: h.Boot, Lane: h.Lane}, map[int]bool{}
		if m := slices.IndexFunc(machines, func(m *results.Machine) bool { return m.ID == h.Machine }); m >= 0 {
			one.Name, one.CPU = machines[m].Host, machines[m].CPU
		}
		for _, e := range all.Invocations {
			if e.Host != i {
				continue
			}
			if h.Lane > 0 {
				one.CPUs = cmp.Or(one.CPUs, e.CPUs)
			}
			one.WallNS += max(0, e.End.Sub(e.Start).Nanoseconds())
			if planned[e.Block] {
				own[e.Block], blocks[e.Block] = true, true
			}
		}
		one.Blocks = len(own)
		wall += one.WallNS
		f.Hosts = append(f.Hosts, one)
	}
	for _, x := range c.Merged.Missing {
		m := Missing{Shard: fmt.Sprintf("%d/%d", x.Index, c.Merged.Count), Blocks: x.Blocks}
		if len(blocks) > 0 {
			m.WallNS = wall / int64(len(blocks)) * int64(x.Blocks)
		}
		f.Missing = append(f.Missing, m)
	}
	return f
}

// Lanes counts the lanes that measured at once on one machine; 0 without lanes.
func (f *Fleet) Lanes() int {
	lanes := 0
	for _, h := range f.Hosts {
		lanes = max(lanes, h.Lane)
	}
	return lanes
}

// Word is the word for one of the hosts: lane or machine.
func (f *Fleet) Word() string {
	if f.Lanes() > 0 {
		return "lane"
	}
	return "machine"
}

// Judge judges the A/A of each host by its differences of two equal baselines, those of all hosts together (Holm),
// and reports whether one failed.
func (f *Fleet) Judge(differences []infer.HostEstimate, alpha float64) (failed bool) {
	spread := slices.DeleteFunc(slices.Clone(differences), func(h infer.HostEstimate) bool { return h.SE == nil })
	for i, p := range stats.Holm(results.Each(spread, hostP)) {
		h := &f.Hosts[spread[i].Host]
		if h.P == nil || p < *h.P {
			h.P = infer.FinitePtr(p)
		}
		h.Failed = h.Failed || p < alpha
		failed = failed || h.Failed
	}
	return failed
}

// hostP is the two-sided p of no difference between the two baselines of a host.
func hostP(h infer.HostEstimate) float64 {
	t := stats.TestT(h.Value, *h.SE, h.DF, stats.TwoSided)
	if t == nil || math.IsNaN(t.P) { // without spread
		return 1
	}
	return t.P
}

// Together says of answers that they treat the invocations of all hosts as one sample.
func (f *Fleet) Together(answers []string) string {
	return fmt.Sprintf("%s: over all %ss together, so the spread includes what these differ by; "+
		"compare means for an answer within %ss", strings.Join(answers, ", "), f.Word(), f.Word())
}

// Lacking names the missing shards and how long they take to measure.
func (f *Fleet) Lacking() []string {
	return results.Each(f.Missing, func(m Missing) string {
		return fmt.Sprintf("shard %s is missing: %s%s",
			m.Shard, figure.Plural(m.Blocks, "planned block", "planned blocks"),
			prose.If(m.WallNS > 0, ", about %s to measure", figure.Roughly(time.Duration(m.WallNS))))
	})
}
