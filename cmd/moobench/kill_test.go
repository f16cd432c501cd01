package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

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
max_failures = 20 # JVMs are killed
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
	out string // the campaign's folder, from dir
}

func newPlace(t *testing.T) place {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := place{t, t.TempDir(), "out"}
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
		"XDG_CACHE_HOME="+filepath.Join(p.dir, "cache"), "XDG_STATE_HOME="+filepath.Join(p.dir, "state"), "MOOBENCH_LOCK="+filepath.Join(p.dir, "lock"))
	return cmd
}

// How much is broken; make soak asks for more.
var (
	allKills = flag.Int("kills", 6, "how often moobench, its JVM, or both are killed")
	allFills = flag.Int("fills", 4, "how often the disk is full")
)

// killsOfOne is how many a campaign gets.
const killsOfOne = 8

// TestKilledAnytime kills moobench, its JVM, or both at random moments until the
// campaign is complete, and then looks for anything that is missing, doubled or
// mixed.
func TestKilledAnytime(t *testing.T) {
	done := 0
	for seed := uint64(1); done < *allKills; seed++ {
		p := newPlace(t)
		done += killUntilComplete(t, p, seed)
		whole(t, filepath.Join(p.dir, "out"))
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
		os.RemoveAll(p.dir)
	}
	t.Logf("killed %d times", done)
}

// TestKilledAnytimeWhileSized does the same to a campaign whose pilot decides:
// the decision and its blocks are there together.
func TestKilledAnytimeWhileSized(t *testing.T) {
	p := newPlace(t)
	sized := strings.Replace(killCampaign, "blocks    = 6", "precision = \"0.1%\"\nmax_blocks = 13\nmax_time  = \"1h\"", 1)
	if err := os.WriteFile(filepath.Join(p.dir, "benchmarks.toml"), []byte(sized), 0o666); err != nil {
		t.Fatal(err)
	}
	killUntilComplete(t, p, 1)
	dir := filepath.Join(p.dir, "out")
	whole(t, dir)
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := store.Campaign()
	d := c.Scenario("overhead").Sizing.Decision
	n := 0
	for _, b := range c.Blocks {
		if b.Kind == results.BlockPlanned && b.Profile == results.ProfileTiming {
			n++
		}
	}
	if d == nil || d.Blocks != n || n != 13 {
		t.Errorf("%d timing blocks, decided was %+v", n, d)
	}
}

// killUntilComplete kills up to killsOfOne times, and returns how often it did.
// What was measured before stays as it is, to the last byte.
func killUntilComplete(t *testing.T, p place, seed uint64) (kills int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 2))
	for {
		before := p.measured()
		cmd, out, ended := p.start()
		for running := true; running; {
			// A moment, not a measurement: any is as good as another.
			moment := time.Duration(100+rng.IntN(1500)) * time.Millisecond
			if kills == killsOfOne {
				moment = time.Hour
			}
			select {
			case err := <-ended:
				// 4 is complete as well: one in a hundred A/As fails by chance.
				if exit := (*exec.ExitError)(nil); err == nil || errors.As(err, &exit) && exit.ExitCode() == 4 {
					p.unchanged(before)
					return kills
				}
				if kills == killsOfOne {
					t.Fatalf("not complete: %v\n%s", err, out)
				}
				running = false
			case <-time.After(moment):
				kills++
				switch rng.IntN(3) {
				case 0:
					killJVMs(cmd.Process.Pid)
				case 1:
					killJVMs(cmd.Process.Pid)
					fallthrough
				default:
					cmd.Process.Kill()
					<-ended
					running = false
				}
			}
		}
		p.unchanged(before)
	}
}

// start begins the campaign, or goes on with it.
func (p place) start() (cmd *exec.Cmd, out *bytes.Buffer, ended chan error) {
	p.t.Helper()
	args := []string{"run", "--seed", "3", "-o", p.out, "benchmarks.toml"}
	if _, err := os.Stat(filepath.Join(p.dir, p.out, "campaign.json")); err == nil {
		args = []string{"run", "--resume", p.out}
	}
	cmd, out, ended = p.moobench(args...), new(bytes.Buffer), make(chan error, 1)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() { ended <- cmd.Wait() }()
	return cmd, out, ended
}

// killJVMs kills the processes that moobench has started.
func killJVMs(pid int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, child := range strings.Fields(string(text)) {
			if n, err := strconv.Atoi(child); err == nil {
				syscall.Kill(n, syscall.SIGKILL)
			}
		}
	}
}

