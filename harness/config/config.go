// Package config reads benchmarks.toml, and says on which line it is wrong.
//
// It is strict: a key that nobody knows, a value of another type, a time
// without a unit is an error, and all of them are told at once. What a
// scenario lets its section set comes in as a Schema; what stands under
// [framework.x] is handed on as it is, to be read by those who know frameworks.
package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"moobench/results"
	"moobench/results/safefile"
)

// maxBytes is more than any benchmarks.toml needs: what is larger is another
// file, taken by mistake.
const maxBytes = 1 << 20

// File is a benchmarks.toml that has nothing wrong with it, as far as can be
// told without knowing the frameworks.
type File struct {
	Path  string // as it was given
	Text  []byte // verbatim
	Name  string // fit for the name of a folder
	About string
	Seed  *uint64 // nil when the file has none

	Machine    Machine
	JVM        JVM
	Scenarios  []Scenario
	Questions  []Question
	Published  []results.Published       // Variant as it is written
	Gate       *results.Gate             // nil: the file has none; Reference and Variants as they are written, "" the baseline
	Frameworks map[string]map[string]any // [framework.x] as BurntSushi/toml decodes it
	Builds     map[string]map[string]any // [build.x] likewise
	Command    *Command                  // nil: the file has none
	Server     *Server                   // nil: the file has none

	places *place // the file as a whole
}

// Machine is the section [machine].
type Machine struct {
	Profile string // results.ProfileAsIs, unless it says otherwise
	Host    string // the only machine whose figures a gate may judge; "" is any
	// CPUs and Housekeeping are lists such as "2-3", in canonical form; "" is to
	// be chosen. PinPolicy is "" when the file doesn't pin.
	CPUs, Housekeeping string
	PinPolicy          results.Policy
	// Knobs are those that are named, by name: Name, Wanted (canonical, ""
	// with policy observe) and Policy are filled in.
	Knobs []results.KnobState
	// WaitUntilQuiet is nil when the file doesn't say; 0 is not to wait.
	WaitUntilQuiet *time.Duration
}

// JVM is the section [jvm].
type JVM struct {
	Home  string   // of the JDK; "" is to be searched for
	Homes []string // of several JDKs, which are a factor then; not together with Home
	Args  []string // of the resources profile; timing has its own heap
}

// Scenario is one [[scenario]].
type Scenario struct {
	Use      string // name of the scenario
	Label    string // unique in the file
	Variants []string

	Blocks      int           // timing blocks; with a Precision, those of the pilot
	Resources   int           // blocks of the resources profile
	Timeout     time.Duration // of one invocation; 0 is to be derived
	MaxFailures int           // failed invocations until a variant is given up

	Precision float64       // wanted half-width as a share of the cell's own mean, 0.02 is 2 %; 0 is a fixed number of blocks
	MaxBlocks int           // timing blocks, pilot included; 0 is no bound; only with a Precision
	MaxTime   time.Duration // of the timing blocks; 0 is not said
	Strict    bool          // no cell is set aside; only with a Precision
	Window    results.Window
	Pool      string // results.PoolCalls or ""

	// Parameters are all parameters of the scenario by name, defaults filled
	// in, as canonical text: integers without underscores, durations in whole
	// ns without the unit. Only a factor has more than one value.
	Parameters map[string][]string
	// Environment are the values of the environment's own factors that are
	// named (see Known), in the same form; none has a default.
	Environment map[string][]string
}

// Question is one [[question]]. A and B are as they are written, variants or
// labels of cells; ID is empty. A Margin of nil is none.
type Question struct {
	results.Question
	Scenario string // label
}

// Schema is what one scenario lets its [[scenario]] set, and what may be asked
// of it.
type Schema struct {
	Name       string
	Parameters []results.Parameter
	Metrics    []results.Metric
	// Window is the one that means are taken over unless the file says; "" is
	// WindowSteady.
	Window results.Window
}

// Known is what may stand in a benchmarks.toml.
type Known struct {
	Scenarios []Schema
	// Environment are the factors that any [[scenario]] may set, such as the
	// frequency, whatever it does: all of them optional.
	Environment []results.Parameter
	Knobs       []Knob
	// CPUs makes a list of CPUs canonical.
	CPUs func(list string) (string, error)
}

// Knob is a setting of [machine].
type Knob struct {
	Name   string
	Values []string // allowed ones, or examples
	// Check makes a value canonical; nil: it can only be observed.
	Check func(value string) (string, error)
}

// Load reads the file at path. What is wrong in it is returned as Errors, and so
// is that it can't be a benchmarks.toml at all.
func Load(path string, known Known) (*File, error) {
	text, err := safefile.Read(path, maxBytes)
	var refused *safefile.Refusal
	if errors.As(err, &refused) {
		return nil, Errors{{Path: path, Line: 1, Column: 1, Msg: refused.Why, Hint: "name a benchmarks.toml: moobench init writes one to start from"}}
	}
	if err != nil {
		var inner *os.PathError
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return Parse(path, text, known)
}

// Parse is Load for a text that is there already; path is only for messages.
func Parse(path string, text []byte, known Known) (*File, error) {
	f := &File{Path: path, Text: slices.Clone(text)}
	// Before anything else reads it: TOML's parser copies the path of a key for
	// each of its parts, and calls itself for each list in a list.
	places, deep := findPlaces(string(text))
	if deep != nil {
		return nil, Errors{{Path: path, Line: deep.line, Column: deep.column, Msg: fmt.Sprintf("this key has more than %d parts, or more than %d bytes", maxDepth, maxPath), Hint: "its section counts, and so does each list around it"}}
	}
	f.places = places
	var raw map[string]any
	if _, err := toml.Decode(string(text), &raw); err != nil {
		return nil, Errors{f.syntaxError(err)}
	}
	r := &reader{file: f, known: known}
	f.read(r, raw)
	if len(r.errs) > 0 {
		r.errs.Sort()
		return nil, r.errs
	}
	return f, nil
}

// syntaxError is what the TOML parser says, at the column in characters.
func (f *File) syntaxError(err error) *Error {
	e := &Error{Path: f.Path, Line: 1, Column: 1, Msg: err.Error()}
	var p toml.ParseError
	if !errors.As(err, &p) {
		return e
	}
	e.Msg = p.Message
	if p.LastKey != "" {
		e.Hint = fmt.Sprintf("at or after key %q", p.LastKey)
	}
	lines := newlines(string(f.Text))
	e.Line = min(max(1, p.Position.Line), len(lines))
	start := lines[e.Line-1]
	end := min(start+max(0, p.Position.Col-1), len(f.Text))
	e.Column = 1 + utf8.RuneCount(f.Text[start:end])
	return e
}
