package run

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/jvm"
	"moobench/harness/machine/cpu"
	"moobench/harness/plan"
	"moobench/results"
)

// asking is a scenario that measures a fixture, and dumps its samples.
type asking struct{ instant }

func (asking) Drive(ctx context.Context, inv plan.Invocation, s Subject, rec Recorder) error {
	ask := StartFixture(ctx, s)
	ask.Attach()
	Measure(ask, rec)
	Samples(ask, inv.Profile, rec)
	return ask.Err
}

// invoked seals an invocation of a variant whose fixture plays these answers.
func invoked(t *testing.T, change func(c *plan.Cell), answers ...string) (got *results.Invocation, dir string) {
	t.Helper()
	dir = created(t, campaignOf(1, nil))
	r, _ := runnerOn(t, dir, instant{})
	r.Scenarios, r.Java = []Scenario{asking{}}, jvm.Java{Path: self(t), Version: "17.0.1"}
	r.state = newLedger(r.campaign(), nil)
	c := r.Plan.Cell("c01")
	c.Launch.Fixture, c.Work = "calls", plan.Work{Calls: 4, Threads: 1}
	c.Recipe.Env = playing(answers...)
	if change != nil {
		change(c)
	}
	inv, err := r.Plan.Invocation(r.campaign().Blocks[0], 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = r.invoke(t.Context(), inv); err != nil {
		t.Fatal(err)
	}
	return got, dir
}

// TestInvoked: what is known of a fixture stands in its invocation, beside what it told.
func TestInvoked(t *testing.T) {
	got, _ := invoked(t, nil, "measure measured begin_ns=3 end_ns=10 recorded=2", "dump dumped bytes=0")
	if got.Status != results.StatusOK || got.Exit != "0" || got.Runtime != "17.0.1" || got.Disturbed != nil {
		t.Fatalf("%+v, %+v", got, got.Failure)
	}
	told := map[string]float64{}
	for name, value := range got.Scalars {
		switch name {
		case LoopNS:
			told[name] = value
		case StartupNS, StartupCPUNS, WallNS, HarnessCPUNS, RSSPeakBytes, CPUNS, cpuExitNS, WrittenBytes:
			told[name] = 0 // it differs each time
		}
	}
	want := map[string]float64{
		LoopNS: 7, StartupNS: 0, StartupCPUNS: 0, WallNS: 0, HarnessCPUNS: 0, RSSPeakBytes: 0, CPUNS: 0, cpuExitNS: 0,
		WrittenBytes: 0,
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if begin := got.Scalars[StartupNS]; begin >= 0 { // it says that main began with the machine
		t.Errorf("it started in %v ns", begin)
	}
	if len(got.Command) == 0 || len(got.Env) == 0 || got.End.Before(got.Start) {
		t.Errorf("command %q, environment %q, from %s to %s", got.Command, got.Env, got.Start, got.End)
	}
}

// TestInvocationFails: of a failure there is the reason and the log, and no number.
func TestInvocationFails(t *testing.T) {
	const good = "measure measured begin_ns=3 end_ns=10"
	for name, c := range map[string]struct {
		change       func(c *plan.Cell)
		measure      string
		dump         string
		kind, reason string
	}{
		"refuses": {nil, "measure error message=never", "dump dumped", jvm.KindRefused, "never"},
		"dies":    {nil, "", "dump dumped", jvm.KindDied, "instead of answering measure; see DIR"},
		"lies": {
			nil, good, "dump series name=x file=gone thread=0 count=1 batch=1 columns=t:ns:duration|dumped", "", "DIR",
		},
		"no scenario": {
			func(c *plan.Cell) { c.Use = "gone" }, good, "dump dumped", "error", `no scenario is called "gone"`,
		},
		"too many CPUs": {func(c *plan.Cell) { c.Parameters = cpus("99") }, good, "dump dumped", "error", "cpus = 99"},
		"no such file": {
			func(c *plan.Cell) { c.Recipe.Args = []string{"{file.gone}"} }, good, "dump dumped", "error", "file.gone",
		},
	} {
		got, dir := invoked(t, c.change, c.measure, c.dump)
		if got.Status != results.StatusFailed || got.Failure == nil {
			t.Errorf("%s: %s", name, got.Status)
			continue
		}
		reason := strings.ReplaceAll(c.reason, "DIR", filepath.Join(dir, "invocations", got.Identity.String()))
		if f := got.Failure; c.kind != "" && f.Kind != c.kind || !strings.Contains(f.Message, reason) {
			t.Errorf("%s: %+v, want %s", name, f, reason)
		}
		if got.Series != nil || len(got.Scalars) > 0 || got.Warnings != nil || got.Threads != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// cpus is the number of CPUs of a cell.
func cpus(n string) []results.Value { return []results.Value{{Name: results.FactorCPUs, Value: n}} }

// starting is a scenario whose subject does not get up in time.
type starting struct{ instant }

func (starting) Drive(ctx context.Context, _ plan.Invocation, s Subject, rec Recorder) error {
	err := s.Start(ctx)
	rec.AtLeast("startup", 5)
	return err
}

// TestAtLeast: a subject of which only a least value is known is killed, and asked for nothing.
func TestAtLeast(t *testing.T) {
	r, _ := runnerOn(t, created(t, campaignOf(1, nil)), instant{})
	r.Scenarios, r.state = []Scenario{starting{}}, newLedger(r.campaign(), nil)
	r.Host.Placement = cpu.Placement{Fixture: cpu.Set{0}, Housekeeping: cpu.Set{0}}
	c := r.Plan.Cell("c01")
	_, command, _ := programs()
	c.Program = command.Program
	c.Program.Run = []string{"sleep", "1000"}
	c.Recipe.Args = []string{"-Dx"}
	c.Proof = results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Expected: 7}
	inv, err := r.Plan.Invocation(r.campaign().Blocks[0], 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.invoke(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != results.StatusOK || got.Exit != "signal: killed" || got.AtLeast["startup"] != 5 {
		t.Errorf("%s, %s, at least %v, %+v", got.Status, got.Exit, got.AtLeast, got.Failure)
	}
	if diff := cmp.Diff(results.Proof{}, got.Proof); diff != "" || got.Runtime != "" {
		t.Errorf("runtime %q, proof (-want +got):\n%s", got.Runtime, diff)
	}
	said := strings.Join(got.Warnings, "\n")
	for _, want := range []string{"its agent got in by JAVA_TOOL_OPTIONS, ", "the fixture shared CPU 0 with moobench"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in the warnings %q", want, got.Warnings)
		}
	}
}

// TestOutOfTime: what only follows from the end of the time is told as that, once.
func TestOutOfTime(t *testing.T) {
	over, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	<-over.Done()
	other := &jvm.Failure{Kind: jvm.KindDied, Message: "it died", Tail: "its end"}
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		held string
		kind string // "": the error itself
		want string
		tail string
	}{
		"in time":       {t.Context(), other, "held", "", "it died", ""},
		"the time":      {over, over.Err(), "", jvm.KindTimeout, "not done after 0s, and killed; where", ""},
		"another":       {over, other, "", jvm.KindTimeout, "and killed (it died); where", "its end"},
		"held":          {over, over.Err(), "a thread goes on", kindAlive, "and killed; a thread goes on", ""},
		"held, another": {over, other, "a thread goes on", kindAlive, "and killed; a thread goes on", "its end"},
	} {
		err := new(attempt).outOfTime(c.ctx, c.err, 0, c.held)
		if c.kind == "" {
			if err != c.err {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		f, is := errors.AsType[*jvm.Failure](err)
		if !is || f.Kind != c.kind || !strings.Contains(f.Message, c.want) || f.Tail != c.tail || !errors.Is(f, c.err) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
