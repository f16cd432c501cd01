package machine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"moobench/results"
)

// Knob is one setting of the machine, which is observed.
type Knob interface {
	Name() string
	// Observe reads its state. The error says why it is not known, for the
	// reader of a report.
	Observe(root fs.FS) (State, error)
}

// State is how a knob stands.
type State struct {
	Value string // as people say it: "performance", "off"
}

// Knobs are all that moobench knows.
func Knobs() []Knob {
	return []Knob{clocksource{}, governor{}, turbo{}, smt{}, thp{}, aslr{}}
}

func observeKnobs(root fs.FS) []results.KnobState {
	var states []results.KnobState
	for _, k := range Knobs() {
		s := results.KnobState{Name: k.Name(), Policy: "observe"}
		found, err := k.Observe(root)
		if err != nil {
			s.Reason = err.Error()
		}
		s.Found = found.Value
		states = append(states, s)
	}
	return states
}

// read reads a knob's file of one line; absent is the reason when it is not
// there.
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

// readEach reads a file of every CPU and joins the different values.
func readEach(root fs.FS, pattern, absent string) (string, error) {
	paths, err := fs.Glob(root, pattern)
	if err != nil {
		return "", err
	}
	var values []string
	for _, path := range paths {
		if v := line(root, path); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return "", errors.New(absent)
	}
	slices.Sort(values)
	return strings.Join(values, ", "), nil
}

// named translates what the kernel writes; a value without a name stands as it
// is.
func named(value string, names map[string]string) State {
	if name, ok := names[value]; ok {
		return State{Value: name}
	}
	return State{Value: value}
}
