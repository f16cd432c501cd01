// Package config reads benchmarks.toml and reports every mistake in it with line and column.
//
// Its tables of keys define the whole format. Unknown keys, values of the wrong type and times
// without a unit are mistakes, and all mistakes are reported at once. Each scenario passes in a
// Schema of its section's keys. [framework.x] and [build.x] are passed on to package framework.
package config

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
	"moobench/results/safefile"
)

// maxBytes is far above the size of any real benchmarks.toml: a larger file was named by mistake.
const maxBytes = 1 << 20

// File is a parsed benchmarks.toml. If Err returns nil, it is valid as far as this can be
// checked without knowing the frameworks.
type File struct {
	*strict.Document

	Name  string // a valid folder name
	About string
	Seed  *uint64 // nil: not set

	Machine   Machine
	JVM       JVM
	Scenarios []Scenario
	Questions []Question
	Published []results.Published // Variant is as written in the file
	// Gate is nil if there is no [gate]. Reference and Variants are as written, "" being the baseline.
	Gate       *results.Gate
	Frameworks map[string]strict.Value // [framework.x]
	Builds     map[string]strict.Value // [build.x]
	Digests    map[string]strict.Value // [sha256], by Maven coordinates
	Command    *Program                // [command]; nil: absent
	Server     *Program                // [server]; nil: absent
}

// JVM is the section [jvm].
type JVM struct {
	Home  string   // the JDK's folder; "": search for one
	Homes []string // folders of several JDKs, which become a factor; excludes Home
	Args  []string // of fixtures' JVMs; heap options hold in the resources profile only: timing has its own heap
}

// Schema describes a scenario to this package: the parameters that its [[scenario]] may set,
// and the metrics that questions and gates may name.
type Schema struct {
	Name string
	// Section names the section that describes the driven program, if the user supplies it:
	// command or server. "": neither.
	Section string
	// Fixture names the parameter that selects the fixture, the Java program to drive; "": none.
	Fixture string
	// Window is the default of the key window, which selects the samples that means are taken
	// over; "" is WindowSteady.
	Window     results.Window
	Parameters []results.Parameter
	Metrics    []results.Metric
}

// Known lists everything that a benchmarks.toml may name.
type Known struct {
	Scenarios []Schema
	// Environment lists the optional factors that any [[scenario]] may set, such as the frequency.
	Environment []results.Parameter
	Knobs       []Knob
	Tests       []Test
	// Framework, Build and Jar describe tables that other packages read, for the generated
	// reference: [framework.x], [build.x], and a jar of a user's program. May be nil.
	Framework, Build, Jar func() strict.Table
	// CPUs returns the canonical form of a list of CPUs.
	CPUs func(list string) (string, error)
}

// Test is a statistical test that a [[question]] may name.
type Test struct {
	Name     results.Comparison
	TwoSided bool // accepts no alternative
	Margin   bool // tests whether a difference lies within a margin
}

// Knob is a setting of [machine].
type Knob struct {
	Name   string
	About  string   // its effect, as a clause
	Values []string // allowed values, or examples
	Fixed  string   // value set by results.ProfileFixedHardware; "": left alone
	// Check returns the canonical form of a value; nil: the knob can only be observed.
	Check func(value string) (string, error)
}

