package knob

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/refusal"
)

// fileKnob is a setting held in one file of one line.
type fileKnob struct {
	path   string
	absent string // the reason why it is unknown if there is no such file
	// fallback is used if path is empty or missing.
	fallback string
	// moves are files that the kernel changes along with path.
	moves []string
	// words translate the kernel's values; nil: no translation.
	words map[string]string
	// say and text translate if a map is not enough.
	say  func(text string) string
	text func(root fs.FS, value string) string
	// refuses returns why the kernel would accept no value.
	refuses func(root fs.FS) error
}

// setting returns the knob that writes the file.
func (f fileKnob) setting(k Knob) Knob {
	k.Observe, k.Changes = f.observe, f.changes
	files := append([]string{f.path, f.fallback}, f.moves...)
	k.Files = slices.DeleteFunc(files, func(path string) bool { return path == "" })
	return k
}

func (f fileKnob) file(root fs.FS) string {
	if f.fallback != "" && kernel.Line(root, f.path) == "" && kernel.Line(root, f.fallback) != "" {
		return f.fallback
	}
	return f.path
}

func (f fileKnob) observe(root fs.FS, _ cpu.Placement) (string, error) {
	text, err := read(root, f.file(root), f.absent)
	text = Chosen(text)
	if f.say != nil {
		text = f.say(text)
	}
	return inWords(text, f.words), err
}

func (f fileKnob) changes(root fs.FS, _ cpu.Placement, value string) ([]Change, error) {
	path, text := f.file(root), value
	for kernels, peoples := range f.words {
		if peoples == value {
			text = kernels
		}
	}
	if f.text != nil {
		text = f.text(root, value)
	}
	there := kernel.Line(root, path)
	if Chosen(there) != there && !kernel.Has(strings.NewReplacer("[", "", "]", "").Replace(there), value) {
		return nil, fmt.Errorf("this kernel has no %s, only: %s", value, there)
	}
	if f.refuses != nil {
		if err := f.refuses(root); err != nil {
			return nil, err
		}
	}
	var changes []Change
	if path == f.path {
		changes = guards(root, f.moves...)
	}
	return append(changes, Change{Path: path, Value: text}), nil
}

const perfShareFile = "proc/sys/kernel/perf_cpu_time_max_percent"

// noPerfRate returns why the kernel would accept no sampling rate.
func noPerfRate(root fs.FS) error {
	if share := kernel.Line(root, perfShareFile); share == "0" || share == "100" {
		return refusal.New(fmt.Errorf("the kernel takes no rate while /%s is %s", perfShareFile, share),
			"write 25, its default, there first")
	}
	return nil
}

// rtThrottlingText returns the text for real-time throttling. "on" reserves 5 % of the period, the kernel's
// default: the value from before it was switched off is unknown.
func rtThrottlingText(root fs.FS, value string) string {
	if value == "off" {
		return "-1"
	}
	return strconv.Itoa(kernel.Int(kernel.Line(root, "proc/sys/kernel/sched_rt_period_us"), 1_000_000) / 20 * 19)
}

const vulnerabilityDir = cpu.Dir + "/vulnerabilities"

// mitigations summarises the kernel's mitigations of CPU vulnerabilities.
func mitigations(root fs.FS, _ cpu.Placement) (string, error) {
	mitigated, vulnerable, files := 0, 0, kernel.Glob(root, vulnerabilityDir+"/*")
	for _, file := range files {
		status := strings.TrimPrefix(kernel.Line(root, file), "KVM: ")
		switch {
		case strings.HasPrefix(status, "Mitigation"):
			mitigated++
		case strings.HasPrefix(status, "Vulnerable"):
			vulnerable++
		}
	}
	switch {
	case len(files) == 0:
		return "", errors.New("/sys does not show it here")
	case mitigated+vulnerable == 0:
		return "not needed", nil
	case vulnerable == 0:
		return "on", nil
	case mitigated == 0:
		return "off", nil
	}
	return fmt.Sprintf("%d mitigated, %d vulnerable", mitigated, vulnerable), nil
}

// read reads a knob's file of one line; absent is the error text if it is missing.
func read(root fs.FS, path, absent string) (string, error) {
	b, err := fs.ReadFile(root, path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", errors.New(absent)
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(b)), nil
}

// inWords translates a kernel's value; one without a translation stays as it is.
func inWords(value string, words map[string]string) string {
	return cmp.Or(words[value], value)
}

// Chosen returns the word in brackets of a choice such as "always [madvise] never"; other text it returns
// unchanged.
func Chosen(text string) string {
	before, rest, opened := strings.Cut(text, "[")
	word, _, closed := strings.Cut(rest, "]")
	alone := before == "" || strings.HasSuffix(before, " ")
	if !opened || !closed || !alone || word == "" || strings.ContainsAny(word, " \t\n[") {
		return text
	}
	return word
}

// among returns a check for membership in values.
func among(values ...string) func(string) (string, error) {
	return func(value string) (string, error) {
		if v := strings.TrimSpace(value); slices.Contains(values, v) {
			return v, nil
		}
		last := len(values) - 1
		want := values[last]
		if last > 0 {
			want = strings.Join(values[:last], ", ") + " or " + want
		}
		return "", fmt.Errorf("want %s, not %q", want, value)
	}
}

// canonical returns a check that parses a value and formats it as Observe would.
func canonical[T any](parse func(string) (T, error), write func(T) string) func(string) (string, error) {
	return func(value string) (string, error) {
		x, err := parse(value)
		if err != nil {
			return "", err
		}
		return write(x), nil
	}
}

// integer returns a check that a value is an integer from least to most.
func integer(least, most int) func(string) (string, error) {
	return func(value string) (string, error) {
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < least || n > most {
			return "", fmt.Errorf("want a whole number from %d to %d, not %q", least, most, value)
		}
		return strconv.Itoa(n), nil
	}
}

// guards returns a guard for each distinct file that exists and holds a value. cpufreq's "<unsupported>" does not
// count as a value.
func guards(root fs.FS, paths ...string) []Change {
	var kept []Change
	seen := map[string]bool{}
	for _, path := range paths {
		if v := kernel.Line(root, path); v != "" && v[0] != '<' && !seen[path] {
			seen[path] = true
			kept = append(kept, Change{Path: path, Kind: ChangeGuard})
		}
	}
	return kept
}

// joined lists each distinct value, sorted.
func joined(values []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(values))), ", ")
}

// zeroOne formats a switch as the kernel does.
func zeroOne(on bool) string { return map[bool]string{false: "0", true: "1"}[on] }
