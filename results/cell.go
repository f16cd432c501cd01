package results

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"
)

// Role is the part of a cell in the comparison.
type Role string

const (
	// RoleBaseline is the baseline of its factor level.
	RoleBaseline Role = "baseline"
	// RoleAA is the second baseline of its factor level, equal to the first in everything
	// except its name. A difference between the two shows that the machine is not to be
	// trusted; it is never the baseline of another cell.
	RoleAA Role = "aa"
	// RoleVariant is what is compared with the baseline.
	RoleVariant Role = "variant"
	// RoleProof is a sibling that is run once, unmeasured.
	RoleProof Role = "proof"
)

// Cell is a variant at one value of each factor.
type Cell struct {
	ID        string `json:"id"`                  // c00, c01, …; unique in the campaign
	Scenario  string `json:"scenario"`            // label
	Variant   string `json:"variant"`             // framework/mode/stage, or none; a label, untrusted
	Framework string `json:"framework,omitempty"` // who monitors
	Mode      string `json:"mode,omitempty"`      // how the probe gets in
	Stage     string `json:"stage,omitempty"`     // how far the record goes
	// Path is what a monitored execution passes through, in order: names of steps
	// (enabled, check, switch, list, collect, write). It is absent of the baseline, which
	// passes through nothing, and where it is not known. Campaigns that are older than
	// this key have it from their launch, where that is one of moobench's own fixtures.
	Path []string `json:"path,omitempty"`
	// Body names the code of the framework that does it; a step of another body is
	// another step.
	Body string `json:"body,omitempty"`
	// Change is how probes get into and out of the running program: ChangeSwitched or
	// ChangeSwapped; absent where they can't, or it is not known.
	Change   string `json:"change,omitempty"`
	Role     Role   `json:"role"`               // what the cell is for
	Baseline string `json:"baseline,omitempty"` // ID of the baseline of the same factor level
	// Factors are the parameters that differ between cells of the scenario.
	Factors []Value `json:"factors,omitempty"`
	// Parameters are all of them. Values are as in benchmarks.toml.
	Parameters []Value `json:"parameters,omitempty"`
	// Proof says how the instrumentation of this cell is proven.
	Proof ProofPlan `json:"proof"`
	// Beside are the proofs of the other agents in the same JVM, where the variant puts several
	// into one, in the order in which they are loaded; Proof is that of the first.
	Beside []ProofPlan `json:"beside,omitempty"`
	// Queue is the length of the framework's own queue in records; absent when it has
	// none, or it is not known.
	Queue int64 `json:"queue,omitempty"`
	// Launch describes how the framework got in.
	Launch Launch `json:"launch"`
}

// Value is a named parameter value.
type Value struct {
	Name  string `json:"name"`           // of the parameter
	Value string `json:"value"`          // as in benchmarks.toml; times in ns
	Unit  string `json:"unit,omitempty"` // what it counts
}

// Int returns the value as an integer, a duration in ns; ok is false if it is not an
// integer. Other tools write 2_000_000.
func (v Value) Int() (n int64, ok bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(v.Value, "_", ""), 10, 64)
	return n, err == nil
}

