package reliability

import (
	"context"
	"strings"
	"testing"
	"time"

	"moobench/harness/framework"
	"moobench/harness/load"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/serving"
)

// takes is a server that takes so many clients; those over ours can't be sent.
func takes(most, ours int) func(context.Context, load.Load) (*load.Result, error) {
	return func(_ context.Context, l load.Load) (*load.Result, error) {
		r := &load.Result{EndNS: 1, Hold: make([]load.Sample, 1000)}
		if l.Clients > most {
			r.Hold[7].Outcome = load.Reset
		}
		if l.Clients > ours {
			r.Own.LagP99NS = int64(time.Second)
		}
		r.Hold[8].Outcome = load.Late // under way at the end
		return r, nil
	}
}

func TestSearch(t *testing.T) {
	const many = 1 << 20
	for _, c := range []struct {
		name              string
		takes, ours       int
		least, most       float64 // of what is found
		warning, complain string
	}{
		{"above the start", 1000, many, 952, 1000, "", ""},
		{"below the start", 50, many, 48, 50, "", ""},
		{"one", 1, many, 1, 1, "", ""},
		{"all", many, many, mostClients, mostClients, "at any load up to 4096 clients", ""},
		{"our own limit", 3000, 500, 476, 500, "could not keep up", ""},
		{"none", 0, many, 0, 0, "", "at every load down to 1 (clients)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{t: t, scalars: map[string]float64{}, series: map[string][][]int64{}}
			s := searcher{
				load: load.Load{Arrival: load.Closed}, bound: 10 * time.Millisecond,
				unit: "clients", start: 200, most: mostClients,
			}
			found, err := s.capacity(t.Context(), takes(c.takes, c.ours))
			if c.complain != "" {
				if err == nil || !strings.Contains(err.Error(), c.complain) {
					t.Errorf("%v, want %q", err, c.complain)
				}
				return
			}
			if err != nil || found < c.least || found > c.most {
				t.Fatalf("found %v, %v; want %v to %v; tried %v", found, err, c.least, c.most, s.loads)
			}
			if err := s.report(f, found); err != nil {
				t.Fatal(err)
			}
			said := strings.Join(f.warnings, "\n")
			if f.scalars[run.CapacityScalar] != found || f.rows(seriesSearch) < 3 || (said == "") != (c.warning == "") || !strings.Contains(said, c.warning) {
				t.Errorf("%v, %d steps, warned %q, want %q", f.scalars, f.rows(seriesSearch), said, c.warning)
			}
		})
	}
}

// TestFallingBehind: an open loop's server that answers later and later takes
// less, although it loses none.
func TestFallingBehind(t *testing.T) {
	r := &load.Result{Ramp: make([]load.Sample, 10), Hold: make([]load.Sample, 10), Own: load.Own{Unsent: 3}}
	r.Hold[0] = load.Sample{Outcome: load.Late, DoneNS: int64(time.Second) + 1}
	r.Hold[1] = load.Sample{Outcome: load.Late, DoneNS: int64(time.Second)}
	r.Ramp[0] = load.Sample{Outcome: load.Late, DoneNS: int64(time.Minute)}
	s := searcher{load: load.Load{LateAfter: time.Second}}
	if n := s.behind(r); n != 5 {
		t.Errorf("%d answers tell that it falls behind, want 5", n)
	}
}

func TestSearchOnAServer(t *testing.T) {
	f := fakeServer(t, nil)
	inv := invocation(framework.Variant{}, "arrival", "constant", serving.Rate, "50", "search_step", ns(100*time.Millisecond))
	inv.Profile = results.ProfileCalibration
	d := &driver{settings: settingsOf(&inv.Cell.Cell, 0), inv: inv, ask: run.StartFixture(t.Context(), f), subject: f, rec: f}
	if err := d.setUp(); err != nil {
		t.Fatal(err)
	}
	s := d.searcher()
	s.most = 100 // it takes more, but how much hangs on what else runs on this machine
	s.load.LateAfter, s.bound = time.Minute, time.Minute
	found, err := s.capacity(t.Context(), load.Run)
	if err != nil || found <= 0 || found > 100 || f.posts.Load() != 0 {
		t.Errorf("found %v, %v, %d POSTs", found, err, f.posts.Load())
	}
}
