package framework

import (
	"cmp"
	_ "embed" // for conformance.json
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

//go:embed catalogue/conformance.json
var conformance []byte

// Conformed lists the checks that held for a catalogue entry on one JDK, in the last complete
// run of the entry's conformance script. If the script fails, nothing is recorded.
type Conformed struct {
	Entry string `json:"entry"`
	Java  int    `json:"java"` // feature release
	JDK   string `json:"jdk"`  // exact build
	Day   string `json:"day"`  // such as 2026-11-27
	Held  []Held `json:"held"` // in script order
}

// Held is a check of the conformance suite that held for a variant.
type Held struct {
	Variant  string `json:"variant"`
	Check    string `json:"check"`             // script command, such as exact; or a known flaw: hangs, elsewhere
	Version  string `json:"version,omitempty"` // of the main artifact
	SHA256   string `json:"sha256,omitempty"`  // of the main artifact
	Received int64  `json:"received"`
	Expected int64  `json:"expected"` // 0: unknown
	// Stale describes the main artifact of the recorded run if the variant has another one today.
	Stale string `json:"stale,omitempty"`
}

// Held returns a check that held for the variant with its current main artifact.
func (v Variant) Held(check string, received, expected int64) Held {
	main := v.mainArtifact()
	return Held{
		Variant:  v.Name,
		Check:    check,
		Version:  v.Version(),
		SHA256:   main.SHA256,
		Received: received,
		Expected: expected,
	}
}

// stale describes the main artifact that a check held with if it is not the variant's current
// one; otherwise it returns "".
func (v Variant) stale(h Held) string {
	is := v.Held(h.Check, 0, 0)
	switch {
	case is.Version != h.Version:
		return "seen with " + cmp.Or(h.Version, "no version")
	case is.SHA256 != h.SHA256:
		return "seen with another file of " + h.Version
	}
	return ""
}

// conformed returns the suite's results for the whole catalogue.
func conformed() (all []Conformed, err error) {
	if err := json.Unmarshal(conformance, &all); err != nil {
		return nil, fmt.Errorf("reading what the conformance suite saw: %w", err)
	}
	return all, nil
}

// conformedBy returns the suite's results for an entry, with Stale set by comparison with the
// current variants.
func (s *Set) conformedBy(entry string, all []Conformed) ([]Conformed, error) {
	var seen []Conformed
	for _, c := range all {
		if c.Entry != entry {
			continue
		}
		for i, h := range c.Held {
			v, err := s.Variant(h.Variant)
			if err != nil {
				return nil, fmt.Errorf("what the conformance suite saw: %w", err)
			}
			c.Held[i].Stale = v.stale(h)
		}
		seen = append(seen, c)
	}
	return seen, nil
}

// Entry is a whole framework of the catalogue.
type Entry struct {
	Name     string      `json:"name"`
	About    string      `json:"about"`              // of its first variant
	License  string      `json:"license"`            //
	Versions []string    `json:"versions,omitempty"` // of fetched artifacts, pinned
	Home     bool        `json:"home,omitempty"`     // it cannot be fetched: the user gives its folder
	Java     [2]int      `json:"java"`               // oldest and newest feature release; 0: no limit
	Modes    []string    `json:"modes"`              // ways in which probes are installed
	Counts   []string    `json:"counts,omitempty"`   // sources of record counts
	Seen     []Conformed `json:"seen,omitempty"`     // results of the conformance suite
}

// Entries returns the frameworks of the set, sorted by name.
func (s *Set) Entries() ([]Entry, error) {
	seen, err := conformed()
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, name := range s.Names() {
		v := s.variants[name]().Variant
		if len(all) == 0 || all[len(all)-1].Name != v.Framework {
			about, _, _ := strings.Cut(v.About, ",")
			all = append(all, Entry{
				Name:    v.Framework,
				About:   about,
				License: v.License,
				Java:    [2]int{v.JavaMin, v.JavaMax},
			})
		}
		e := &all[len(all)-1]
		e.Modes = append(e.Modes, v.Mode)
		e.Home = e.Home || v.Homeless()
		e.Counts = append(e.Counts, v.Proof.Source)
		if version := v.Version(); version != "" {
			e.Versions = append(e.Versions, version)
		}
	}
	distinct := func(texts []string) []string {
		slices.Sort(texts)
		return slices.DeleteFunc(slices.Compact(texts), func(t string) bool { return t == "" })
	}
	for i := range all {
		e := &all[i]
		e.Modes = distinct(e.Modes)
		e.Counts = distinct(e.Counts)
		e.Versions = distinct(e.Versions)
		if e.Seen, err = s.conformedBy(e.Name, seen); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Version returns the version of the variant's main artifact; "" if that is not fetched from Maven.
func (v Variant) Version() string {
	main := v.mainArtifact()
	c, _ := parseCoordinates(main.Maven)
	return c.version
}
