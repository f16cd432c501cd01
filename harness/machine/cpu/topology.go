package cpu

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/machine/internal/kernel"
)

// Dir is the folder of the CPUs in /sys.
const Dir = "sys/devices/system/cpu"

// Topology lists the online logical CPUs, by number.
type Topology []logical

type logical struct {
	id, core, socket int
	siblings         Set // the CPUs of its core, itself included
}

// ReadTopology reads the topology from /sys, or from /proc/cpuinfo if there is no /sys. A CPU with unknown
// siblings counts as a core of its own.
func ReadTopology(root fs.FS) (Topology, error) {
	online, err := Parse(kernel.Line(root, Dir+"/online"))
	if err != nil || len(online) == 0 {
		return topologyOfInfo(root)
	}
	var t Topology
	for _, id := range online {
		dir := fmt.Sprintf("%s/cpu%d/topology/", Dir, id)
		tells := func(file string) string { return kernel.Line(root, dir+file) }
		c := logical{
			id: id, core: kernel.Int(tells("core_id"), id), socket: kernel.Int(tells("physical_package_id"), 0),
		}
		c.siblings, err = Parse(cmp.Or(tells("core_cpus_list"), tells("thread_siblings_list")))
		if err != nil || !slices.Contains(c.siblings, id) {
			c.siblings = Set{id}
		}
		t = append(t, c)
	}
	return t, nil
}

// topologyOfInfo groups the processors of /proc/cpuinfo by socket and core.
func topologyOfInfo(root fs.FS) (Topology, error) {
	var t Topology
	cores := map[[2]int]Set{}
	for part := range strings.SplitSeq(kernel.Text(root, "proc/cpuinfo"), "\n\n") {
		id := kernel.Int(kernel.Value(part, "processor"), -1)
		if id < 0 {
			continue
		}
		core, socket := kernel.Int(kernel.Value(part, "core id"), id), kernel.Int(kernel.Value(part, "physical id"), 0)
		c := logical{id: id, core: core, socket: socket}
		t = append(t, c)
		key := [2]int{c.socket, c.core}
		cores[key] = append(cores[key], id)
	}
	if len(t) == 0 {
		return nil, errors.New("reading the CPU topology: neither /sys/devices/system/cpu nor /proc/cpuinfo tells it")
	}
	for i, c := range t {
		t[i].siblings = cores[[2]int{c.socket, c.core}]
	}
	return t, nil
}

// CPUs returns the numbers of all CPUs.
func (t Topology) CPUs() Set {
	var all Set
	for _, c := range t {
		all = append(all, c.id)
	}
	return all
}

// Siblings returns the CPUs of a CPU's core, itself included.
func (t Topology) Siblings(cpu int) Set {
	for _, c := range t {
		if c.id == cpu {
			return c.siblings
		}
	}
	return Set{cpu}
}

// Cores returns all CPUs that share a core with one of these CPUs, themselves included.
func (t Topology) Cores(cpus Set) Set {
	var all Set
	for _, cpu := range cpus {
		all = append(all, t.Siblings(cpu)...)
	}
	return union(all)
}

// usable returns the allowed CPUs; all if the allowed ones are unknown.
func (t Topology) usable(allowed Set) Set {
	if len(allowed) == 0 {
		allowed = t.CPUs()
	}
	return slices.Sorted(slices.Values(allowed))
}

// Lanes divides the allowed CPUs into lanes: each gets the same number of whole, adjacent cores. Any remainder
// stays idle.
func (t Topology) Lanes(allowed Set, lanes int) ([]Set, error) {
	var cores []Set
	seen := Set{}
	bySocket := func(a, b logical) int { return cmp.Or(cmp.Compare(a.socket, b.socket), cmp.Compare(a.id, b.id)) }
	for _, c := range slices.SortedFunc(slices.Values(t), bySocket) {
		core := c.siblings.common(t.usable(allowed))
		if !slices.Contains(seen, c.id) && len(core) > 0 {
			cores, seen = append(cores, core), append(seen, c.siblings...)
		}
	}
	each := len(cores) / max(1, lanes)
	if lanes < 2 || each < 1 {
		return nil, fmt.Errorf("%d lanes: a lane is a core or more, at least two lanes are needed, "+
			"and moobench may use %d cores here", lanes, len(cores))
	}
	var all []Set
	for i := range lanes {
		all = append(all, union(cores[i*each:(i+1)*each]...))
	}
	return all, nil
}

// String formats it as "8 CPUs, 4 cores, 1 socket".
func (t Topology) String() string { return t.describe(len(t)) }

// Shape is like String, but counts all CPUs present, online or not.
func (t Topology) Shape(root fs.FS) string {
	present, err := Parse(kernel.Line(root, Dir+"/present"))
	if err != nil {
		return t.String()
	}
	return t.describe(max(len(present), len(t)))
}

func (t Topology) describe(cpus int) string {
	cores, sockets := map[[2]int]bool{}, map[int]bool{}
	for _, c := range t {
		cores[[2]int{c.socket, c.core}] = true
		sockets[c.socket] = true
	}
	plural := func(n int, word string) string {
		if n != 1 {
			word += "s"
		}
		return strconv.Itoa(n) + " " + word
	}
	return plural(cpus, "CPU") + ", " + plural(len(cores), "core") + ", " + plural(len(sockets), "socket")
}
