package framework

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/suggest"
	"moobench/results"
)

// Who can count records: over the network while the JVM runs, from the
// invocation's folder afterwards, or in the JVM.
var (
	networkSources = []string{"kieker-tcp", "otlp"}
	folderSources  = []string{"kieker-binary", "kieker-text", "probe-file"}
	jvmSources     = []string{"fixture"}
)

// proofSpec is a proof as it stands in one layer.
type proofSpec struct {
	path                 []string
	none                 bool
	count, sibling, zero text
	perCall              string
	extra                *int64
}

func (r *reader) proof(v any, path []string) *proofSpec {
	p := &proofSpec{path: path}
	if s, ok := v.(string); ok {
		p.none = true
		if s != "none" {
			r.fail(path, "", `want "none" or a table with count, sibling or zero, got %q`, s)
		}
		return p
	}
	set := func(t *text) func(any, []string) {
		return func(v any, at []string) { *t = r.text(v, at) }
	}
	r.fields(r.table(v, path), path, map[string]func(any, []string){
		"count": set(&p.count), "sibling": set(&p.sibling), "zero": set(&p.zero),
		"per_call": func(v any, at []string) { p.perCall = r.perCall(v, at) },
		"extra":    func(v any, at []string) { n := r.integer(v, at); p.extra = &n },
	})
	if p.sibling.s != "" && (p.count.s != "" || p.zero.s != "") {
		r.fail(path, "", "sibling excludes count and zero")
	}
	r.source("source of records", p.count, slices.Concat(networkSources, folderSources, jvmSources))
	return p
}

var parameterName = regexp.MustCompile(`^([a-z][a-z0-9_]*|[1-9][0-9]*)$`)

// perCall is the name of a parameter or a positive integer, as text.
func (r *reader) perCall(v any, path []string) string {
	if n, ok := v.(int64); ok && n > 0 {
		return strconv.FormatInt(n, 10)
	}
	s, ok := v.(string)
	if !ok || !parameterName.MatchString(s) {
		r.fail(path, "", "want the name of a parameter such as \"depth\", or a positive integer")
	}
	return s
}

// source checks the name of a source or receiver; "" is fine.
func (r *reader) source(what string, t text, known []string) {
	if t.s != "" && !slices.Contains(known, t.s) {
		r.fail(t.path, suggest.Hint(t.s, known), "unknown %s %q", what, t.s)
	}
}

// over is what holds when p stands in a layer below base. The kind of proof,
// with its source, is replaced as a whole.
func (p *proofSpec) over(base *proofSpec) *proofSpec {
	if base == nil || p == nil || p.none {
		if p == nil {
			return base
		}
		return p
	}
	merged := *p
	if p.count.s+p.sibling.s+p.zero.s == "" {
		merged.none, merged.count, merged.sibling, merged.zero = base.none, base.count, base.sibling, base.zero
	}
	if p.perCall == "" {
		merged.perCall = base.perCall
	}
	if p.extra == nil {
		merged.extra = base.extra
	}
	return &merged
}

// prove fills in the variant's Proof, and its Receiver where the proof names
// one.
func (r *reader) prove(v *Variant, p *proofSpec) {
	if p == nil || p.none {
		v.Proof.Kind = results.ProofNone
		return
	}
	v.Proof.Source = p.count.s
	switch {
	case p.zero.s != "":
		v.Proof.Kind, v.Proof.Sibling = results.ProofZero, sibling(v, p.zero.s)
		if v.Proof.Source == "" {
			v.Proof.Source = v.Receiver
		}
		if v.Proof.Source == "" {
			r.fail(p.path, `name the source, e.g. count = "fixture"`, "nobody would see a record of %s", v.Name)
		}
	case p.sibling.s != "":
		v.Proof.Kind, v.Proof.Sibling = results.ProofSibling, sibling(v, p.sibling.s)
	case p.count.s != "":
		r.proveCount(v, p)
	default:
		r.fail(p.path, `e.g. count = "otlp"`, "the proof of %s names neither count, sibling nor zero", v.Name)
	}
	if slices.Contains(networkSources, v.Proof.Source) {
		if v.Receiver == "" {
			v.Receiver = v.Proof.Source
		} else if v.Receiver != v.Proof.Source {
			r.fail(p.path, "", "%s is counted by %q but sends to %q", v.Name, v.Proof.Source, v.Receiver)
		}
	}
}

func (r *reader) proveCount(v *Variant, p *proofSpec) {
	v.Proof.Kind, v.Proof.PerCall = results.ProofCount, p.perCall
	if p.extra != nil {
		v.Proof.Extra = *p.extra
	}
	if p.perCall == "" {
		r.fail(p.path, `e.g. per_call = "depth"`, "count needs per_call: how many records one call yields")
	}
}

// sibling is the full name: a bare one is a stage of the same mode.
func sibling(v *Variant, name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	return v.Framework + "/" + v.Mode + "/" + name
}

// link checks that each sibling exists and counts.
func (s *Set) link(r *reader) {
	for _, name := range s.Names() {
		e := s.variants[name]
		want := e.Proof.Sibling
		if want == "" {
			continue
		}
		if other, ok := s.variants[want]; !ok {
			r.fail(e.proofPath, suggest.Hint(want, s.Names()), "%s is to be proven by %q, which does not exist", name, want)
		} else if other.Proof.Kind != results.ProofCount {
			r.fail(e.proofPath, "", "%s is to be proven by %q, whose own proof is not a count", name, want)
		}
	}
}
