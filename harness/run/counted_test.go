package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/harness/receiver"
	"moobench/results"
)

// tallied is a source that ends with this tally.
type tallied struct {
	silent
	tally receiver.Tally
	err   error
}

func (t tallied) Finish(context.Context) (receiver.Tally, error) { return t.tally, t.err }

// TestCounted: what a source counts is put beside what was expected, and when it arrived.
func TestCounted(t *testing.T) {
	lost := errors.New("cut off")
	asked := framework.Recorded{Proof: framework.Proof{Told: receiver.Told{"file": {"x"}}}}
	sent := asked
	sent.Receiver = "otlp"
	for name, c := range map[string]struct {
		one      framework.Recorded
		kind     results.ProofKind
		expected int64
		endNS    int64
		tally    receiver.Tally
		err      error
		want     results.Proof
		scalars  map[string]float64
		warned   bool
		fails    bool
	}{
		"as many as expected": {
			kind: results.ProofCount, expected: 8, endNS: 100,
			tally:   receiver.Tally{Records: 8, ByLoopEnd: 5, LastNS: 130, Bytes: 80, Missing: "none"},
			want:    results.Proof{Expected: 8, ByExit: 8, ByLoopEnd: 5, DrainNS: 30, Bytes: 80},
			scalars: map[string]float64{recordBytes: 10},
		},
		"fewer": {
			kind: results.ProofCount, expected: 8,
			tally:   receiver.Tally{Records: 7, ByLoopEnd: 5, LastNS: 130, Bytes: 80, RecordBytes: 70, Missing: "one"},
			want:    results.Proof{Expected: 8, ByExit: 7, ByLoopEnd: 5, Bytes: 80, Missing: "one"},
			scalars: map[string]float64{recordBytes: 10},
		},
		"of an unknown number": {
			kind: results.ProofCount, endNS: 200,
			tally: receiver.Tally{Records: 4, ByLoopEnd: 4, LastNS: 130, Missing: "perhaps"},
			want:  results.Proof{ByExit: 4, ByLoopEnd: 4, Missing: "perhaps"},
		},
		"no count": {
			kind: results.ProofNone, expected: 8,
			tally: receiver.Tally{Records: 4, LastNS: 1, Bytes: 9, Missing: "some"},
			want:  results.Proof{Expected: 8, ByExit: 4, Bytes: 9},
		},
		"none came": {
			kind: results.ProofCount, expected: 8, tally: receiver.Tally{Bytes: 9, LastNS: 1},
			want: results.Proof{Expected: 8, Bytes: 9},
		},
		"without time stamps": {
			kind: results.ProofCount, tally: receiver.Tally{Records: 9}, want: results.Proof{ByExit: 9, ByLoopEnd: 6},
		},
		"fewer, without time stamps": {
			kind: results.ProofCount, tally: receiver.Tally{Records: 4}, want: results.Proof{ByExit: 4, ByLoopEnd: 4},
		},
		"from bytes": {
			kind: results.ProofCount, tally: receiver.Tally{Records: 9, ByLoopEnd: 3, LoopEndFromBytes: true},
			want: results.Proof{ByExit: 9, ByLoopEnd: 3, LoopEndFromBytes: true},
		},
		"untimed": {
			kind: results.ProofCount, tally: receiver.Tally{Records: 9, Untimed: true},
			want: results.Proof{ByExit: 9, LoopEndUnknown: true},
		},
		"cut off": {
			kind: results.ProofCount, tally: receiver.Tally{Records: 3, LastNS: 1}, err: lost,
			want: results.Proof{ByExit: 3}, warned: true,
		},
		"told, cut off": {one: asked, kind: results.ProofCount, err: lost, fails: true},
		"told, no count": {
			one: asked, kind: results.ProofNone, err: lost, tally: receiver.Tally{LastNS: 1}, warned: true,
		},
		"told of what it receives": {
			one: sent, kind: results.ProofCount, err: lost, tally: receiver.Tally{LastNS: 1}, warned: true,
		},
	} {
		a := &attempt{got: &results.Invocation{Scalars: map[string]float64{}}, endNS: c.endNS, recorded: 6}
		a.inv.Cell.Proof = results.ProofPlan{Kind: c.kind}
		a.got.Proof.Expected = c.expected
		err := a.countOne(t.Context(), tallied{tally: c.tally, err: c.err}, c.one, &a.got.Proof, a.inv.Cell.Proof)
		if (err != nil) != c.fails || err != nil && !errors.Is(err, lost) || (len(a.got.Warnings) > 0) != c.warned {
			t.Errorf("%s: %v, warnings %q", name, err, a.got.Warnings)
		}
		if diff := cmp.Diff(c.want, a.got.Proof); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if fmt.Sprint(a.got.Scalars) != fmt.Sprint(c.scalars) {
			t.Errorf("%s: %v, want %v", name, a.got.Scalars, c.scalars)
		}
	}
}

