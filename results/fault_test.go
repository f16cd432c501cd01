package results

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// stepsOf runs f once and returns the names of the steps it took.
func stepsOf(t *testing.T, f func(steps)) []string {
	t.Helper()
	var names []string
	f(func(name string) error {
		names = append(names, name)
		return nil
	})
	return names
}

func reopen(t *testing.T, dir string, step steps) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.step = step
	return s
}

func TestSealFailsAtEachStep(t *testing.T) {
	seal := func(s *Store) (*Draft, error) {
		d, err := s.Begin(Identity{1, 0, 0})
		if err != nil {
			return nil, err
		}
		return d, d.Seal(okInvocation(writeTestDump(t, d.Dir(), testSeries, 100)))
	}
	names := stepsOf(t, func(step steps) {
		if _, err := seal(reopen(t, newStore(t).Dir(), step)); err != nil {
			t.Fatal(err)
		}
	})
	if len(names) < 10 {
		t.Fatalf("only %d steps: %v", len(names), names)
	}
	for i, name := range names {
		for _, full := range []error{syscall.ENOSPC, syscall.EROFS} {
			t.Run(fmt.Sprintf("%s/%v", name, full), func(t *testing.T) {
				n := 0
				s := reopen(t, newStore(t).Dir(), func(string) error {
					if n++; n == i+1 {
						return full
					}
					return nil
				})
				d, err := seal(s)
				if problemOf(err) != problemDisk || !errors.Is(err, full) || !strings.Contains(err.Error(), s.Dir()) {
					t.Errorf("%s: %v", problemOf(err), err)
				}
				afterFailure(t, s, d, name)
			})
		}
	}
}

// afterFailure seals or discards what is left of a draft.
func afterFailure(t *testing.T, s *Store, d *Draft, step string) {
	t.Helper()
	if step == "begin" {
		return
	}
	if step == "sync folder of b0001.s00.r0" { // it is there, though not surely for ever
		if list, err := s.Invocations(); len(list) != 1 || err != nil {
			t.Error(list, err)
		}
		return
	}
	if list, err := s.Invocations(); len(list) != 0 || err != nil {
		t.Errorf("there are invocations: %v, %v", list, err)
	}
	failed := &Invocation{Cell: "c00", Status: StatusFailed, Failure: &Failure{Kind: "disk"}, Scalars: map[string]float64{"x": 1}}
	if err := d.Seal(failed); err != nil {
		t.Errorf("sealing as failed: %v", err)
	}
	if err := verify(s); err != nil {
		t.Error(err)
	}
	list, err := s.Invocations()
	if err != nil || len(list) != 1 || list[0].Scalars != nil || len(list[0].Files) != 0 {
		t.Errorf("the failed one: %+v, %v", list, err)
	}
}