// Load reads the file at path. A file that cannot be a benchmarks.toml, such as one over the
// size limit, is reported as strict.Errors; otherwise Load is like Parse.
func Load(path string, known Known) (*File, error) {
	text, err := safefile.Read(path, maxBytes)
	if refused, is := errors.AsType[*safefile.Refusal](err); is {
		mistake := strict.Error{
			Path:   path,
			Line:   1,
			Column: 1,
			Msg:    refused.Why,
			Hint:   "name a benchmarks.toml: moobench init writes one to start from",
		}
		return nil, strict.Errors{&mistake}
	}
	if err != nil {
		if inner, is := errors.AsType[*os.PathError](err); is {
			err = inner.Err
		}
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return Parse(path, text, known)
}

// Parse reads a text; path is used in messages only. Mistakes are returned as strict.Errors,
// together with as much of the file as could be read. The file is nil if the text is not TOML.
func Parse(path string, text []byte, known Known) (*File, error) {
	doc, err := strict.Parse(path, text)
	if err != nil {
		return nil, err
	}
	r := &reader{file: &File{Document: doc}, known: known}
	doc.Root().Table(r.top())
	return r.file, doc.Err()
}

// Table describes a whole benchmarks.toml, for a reference.
func Table(known Known) strict.Table {
	return (&reader{file: &File{}, known: known}).top()
}

// reader reads a file. Its methods describe the sections, each bound to the variables that it
// is read into.
type reader struct {
	file  *File
	known Known
}

// folderName matches names that are safe in a folder's name on any system.
var folderName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// top describes the top level of the file. Questions, published figures and the gate come after
// the scenarios because they refer to them.
func (r *reader) top() strict.Table {
	f := r.file
	name := func(v strict.Value) (string, bool) {
		s, ok := v.Line()
		if ok && !folderName.MatchString(s) {
			v.Fail("it becomes part of a folder's name: up to 64 letters A-Z a-z, digits, and . _ - after the first",
				"the name %q can't be used", s)
		}
		return s, ok
	}
	seed := func(v strict.Value) (*uint64, bool) {
		n, ok := v.Int(0, math.MaxInt64)
		seed := uint64(n)
		return &seed, ok
	}
	return strict.NewTable("A campaign: what is measured, on which machine, and which questions it answers.",
		strict.NewKey("name", strict.Func("string", &f.Name, name),
			"name of the campaign, and part of its folder's name; by default that of the file, without .toml").
			Like("nightly"),
		strict.NewKey("about", strict.Func("string", &f.About, strict.Value.Prose),
			"what the campaign is about, as its reports say").Like("Did last night's commit cost anything?"),
		strict.NewKey("seed", strict.Func("integer", &f.Seed, seed),
			"seed of everything random, unless --seed gives another; by default a random one").
			Like(20140901),
		strict.NewKey("machine", strict.Sub(&f.Machine, r.machine),
			"how the machine is set while it measures").Or(map[string]any{}),
		strict.NewKey("jvm", strict.Sub(&f.JVM, jvm), "the JDKs"),
		strict.NewKey("scenario", strict.Tables(&f.Scenarios, r.scenario), "what is measured; at least one"),
		strict.NewKey("question", strict.Tables(&f.Questions, r.question), "a question that the figures answer"),
		strict.NewKey("published", strict.Tables(&f.Published, r.published),
			"figures of a paper, to compare with ours"),
		strict.NewKey("gate", r.gate(), "the limits of what is accepted"),
		strict.NewKey("framework", byName(&f.Frameworks, r.known.Framework), "frameworks of your own, by name"),
		strict.NewKey("build", byName(&f.Builds, r.known.Build),
			"other jars for known variants, by name: variant@name"),
		strict.NewKey("sha256", digests(&f.Digests),
			"SHA-256 of fetched files, by Maven coordinates, where nothing else states it: a file with another one is refused. "+
				"moobench cost --save writes what it measured").
			Like(map[string]any{
				"com.acme:my-agent:1.2": "bbe1dddff45944a37c8d8252fbb8a01337b6257e0df6755da5e3efa22276598b",
			}),
		strict.NewKey("command", strict.Optional(&f.Command, r.command), "a program of your own that runs to its end"),
		strict.NewKey("server", strict.Optional(&f.Server, r.server), "a server of your own"),
	).Checked(func(v strict.Value) {
		if !v.Has("name") {
			if f.Name = strings.TrimSuffix(filepath.Base(f.Path), ".toml"); !folderName.MatchString(f.Name) {
				v.Fail(`add name = "…"`, "the key \"name\" is missing, and the file's own name can't be used")
			}
		}
		if !v.Has("scenario") {
			v.Fail("it says what is to be measured", "the section [[scenario]] is missing")
		}
		if list, ok := v.Key("scenario").Raw.([]any); ok && len(list) == 0 {
			v.Key("scenario").Fail("", "a campaign needs at least one [[scenario]]")
		}
	})
}

// byName is the kind of a table of tables that other packages read and describe.
func byName(dst *map[string]strict.Value, describe func() strict.Table) strict.Kind {
	return strict.Kind{Type: "tables by name", Several: strict.Named, Section: describe, Read: func(v strict.Value) {
		*dst = map[string]strict.Value{}
		for _, e := range v.Entries() {
			e.IsTable()
			(*dst)[e.Name()] = e
		}
	}}
}

// digests is the kind of a table of strings that other packages read.
func digests(dst *map[string]strict.Value) strict.Kind {
	return strict.Kind{Type: "table of strings", Read: func(v strict.Value) {
		*dst = map[string]strict.Value{}
		for _, e := range v.Entries() {
			if _, ok := e.NotEmpty(); ok {
				(*dst)[e.Name()] = e
			}
		}
	}}
}

// jvm describes the section [jvm]. A list with a single JDK is not a factor.
func jvm(j *JVM) strict.Table {
	folder := strict.Parsed(strict.Value.Line, "", func(s string) (string, error) { return filepath.Clean(s), nil })
	return strict.NewTable("The JDKs that JVMs are started with.",
		strict.NewKey("home", strict.String(&j.Home),
			"folder of the JDK, relative to the file's own; by default that of JAVA_HOME, or the first that is found").
			Like("/opt/jdk-17"),
		strict.NewKey("homes", strict.Distinct(&j.Homes, folder),
			"folders of several JDKs, each of which is measured: the factor jdk").
			Like([]string{"/opt/jdk-17", "/opt/jdk-25"}),
		strict.NewKey("args", strict.Strings(&j.Args, strict.Value.Line),
			"options of each fixture's JVM; those that size the heap or choose its collector hold in the runs of "+
				"resources only").
			Like([]string{"-Xmx512m"}),
	).Checked(func(v strict.Value) {
		if v.Has("home") && v.Has("homes") {
			v.Key("homes").Fail("take one of them out: homes are several JDKs, each of which is measured",
				"home and homes contradict each other")
		}
		if len(j.Homes) == 1 {
			j.Home, j.Homes = j.Homes[0], nil
		}
	})
}