// TestCountedTogether: what was expected comes from the invocation, or else from its plan; where nothing is counted,
// there is nothing more.
func TestCountedTogether(t *testing.T) {
	a := &attempt{got: &results.Invocation{Scalars: map[string]float64{}, Beside: make([]results.Proof, 2)}}
	c := &a.inv.Cell
	c.Recipe.Beside, c.Beside = make([]framework.Recorded, 2), make([]results.ProofPlan, 2)
	c.Proof.Expected, c.Beside[0].Expected, c.Beside[1].Expected = 1, 2, 3
	a.got.Beside[1].Expected = 9
	lost := errors.New("cut off")
	a.sources = []receiver.Source{nil, tallied{tally: receiver.Tally{Records: 5, LastNS: 1}}, tallied{err: lost}}
	if err := a.count(t.Context()); err != nil || len(a.got.Warnings) != 1 {
		t.Errorf("%v, warnings %q", err, a.got.Warnings)
	}
	want := []results.Proof{{Expected: 1}, {Expected: 2, ByExit: 5}, {Expected: 9}}
	got := append([]results.Proof{a.got.Proof}, a.got.Beside...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSourcesAreOpened: each agent of a JVM is told the port of what receives its records, or the one at which it
// will be asked.
func TestSourcesAreOpened(t *testing.T) {
	r := &Runner{Artifacts: &Artifacts{}}
	asked := framework.Recorded{Proof: framework.Proof{
		Source: "http", Told: receiver.Told{"http": {"http://127.0.0.1:{port}/"}, "metric": {"x"}},
	}}
	for name, c := range map[string]struct {
		first, second framework.Recorded // Port of the second is port2
		sources       [2]string
		port          int // of the program
		uses          string
		ports, sinks  int
		same          bool // the agent's port is the program's
	}{
		"nothing":              {},
		"a receiver":           {sources: [2]string{"otlp"}, ports: 1},
		"one that is not told": {first: framework.Recorded{Receiver: "otlp"}, ports: 1},
		"a file and its sink": {
			first: framework.Recorded{Receiver: "otlp"}, sources: [2]string{"probe-file"}, ports: 1, sinks: 1,
		},
		"two": {
			first: framework.Recorded{Receiver: "otlp"}, second: framework.Recorded{Receiver: "zipkin"}, ports: 2,
		},
		"the program's port": {
			first: asked, sources: [2]string{"http"},
			port: 4711, ports: 1, same: true,
		},
		"the agent's own port": {
			first: asked, sources: [2]string{"http"},
			port: 4711, uses: "-Dport={port}", ports: 1,
		},
		"a port of nobody's": {
			first: asked, sources: [2]string{"http"}, ports: 1,
		},
	} {
		a := &attempt{dir: t.TempDir(), got: &results.Invocation{}}
		cell := &a.inv.Cell
		a.inv.Port = c.port
		cell.Recipe = framework.Variant{Receiver: c.first.Receiver, Proof: c.first.Proof, Args: []string{c.uses}}
		c.second.Port = "port2"
		cell.Recipe.Beside, cell.Beside = []framework.Recorded{c.second}, make([]results.ProofPlan, 1)
		cell.Proof.Source, cell.Beside[0].Source = c.sources[0], c.sources[1]
		ports, err := r.open(t.Context(), a)
		a.closeSources()
		if err != nil || len(ports) != c.ports || len(a.sinks) != c.sinks {
			t.Errorf("%s: ports %v, %d sinks, %v", name, ports, len(a.sinks), err)
		}
		if len(a.sources) != 2 || len(a.got.Beside) != 1 {
			t.Errorf("%s: %d sources of %d proofs", name, len(a.sources), 1+len(a.got.Beside))
		}
		if port := ports["port"]; (port == "4711") != c.same || c.ports > 0 && (port == "" || port == "0") {
			t.Errorf("%s: port %s", name, port)
		}
		if c.ports == 2 && (ports["port2"] == "" || ports["port2"] == ports["port"]) {
			t.Errorf("%s: ports %v", name, ports)
		}
	}
	a := &attempt{got: &results.Invocation{}}
	a.inv.Cell.Recipe.Receiver = "jaeger"
	const unknown = "starting the receiver jaeger: "
	if _, err := r.open(t.Context(), a); err == nil || !strings.Contains(err.Error(), unknown) {
		t.Errorf("an unknown one: %v", err)
	}
	a.inv.Cell.Proof.Source = "probe-file"
	if _, err := r.open(t.Context(), a); err == nil || !strings.Contains(err.Error(), unknown) {
		t.Errorf("an unknown sink: %v", err)
	}
}

// TestComplain: why no record arrived is the first error in the log that a baseline's hasn't.
func TestComplain(t *testing.T) {
	for name, c := range map[string]struct {
		log, missing, want string
		records            int64
	}{
		"an error":     {"INFO begun\nERROR no licence\n", "", "its log says: ERROR no licence", 0},
		"the usual":    {"ERROR as ever\n", "", "", 0},
		"both":         {"ERROR as ever\nERROR no licence\n", "", "its log says: ERROR no licence", 0},
		"nothing":      {"INFO begun\n", "", "", 0},
		"known":        {"ERROR no licence\n", "no file", "no file", 0},
		"records came": {"ERROR no licence\n", "", "", 1},
	} {
		dir := t.TempDir()
		r, _ := runnerOn(t, created(t, campaignOf(1, nil)), instant{})
		inv := sealed(1, 0, 0, results.StatusOK)
		inv.Cell = "c00"
		failed := sealed(1, 1, 0, results.StatusFailed)
		failed.Cell = "c00"
		r.state = newLedger(r.campaign(), []*results.Invocation{failed, inv})
		a := &attempt{dir: filepath.Join(dir, "draft"), got: &results.Invocation{}}
		for folder, text := range map[string]string{"draft": c.log, inv.Identity.String(): "ERROR as ever\n"} {
			if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, folder, outputName), text)
		}
		a.inv.Cell.Proof.Kind = results.ProofCount
		a.got.Proof = results.Proof{Source: "otlp", ByExit: c.records, Missing: c.missing}
		if r.complain(a); a.got.Proof.Missing != c.want {
			t.Errorf("%s: %q, want %q", name, a.got.Proof.Missing, c.want)
		}
	}
}

