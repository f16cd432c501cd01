package framework

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/receiver"
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/results"
)

// proof is the kind of a proof: "none", or a table that adds to those of the layers above. The
// kind of proof is replaced together with its source.
func (r *reader) proof(d *draft) strict.Kind {
	table := func() strict.Table { return r.proofTable(d) }
	return strict.Kind{Type: `"none", or a table`, Section: table, Read: func(v strict.Value) {
		d.proven = v
		if s, ok := v.Raw.(string); ok {
			d.Proof = Proof{Kind: results.ProofNone}
			if s != "none" {
				v.Fail("", `want "none" or a table that says how, got %q`, s)
			}
			return
		}
		v.Table(table())
	}}
}

func (r *reader) proofTable(d *draft) strict.Table {
	var counts, sibling, zero string
	var told receiver.Told
	keys := []strict.Key{
		strict.NewKey("count", source(&counts, "source of records", false),
			"who counts the records of each invocation: as many must come as its calls make").Like("otlp"),
		strict.NewKey("sibling", line(&sibling),
			"stage of the same mode, or variant, whose records prove this one: it is run once a campaign, "+
				"and not measured").
			Like("collect"),
		strict.NewKey("zero", line(&zero),
			"the same, where this variant must make no record; count says who would see one").Like("collect"),
		strict.NewKey("per_call", strict.Func("integer, or string", &d.Proof.PerCall, perCall),
			"how many records a call makes: a number, or the parameter that says it, such as depth; "+
				"without it, or with "+unknownPerCall+", one record at all is the proof").Like("depth"),
		strict.NewKey("extra", strict.Int(&d.Proof.Extra, 0, math.MaxInt64),
			"how many records come on top, such as one for a constructor; by default 0").In("records").Like(1),
		strict.NewKey("optional", strict.Bool(&d.Proof.Optional),
			"whether [command] and [server] may have nothing that it records, "+
				"where it knows by itself what it records; "+
				"true: its costs stand although no record came; by default false").Like(true),
	}
	var checks []func(v strict.Value)
	for _, f := range receiver.Formats() {
		own := receiver.Told{}
		for _, k := range f.Keys {
			keys = append(keys, strict.NewKey(k.Name, r.toldKey(d, k, own), k.About))
		}
		checks = append(checks, func(v strict.Value) {
			if len(own) == 0 {
				return
			}
			first := slices.Sorted(maps.Keys(own))[0]
			switch at := cmp.Or(f.Key(), first); {
			case f.Key() == "" && counts != f.Name:
				v.Key(first).Fail("", "%s goes with count = %q", first, f.Count())
			case f.Key() != "" && counts != "":
				v.Fail("keep one of them", "%s and %s both count the records", counts, at)
			case len(own[at]) == 0:
				v.Fail("", "%s goes with %s", first, at)
			default:
				if err := f.Check(own); err != nil {
					v.Key(at).Fail(refusal.Do(err), "%s: %v", at, err)
				}
			}
			counts = f.Name
			told = own
		})
	}
	return strict.NewTable("How it is proven that a framework records. "+
		"Of these, who counts, sibling and zero of a lower layer replace those above.", keys...,
	).Checked(func(v strict.Value) {
		for _, check := range checks {
			check(v)
		}
		p := &d.Proof
		kind := results.ProofCount
		switch {
		case zero != "":
			kind = results.ProofZero
		case sibling != "":
			kind = results.ProofSibling
		}
		if counts+sibling+zero != "" {
			p.Kind = kind
			p.Source = counts
			p.Told = told
			p.Sibling = cmp.Or(zero, sibling)
		}
		if sibling != "" && (counts != "" || zero != "") {
			v.Fail("", "sibling excludes count and zero")
		}
	})
}

