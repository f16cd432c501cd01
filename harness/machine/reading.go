package machine

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// shownNS is the unit of /proc/stat and /proc/<pid>/stat: USER_HZ is 100 for
// every program on the architectures that have a JVM.
const shownNS = 10_000_000

// reading is one look at the machine. Times are in ns and only grow.
type reading struct {
	uptimeNS  float64
	cpu       cpuTimes
	psiNS     float64
	processes map[int]process
}

// cpuTimes are sums over the measured CPUs.
type cpuTimes struct{ user, kernel, irq, steal, iowait float64 }

// process is a line of /proc/<pid>/stat. Its user time includes that of the
// children that it has waited for: so nothing is lost when one ends.
type process struct {
	name  string
	group int
	start string
	user  float64
}

func (w *Window) look() (r reading, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("accounting for CPU %s: %w", FormatCPUs(w.cpus), err)
		}
	}()
	uptime, _, _ := strings.Cut(line(w.root, "proc/uptime"), " ")
	seconds, err := strconv.ParseFloat(uptime, 64)
	if err != nil {
		return r, fmt.Errorf("reading /proc/uptime: %w", err)
	}
	r.uptimeNS, r.psiNS = seconds*1e9, pressure(w.root)
	if r.cpu, err = readCPUs(w.root, w.cpus); err != nil {
		return r, err
	}
	r.processes, err = readProcesses(w.root)
	return r, err
}

func readProcesses(root fs.FS) (map[int]process, error) {
	entries, err := fs.ReadDir(root, "proc")
	if err != nil {
		return nil, err
	}
	processes := map[int]process{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, ok := parseProcess(text(root, "proc/"+e.Name()+"/stat")); ok {
			processes[pid] = p
		}
	}
	return processes, nil
}

// readCPUs sums lines of /proc/stat: user nice system idle iowait irq softirq
// steal. Guests are part of user.
func readCPUs(root fs.FS, cpus []int) (cpuTimes, error) {
	var sum cpuTimes
	lines := map[string][]float64{}
	for l := range strings.Lines(text(root, "proc/stat")) {
		if f := strings.Fields(l); len(f) > 8 && strings.HasPrefix(f[0], "cpu") {
			lines[f[0]] = ticks(f[1:9])
		}
	}
	for _, cpu := range cpus {
		f, ok := lines["cpu"+strconv.Itoa(cpu)]
		if !ok {
			return sum, fmt.Errorf("/proc/stat does not tell about CPU %d", cpu)
		}
		sum.user += f[0] + f[1]
		sum.kernel += f[2]
		sum.iowait += f[4]
		sum.irq += f[5] + f[6]
		sum.steal += f[7]
	}
	return sum, nil
}

func ticks(fields []string) []float64 {
	out := make([]float64, len(fields))
	for i, f := range fields {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			n = math.NaN()
		}
		out[i] = n * shownNS
	}
	return out
}

// parseProcess reads fields 2 (name), 5 (group), 14 (user time), 16 (that of
// waited-for children) and 22 (start). The name may hold anything, and ends at
// the last parenthesis.
func parseProcess(stat string) (process, bool) {
	open, end := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	f := strings.Fields(stat[end+1:]) // f[0] is field 3
	if len(f) < 20 {
		return process{}, false
	}
	group, err := strconv.Atoi(f[2])
	if err != nil {
		return process{}, false
	}
	times := ticks([]string{f[11], f[13]})
	return process{name: printable(stat[open+1 : end]), group: group, start: f[19], user: times[0] + times[1]}, true
}

func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '.'
	}, name)
}

// pressure is the total of /proc/pressure/cpu, which is in µs.
func pressure(root fs.FS) float64 {
	for l := range strings.Lines(text(root, "proc/pressure/cpu")) {
		if _, total, ok := strings.Cut(l, "total="); ok && strings.HasPrefix(l, "some ") {
			if us, err := strconv.ParseFloat(strings.TrimSpace(total), 64); err == nil {
				return us * 1e3
			}
		}
	}
	return math.NaN()
}
