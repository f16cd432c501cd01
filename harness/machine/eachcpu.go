package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// domains are the cpufreq folders of the CPUs that are online, with a slash at
// the end: one of those that share a frequency.
func domains(root fs.FS) ([]string, error) {
	t, _ := ReadTopology(root) // without one there are no CPUs, and no folders
	var dirs []string
	for _, c := range t {
		dir := fmt.Sprintf("%s/cpu%d/cpufreq/", cpuDir, c.ID)
		first, _, _ := strings.Cut(line(root, dir+"affected_cpus"), " ")
		if line(root, dir+"scaling_governor") != "" && integer(first, c.ID) == c.ID {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return nil, errors.New("there is no cpufreq here: the firmware, or the host of this virtual machine, decides the frequency")
	}
	return dirs, nil
}

// ofDomains are patterns of files in the folders that domains returns.
func ofDomains(files ...string) []string {
	var patterns []string
	for _, file := range files {
		patterns = append(patterns, cpuDir+"/cpu[0-9]*/cpufreq/"+file)
	}
	return patterns
}

// different joins the different values of a file of several folders; "" is that
// none has it.
func different(root fs.FS, dirs []string, file string) string {
	var values []string
	for _, dir := range dirs {
		if v := line(root, dir+file); v != "" {
			values = append(values, v)
		}
	}
	return joined(values)
}

// joined names each value once, in order.
func joined(values []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(values))), ", ")
}

// guards keep those of the files that are there and hold a value, each once:
// cpufreq says "<unsupported>" where there is none.
func guards(root fs.FS, paths ...string) []Change {
	var kept []Change
	seen := map[string]bool{}
	for _, path := range paths {
		if v := line(root, path); v != "" && v[0] != '<' && !seen[path] {
			seen[path] = true
			kept = append(kept, Change{Path: path, Kind: ChangeGuard})
		}
	}
	return kept
}

// oneOf checks a value against the allowed ones.
func oneOf(value string, values []string) (string, error) {
	if !slices.Contains(values, value) {
		return "", fmt.Errorf("%q is none of %s", value, strings.Join(values, ", "))
	}
	return value, nil
}

// zeroOne is how the kernel writes a switch.
func zeroOne(on bool) string {
	if on {
		return "1"
	}
	return "0"
}
