package facts

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"moobench/harness/machine/cpu"
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
	put := func(path, content string) { on[cpu.Dir+"/"+path] = &fstest.MapFile{Data: []byte(content)} }
	put("online", "0-3")
	put("present", "0-3")
	for n, core := range []string{"0", "1", "0", "1"} {
		put(fmt.Sprintf("cpu%d/topology/core_id", n), core)
		put(fmt.Sprintf("cpu%d/topology/core_cpus_list", n), map[string]string{"0": "0,2", "1": "1,3"}[core])
	}
	off := maps.Clone(on)
	off[cpu.Dir+"/online"] = &fstest.MapFile{Data: []byte("0-1")}
	maps.DeleteFunc(off, func(name string, _ *fstest.MapFile) bool {
		return strings.Contains(name, "cpu2") || strings.Contains(name, "cpu3")
	})
	a, b := Describe(on), Describe(off)
	if a.ID != b.ID || a.CPUs != 4 || b.CPUs != 2 || b.Facts["topology"] != "4 CPUs, 2 cores, 1 socket" {
		t.Errorf("%+v\n%+v", a, b)
	}
}

// Who starts moobench may say which machine this is: two pods of one name may be on two, and two names on one.
func TestIdentityIsGiven(t *testing.T) {
	named := func(host string) fstest.MapFS {
		return fstest.MapFS{"proc/sys/kernel/hostname": &fstest.MapFile{Data: []byte(host + "\n")}}
	}
	own := Describe(named("moobench-0"))
	t.Setenv(hostVar, "node-1")
	here, beside := Describe(named("moobench-0")), Describe(named("moobench-1"))
	t.Setenv(hostVar, "node-2")
	elsewhere := Describe(named("moobench-0"))
	if own.Host != "moobench-0" || here.Host != "node-1" || elsewhere.Host != "node-2" {
		t.Errorf("hosts %s, %s, %s", own.Host, here.Host, elsewhere.Host)
	}
	if here.ID != beside.ID || here.ID == elsewhere.ID {
		t.Errorf("identities %s, %s, %s", here.ID, beside.ID, elsewhere.ID)
	}
}
