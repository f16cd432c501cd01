package machine

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

func TestIdentity(t *testing.T) {
	a := results.Machine{Host: "a", CPU: "x", CPUs: 8, Memory: 24684084 << 10, Kernel: "5", Facts: map[string]string{"topology": "8 CPUs, 4 cores, 1 socket"}}
	b := a
	b.Kernel, b.Memory, b.CPUs = "6", a.Memory-5<<20, 4
	if identity(a) != identity(b) {
		t.Error("another kernel, or CPUs that are switched off, made another machine")
	}
	for _, other := range []results.Machine{
		{Host: "b", CPU: a.CPU, Memory: a.Memory, Facts: a.Facts},
		{Host: a.Host, CPU: "y", Memory: a.Memory, Facts: a.Facts},
		{Host: a.Host, CPU: a.CPU, Memory: a.Memory * 2, Facts: a.Facts},
		{Host: a.Host, CPU: a.CPU, Memory: a.Memory, Facts: map[string]string{"topology": "8 CPUs, 8 cores, 1 socket"}},
	} {
		if identity(a) == identity(other) {
			t.Errorf("%+v is the same machine", other)
		}
	}
}

// The machine stays the same when its second threads are switched off.
func TestIdentityWithoutSMT(t *testing.T) {
	on := fstest.MapFS{}
	for name, content := range fourCPUs(cpuDir + "/present = 0-3") {
		on[name] = &fstest.MapFile{Data: []byte(content)}
	}
	for cpu, core := range []string{"0", "1", "0", "1"} {
		on[cpuDir+"/cpu"+string(rune('0'+cpu))+"/topology/core_id"] = &fstest.MapFile{Data: []byte(core)}
	}
	off := maps.Clone(on)
	off[cpuDir+"/online"] = &fstest.MapFile{Data: []byte("0-1")}
	maps.DeleteFunc(off, func(name string, _ *fstest.MapFile) bool {
		return strings.Contains(name, "cpu2") || strings.Contains(name, "cpu3")
	})
	a, b := Observe(on, Placement{}), Observe(off, Placement{})
	if a.ID != b.ID || a.CPUs != 4 || b.CPUs != 2 || b.Facts["topology"] != "4 CPUs, 2 cores, 1 socket" {
		t.Errorf("%+v\n%+v", a, b)
	}
}

func TestDifferences(t *testing.T) {
	a := results.Machine{
		Host: "a", CPU: "x", CPUs: 4, Memory: 33567584256, Kernel: "6.1.0", OS: "Debian GNU/Linux 12 (bookworm)",
		Facts: map[string]string{"topology": "8 CPUs, 4 cores, 1 socket", "firmware": "1.18.0", "temperature": "40 °C", "load": "0"},
		Knobs: []results.KnobState{
			{Name: "governor", Found: "powersave", Wanted: "performance", Got: "performance"},
			{Name: "turbo", Found: "on"},
			{Name: "irqs", Found: "3 of 9 may run on CPU 1"},
			{Name: "perf_rate", Found: "63000"},
			{Name: "smt", Reason: "/sys does not tell it here"},
			{Name: "of a later version", Found: "on"},
		},
	}
	b := a
	b.Host, b.CPUs, b.Memory = "b", 8, a.Memory-1<<20
	b.Facts = map[string]string{"topology": "8 CPUs, 4 cores, 1 socket", "firmware": "1.18.0", "temperature": "70 °C"}
	b.Knobs = []results.KnobState{
		{Name: "governor", Found: "performance"},
		{Name: "turbo", Found: "on"},
		{Name: "irqs", Found: "4 of 9 may run on CPU 1"},
		{Name: "perf_rate", Found: "100000"},
		{Name: "smt"},
	}
	if got := Differences(a, b); len(got) > 0 {
		t.Errorf("alike, and yet: %q", got)
	}
	b.CPU, b.Memory, b.Kernel, b.OS = "y", 2*a.Memory, "6.18.44", "Alpine Linux v3.20"
	b.Facts = map[string]string{"topology": "2 CPUs, 2 cores, 1 socket", "virtualisation": "virtual machine", "cpu limit": "2 CPUs", "container": "docker"}
	b.Knobs[0].Found, b.Knobs[1].Got, b.Knobs[2].Wanted, b.Knobs[4].Found = "powersave", "off", "housekeeping", "on"
	want := []string{
		"CPU: x and y",
		"topology: 8 CPUs, 4 cores, 1 socket and 2 CPUs, 2 cores, 1 socket",
		"memory: 31 GiB and 63 GiB",
		"kernel: 6.1.0 and 6.18.44",
		"distribution: Debian GNU/Linux 12 (bookworm) and Alpine Linux v3.20",
		"firmware: 1.18.0 and unknown",
		"virtualisation: unknown and virtual machine",
		"container: unknown and docker",
		"cpu limit: unknown and 2 CPUs",
		"governor: performance and powersave",
		"turbo: on and off",
		"irqs: 3 of 9 may run on CPU 1 and 4 of 9 may run on CPU 1",
		"smt: unknown and on",
	}
	if d := cmp.Diff(want, Differences(a, b)); d != "" {
		t.Error(d)
	}
}
