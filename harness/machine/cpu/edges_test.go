package cpu

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestMostCPUs: a list goes as far as the kernel's numbers do.
func TestMostCPUs(t *testing.T) {
	for list, fine := range map[string]bool{"16383": true, "16384": false, "16382-16383": true, "16383-16384": false} {
		if got, err := Parse(list); (err == nil) != fine || fine && got.String() != list {
			t.Errorf("%s: %s, %v", list, got, err)
		}
	}
}

// TestUnknownSiblings: a CPU whose core does not list it, or lists nothing that can be read, has a core of its own; how
// many CPUs there are is what is present, if that can be read, and no less than what is online.
func TestUnknownSiblings(t *testing.T) {
	files := fstest.MapFS{}
	put := func(name, content string) { files[Dir+"/"+name] = &fstest.MapFile{Data: []byte(content + "\n")} }
	put("online", "0-3")
	put("cpu0/topology/core_cpus_list", "1")
	put("cpu1/topology/core_cpus_list", "odd")
	put("cpu2/topology/thread_siblings_list", "2-3")
	put("cpu3/topology/core_cpus_list", "2-3")
	top, err := ReadTopology(files)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range []string{"0", "1", "2-3", "2-3"} {
		if got := top.Siblings(id).String(); got != want {
			t.Errorf("CPU %d: siblings %s, want %s", id, got, want)
		}
	}
	for present, want := range map[string]string{"0-7": "8 CPUs", "0-1": "4 CPUs", "odd": "4 CPUs", "": "4 CPUs"} {
		put("present", present)
		if got := top.Shape(files); got != want+", 4 cores, 1 socket" {
			t.Errorf("%s are present: %s, want %s", present, got, want)
		}
	}
}

// TestSetThread: a thread is moved to CPUs that there are, and to none at all not.
func TestSetThread(t *testing.T) {
	before, err := Allowed()
	if err != nil {
		t.Fatal(err)
	}
	one := before[len(before)-1:]
	moved := make(chan error)
	go func() {
		runtime.LockOSThread() // and it ends with the goroutine
		moved <- SetThread(one)
		now, err := Allowed()
		if !slices.Equal(now, one) {
			t.Errorf("it is on %s, %v, want %s", now, err, one)
		}
		moved <- SetThread(nil)
	}()
	if err := <-moved; err != nil {
		t.Error(err)
	}
	if err := <-moved; err == nil || !strings.HasPrefix(err.Error(), "moving to CPUs ") {
		t.Errorf("to no CPU: %v", err)
	}
}
