package machine

import (
	"bufio"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/machine/knob"
	"moobench/internal/testmachine"
	"moobench/results"
)

const victimVar = "MOOBENCH_TEST_VICTIM"

// folder is the machine of dir, and its journal.
func folder(dir string) (tree Tree, journal string) {
	return testmachine.Dir(filepath.Join(dir, "tree"), testmachine.Rules{}), filepath.Join(dir, "machine.journal")
}

// quietenForever is a moobench that changes a machine until it is killed.
func quietenForever(dir string) {
	tree, journal := folder(dir)
	fmt.Println("started")
	for {
		if err := quietenOnce(tree, journal); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

func quietenOnce(tree Tree, journal string) error {
	q, err := Quieten(tree, journal, "runs/victim", placing(tree), knob.Wishes(results.ProfileFixedHardware, nil))
	if err != nil {
		return err
	}
	for _, f := range []string{knob.FrequencyScaling, knob.FrequencyFixed} {
		if err := q.Set(knob.Frequency(f)); err != nil {
			return err
		}
	}
	said, err := q.Restore()
	if err == nil && len(said.Left)+len(said.Problems) > 0 {
		err = fmt.Errorf("%+v", said)
	}
	return err
}

// TestKilled kills a process that changes a machine at any moment, again and
// again, and puts the machine back each time.
func TestKilled(t *testing.T) {
	dir := unsynced(t)
	tree, journal := folder(dir)
	if err := testmachine.Open(t, "server").Save(filepath.Join(dir, "tree")); err != nil {
		t.Fatal(err)
	}
	before := contents(t, tree)
	times, found := 30, 0
	if testing.Short() {
		times = 5
	}
	for range times {
		killed(t, dir)
		l, err := Leftover(tree, journal)
		if err != nil {
			t.Fatal(err)
		}
		if l != nil {
			found++
			said, err := l.Restore()
			if err != nil || said.Left != nil || said.Problems != nil {
				t.Errorf("%+v, %v", said, err)
			}
		}
		if d := cmp.Diff(before, contents(t, tree)); d != "" {
			t.Fatalf("not as found: %s", d)
		}
		if l, err := Leftover(tree, journal); l != nil || err != nil {
			t.Fatalf("still left over: %v, %v", l, err)
		}
	}
	t.Logf("%d of %d left something", found, times)
}

func killed(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimVar+"="+dir)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(out)
	if line, err := said.ReadString('\n'); line != "started\n" {
		t.Errorf("the victim: %q, %v", line, err)
	}
	time.Sleep(time.Duration(rand.Int64N(int64(100 * time.Millisecond))))
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	if line, _ := said.ReadString('\n'); line != "" {
		t.Errorf("the victim: %q", line)
	}
	if err := cmd.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Errorf("the victim: %v", err)
	}
}

// contents are all folders and files of a machine.
func contents(t *testing.T, root fs.FS) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			all[path] = "folder"
			return nil
		}
		b, err := fs.ReadFile(root, path)
		all[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
