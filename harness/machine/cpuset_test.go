package machine

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"moobench/harness/machine/machinetest"
	"moobench/results"
)

// The partition is made, given to the subject, and gone afterwards.
func TestPartition(t *testing.T) {
	k, err := machinetest.Load("testdata/vm.txtar")
	if err != nil {
		t.Fatal(err)
	}
	k.Put("sys/fs/cgroup/cgroup.controllers", "cpuset cpu memory\n")
	k.Put("sys/fs/cgroup/cgroup.subtree_control", "memory\n")
	before := k.Content()
	place := func() (Placement, error) { return Placement{Fixture: []int{1}, Housekeeping: []int{0}}, nil }
	q, err := Quieten(k, filepath.Join(t.TempDir(), "journal"), "", place, []Wish{{"cpuset", "isolated", results.PolicyRequire}})
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
	k, err := machinetest.Load("testdata/container.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var wishes []Wish
	for name, value := range map[string]string{
		"thp": "never", "swappiness": "1", "numa_balancing": "off", "watchdog": "off", "perf_rate": "1", "rt_throttling": "off", "irqs": "housekeeping", "cpuset": "isolated",
	} {
		wishes = append(wishes, Wish{name, value, results.PolicyTry})
	}
	on := Placement{Fixture: []int{2, 3}, Housekeeping: []int{0, 1}}
	for _, s := range CanMeet(k, on, wishes) {
		if !s.Unmet() || !strings.HasSuffix(s.Reason, "is read-only here: only the host can change it") {
			t.Errorf("%+v", s)
		}
	}
}