// measured are the checksums of all files of sealed invocations.
func (p place) measured() map[string][32]byte {
	files, _ := filepath.Glob(filepath.Join(p.dir, p.out, "invocations", "b*", "*"))
	sums := map[string][32]byte{}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil { // else it is a folder
			sums[file] = sha256.Sum256(data)
		}
	}
	return sums
}

// unchanged compares with what was measured before.
func (p place) unchanged(before map[string][32]byte) {
	p.t.Helper()
	now := p.measured()
	for file, sum := range before {
		if now[file] != sum {
			p.t.Errorf("%s is not what it was", file)
		}
	}
}

// TestDiskFullAnytime fills the disk at random moments: moobench stops, and says
// why; with room again it goes on, and nothing that was measured is lost.
func TestDiskFullAnytime(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a small disk")
	}
	fills := 0
	for seed := uint64(1); fills < *allFills; seed++ {
		fills += fillUntilComplete(t, seed)
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
	t.Logf("filled %d times", fills)
}

// fillUntilComplete fills the disk of one campaign up to four times, and returns
// how often it did.
func fillUntilComplete(t *testing.T, seed uint64) (fills int) {
	t.Helper()
	p := newPlace(t)
	disk := filepath.Join(p.dir, "disk")
	p.out = filepath.Join("disk", "out")
	if err := os.Mkdir(disk, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=64m"); err != nil {
		t.Skip("no small disk can be made here:", err)
	}
	defer unix.Unmount(disk, unix.MNT_DETACH)
	rng := rand.New(rand.NewPCG(seed, 3))
	filler := filepath.Join(disk, "filler")
	for {
		before := p.measured()
		_, out, ended := p.start()
		var err error
		select {
		case err = <-ended:
		case <-time.After(time.Duration(100+rng.IntN(1500)) * time.Millisecond):
			if fills < 4 {
				fills++
				fill(filler, int64(rng.IntN(60_000)))
			}
			err = <-ended
		}
		os.Remove(filler)
		p.unchanged(before)
		if err == nil {
			whole(t, filepath.Join(p.dir, p.out))
			return fills
		}
		if !strings.Contains(out.String(), "no space left") && !strings.Contains(out.String(), "free some") {
			t.Fatalf("stopped for another reason: %v\n%s", err, out)
		}
	}
}

// fill leaves about so many bytes of a disk.
func fill(file string, room int64) {
	f, err := os.Create(file)
	if err != nil {
		return // it is full already
	}
	defer f.Close()
	block := make([]byte, 1<<16)
	for err == nil {
		_, err = f.Write(block)
	}
	if size, err := f.Seek(0, io.SeekEnd); err == nil {
		f.Truncate(max(0, size-room))
	}
}

// whole checks a complete campaign against its plan.
func whole(t *testing.T, dir string) {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if damages := store.Damages(t.Context()); len(damages) > 0 {
		t.Error(damages)
	}
	invocations, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	current := map[[2]int]*results.Invocation{}
	sessions := map[int]map[string]bool{}
	for _, inv := range invocations {
		if inv.Superseded {
			continue
		}
		at := [2]int{inv.Block, inv.Slot}
		if current[at] != nil {
			t.Errorf("block %d slot %d is there twice", inv.Block, inv.Slot)
		}
		current[at] = inv
		if sessions[inv.Block] == nil {
			sessions[inv.Block] = map[string]bool{}
		}
		sessions[inv.Block][inv.Session] = true
	}
	for _, b := range store.Campaign().Blocks {
		if len(b.Order) > 0 && len(sessions[b.Number]) != 1 {
			t.Errorf("block %d is of %d sessions", b.Number, len(sessions[b.Number]))
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
	for range 6000 {
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

// TestInterrupted sends SIGINT, and expects the table of what is there and the line that resumes.
func TestInterrupted(t *testing.T) {
	const aBlock = 4 // invocations
	p := newPlace(t)
	cmd := p.moobench("run", "--seed", "3", "-o", "out", "benchmarks.toml")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 6000 {
		if names, _ := filepath.Glob(filepath.Join(p.dir, "out", "invocations", "b*")); len(names) > aBlock+1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cmd.Process.Signal(os.Interrupt)
	err := cmd.Wait()
	if !strings.Contains(out.String(), "adds") || !strings.Contains(out.String(), "missing") {
		t.Errorf("what is there was not shown:\n%s", out.String())
	}
	if err == nil || !strings.Contains(out.String(), "moobench run --resume out") {
		t.Fatalf("interrupted: %v\n%s", err, out.String())
	}
	if out, err := p.moobench("run", "--resume", "out").CombinedOutput(); err != nil {
		t.Fatalf("resuming: %v\n%s", err, out)
	}
	whole(t, filepath.Join(p.dir, "out"))
}
