package framework

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

// proofSpec is what the layers of a variant say of its proof.
type proofSpec struct {
	strict.Value         // where the lowest of them says so; its Raw is nil where none does
	none                 bool
	count, sibling, zero string
	perCall              string
	extra                int64
	optional             bool
}

// kind is "none", or a table. What the table says is added to what the layers above said:
// the kind of proof is replaced together with its source.
func (p *proofSpec) kind() strict.Kind {
	return strict.Kind{Type: `"none", or a table`, Section: p.table, Read: func(v strict.Value) {
		p.Value = v
		if s, ok := v.Raw.(string); ok {
			*p = proofSpec{Value: v, none: true}
			if s != "none" {
				v.Fail("", `want "none" or a table with count, sibling or zero, got %q`, s)
			}
			return
		}
		v.Table(p.table())
	}}
}

func (p *proofSpec) table() strict.Table {
	var count, sibling, zero string
	return strict.NewTable("How it is proven that a framework records. Of these, count, sibling and zero of a lower layer replace those above.",
		strict.NewKey("count", among(&count, "source of records", sources(false)),
			"who counts the records of each invocation: as many must come as its calls make"),
		strict.NewKey("sibling", line(&sibling),
			"stage of the same mode, or variant, whose records prove this one: it is run once a campaign, and not measured"),
		strict.NewKey("zero", line(&zero), "the same, where this variant must make no record; count says who would see one"),
		strict.NewKey("per_call", strict.Func("integer, or string", &p.perCall, perCall),
			"how many records a call makes: a number, or the parameter that says it, such as depth"),
		strict.NewKey("extra", strict.Int(&p.extra, 0, math.MaxInt64),
			"how many records come on top, such as one for a constructor; 0 where it is missing").In("records"),
		strict.NewKey("optional", strict.Bool(&p.optional),
			"whether [command] and [server] may have nothing that it records, where it knows by itself what it records; "+
				"true: its costs stand although no record came; false where it is missing"),
	).Checked(func(v strict.Value) {
		if count+sibling+zero != "" {
			p.none, p.count, p.sibling, p.zero = false, count, sibling, zero
		}
		if sibling != "" && (count != "" || zero != "") {
			v.Fail("", "sibling excludes count and zero")
		}
	})
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

// prove sets the variant's Proof, and its Receiver where the proof names one.
func (p *proofSpec) prove(v *Variant) {
	if p.Raw == nil || p.none {
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
	v.Proof.Source = p.count
	switch {
	case p.zero != "":
		v.Proof.Kind, v.Proof.Sibling, v.Proof.Source = results.ProofZero, sibling(p.zero), cmp.Or(p.count, v.Receiver)
		if v.Proof.Source == "" {
			p.Fail(`name the source, e.g. count = "fixture"`, "nobody would see a record of %s", v.Name)
		}
	case p.sibling != "":
		v.Proof.Kind, v.Proof.Sibling = results.ProofSibling, sibling(p.sibling)
	case p.count != "":
		v.Proof.Kind, v.Proof.PerCall, v.Proof.Extra, v.Proof.Optional = results.ProofCount, p.perCall, p.extra, p.optional
		if p.perCall == "" {
			p.Fail(`e.g. per_call = "depth"`, "count needs per_call: how many records one call yields")
		}
	default:
		p.Fail(`e.g. count = "otlp"`, "the proof of %s names neither count, sibling nor zero", v.Name)
	}
	if slices.Contains(sources(true), v.Proof.Source) {
		if v.Receiver = cmp.Or(v.Receiver, v.Proof.Source); v.Receiver != v.Proof.Source {
			p.Fail("", "%s is counted by %q but sends to %q", v.Name, v.Proof.Source, v.Receiver)
		}
	}
}

// CountedBy names the parameter that says how many records a call makes of a variant, or
// of the one that proves it; "" where that is a number, or nothing is counted. A variant
// that is counted by a parameter monitors nothing in scenarios that lack it.
func (s *Set) CountedBy(name string) string {
	p := s.variants[name].Proof
	by := cmp.Or(p.PerCall, s.variants[p.Sibling].Proof.PerCall)
	if _, err := strconv.Atoi(by); err == nil {
		return ""
	}
	return by
}