func TestDiscard(t *testing.T) {
	s := newStore(t)
	d, err := s.Begin(Identity{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	writeTestDump(t, d.Dir(), testSeries, 100)
	if _, err := s.Begin(Identity{1, 0, 0}); problemOf(err) != problemExists {
		t.Errorf("a second draft of the same invocation: %v", err)
	}
	if err := d.Discard(); err != nil {
		t.Fatal(err)
	}
	if left := everything(t, s.path(invocationsDir)); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

func everything(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
		if rel, _ := filepath.Rel(dir, path); rel != "." {
			names = append(names, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestCreateFailsAtEachStep(t *testing.T) {
	names := stepsOf(t, func(step steps) {
		if _, err := create(filepath.Join(t.TempDir(), "c"), testCampaign(), nil, step); err != nil {
			t.Fatal(err)
		}
	})
	for i := range names {
		dir := filepath.Join(t.TempDir(), "c")
		n := 0
		_, err := create(dir, testCampaign(), nil, func(string) error {
			if n++; n == i+1 {
				return syscall.ENOSPC
			}
			return nil
		})
		if problemOf(err) != problemDisk {
			t.Errorf("%s: %v", names[i], err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: half a campaign stayed", names[i])
		}
	}
}

// The child of the tests below: it opens the campaign in MOOBENCH_TEST_DIR and
// seals invocation after invocation, or one, killing itself at a step.
func TestChildSeals(t *testing.T) {
	dir, at := os.Getenv("MOOBENCH_TEST_DIR"), os.Getenv("MOOBENCH_TEST_STEP")
	if dir == "" {
		t.Skip("needs a parent: it is run by TestKilledAtEachStep and TestKilledAtRandom")
	}
	s := reopen(t, dir, func(name string) error {
		if name == at {
			unix.Kill(unix.Getpid(), unix.SIGKILL)
			select {}
		}
		return nil
	})
	fmt.Println("ready")
	for slot := 0; slot < 100; slot++ {
		sealOne(t, s, Identity{1, slot, 0}, 3000)
		if err := s.AddMachine(Machine{ID: "m"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Seal(); err != nil {
			t.Fatal(err)
		}
	}
}

// child starts this test binary as a victim, and returns when it is ready.
func child(t *testing.T, dir, step string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChildSeals$")
	cmd.Env = append(os.Environ(), "MOOBENCH_TEST_DIR="+dir, "MOOBENCH_TEST_STEP="+step)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for in := bufio.NewScanner(out); in.Scan(); {
		if in.Text() == "ready" {
			break
		}
	}
	go func() { // what else it says is of no interest, but must not block it
		for in := bufio.NewScanner(out); in.Scan(); {
		}
	}()
	return cmd
}

// afterKill checks what a killed moobench left: whole invocations, and
// temporary names that Recover removes.
func afterKill(t *testing.T, dir string) (invocations int) {
	t.Helper()
	s := reopen(t, dir, nil)
	if _, err := s.Recover(); err != nil {
		t.Error(err)
	}
	for _, name := range everything(t, dir) {
		if strings.Contains(name, tmpPrefix) {
			t.Errorf("left over: %s", name)
		}
	}
	list, err := s.Invocations()
	if err != nil {
		t.Error(err)
	}
	if err := s.Seal(); err != nil {
		t.Error(err)
	}
	if err := verify(s); err != nil {
		t.Error(err)
	}
	return len(list)
}

func TestKilledAtEachStep(t *testing.T) {
	names := stepsOf(t, func(step steps) {
		s := reopen(t, newStore(t).Dir(), step)
		sealOne(t, s, Identity{1, 0, 0}, 10)
		if err := errors.Join(s.AddMachine(Machine{ID: "m"}), s.Seal()); err != nil {
			t.Fatal(err)
		}
	})
	published := slices.Index(names, "sync folder of b0001.s00.r0")
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			dir := newStore(t).Dir()
			cmd := child(t, dir, name)
			if err := cmd.Wait(); err == nil {
				t.Fatal("the child was not killed")
			}
			want := 0
			if i >= published {
				want = 1
			}
			if got := afterKill(t, dir); got != want {
				t.Errorf("%d invocations, want %d", got, want)
			}
		})
	}
}

func TestKilledAtRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("needs time: kills a child ten times")
	}
	for range 10 {
		dir := newStore(t).Dir()
		cmd := child(t, dir, "")
		time.Sleep(time.Duration(rand.IntN(60_000)) * time.Microsecond)
		cmd.Process.Kill()
		cmd.Wait()
		afterKill(t, dir)
	}
}

func TestRecoverRemovesOnlyOurs(t *testing.T) {
	s := newStore(t)
	for _, name := range []string{
		".tmp-campaign.json", ".tmp-notes", "machines/.tmp-m.json", "machines/.tmp-x.txt",
		"invocations/.tmp-b0001.s00.r0/out.log", "invocations/.tmp-mine/x", "notes",
	} {
		path := filepath.Join(s.Dir(), name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	removed, err := s.Recover()
	if want := []string{".tmp-campaign.json", "machines/.tmp-m.json", "invocations/.tmp-b0001.s00.r0"}; err != nil || !slices.Equal(removed, want) {
		t.Errorf("removed %v, %v", removed, err)
	}
	if removed, err := s.Recover(); err != nil || len(removed) != 0 {
		t.Errorf("again: %v, %v", removed, err)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("needs another user than root: root may write into read-only folders")
	}
	s := newStore(t)
	dir := s.path(invocationsDir)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o777)
	if _, err := s.Begin(Identity{1, 0, 0}); problemOf(err) != problemDisk || !strings.Contains(err.Error(), "writable") {
		t.Errorf("%s: %v", problemOf(err), err)
	}
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=400k"); err != nil {
		t.Skip("needs a small disk, and mounting one needs root: " + err.Error())
	}
	defer unix.Unmount(dir, 0)
	s, err := Create(filepath.Join(dir, "c"), testCampaign(), nil)
	if err != nil {
		t.Fatal(err)
	}
	sealOne(t, s, Identity{1, 0, 0}, 100)
	d, err := s.Begin(Identity{1, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	inv := okInvocation(writeTestDump(t, d.Dir(), testSeries, 15_000))
	if err := os.WriteFile(filepath.Join(d.Dir(), "out.log"), make([]byte, 100<<10), 0o666); err != nil {
		t.Fatal(err)
	}
	err = d.Seal(inv)
	if problemOf(err) != problemDisk || !strings.Contains(err.Error(), "free some space") {
		t.Fatalf("%s: %v", problemOf(err), err)
	}
	t.Log(err)
	if err := d.Discard(); err != nil {
		t.Error(err)
	}
	if n := afterKill(t, s.Dir()); n != 1 {
		t.Errorf("%d invocations, want 1", n)
	}
}
