package results

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Role says what a cell is for in the comparison.
type Role string

const (
	// RoleBaseline is the baseline of its factor level.
	RoleBaseline Role = "baseline"
	// RoleAA is the second baseline of its factor level: same in everything
	// but its name. It tells whether the machine lies, and is never the
	// baseline of anything.
	RoleAA Role = "aa"
	// RoleVariant is what is compared with the baseline.
	RoleVariant Role = "variant"
	// RoleProof is a sibling that is run once, unmeasured.
	RoleProof Role = "proof"
)

// Cell is a variant at one value of each factor.
type Cell struct {
	ID        string `json:"id"`       // c00, c01, …; unique in the campaign
	Scenario  string `json:"scenario"` // label
	Variant   string `json:"variant"`  // framework/mode/stage, or "none"; a label, untrusted
	Framework string `json:"framework,omitempty"`
	Mode      string `json:"mode,omitempty"`
	Stage     string `json:"stage,omitempty"`
	// Path is what an execution passes through, in order: names of Steps. It is
	// absent of the baseline, which passes through nothing, and where it is not
	// known; see Passes for campaigns that are older than this key. Body names the code that
	// does it within the framework; a step of another body is another step.
	Path []string `json:"path,omitempty"`
	Body string   `json:"body,omitempty"`
	// Change is how probes get into and out of the running program:
	// ChangeSwitched, ChangeSwapped, "" where they can't or it is not known.
	Change   string `json:"change,omitempty"`
	Role     Role   `json:"role"`
	Baseline string `json:"baseline,omitempty"` // ID of the baseline of the same factor level
	// Factors are the parameters that differ between cells of the scenario;
	// Parameters are all of them. Values are as in benchmarks.toml.
	Factors    []Value `json:"factors,omitempty"`
	Parameters []Value `json:"parameters,omitempty"`
	// Proof says how the instrumentation of this cell is proven.
	Proof ProofPlan `json:"proof"`
	// Queue is the length of the framework's own queue in records, 0 when it
	// has none or it is not known.
	Queue int64 `json:"queue,omitempty"`
	// Launch describes how the framework got in: for the reader, and for the
	// plan hash.
	Launch Launch `json:"launch"`
}

// Value is a named parameter value.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Unit  string `json:"unit,omitempty"`
}

// Int is the value as an integer, a duration in ns; ok is false where it is none.
// Other tools write 2_000_000.
func (v Value) Int() (n int64, ok bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(v.Value, "_", ""), 10, 64)
	return n, err == nil
}

// Number is the value as a finite number, a duration in ns; ok is false where it
// is none.
func (v Value) Number() (x float64, ok bool) {
	x, err := strconv.ParseFloat(strings.ReplaceAll(v.Value, "_", ""), 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// Launch is how a variant is put into the JVM, before paths and ports are
// known: placeholders such as {port} stand as they are.
type Launch struct {
	Fixture   string     `json:"fixture,omitempty"`
	Run       []string   `json:"run,omitempty"`    // the user's own program and its arguments
	Target    string     `json:"target,omitempty"` // the class whose method is called
	JVMArgs   []string   `json:"jvm_args,omitempty"`
	Env       []string   `json:"env,omitempty"`
	Artifacts []Artifact `json:"artifacts,omitempty"`

	// What is done to the running JVM before it is measured, in this order.
	Attach     string `json:"attach,omitempty"`     // agent that is loaded late, jar=options
	Activate   string `json:"activate,omitempty"`   // pattern whose probes are swapped in
	Deactivate string `json:"deactivate,omitempty"` // pattern whose probes are taken out again
}

// Artifact is a file that went into the JVM, by coordinates and content.
type Artifact struct {
	Name   string `json:"name"`             // Maven coordinates, or the file's base name
	SHA256 string `json:"sha256,omitempty"` // hex
}

// ProofKind says how it is shown that a variant really instruments.
type ProofKind string

const (
	// ProofCount: so many records must arrive, in every invocation.
	ProofCount ProofKind = "count"
	// ProofSibling: the same options with a counting output, once per
	// campaign, unmeasured.
	ProofSibling ProofKind = "sibling"
	// ProofZero: no record may arrive, while those of its sibling do.
	ProofZero ProofKind = "zero"
	// ProofNone: nothing is known; printed "not proven".
	ProofNone ProofKind = "none"
	// ProofBaseline: there is nothing to prove, because nothing monitors.
	ProofBaseline ProofKind = "baseline"
)

// ProofPlan is how a cell's instrumentation is proven.
type ProofPlan struct {
	Kind   ProofKind `json:"kind"`
	Source string    `json:"source,omitempty"` // who counts: "kieker-tcp", "otlp", "fixture", …
	// Cell is the ID of the proof cell whose run proves this one (sibling,
	// zero).
	Cell string `json:"cell,omitempty"`
	// Expected is the number of records that one invocation must yield.
	Expected int64 `json:"expected,omitempty"`
}

// Factor returns the value of a factor, or "".
func (c *Cell) Factor(name string) string { return valueOf(c.Factors, name) }

// Parameter returns the value of a parameter, or "".
func (c *Cell) Parameter(name string) string { return valueOf(c.Parameters, name) }

// Int is the value of an integer parameter, or of a duration in ns; 0 where the
// cell has no such parameter.
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

// Level is the cell's factor level as text, "" when nothing varies: the cells
// of one level share a baseline.
func (c *Cell) Level() string {
	s := ""
	for i, f := range c.Factors {
		if i > 0 {
			s += " "
		}
		s += f.Name + "=" + f.Readable()
	}
	return s
}

// Readable is the value as one reads it: a time in ns with its best unit.
func (v Value) Readable() string {
	ns, ok := v.Int()
	if v.Unit != "ns" || !ok {
		return v.Value
	}
	return time.Duration(ns).String()
}

// Label is the variant, with its factor level when there is one.
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
