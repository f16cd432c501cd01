package main

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTwoOwners resumes a campaign while another moobench measures into it that does
// not share the machine's lock, as in a container or on another host. The other one
// is stopped meanwhile, so that it can't be done too soon.
func TestTwoOwners(t *testing.T) {
	p := newPlace(t)
	first := p.moobench("run", "--seed", "3", "-o", "out", "benchmarks.toml")
	var said bytes.Buffer
	first.Stdout, first.Stderr = &said, &said
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	defer func() {
		if !ended {
			first.Process.Kill()
			first.Wait()
		}
	}()
	dir := filepath.Join(p.dir, "out")
	if !drafted(dir) {
		t.Fatal("the first one measures nothing")
	}
	if err := first.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	before := draftsIn(dir)
	second := p.moobench("run", "--resume", "out")
	second.Env = append(second.Env, "MOOBENCH_LOCK="+filepath.Join(p.dir, "otherlock"))
	out, err := second.CombinedOutput()
	var status *exec.ExitError
	if !errors.As(err, &status) || status.ExitCode() != exitError || !strings.Contains(string(out), "another moobench writes to this campaign") {
		t.Errorf("the second one: %v\n%s", err, out)
	}
	if after := draftsIn(dir); !slices.Equal(before, after) {
		t.Errorf("drafts were %q, and are %q", before, after)
	}
	if err := first.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	err = first.Wait()
	ended = true
	if err != nil {
		t.Fatalf("the first one: %v\n%s", err, said.String())
	}
	whole(t, dir)
}

// drafted waits for a draft in a campaign's folder.
func drafted(dir string) bool {
	for range 6000 {
		if len(draftsIn(dir)) > 0 {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func draftsIn(dir string) []string {
	found, err := filepath.Glob(filepath.Join(dir, "invocations", ".tmp-*"))
	if err != nil {
		return nil
	}
	return found
}
