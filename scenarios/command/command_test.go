package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/config"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// process is one that has ended as it is told to.
type process struct {
	run.Subject
	dir  string
	exit jvm.Exit
	err  error
}

func (p process) Start(context.Context) error            { return nil }
func (p process) Wait(context.Context) (jvm.Exit, error) { return p.exit, p.err }
func (p process) Log() string                            { return filepath.Join(p.dir, "out.log") }
func (p process) Output() string                         { return filepath.Join(p.dir, "stdout.log") }

// recorder notes what it is told.
type recorder struct {
	run.Recorder
	begun   bool
	endNS   int64
	scalars map[string]float64
	printed *results.Output
}

func (r *recorder) Begin() error                      { r.begun = true; return nil }
func (r *recorder) End(endNS int64) error             { r.endNS = endNS; return nil }
func (r *recorder) Printed(o *results.Output)         { r.printed = o }
func (r *recorder) Scalar(name string, value float64) { r.scalars[name] = value }

func drive(t *testing.T, p process, c config.Command) (*recorder, error) {
	t.Helper()
	p.dir = t.TempDir()
	for path, text := range map[string]string{p.Output(): "begun\ndone: 12 rows\n", p.Log(): "Caused by: the disk\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	rec := &recorder{scalars: map[string]float64{}}
	err := Scenario{}.Drive(t.Context(), plan.Invocation{Cell: plan.Cell{Program: &config.Program{Command: c}}}, p, rec)
	if !rec.begun {
		t.Error("the machine was not looked at before the start")
	}
	return rec, err
}

func TestWhatIsTakenDown(t *testing.T) {
	exit := jvm.Exit{Status: "2", WallNS: 100, UserNS: 30, SystemNS: 20, MaxRSSBytes: 4096, EndNS: 1100}
	rec, err := drive(t, process{exit: exit}, config.Command{Exit: 2, Output: regexp.MustCompile(`(?m)^done: \d+ rows$`)})
	if err != nil || rec.endNS != 1100 {
		t.Errorf("%v, end at %d", err, rec.endNS)
	}
	want := map[string]float64{wall: 100, cpu: 50, user: 30, system: 20, peakRSS: 4096, exitStatus: 2}
	if diff := cmp.Diff(want, rec.scalars); diff != "" {
		t.Errorf("scalars (-want +got):\n%s", diff)
	}
	exit.MaxRSSBytes = 0
	if rec, _ = drive(t, process{exit: exit}, config.Command{Exit: 2}); len(rec.scalars) != 6 {
		t.Errorf("a peak of nothing: %v", rec.scalars)
	}
	exit.MaxRSSBytes = -1
	if rec, _ = drive(t, process{exit: exit}, config.Command{Exit: 2}); rec.scalars[peakRSS] != 0 || len(rec.scalars) != 5 {
		t.Errorf("a peak that is not known: %v", rec.scalars)
	}
}

// What a program printed is kept without its figures, unless the file says what it must print.
func TestWhatItPrinted(t *testing.T) {
	rec, err := drive(t, process{exit: jvm.Exit{Status: "0"}}, config.Command{})
	want := &results.Output{Lines: 2, Said: []results.Said{{Line: "begun", Times: 1}, {Line: "done: 0 rows", Times: 1}}}
	if diff := cmp.Diff(want, rec.printed); diff != "" || err != nil {
		t.Errorf("%v, printed (-want +got):\n%s", err, diff)
	}
	path := filepath.Join(t.TempDir(), "stdout.log")
	text := strings.Repeat("a line\n\n", 3)
	for i := range results.MostSaid {
		text += strings.Repeat("x", i+1) + "\n"
	}
	if err := os.WriteFile(path, []byte(text+"x and no end"), 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := printed(path)
	if err != nil || o.Lines != 3+results.MostSaid+1 || len(o.Said) != results.MostSaid || !o.More || o.Said[0].Times != 3 {
		t.Errorf("%+v, %v", o, err)
	}
	if rec, _ := drive(t, process{exit: jvm.Exit{Status: "0"}}, config.Command{Output: regexp.MustCompile("done")}); rec.printed != nil {
		t.Errorf("kept %+v, where the file decides", rec.printed)
	}
}

func TestEndsThatDontCount(t *testing.T) {
	for _, c := range []struct {
		name string
		p    process
		want config.Command
		kind string
		says string
	}{
		{"another status", process{exit: jvm.Exit{Status: "1"}}, config.Command{}, kindExit, "exit status 1, where exit status 0 is success"},
		{"success, where a failure is wanted", process{exit: jvm.Exit{Status: "0"}}, config.Command{Exit: 1}, kindExit, "exit status 0, where exit status 1"},
		{"a signal", process{exit: jvm.Exit{Status: "signal: killed"}}, config.Command{}, kindExit, "ended with signal: killed"},
		{"other output", process{exit: jvm.Exit{Status: "0"}}, config.Command{Output: regexp.MustCompile(`(?m)^rows: \d+$`)}, kindOutput, `does not match ^rows: \d+$`},
		{"only on standard error", process{exit: jvm.Exit{Status: "0"}}, config.Command{Output: regexp.MustCompile("Caused by")}, kindOutput, "Caused by"},
		{"a child left", process{exit: jvm.Exit{Status: "0", Left: []string{"sleep (process 7)"}}}, config.Command{}, kindChildren, "left behind sleep (process 7)"},
		{"a hang", process{err: context.DeadlineExceeded}, config.Command{}, jvm.KindTimeout, "deadline"},
	} {
		rec, err := drive(t, c.p, c.want)
		var f *jvm.Failure
		if !errors.As(err, &f) || f.Kind != c.kind || !strings.Contains(f.Message, c.says) {
			t.Errorf("%s: %v, want %s: …%s…", c.name, err, c.kind, c.says)
			continue
		}
		if f.Tail != "begun\ndone: 12 rows\nCaused by: the disk" || len(rec.scalars) > 0 {
			t.Errorf("%s: tail %q, scalars %v", c.name, f.Tail, rec.scalars)
		}
	}
}

func TestQuestions(t *testing.T) {
	cells := []results.Cell{
		{ID: "c00", Scenario: "s", Variant: "none", Role: results.RoleBaseline},
		{ID: "c01", Scenario: "s", Variant: "none", Role: results.RoleAA, Baseline: "c00"},
		{ID: "c02", Scenario: "s", Variant: "a/b/c", Role: results.RoleVariant, Baseline: "c00"},
	}
	qs := Scenario{}.Questions(cells)
	if len(qs) != 1 || qs[0].A != "c02" || qs[0].B != "c00" || qs[0].Metric != wall || !strings.Contains(qs[0].Text, "a/b/c") {
		t.Errorf("questions %+v", qs)
	}
}

// TestMetrics: one is primary, none is named twice, and none needs what a
// program of the user's own has not.
func TestMetrics(t *testing.T) {
	seen := map[string]bool{}
	primary := 0
	for _, m := range (Scenario{}).Schema().Metrics {
		if seen[m.Name] || m.Series != "" || m.Profile != results.ProfileTiming {
			t.Errorf("metric %+v", m)
		}
		seen[m.Name] = true
		if m.Primary {
			primary++
		}
	}
	if primary != 1 || seen[run.StartupNS] || seen[run.CPUNS] || !seen["cpus_others_ns"] {
		t.Errorf("%d primary metrics of %v", primary, seen)
	}
}
