package framework

import (
	_ "embed" // of what the suite has seen
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"moobench/results"
)

//go:embed catalogue/conformance.json
var conformance []byte

// Conformed is what the conformance suite saw of a variant in a real JVM when it was last run as
// a whole.
type Conformed struct {
	Variant  string `json:"variant"`
	Check    string `json:"check"` // the command of its script: exact, loses, …
	Java     int    `json:"java"`  // feature release
	Version  string `json:"version,omitempty"`
	Received int64  `json:"received"`
	Expected int64  `json:"expected"` // 0: how many must come is not known
	Day      string `json:"day"`      // as 2026-11-27
}

// conformed is what the suite saw of the whole catalogue.
func conformed() (all []Conformed, err error) {
	if err := json.Unmarshal(conformance, &all); err != nil {
		return nil, fmt.Errorf("reading what the conformance suite saw: %w", err)
	}
	return all, nil
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
		e.Seen = slices.DeleteFunc(slices.Clone(seen), func(c Conformed) bool { return frameworkOf(c.Variant) != e.Name })
	}
	return all, nil
}

// Version is that of the variant's main artifact; "" where it has none that is fetched.
func (v Variant) Version() string {
	for _, a := range v.Artifacts {
		if c, err := parseCoordinates(a.Maven); err == nil && a.Name == v.main() {
			return c.version
		}
	}
	return ""
}

// Said is what the suite saw, one clause for each JDK: 17: exact 20,000 of 20,000.
func Said(seen []Conformed, count func(int64) string) []string {
	byJava := map[int][]Conformed{}
	var javas []int
	for _, c := range seen {
		if byJava[c.Java] == nil {
			javas = append(javas, c.Java)
		}
		byJava[c.Java] = append(byJava[c.Java], c)
	}
	slices.Sort(javas)
	return results.Each(javas, func(java int) string {
		said := results.Each(byJava[java], func(c Conformed) string {
			text := strings.TrimPrefix(c.Variant, frameworkOf(c.Variant)+"/") + " " + c.Check
			switch {
			case c.Expected > 0:
				text += " " + count(c.Received) + " of " + count(c.Expected)
			case c.Received > 0:
				text += " " + count(c.Received)
			}
			return text
		})
		return fmt.Sprintf("%d: %s", java, strings.Join(said, ", "))
	})
}
