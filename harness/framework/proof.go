package framework

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

// proofSpec is a proof as it stands in one layer.
type proofSpec struct {
	strict.Value
	none                 bool
	count, sibling, zero text
	perCall              string
	extra                *int64
}

// read reads "none", or a table.
func (p *proofSpec) read() {
	if s, ok := p.Raw.(string); ok {
		if p.none = true; s != "none" {
			p.Fail("", `want "none" or a table with count, sibling or zero, got %q`, s)
		}
		return
	}
	p.Table(p.table())
}

func (p *proofSpec) table() strict.Table {
	return strict.Table{
		Text: "How it is proven that a framework records. Of these, count, sibling and zero of a lower layer replace those above.",
		Keys: []strict.Key{
			strict.NewKey("count", among(&p.count, "source of records", sources(false)),
				"who counts the records of each invocation: as many must come as its calls make"),
			strict.NewKey("sibling", line(&p.sibling),
				"stage of the same mode, or variant, whose records prove this one: it is run once a campaign, and not measured"),
			strict.NewKey("zero", line(&p.zero), "the same, where this variant must make no record; count says who would see one"),
			strict.NewKey("per_call", strict.Func("integer, or string", &p.perCall, perCall),
				"how many records a call makes: a number, or the parameter that says it, such as depth"),
			strict.NewKey("extra", records(&p.extra),
				"how many records come on top, such as one for a constructor; 0 where it is missing").In("records"),
		},
		Check: func(v strict.Value) {
			if p.sibling.s != "" && (p.count.s != "" || p.zero.s != "") {
				v.Fail("", "sibling excludes count and zero")
			}
		},
	}
}

var parameterName = regexp.MustCompile(`^([a-z][a-z0-9_]*|[1-9][0-9]*)$`)

// perCall reads the name of a parameter or a positive integer, as text.
func perCall(v strict.Value) (string, bool) {
	if n, ok := v.Raw.(int64); ok && n > 0 {
		return strconv.FormatInt(n, 10), true
	}
	s, ok := v.Raw.(string)
	if !ok || !parameterName.MatchString(s) {
		v.Fail("", "want the name of a parameter such as \"depth\", or a positive integer")
	}
	return s, true
}

// mergedOver is what holds when p stands in a layer below base. The kind of proof is replaced
// together with its source.
func (p *proofSpec) mergedOver(base *proofSpec) *proofSpec {
	if p == nil {
		return base
	}
	if base == nil || p.none {
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

// prove sets the variant's Proof, and its Receiver where the proof names one.
func (p *proofSpec) prove(v *Variant) {
	if p == nil || p.none {
		v.Proof.Kind = results.ProofNone
		return
	}
	// sibling is a full name: a bare name is a stage of the same mode.
	sibling := func(name string) string {
		if strings.Contains(name, "/") {
			return name
		}
		return v.Framework + "/" + v.Mode + "/" + name
	}
	v.Proof.Source = p.count.s
	switch {
	case p.zero.s != "":
		v.Proof.Kind, v.Proof.Sibling = results.ProofZero, sibling(p.zero.s)
		if v.Proof.Source == "" {
			v.Proof.Source = v.Receiver
		}
		if v.Proof.Source == "" {
			p.Fail(`name the source, e.g. count = "fixture"`, "nobody would see a record of %s", v.Name)
		}
	case p.sibling.s != "":
		v.Proof.Kind, v.Proof.Sibling = results.ProofSibling, sibling(p.sibling.s)
	case p.count.s != "":
		v.Proof.Kind, v.Proof.PerCall = results.ProofCount, p.perCall
		if p.extra != nil {
			v.Proof.Extra = *p.extra
		}
		if p.perCall == "" {
			p.Fail(`e.g. per_call = "depth"`, "count needs per_call: how many records one call yields")
		}
	default:
		p.Fail(`e.g. count = "otlp"`, "the proof of %s names neither count, sibling nor zero", v.Name)
	}
	if slices.Contains(sources(true), v.Proof.Source) {
		if v.Receiver == "" {
			v.Receiver = v.Proof.Source
		} else if v.Receiver != v.Proof.Source {
			p.Fail("", "%s is counted by %q but sends to %q", v.Name, v.Proof.Source, v.Receiver)
		}
	}
}

// link checks that each sibling exists and counts.
func (s *Set) link() {
	for _, name := range s.Names() {
		e := s.variants[name]
		want := e.Proof.Sibling
		if want == "" {
			continue
		}
		if other, ok := s.variants[want]; !ok {
			e.proof.Fail(strict.Hint(want, s.Names()), "%s is to be proven by %q, which does not exist", name, want)
		} else if other.Proof.Kind != results.ProofCount {
			e.proof.Fail("", "%s is to be proven by %q, whose own proof is not a count", name, want)
		}
	}
}

// perRequest in per_call means that records are counted by request: the variant monitors
// what an application does with requests, and no method of ours. It is the name of a
// parameter of the scenarios that send requests.
const perRequest = "records_per_request"

// ByRequest reports whether a variant, or the one that proves it, is counted by request.
func (s *Set) ByRequest(name string) bool {
	p := s.variants[name].Proof
	return p.PerCall == perRequest || s.variants[p.Sibling].Proof.PerCall == perRequest
}
