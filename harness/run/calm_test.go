package run

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/watch"
	"moobench/harness/plan"
	"moobench/results"
)

// hot is a machine whose CPU is hot for some time.
type hot struct{ until time.Time }

func (h hot) Open(name string) (fs.File, error) {
	temperature := "71000\n"
	if !time.Now().Before(h.until) {
		temperature = "0\n"
	}
	return fstest.MapFS{
		"proc/stat":                          {Data: []byte("cpu0 0 0 0 100 0 0 0 0 0 0\n")},
		"sys/class/hwmon/hwmon0/name":        {Data: []byte("k10temp\n")},
		"sys/class/hwmon/hwmon0/temp1_input": {Data: []byte(temperature)},
	}.Open(name)
}

// TestWaitForQuiet: it is waited until the machine is as quiet as it was, but not for ever, and less after a wait in
// vain; a wait that somebody may notice is told.
func TestWaitForQuiet(t *testing.T) {
	const limit = time.Minute
	c := campaignOf(1, nil)
	c.Control = &results.Control{QuietNS: int64(limit)}
	r, _ := runnerOn(t, created(t, c), instant{})
	synctest.Test(t, func(t *testing.T) {
		said := &notes{}
		r.Progress, r.Host.Placement.Fixture = said, cpu.Set{0}
		if err := r.waitForQuiet(t.Context()); err != nil {
			t.Fatalf("nobody waits: %v", err)
		}
		r.around.calm = &watch.Calm{}
		for _, step := range []struct {
			name        string
			hot         time.Duration
			least, most time.Duration
			vain        bool
			note        string
		}{
			{"quiet", 0, 0, time.Second, false, ""},
			{"soon quiet", time.Second, time.Second, 2 * calmSpan, false, ""},
			{
				"quiet again", 10 * time.Second, 10 * time.Second, 13 * time.Second, false,
				" until the machine was quiet again: the CPUs are at 71",
			},
			{"never quiet", time.Hour, limit, limit + 3*time.Second, true, "in vain: the CPUs are at 71"},
			{"still not", time.Hour, limit / 10, limit/10 + 3*time.Second, true, "in vain: the CPUs are at 71"},
			{"now it is", 0, 0, time.Second, false, ""},
			{"as patient as ever", time.Hour, limit, limit + 3*time.Second, true, "in vain"},
		} {
			said.said = nil
			begin := time.Now()
			r.Host.Tree = hot{begin.Add(step.hot)}
			err := r.waitForQuiet(t.Context())
			took, vain := time.Since(begin), r.around.waitedInVain
			if err != nil || took < step.least || took > step.most || vain != step.vain {
				t.Errorf("%s: waited %s, in vain %t, %v", step.name, took, vain, err)
			}
			note := strings.Join(said.said, "\n")
			if (note == "") != (step.note == "") || !strings.Contains(note, step.note) {
				t.Errorf("%s: said %q, want %q", step.name, note, step.note)
			}
		}
	})
}

// TestMeasureCalm: how quiet the machine is, is measured where it is waited for that.
func TestMeasureCalm(t *testing.T) {
	for name, want := range map[string]bool{"": false, "nobody waits": false, "waits": true} {
		c := campaignOf(1, nil)
		if name != "" {
			c.Control = &results.Control{}
		}
		if want {
			c.Control.QuietNS = 1
		}
		r, _ := runnerOn(t, created(t, c), instant{})
		synctest.Test(t, func(t *testing.T) {
			r.Host.Placement.Fixture = cpu.Set{0}
			if err := r.measureCalm(t.Context()); err != nil || r.around.calm != nil {
				t.Errorf("%s, of a machine that nobody reads: %v, %v", name, r.around.calm, err)
			}
			r.Host.Tree = hot{}
			if err := r.measureCalm(t.Context()); err != nil || (r.around.calm != nil) != want {
				t.Errorf("%s: %v, %v", name, r.around.calm, err)
			}
			r.Host.Tree = fstest.MapFS{}
			if err := r.measureCalm(t.Context()); (err != nil) != want {
				t.Errorf("%s, of no machine: %v", name, err)
			}
		})
	}
}

// TestCountFailure: a variant is given up when it has failed too often, or would fail for ever, and a baseline with
// all that is compared with it.
func TestCountFailure(t *testing.T) {
	for name, c := range map[string]struct {
		cell string
		most int
		kind string
		says string // "": it goes on
		up   int    // cells that are given up
	}{
		"the first of two":  {"c01", 2, jvm.KindDied, "", 0},
		"the only one":      {"c01", 1, jvm.KindDied, "x failed in b0001.s00.r0: ", 1},
		"as many as it may": {"c01", 0, jvm.KindDied, "", 0},
		"for ever":          {"c01", 5, kindAlive, "x failed in b0001.s00.r0: ", 1},
		"a baseline":        {"c00", 1, jvm.KindDied, "none failed in b0001.s00.r0: ", 3},
	} {
		r, _ := runnerOn(t, created(t, twoVariants()), instant{})
		got := sealed(1, 0, 0, results.StatusFailed)
		got.Cell, got.Failure = c.cell, &results.Failure{Kind: c.kind, Message: "it ended"}
		said := &notes{}
		r.Progress, r.state = said, newLedger(r.campaign(), []*results.Invocation{got})
		cell := *r.Plan.Cell(c.cell)
		cell.MaxFailures = c.most
		if err := r.countFailure(plan.Invocation{Identity: got.Identity, Cell: cell}, got); err != nil {
			t.Fatal(err)
		}
		note := strings.Join(said.said, "\n")
		if (note == "") != (c.says == "") || !strings.HasPrefix(note, c.says) {
			t.Errorf("%s: said %q, want %q", name, note, c.says)
		}
		if up := r.campaign().GivenUp; len(up) != c.up {
			t.Errorf("%s: given up are %+v", name, up)
		}
	}
}
