package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/results"
)

const killCampaign = `
name = "killed"
[[scenario]]
use       = "overhead"
variants  = ["none", "cheap", "dear"]
calls     = 20_000
blocks    = 6
resources = 1
[framework.cheap]
args  = ["-Dfake.cost=10"]
proof = "none"
[framework.dear]
args  = ["-Dfake.cost=5000", "-Dfake.records=1"]
proof = { count = "fixture", per_call = "depth" }
`

// place is a folder with a fake JDK and a moobench in it.
type place struct {
	t   *testing.T
	dir string
}

func newPlace(t *testing.T) place {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := place{t, t.TempDir()}
	bin := filepath.Join(p.dir, "jdk", "bin")
	if err := installFakeJDK(bin); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "moobench")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "benchmarks.toml"), []byte(killCampaign), 0o666); err != nil {
		t.Fatal(err)
	}
	return p
}

// moobench is the command, ready to be started in the place.
func (p place) moobench(args ...string) *exec.Cmd {
	bin := filepath.Join(p.dir, "jdk", "bin")
	cmd := exec.Command(filepath.Join(bin, "moobench"), args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "JAVA_HOME="+filepath.Join(p.dir, "jdk"), "PATH="+bin+":"+os.Getenv("PATH"),
		"XDG_CACHE_HOME="+filepath.Join(p.dir, "cache"), "MOOBENCH_LOCK="+filepath.Join(p.dir, "lock"))
	return cmd
}

// TestKilledAnytime kills moobench at random moments until the campaign is
// complete, and then looks for anything that is missing, doubled or mixed.
func TestKilledAnytime(t *testing.T) {
	p := newPlace(t)
	killUntilComplete(t, p)
	whole(t, filepath.Join(p.dir, "out"))
}

// TestKilledAnytimeWhileSized does the same to a campaign whose pilot decides:
// the decision and its blocks are there together.
func TestKilledAnytimeWhileSized(t *testing.T) {
	p := newPlace(t)
	sized := strings.Replace(killCampaign, "blocks    = 6", "precision = \"0.1%\"\nmax_blocks = 13\nmax_time  = \"1h\"", 1)
	if err := os.WriteFile(filepath.Join(p.dir, "benchmarks.toml"), []byte(sized), 0o666); err != nil {
		t.Fatal(err)
	}
	killUntilComplete(t, p)
	dir := filepath.Join(p.dir, "out")
	whole(t, dir)
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := store.Campaign()
	d := c.Scenario("overhead").Sizing.Decision
	if n := timingBlocks(c, "overhead"); d == nil || d.Blocks != n || n != 13 {
		t.Errorf("%d timing blocks, decided was %+v", n, d)
	}
}

func killUntilComplete(t *testing.T, p place) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	args := []string{"run", "--seed", "3", "-o", "out", "benchmarks.toml"}
	for kills := 0; ; kills++ {
		if _, err := os.Stat(filepath.Join(p.dir, "out", "campaign.json")); err == nil {
			args = []string{"run", "--resume", "out"}
		}
		cmd := p.moobench(args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if kills < 8 {
			// A moment, not a measurement: any is as good as another.
			timer := time.AfterFunc(time.Duration(100+rng.IntN(1500))*time.Millisecond, func() { cmd.Process.Kill() })
			defer timer.Stop()
		}
		err := cmd.Wait()
		if err == nil {
			t.Logf("complete after %d kills", kills)
			break
		}
		if kills >= 8 {
			t.Fatalf("not complete: %v\n%s", err, out.String())
		}
	}
}

// whole checks a complete campaign against its plan.
func whole(t *testing.T, dir string) {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Verify(); err != nil {
		t.Error(err)
	}
	invocations, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	current := map[[2]int]*results.Invocation{}
	sittings := map[int]map[string]bool{}
	for _, inv := range invocations {
		if inv.Superseded {
			continue
		}
		at := [2]int{inv.Block, inv.Slot}
		if current[at] != nil {
			t.Errorf("block %d slot %d is there twice", inv.Block, inv.Slot)
		}
		current[at] = inv
		if sittings[inv.Block] == nil {
			sittings[inv.Block] = map[string]bool{}
		}
		sittings[inv.Block][inv.Sitting] = true
	}
	for _, b := range store.Campaign().Blocks {
		if len(b.Order) > 0 && len(sittings[b.Number]) != 1 {
			t.Errorf("block %d is of %d sittings", b.Number, len(sittings[b.Number]))
		}
		for slot, cell := range b.Order {
			inv := current[[2]int{b.Number, slot}]
			if inv == nil {
				t.Errorf("block %d slot %d is missing", b.Number, slot)
			} else if inv.Cell != cell {
				t.Errorf("block %d slot %d holds %s, planned was %s", b.Number, slot, inv.Cell, cell)
			}
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "invocations"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			t.Errorf("a temporary name is left: %s", e.Name())
		}
	}
}

// TestSecondMoobenchIsRefused starts a second campaign while one measures.
func TestSecondMoobenchIsRefused(t *testing.T) {
	p := newPlace(t)
	first := p.moobench("run", "-o", "first", "benchmarks.toml")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		first.Process.Signal(os.Interrupt)
		first.Wait()
	}()
	for range 500 {
		if _, err := os.Stat(filepath.Join(p.dir, "first", "campaign.json")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	out, err := p.moobench("run", "-o", "second", "benchmarks.toml").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "first") {
		t.Errorf("the second said (%v):\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(p.dir, "second")); err == nil {
		t.Error("the refused one left a folder")
	}
}

// TestInterrupted sends SIGINT, and expects the line that resumes.
func TestInterrupted(t *testing.T) {
	p := newPlace(t)
	cmd := p.moobench("run", "--seed", "3", "-o", "out", "benchmarks.toml")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if names, _ := filepath.Glob(filepath.Join(p.dir, "out", "invocations", "b*")); len(names) > 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cmd.Process.Signal(os.Interrupt)
	err := cmd.Wait()
	if err == nil || !strings.Contains(out.String(), "moobench run --resume out") {
		t.Fatalf("interrupted: %v\n%s", err, out.String())
	}
	if out, err := p.moobench("run", "--resume", "out").CombinedOutput(); err != nil {
		t.Fatalf("resuming: %v\n%s", err, out)
	}
	whole(t, filepath.Join(p.dir, "out"))
}