// Number returns the value as a finite number, a duration in ns; ok is false if it is not
// a number.
func (v Value) Number() (x float64, ok bool) {
	x, err := strconv.ParseFloat(strings.ReplaceAll(v.Value, "_", ""), 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// Launch is how a variant is put into the JVM, before paths and ports are known: it has
// placeholders such as {port}.
type Launch struct {
	Fixture string   `json:"fixture,omitempty"`  // moobench's own program that was driven
	Run     []string `json:"run,omitempty"`      // the user's own program and its arguments
	Target  string   `json:"target,omitempty"`   // the class whose method is called
	JVMArgs []string `json:"jvm_args,omitempty"` // arguments of the JVM
	Env     []string `json:"env,omitempty"`      // environment, NAME=value
	// Artifacts are the files that went into the subject.
	Artifacts []Artifact `json:"artifacts,omitempty"`
	// Prepare is the command that made the classes of the artifact {prepared}, before anything
	// was started.
	Prepare []string `json:"prepare,omitempty"`

	// The changes to the running JVM before it is measured, in this order.

	Attach     string `json:"attach,omitempty"`     // first, agent that is loaded late, jar=options
	Activate   string `json:"activate,omitempty"`   // then, pattern whose probes are swapped in
	Deactivate string `json:"deactivate,omitempty"` // then, pattern whose probes are taken out again
}

// WithoutSecrets returns the launch without values that look secret, as it is kept and shown.
func (l Launch) WithoutSecrets() Launch {
	for _, texts := range []*[]string{&l.Run, &l.JVMArgs, &l.Env, &l.Prepare} {
		*texts, _ = CutSecrets(*texts)
	}
	attach, _ := CutSecrets([]string{l.Attach})
	l.Attach = attach[0]
	return l
}

// Artifact is a file that went into the JVM, by coordinates and content.
type Artifact struct {
	Name   string `json:"name"`             // Maven coordinates, the file's base name, {fixture.x}, a jar of moobench's own fixtures, or {prepared}, classes that a tool has changed
	SHA256 string `json:"sha256,omitempty"` // of its content, in hex; absent when nobody looked
}

// ProofKind is a way to prove that a variant really instruments.
type ProofKind string

const (
	// ProofCount: a known number of records must arrive in every invocation.
	ProofCount ProofKind = "count"
	// ProofSibling: the same options with a counting output, once per
	// campaign, unmeasured.
	ProofSibling ProofKind = "sibling"
	// ProofZero: no record may arrive, while those of its sibling do.
	ProofZero ProofKind = "zero"
	// ProofNone: there is no proof; printed "not proven".
	ProofNone ProofKind = "none"
	// ProofBaseline: there is nothing to prove, because nothing monitors.
	ProofBaseline ProofKind = "baseline"
)

// ProofPlan is how a cell's instrumentation is proven.
type ProofPlan struct {
	// Variant is which one of several in the same JVM is proven; absent where there is one.
	Variant string    `json:"variant,omitempty"`
	Kind    ProofKind `json:"kind"`             // how it is proven
	Source  string    `json:"source,omitempty"` // who counts: kieker-tcp, otlp, fixture, …
	// Cell is the ID of the proof cell whose run proves this one (sibling, zero).
	Cell string `json:"cell,omitempty"`
	// Expected is the number of records that one invocation must yield.
	Expected int64 `json:"expected,omitempty"`
	// Optional: no record at all may be right, because it records what it knows by itself
	// and nothing says that the user's own program has any of that.
	Optional bool `json:"optional,omitempty"`
	// Fault is what the receiver did wrong, on purpose; then Cell is that of a receiver
	// without a fault.
	Fault string `json:"fault,omitempty"`
}

// Proofs are the proofs of all that is in the cell's JVM, the first one first.
func (c *Cell) Proofs() []*ProofPlan {
	all := []*ProofPlan{&c.Proof}
	for i := range c.Beside {
		all = append(all, &c.Beside[i])
	}
	return all
}

// Factor returns the value of a factor, or "".
func (c *Cell) Factor(name string) string { return valueOf(c.Factors, name) }

// Parameter returns the value of a parameter, or "".
func (c *Cell) Parameter(name string) string { return valueOf(c.Parameters, name) }

// Int returns the value of an integer parameter, or of a duration in ns; 0 if the cell has
// no such parameter.
func (c *Cell) Int(name string) int64 {
	n, _ := Value{Value: c.Parameter(name)}.Int()
	return n
}

func valueOf(vs []Value, name string) string {
	for _, v := range vs {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// Level returns the cell's factor level as text, "" when nothing varies. The cells of one
// level share a baseline.
func (c *Cell) Level() string {
	return strings.Join(Each(c.Factors, func(f Value) string { return f.Name + "=" + f.Readable() }), " ")
}

// Readable returns the value for people: a time in ns is in its best unit.
func (v Value) Readable() string {
	ns, ok := v.Int()
	if v.Unit != "ns" || !ok {
		return v.Value
	}
	return time.Duration(ns).String()
}

// Label returns the variant, with its factor level when there is one.
func (c *Cell) Label() string {
	name := c.Variant
	if c.Role == RoleAA {
		name += "#aa"
	}
	if l := c.Level(); l != "" {
		return name + " " + l
	}
	return name
}

// Step is one of the steps that a monitored execution passes through.
type Step struct {
	Name string `json:"name"` // as in Cell.Path
	// Part is the part of the cost that the step belongs to: I (is the probe
	// active?), C (collect the record) or W (write or send it). The parts are those
	// of Flaig 2014 and Waller 2014.
	Part  string `json:"part"`
	About string `json:"about"` // "asking whether the probe is switched on"
}

// Steps returns all steps in the order in which an execution passes through them.
func Steps() []Step {
	return []Step{
		{"enabled", "I", "asking whether monitoring is on at all"},
		{"check", "I", "asking whether the probe is switched on"},
		{"switch", "I", "asking the method's own switch"},
		{"list", "I", "looking up whether the method is on the list of what is monitored"},
		{"collect", "C", "collecting the record"},
		{"write", "W", "writing or sending the record"},
	}
}

// Ways in which probes get into and out of a running program; see Cell.Change.
const (
	// ChangeSwitched: the probe is compiled in, and checks at each execution whether it is
	// active.
	ChangeSwitched = "switched"
	// ChangeSwapped: the running class is replaced by one with the probe, or without.
	ChangeSwapped = "swapped"
)

// The factors of the environment of a cell. A scenario with a single value of one has it
// as a parameter only.
const (
	FactorFrequency = "frequency" // of the CPUs
	FactorCPUs      = "cpus"      // how many the fixture has
	FactorGC        = "gc"        // garbage collector
	FactorJDK       = "jdk"       // version
	FactorJVM       = "jvm"       // options, a parameter of TypeOptions
	FactorModel     = "cpu_model" // of the CPU, in a campaign that was merged from unlike hosts
)

// SameEnvironment reports whether two cells run in the same environment, as far as
// both name it. A cell that names no JVM options has none.
func SameEnvironment(a, b *Cell) bool {
	for _, name := range []string{FactorFrequency, FactorCPUs, FactorGC, FactorJDK} {
		if x, y := a.Parameter(name), b.Parameter(name); x != "" && y != "" && x != y {
			return false
		}
	}
	return cmp.Or(a.Parameter(FactorJVM), NoOptions) == cmp.Or(b.Parameter(FactorJVM), NoOptions)
}
