package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"moobench/analysis"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/proc"
	"moobench/harness/run"
	"moobench/results"
	"moobench/results/summary"
	"moobench/scenarios/saturation"
)

// agentAt is a made-up JVM with an agent that delivers a number of records per second, which scatters
// from window to window; in some windows the machine pauses it besides.
type agentAt struct {
	run.Subject
	run.Recorder
	capacity, scatter, pauses float64
	random                    *rand.Rand
	arrived                   int64
	rows                      [][]int64
}

func (*agentAt) Start(context.Context) error     { return nil }
func (*agentAt) Begin() error                    { return nil }
func (*agentAt) End(int64) error                 { return nil }
func (*agentAt) Snapshot() (jvm.Snapshot, error) { return jvm.Snapshot{}, nil }
func (*agentAt) Expected(int64)                  {}
func (*agentAt) Scalar(string, float64)          {}
func (*agentAt) Warn(string, ...any)             {}
func (a *agentAt) Arrived() []int64              { return []int64{a.arrived} }

func (a *agentAt) Rows(_ results.Series, columns ...[]int64) error {
	a.rows = columns
	return nil
}

// share is what is delivered of so many records per second.
func (a *agentAt) share(rate float64) float64 {
	bears := a.capacity * math.Exp(a.scatter*a.random.NormFloat64())
	if a.random.Float64() < a.pauses {
		bears *= 0.7
	}
	return min(1, bears/rate)
}

func (a *agentAt) Ask(_ context.Context, request jvm.Message) ([]jvm.Message, error) {
	if request.Verb != "pace" {
		return []jvm.Message{{Verb: "ready"}}, nil
	}
	rate, err := strconv.ParseInt(request.Args["rate"], 10, 64)
	a.arrived += int64(float64(rate) * a.share(float64(rate)))
	end := proc.MonotonicNS()
	m, errParse := jvm.ParseMessage(fmt.Sprintf("paced begin_ns=%d end_ns=%d calls=%d busy_ns=1 late_ns=1", end-1e9, end, rate))
	if err == nil {
		err = errParse
	}
	return []jvm.Message{m}, err
}