// TestProgramIsLaunched: a program of the user's own is found from its folder, and gets the variant's arguments where
// it has a place for them, or else in its environment.
func TestProgramIsLaunched(t *testing.T) {
	work := t.TempDir()
	for name, c := range map[string]struct {
		run  []string
		path string
		args string
		env  string
	}{
		"a command":     {[]string{"shop", "-x"}, "shop", "[-x]", `JAVA_TOOL_OPTIONS=-Dx`},
		"from a folder": {[]string{"bin/shop"}, filepath.Join(work, "bin/shop"), "[]", `JAVA_TOOL_OPTIONS=-Dx`},
		"a path":        {[]string{"/bin/shop", "{agent}", "a"}, "/bin/shop", "[-Dx a]", ""},
	} {
		r := &Runner{Artifacts: &Artifacts{paths: map[string]map[string]string{"x": {"agent": "/a.jar"}}}}
		inv := plan.Invocation{}
		cell := &inv.Cell
		cell.Variant, cell.Timeout = "x", time.Minute
		_, command, _ := programs()
		cell.Program = command.Program
		cell.Program.Run, cell.Program.Dir, cell.Program.Env = c.run, work, []string{"OWN=1"}
		cell.Recipe.Args, cell.Recipe.Env = []string{"-Dx"}, []string{"JAR={jar.agent}", "CONF={file.conf}"}
		cell.Recipe.Files = []framework.File{{Name: "conf", Template: "to {port}"}}
		dir := t.TempDir()
		s, err := r.subject(inv, dir, map[string]string{"port": "7"}, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := fmt.Sprint(s.command.Args); s.command.Path != c.path || got != c.args || s.command.Work != work {
			t.Errorf("%s: %s %s in %s", name, s.command.Path, got, s.command.Work)
		}
		env := []string{"OWN=1", "JAR=/a.jar", "CONF=" + filepath.Join(dir, "conf")}
		if c.env != "" {
			env = append(env, c.env)
		}
		if diff := cmp.Diff(env, s.env); diff != "" {
			t.Errorf("%s: environment (-want +got):\n%s", name, diff)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "conf")); string(text) != "to 7" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
