package cpu

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/harness/machine/internal/kernel"
)

func TestSetSelf(t *testing.T) {
	before, err := Allowed()
	if err != nil {
		t.Fatal(err)
	}
	one := before[len(before)-1:]
	giveBack, err := (Placement{Housekeeping: one}).TakeOurs()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		failed := giveBack()
		if now, err := Allowed(); errors.Join(failed, err) != nil || !slices.Equal(now, before) {
			t.Errorf("moobench was moved back to CPU %s, want %s: %v", now, before, errors.Join(failed, err))
		}
	}()
	threads, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil || len(threads) == 0 {
		t.Fatalf("threads: %v, %v", threads, err)
	}
	for _, path := range threads {
		status, err := os.ReadFile(path)
		if err != nil {
			continue // it ended
		}
		if got := kernel.Value(string(status), "Cpus_allowed_list"); got != one.String() {
			t.Errorf("%s is on CPU %s, want %s", path, got, one)
		}
	}
	if err := SetSelf(Set{1000}); err == nil || !strings.Contains(err.Error(), "pinning moobench to CPUs 1000") {
		t.Errorf("got %v", err)
	}
	if now, err := Allowed(); err != nil || !slices.Equal(now, one) {
		t.Errorf("on %v, %v", now, err)
	}
}
