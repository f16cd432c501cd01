package machine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// CPU is one logical CPU.
type CPU struct {
	ID, Core, Socket int
	Siblings         []int // the CPUs of its core, itself included
}

// Topology is the CPUs that are online, by ID.
type Topology []CPU

const cpuDir = "sys/devices/system/cpu"

// ReadTopology reads it from /sys, or from /proc/cpuinfo where there is no
// /sys; siblings that are not known are not assumed.
func ReadTopology(root fs.FS) (Topology, error) {
	online, err := ParseCPUs(line(root, cpuDir+"/online"))
	if err != nil || len(online) == 0 {
		return topologyOfInfo(root)
	}
	var t Topology
	for _, id := range online {
		dir := fmt.Sprintf("%s/cpu%d/topology/", cpuDir, id)
		c := CPU{ID: id, Core: integer(line(root, dir+"core_id"), id), Socket: integer(line(root, dir+"physical_package_id"), 0)}
		list := cmp.Or(line(root, dir+"core_cpus_list"), line(root, dir+"thread_siblings_list"))
		c.Siblings, err = ParseCPUs(list)
		if err != nil || !slices.Contains(c.Siblings, id) {
			c.Siblings = []int{id}
		}
		t = append(t, c)
	}
	return t, nil
}

// topologyOfInfo groups the processors of /proc/cpuinfo by socket and core.
func topologyOfInfo(root fs.FS) (Topology, error) {
	var t Topology
	cores := map[[2]int][]int{}
	for part := range strings.SplitSeq(text(root, "proc/cpuinfo"), "\n\n") {
		id := integer(value(part, "processor"), -1)
		if id < 0 {
			continue
		}
		c := CPU{ID: id, Core: integer(value(part, "core id"), id), Socket: integer(value(part, "physical id"), 0)}
		t = append(t, c)
		key := [2]int{c.Socket, c.Core}
		cores[key] = append(cores[key], id)
	}
	if len(t) == 0 {
		return nil, errors.New("reading the CPU topology: neither /sys/devices/system/cpu nor /proc/cpuinfo tells it")
	}
	for i, c := range t {
		t[i].Siblings = cores[[2]int{c.Socket, c.Core}]
	}
	return t, nil
}

func integer(s string, otherwise int) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return otherwise
	}
	return n
}

// siblings are the CPUs of a CPU's core, itself included.
func (t Topology) siblings(cpu int) []int {
	for _, c := range t {
		if c.ID == cpu {
			return c.Siblings
		}
	}
	return []int{cpu}
}

// cores are the CPUs of the cores of these CPUs, themselves included.
func (t Topology) cores(cpus []int) []int {
	var all []int
	for _, cpu := range cpus {
		all = append(all, t.siblings(cpu)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// usable are the allowed CPUs, sorted; all of them where nothing is known about
// what is allowed.
func (t Topology) usable(allowed []int) []int {
	if len(allowed) == 0 {
		for _, c := range t {
			allowed = append(allowed, c.ID)
		}
	}
	return slices.Sorted(slices.Values(allowed))
}

// String is "8 CPUs, 4 cores, 1 socket".
func (t Topology) String() string {
	cores, sockets := map[[2]int]bool{}, map[int]bool{}
	for _, c := range t {
		cores[[2]int{c.Socket, c.Core}] = true
		sockets[c.Socket] = true
	}
	return plural(len(t), "CPU") + ", " + plural(len(cores), "core") + ", " + plural(len(sockets), "socket")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// ParseCPUs reads a list as the kernel writes it: "0-2,5". The result is sorted.
func ParseCPUs(list string) ([]int, error) {
	const most = 1 << 14 // more than any kernel has
	var cpus []int
	if list = strings.TrimSpace(list); list == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		a, errA := strconv.Atoi(from)
		b, errB := strconv.Atoi(to)
		if errA != nil || errB != nil || a < 0 || b < a || b >= most {
			return nil, fmt.Errorf("%q is no list of CPUs (want e.g. 0-2,5)", list)
		}
		for cpu := a; cpu <= b; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

// CheckCPUs makes a list of CPUs canonical: "3,0-1,2" is "0-3".
func CheckCPUs(list string) (string, error) {
	cpus, err := ParseCPUs(list)
	if err == nil && len(cpus) == 0 {
		err = errors.New("want a list of CPUs, e.g. 0-2,5")
	}
	return FormatCPUs(cpus), err
}

// FormatCPUs is the inverse of ParseCPUs.
func FormatCPUs(cpus []int) string {
	var parts []string
	for i := 0; i < len(cpus); {
		j := i
		for j+1 < len(cpus) && cpus[j+1] == cpus[j]+1 {
			j++
		}
		part := strconv.Itoa(cpus[i])
		if j > i {
			part += "-" + strconv.Itoa(cpus[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}
