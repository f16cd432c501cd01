package framework

import (
	"cmp"
	_ "embed" // of what the suite has seen
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

//go:embed catalogue/conformance.json
var conformance []byte

// Conformed is what the conformance suite saw of an entry on a JDK when it last ran its whole
// script there. An entry whose script fails has none.
type Conformed struct {
	Entry string `json:"entry"`
	Java  int    `json:"java"` // feature release
	JDK   string `json:"jdk"`  // exact build
	Day   string `json:"day"`  // as 2026-11-27
	Held  []Held `json:"held"` // in the order of the script
}

// Held is a check of the suite that held of a variant.
type Held struct {
	Variant  string `json:"variant"`
	Check    string `json:"check"`             // the command of the script: exact, loses, …; hangs, elsewhere of faults
	Version  string `json:"version,omitempty"` // of the main artifact
	SHA256   string `json:"sha256,omitempty"`  // of the same
	Received int64  `json:"received"`
	Expected int64  `json:"expected"` // 0: how many must come is not known
	// Stale says with what it was seen, where the variant has another main artifact today.
	Stale string `json:"stale,omitempty"`
}

// Held is a check that held of the variant as it is.
func (v Variant) Held(check string, received, expected int64) Held {
	main := v.mainArtifact()
	return Held{
		Variant: v.Name, Check: check, Version: v.Version(), SHA256: main.SHA256,
		Received: received, Expected: expected,
	}
}

// stale says with what a check was seen to hold, where that is not the variant's main artifact.
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

// conformed is what the suite saw of the whole catalogue.
func conformed() (all []Conformed, err error) {
	if err := json.Unmarshal(conformance, &all); err != nil {
		return nil, fmt.Errorf("reading what the conformance suite saw: %w", err)
	}
	return all, nil
}

// conformedBy is what the suite saw of an entry, held against the variants as they are today.
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

// Entry is a framework of the catalogue as a whole.
type Entry struct {
	Name     string      `json:"name"`
	About    string      `json:"about"`              // of its first variant
	License  string      `json:"license"`            //
	Versions []string    `json:"versions,omitempty"` // of what is fetched, pinned
	Home     bool        `json:"home,omitempty"`     // it can't be fetched: the user says where it is
	Java     [2]int      `json:"java"`               // the oldest and the newest feature release; 0: no limit
	Modes    []string    `json:"modes"`              // how probes get in
	Counts   []string    `json:"counts,omitempty"`   // who counts its records
	Seen     []Conformed `json:"seen,omitempty"`     // by the conformance suite
}

// Entries are the frameworks of the set, by name.
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
			all = append(all, Entry{Name: v.Framework, About: about, License: v.License, Java: [2]int{v.JavaMin, v.JavaMax}})
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
		e.Modes, e.Counts, e.Versions = distinct(e.Modes), distinct(e.Counts), distinct(e.Versions)
		if e.Seen, err = s.conformedBy(e.Name, seen); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Version is that of the variant's main artifact; "" where it has none that is fetched.
func (v Variant) Version() string {
	main := v.mainArtifact()
	c, _ := parseCoordinates(main.Maven)
	return c.version
}
