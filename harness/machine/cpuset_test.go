package machine

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/internal/testmachine"
)

const group = "sys/fs/cgroup/moobench.fixture"

// The partition is made, given to the subject, and gone afterwards.
func TestPartition(t *testing.T) {
	k := testmachine.Open(t, "vm")
	k.Put("sys/fs/cgroup/cgroup.controllers", "cpuset cpu memory\n")
	k.Put("sys/fs/cgroup/cgroup.subtree_control", "memory\n")
	before := k.Content()
	place := func() (cpu.Placement, error) { return cpu.Placement{Fixture: []int{1}, Housekeeping: []int{0}}, nil }
	q, err := Quieten(k, filepath.Join(t.TempDir(), "journal"), "", place, []knob.Wish{require("cpuset", "isolated")})
	if err != nil {
		t.Fatal(err)
	}
	now := k.Content()
	if q.Subject().ControlGroup != group || now[group+"/cpuset.cpus"] != "1\n" || now[group+"/cpuset.cpus.partition"] != "isolated\n" {
		t.Errorf("subject %+v, partition of CPU %q is %q", q.Subject(), now[group+"/cpuset.cpus"], now[group+"/cpuset.cpus.partition"])
	}
	if said, err := q.Restore(); err != nil || len(said.Problems)+len(said.Left) > 0 {
		t.Errorf("%+v, %v", said, err)
	}
	if !maps.Equal(before, k.Content()) {
		t.Errorf("not as it was: %q", k.Content())
	}
}

// In a container, each knob says that it is the host's.
func TestReadOnly(t *testing.T) {
	k := testmachine.Open(t, "container")
	var wishes []knob.Wish
	for name, value := range map[string]string{
		"thp": "never", "swappiness": "1", "numa_balancing": "off", "watchdog": "off", "perf_rate": "1", "rt_throttling": "off", "irqs": "housekeeping", "cpuset": "isolated",
	} {
		wishes = append(wishes, try(name, value))
	}
	on := cpu.Placement{Fixture: []int{2, 3}, Housekeeping: []int{0, 1}}
	for _, s := range CanMeet(k, on, wishes) {
		if !s.Unmet() || !strings.HasSuffix(s.Reason, "is read-only here: only the host can change it") {
			t.Errorf("%+v", s)
		}
	}
}

// TestDMALatencyOfThisMachine holds it for a moment, for real.
func TestDMALatencyOfThisMachine(t *testing.T) {
	k, _ := knob.Named("dma_latency")
	tree := System()
	before, err := k.Observe(tree, cpu.Placement{})
	if err != nil {
		t.Skipf("needs /dev/cpu_dma_latency: %v", err)
	}
	release, err := k.Hold(tree, "20us")
	if errors.Is(err, fs.ErrPermission) {
		t.Skipf("needs root: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	want, err := k.Resolved(tree, cpu.Placement{}, "20us")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := k.Observe(tree, cpu.Placement{}); err != nil || got != want {
		t.Errorf("says %q, %v; want %s (%s before)", got, err, want, before)
	}
}