// truth is the rate at which the expected share of an agent is 99 %.
func (a agentAt) truth() float64 {
	const windows = 4000
	at := func(rate float64) (sum float64) {
		b := a
		b.random = rand.New(rand.NewPCG(1, 1)) // the same windows at each rate: the mean falls as the rate rises
		for range windows {
			sum += b.share(rate)
		}
		return sum / windows
	}
	low, high := a.capacity/2, a.capacity*2
	for high/low > 1.0005 {
		if middle := math.Sqrt(low * high); at(middle) >= results.BorneShare {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// ratedCampaign is a campaign in memory.
type ratedCampaign struct {
	campaign  *results.Campaign
	runs      []*results.Invocation
	summaries map[results.Identity]*summary.Summary
}

func (c *ratedCampaign) Campaign() *results.Campaign                 { return c.campaign }
func (c *ratedCampaign) Machines() ([]*results.Machine, error)       { return nil, nil }
func (c *ratedCampaign) Invocations() ([]*results.Invocation, error) { return c.runs, nil }
func (c *ratedCampaign) Summary(inv *results.Invocation) (*summary.Summary, error) {
	return c.summaries[inv.Identity], nil
}

// saturate has so many JVMs searched by the scenario itself, and their rows made a campaign.
func saturate(t *testing.T, jvms int, differ float64, a agentAt, random *rand.Rand) *ratedCampaign {
	t.Helper()
	s := saturation.Scenario{}
	cell := plan.Cell{Recipe: framework.Variant{Proof: framework.Proof{PerCall: "depth"}}}
	cell.ID, cell.Scenario, cell.Variant, cell.Role = "c00", "saturation", "x", results.RoleVariant
	cell.Proof.Kind = results.ProofCount
	for _, v := range [][2]string{{"depth", "1"}, {"lowest", "1000"}, {"highest", "100000"}, {"rates", "5"}, {"hold", "1000000000"}, {"drain", "0"}} {
		cell.Parameters = append(cell.Parameters, results.Value{Name: v[0], Value: v[1]})
	}
	c := &ratedCampaign{summaries: map[results.Identity]*summary.Summary{}, campaign: &results.Campaign{
		Format: results.Format, Design: results.DesignBlocks, Source: "moobench", Cells: []results.Cell{cell.Cell},
		Scenarios: []results.Scenario{{Label: "saturation", Use: "saturation", Metrics: s.Schema().Metrics, Window: results.WindowAll}},
	}}
	for block := 1; block <= jvms; block++ {
		one := a
		one.capacity *= math.Exp(differ * random.NormFloat64())
		one.random = random
		inv := plan.Invocation{Cell: cell, Profile: results.ProfileTiming}
		inv.Block = int(random.Int32())
		if err := s.Drive(t.Context(), inv, &one, &one); err != nil {
			t.Fatal(err)
		}
		c.add(block, one.rows)
	}
	return c
}

func (c *ratedCampaign) add(block int, rows [][]int64) {
	id := results.Identity{Block: block}
	series := results.Series{Name: results.SeriesRated, Columns: results.RatedColumns(), Batch: 1, Count: int64(len(rows[0]))}
	sum := &summary.Summary{Version: summary.Version}
	for i, values := range rows { // each row is a batch of its own
		column := summary.Column{Series: series.Name, Name: series.Columns[i].Name, Count: series.Count}
		for _, v := range values {
			column.Sum = append(column.Sum, float64(v))
		}
		sum.Columns = append(sum.Columns, column)
	}
	c.summaries[id] = sum
	c.runs = append(c.runs, &results.Invocation{
		Format: results.Format, Identity: id, Cell: "c00", Profile: results.ProfileTiming, Status: results.StatusOK,
		Series: []results.Series{series}, Scalars: map[string]float64{"call": 1}, Proof: results.Proof{Source: "otlp", ByExit: 1},
	})
}

// knees is how many campaigns of each case are simulated.
var knees = flag.Int("knees", 20, "how many campaigns that search a knee are simulated of each case")

// TestKneeHoldsTheTruth: how often the interval of the knee holds the rate at which a typical JVM is
// expected to deliver 99 %, from the scenario's own search to the answer. The figures are in
// analysis/METHOD.md, section 27.
func TestKneeHoldsTheTruth(t *testing.T) {
	for _, m := range []struct {
		name                    string
		jvms                    int
		differ, scatter, pauses float64
	}{
		{"all alike", 6, 0, 0, 0},
		{"JVMs differ by 5 %", 10, 0.05, 0, 0},
		{"JVMs by 5 %, windows by 1 %", 10, 0.05, 0.01, 0},
		{"JVMs by 20 %, windows by 1 %", 6, 0.2, 0.01, 0},
		{"windows by 3 %", 10, 0.02, 0.03, 0},
		{"one window in 50 pauses", 10, 0.05, 0.01, 0.02},
	} {
		a := agentAt{capacity: 20_000, scatter: m.scatter, pauses: m.pauses}
		calm := a
		calm.pauses = 0 // a pause is of the machine, and no limit of the agent
		truth, random, held, width := calm.truth(), rand.New(rand.NewPCG(20140901, 26)), 0, 0.0
		for range *knees {
			answers, err := analysis.Analyse(saturate(t, m.jvms, m.differ, a, random))
			if err != nil {
				t.Fatal(err)
			}
			k := answers.Scenarios[0].Saturations[0].Knee
			if k.Low == nil || k.High == nil || k.Level < 0.95 {
				t.Fatalf("%s: %+v", m.name, k)
			}
			if *k.Low <= truth && truth <= *k.High {
				held++
			}
			width += math.Log(*k.High / *k.Low) / float64(*knees)
		}
		share := float64(held) / float64(*knees)
		t.Logf("%-30s %2d JVMs: truth %.0f held by %.1f %%, width %.1f %%", m.name, m.jvms, truth, 100*share, 100*width)
		if share < 0.94 && held < *knees-2 { // of 20, 18 are no rarity at 95 %
			t.Errorf("%s: held in %.1f %% of %d campaigns", m.name, 100*share, *knees)
		}
	}
}