// toldKey returns the kind of a source's key k; its value is stored in told.
func (r *reader) toldKey(d *draft, k receiver.Key, told receiver.Told) strict.Kind {
	one := func(read func(v strict.Value) (string, bool)) strict.Kind {
		return strict.Kind{Type: "string", Read: func(v strict.Value) {
			if s, ok := read(v); ok {
				told[k.Name] = []string{s}
			}
		}}
	}
	switch k.Type {
	case receiver.Flag:
		return strict.Kind{Type: "true or false", Read: func(v strict.Value) {
			if on, _ := v.Bool(); on {
				told[k.Name] = []string{"true"}
			}
		}}
	case receiver.Template:
		return one(d.template(strict.Value.NotEmpty))
	case receiver.Templates:
		return strict.Kind{Type: "list of strings", Read: func(v strict.Value) {
			words, ok := strict.Each(v, d.template(strict.Value.NotEmpty))
			if list, _ := v.List(); ok && len(words) > 0 && strings.Contains(words[0], "/") {
				words[0], _ = r.rooted(list[0]) // relative to the file's folder: the command runs in another one
			}
			if ok {
				told[k.Name] = words
			}
		}}
	}
	return one(strict.Value.NotEmpty)
}

// Filled returns the settings of the source with placeholders filled in.
func (p Proof) Filled(vars map[string]string) (receiver.Told, error) {
	if p.Told == nil {
		return nil, nil
	}
	filled := maps.Clone(p.Told)
	f, err := receiver.FormatNamed(p.Source)
	for _, k := range f.Keys {
		expands := k.Type == receiver.Template || k.Type == receiver.Templates
		if _, there := filled[k.Name]; there && expands && err == nil {
			filled[k.Name], err = ExpandAll(filled[k.Name], vars)
		}
	}
	return filled, err
}

// Asks reports whether the source queries the running program, once its work is done.
func (p Proof) Asks() bool {
	f, err := receiver.FormatNamed(p.Source)
	return err == nil && f.Asks
}

// port reports whether the source needs a port on which the program listens.
func (p Proof) port() bool {
	f, err := receiver.FormatNamed(p.Source)
	return err == nil && f.Port
}

var parameterName = regexp.MustCompile(`^([a-z][a-z0-9_]*|[1-9][0-9]*)$`)

// unknownPerCall is the value of per_call for an unknown number of records per call.
const unknownPerCall = "unknown"

// perCall reads the name of a parameter or a positive integer, as text; "" stands for unknown.
func perCall(v strict.Value) (string, bool) {
	if n, ok := v.Raw.(int64); ok && n > 0 {
		return strconv.FormatInt(n, 10), true
	}
	s, ok := v.Raw.(string)
	if s == unknownPerCall {
		return "", true
	}
	if !ok || !parameterName.MatchString(s) {
		v.Fail("", "want the name of a parameter such as \"depth\", a positive integer, or unknown")
	}
	return s, true
}

// prove completes the variant's Proof, and sets its Receiver if the proof implies one.
func (d *draft) prove() {
	p := &d.Proof
	if d.proven.Raw == nil || p.Kind == results.ProofNone {
		*p = Proof{Kind: results.ProofNone}
		return
	}
	switch p.Kind {
	case results.ProofZero:
		if p.Source = cmp.Or(p.Source, d.Receiver); p.Source == "" {
			d.proven.Fail(`name the source, e.g. count = "fixture"`, "nobody would see a record of %s", d.Name)
		}
	case "":
		d.proven.Fail(`e.g. count = "otlp"`,
			"the proof of %s says neither who counts nor which sibling proves it", d.Name)
	}
	if p.Kind != results.ProofCount {
		p.PerCall = ""
		p.Extra = 0
		p.Optional = false
	}
	if p.Sibling != "" && !strings.Contains(p.Sibling, "/") { // a stage of the same mode
		p.Sibling = d.Framework + "/" + d.Mode + "/" + p.Sibling
	}
	if slices.ContainsFunc(sources(true), func(f receiver.Format) bool { return f.Name == p.Source }) {
		d.Receiver = cmp.Or(d.Receiver, p.Source)
		if d.Receiver != p.Source {
			d.proven.Fail("", "%s is counted by %q but sends to %q", d.Name, p.Source, d.Receiver)
		}
	}
}

// CountedBy returns the parameter that determines the number of records per call of a variant,
// or of the variant that proves it. It returns "" if that is a number, or nothing is counted.
// Such a variant monitors nothing in scenarios that lack the parameter.
func (s *Set) CountedBy(name string) string {
	read := s.variants[name]
	if read == nil {
		return ""
	}
	by := read().Proof.PerCall
	if sibling := s.variants[read().Proof.Sibling]; by == "" && sibling != nil {
		by = sibling().Proof.PerCall
	}
	if _, err := strconv.Atoi(by); err == nil {
		return ""
	}
	return by
}
