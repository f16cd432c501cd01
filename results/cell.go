package results

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"
)

// Role is the part that a cell plays in the comparison.
type Role string

const (
	// RoleBaseline is the baseline of its factor level.
	RoleBaseline Role = "baseline"
	// RoleAA is a second baseline of its factor level, equal to the first except in its name. A difference
	// between the two shows that the machine cannot be trusted. It is never the baseline of another cell.
	RoleAA Role = "aa"
	// RoleVariant is compared with the baseline.
	RoleVariant Role = "variant"
	// RoleProof is a sibling that runs once, unmeasured.
	RoleProof Role = "proof"
)

// Cell is a variant at one value of each factor.
type Cell struct {
	ID        string `json:"id"`                  // c00, c01, …; unique in the campaign
	Scenario  string `json:"scenario"`            // label
	Variant   string `json:"variant"`             // framework/mode/stage, or none; a label, untrusted
	Framework string `json:"framework,omitempty"` // monitoring framework
	Mode      string `json:"mode,omitempty"`      // how the probe gets in
	Stage     string `json:"stage,omitempty"`     // how far the record goes
	// Path lists the steps that a monitored execution passes through, in order (enabled, check, switch, list,
	// collect, write). It is absent for the baseline, which has no steps, and where it is unknown. For
	// campaigns older than this key it is derived from the launch of moobench's own fixtures.
	Path []string `json:"path,omitempty"`
	// Body names the framework's code that performs the steps: the same step of two bodies counts as two steps.
	Body string `json:"body,omitempty"`
	// Change is the way in which probes get into and out of the running program: ChangeSwitched or
	// ChangeSwapped; absent where they can't, or where that is unknown.
	Change   string `json:"change,omitempty"`
	Role     Role   `json:"role"`               // its part in the comparison
	Baseline string `json:"baseline,omitempty"` // ID of the baseline of the same factor level
	// Factors are the parameters that differ between cells of the scenario.
	Factors []Value `json:"factors,omitempty"`
	// Parameters are all parameters of the cell, with values as in benchmarks.toml.
	Parameters []Value `json:"parameters,omitempty"`
	// Proof says how the instrumentation of this cell is proven.
	Proof ProofPlan `json:"proof"`
	// Beside has the proofs of the further agents in the same JVM, for a variant with several, in the order in
	// which they are loaded; Proof is the first agent's.
	Beside []ProofPlan `json:"beside,omitempty"`
	// Queue is the length of the framework's own queue in records; absent: there is no queue, or its length is
	// unknown.
	Queue int64 `json:"queue,omitempty"`
	// Launch describes how the framework got in.
	Launch Launch `json:"launch"`
}

// Value is a named parameter value.
type Value struct {
	Name  string `json:"name"`           // of the parameter
	Value string `json:"value"`          // as in benchmarks.toml; times in ns
	Unit  string `json:"unit,omitempty"` // unit of the value
}

// Int returns the value as an integer, a duration in ns; ok is false if it is not an integer. Underscores are
// allowed, because other tools write 2_000_000.
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

// Launch describes how a variant gets into the JVM, with placeholders such as {port} for paths and ports that
// are not known yet.
type Launch struct {
	Fixture string   `json:"fixture,omitempty"`  // moobench's own program that was driven
	Run     []string `json:"run,omitempty"`      // the user's own program and its arguments
	Target  string   `json:"target,omitempty"`   // the class whose method is called
	JVMArgs []string `json:"jvm_args,omitempty"` // arguments of the JVM
	Env     []string `json:"env,omitempty"`      // environment, NAME=value
	// Artifacts are the files that went into the subject.
	Artifacts []Artifact `json:"artifacts,omitempty"`
	// Prepare is the command that makes the classes of the artifact {prepared}, before anything is started.
	Prepare []string `json:"prepare,omitempty"`

	// Changes to the running JVM before it is measured, in this order.

	Attach     string `json:"attach,omitempty"`     // first: agent that is loaded late, jar=options
	Activate   string `json:"activate,omitempty"`   // then: pattern whose probes are swapped in
	Deactivate string `json:"deactivate,omitempty"` // then: pattern whose probes are taken out again
}

// WithoutSecrets returns a copy of the launch without values that look secret, to be stored and shown.
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
	// Name has the Maven coordinates, the file's base name, {fixture.x} for a jar of moobench's own fixtures,
	// or {prepared} for classes that a tool has changed.
	Name   string `json:"name"`
	SHA256 string `json:"sha256,omitempty"` // of its content, in hex; absent: not computed
}

// ProofKind is a way to prove that a variant really instruments.
type ProofKind string

const (
	// ProofCount: a known number of records must arrive in every invocation.
	ProofCount ProofKind = "count"
	// ProofSibling: the same options with a counting output, once per
	// campaign, unmeasured.
	ProofSibling ProofKind = "sibling"
	// ProofZero: no record may arrive, although its sibling's records do.
	ProofZero ProofKind = "zero"
	// ProofNone: there is no proof; printed "not proven".
	ProofNone ProofKind = "none"
	// ProofBaseline: a proof is not needed, because nothing monitors.
	ProofBaseline ProofKind = "baseline"
)

// ProofPlan is the proof of a cell's instrumentation.
type ProofPlan struct {
	// Variant is the proven variant, if the JVM has several; absent: it has one.
	Variant string    `json:"variant,omitempty"`
	Kind    ProofKind `json:"kind"`             // how it is proven
	Source  string    `json:"source,omitempty"` // counter of the records: kieker-tcp, otlp, fixture, …
	// Cell is the ID of the proof cell whose run proves this one (sibling, zero).
	Cell string `json:"cell,omitempty"`
	// Expected is the number of records that one invocation must yield.
	Expected int64 `json:"expected,omitempty"`
	// Optional: an invocation without records may be right, because the agent decides by itself what to record,
	// and the user's own program may have nothing of the kind.
	Optional bool `json:"optional,omitempty"`
	// Fault is a deliberate fault of the receiver; Cell is then the cell of a receiver without a fault.
	Fault string `json:"fault,omitempty"`
}

// Proofs returns the proofs of all agents in the cell's JVM, in loading order.
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

// Readable formats the value for people: a time in ns gets its best unit.
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

// Step is a step that a monitored execution passes through.
type Step struct {
	Name string `json:"name"` // as in Cell.Path
	// Part is the part of the cost that the step belongs to: I (is the probe active?), C (collect the record)
	// or W (write or send it), as in Flaig 2014 and Waller 2014.
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

// Environment factors of a cell. A scenario with a single value for one of them has it as a parameter only.
const (
	FactorFrequency = "frequency" // of the CPUs
	FactorCPUs      = "cpus"      // how many the fixture has
	FactorGC        = "gc"        // garbage collector
	FactorJDK       = "jdk"       // version
	FactorJVM       = "jvm"       // options, a parameter of TypeOptions
	FactorModel     = "cpu_model" // of the CPU, in a campaign merged from hosts of different models
)

// SameEnvironment reports whether two cells run in the same environment. It compares the parameters that both
// have; a cell without the parameter of JVM options has NoOptions.
func SameEnvironment(a, b *Cell) bool {
	for _, name := range []string{FactorFrequency, FactorCPUs, FactorGC, FactorJDK} {
		if x, y := a.Parameter(name), b.Parameter(name); x != "" && y != "" && x != y {
			return false
		}
	}
	return cmp.Or(a.Parameter(FactorJVM), NoOptions) == cmp.Or(b.Parameter(FactorJVM), NoOptions)
}
