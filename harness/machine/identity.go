package machine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"

	"moobench/results"
)

const gib = 1 << 30

// identity is a short hash of what stays the same when the machine is started
// again, its kernel is updated, or CPUs are switched off, as SMT does.
func identity(m results.Machine) string {
	text := fmt.Sprintf("%s\n%s\n%s\n%d", m.Host, m.CPU, m.Facts["topology"], wholeGiB(m))
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// wholeGiB is its memory: kernels keep a little more or less of it for
// themselves.
func wholeGiB(m results.Machine) int64 { return (m.Memory + gib/2) / gib }

// shape is the topology with the CPUs that are there, be they online or not:
// "8 CPUs, 4 cores, 1 socket".
func shape(root fs.FS, t Topology) string {
	present, err := ParseCPUs(line(root, cpuDir+"/present"))
	if err != nil || len(present) < len(t) {
		return t.String()
	}
	_, rest, _ := strings.Cut(t.String(), ", ")
	return plural(len(present), "CPU") + ", " + rest
}

// Differences says in what two machines differ as far as it matters to what is
// measured on them, knobs as they stood when it was: sentences such as
// "kernel: 6.1.0 and 6.18.44". Their names do not matter, nor do knobs that
// drift by themselves and that nobody asked for.
func Differences(a, b results.Machine) []string {
	var all []string
	compare := func(what, a, b string) {
		if a != b {
			all = append(all, fmt.Sprintf("%s: %s and %s", what, cmp.Or(a, unknown), cmp.Or(b, unknown)))
		}
	}
	compare("CPU", a.CPU, b.CPU)
	compare("topology", a.Facts["topology"], b.Facts["topology"])
	compare("memory", fmt.Sprintf("%d GiB", wholeGiB(a)), fmt.Sprintf("%d GiB", wholeGiB(b)))
	compare("kernel", a.Kernel, b.Kernel)
	compare("distribution", a.OS, b.OS)
	for _, fact := range []string{"architecture", "microcode", "firmware", "virtualisation", "container", "cpu limit"} {
		compare(fact, a.Facts[fact], b.Facts[fact])
	}
	for _, k := range a.Knobs {
		if other, ok := stateOf(b, k.Name); ok && deliberate(k, other) {
			compare(k.Name, stood(k), stood(other))
		}
	}
	return all
}

func stateOf(m results.Machine, knob string) (results.KnobState, bool) {
	for _, k := range m.Knobs {
		if k.Name == knob {
			return k, true
		}
	}
	return results.KnobState{}, false
}

// stood is how a knob stood while it was measured.
func stood(k results.KnobState) string {
	return cmp.Or(k.Got, k.Found)
}

// deliberate reports that a difference of the two is no accident.
func deliberate(a, b results.KnobState) bool {
	k, ok := KnobNamed(a.Name)
	return !ok || !k.About().Drifts || a.Wanted != "" || b.Wanted != ""
}
