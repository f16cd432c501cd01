// Package standard manages the standard speeds of CPUs, at which costs are reported: where they are
// stored, which one a campaign gets, and how a campaign changes them.
package standard

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/analysis"
	"moobench/cmd/internal/kept"
	"moobench/harness/config"
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/results"
)

// Kept is a standard speed in a file, with the result of the last campaign.
type Kept struct {
	results.Standard
	// LastNS is the median of the last campaign with the same CPU, JDK and reference, and Last the
	// time at which it ended; absent before the second campaign.
	LastNS float64   `json:"last_ns,omitempty"`
	Last   time.Time `json:"last,omitzero"`
}

// Off says how much slower the last campaign's CPU was than the standard speed, as a share.
func (k *Kept) Off() float64 {
	if k.LastNS <= 0 {
		return 0
	}
	return k.LastNS/k.NS - 1
}

// farOff is the deviation, as a share, at which a standard no longer fits its machine.
const farOff = 0.1

// FarOff reports whether the last campaign deviated by more than farOff.
func (k *Kept) FarOff() bool { return math.Abs(k.Off()) > farOff }

// format is the files' format.
const format = 1

// File is a file of standard speeds: the user's own, or one in a repository.
type File struct {
	Path  string `json:"-"` // "": nowhere
	place kept.Place
	told  bool // there are unsaved changes
	// Format is 1.
	Format int    `json:"format"`
	Kept   []Kept `json:"standards"`
}

// Read reads the named file of standard speeds, or else the user's own; a user without a home has
// none. A missing file is empty.
func Read(path string) (*File, error) {
	place := kept.At(path, "standards.json")
	f := &File{Path: place.Path, place: place, Format: format}
	err := place.Read(f)
	if err == nil {
		err = kept.CheckFormat(f.Format, format)
	}
	for i := range f.Kept {
		err = errors.Join(err, results.CheckStandard(f.Kept[i].NS))
	}
	if err != nil {
		return nil, refusal.New(fmt.Errorf("reading the standard speeds in %s: %w", f.Path, err),
			"repair or remove the file: the next campaign makes new ones")
	}
	return f, nil
}

// Save writes the file if it has a place and unsaved changes.
func (f *File) Save() error {
	if !f.told {
		return nil
	}
	if err := f.place.Save(f); err != nil {
		return fmt.Errorf("keeping the standard speed: %w", err)
	}
	return nil
}

// Wish is the standard that a user asks for: a time, or a file of standards; or neither.
type Wish struct {
	NS   float64
	Path string
}

// Wished parses a time such as 2373ns, or else the path of a file.
func Wished(text string) (Wish, error) {
	if text == "" {
		return Wish{}, nil
	}
	ns, err := strict.ParseExactTime(text)
	if err == nil {
		if err := results.CheckStandard(ns); err != nil {
			return Wish{}, err
		}
		return Wish{NS: ns}, nil
	}
	if text[0] >= '0' && text[0] <= '9' && !strings.ContainsAny(text, "./") {
		return Wish{}, refusal.New(err, `a time such as "2373 ns", or the path of a file`)
	}
	return Wish{Path: text}, nil
}

// For returns the standards of a new campaign on a machine: those of the command line, of
// benchmarks.toml, and of the file, in this order.
func For(w Wish, f *config.File, m results.Machine, kept *File) []results.Standard {
	var all []results.Standard
	if w.NS > 0 {
		all = append(all, results.Standard{NS: w.NS, From: results.FromCommandLine})
	}
	for _, s := range f.Machine.Standards {
		s.From = filepath.Base(f.Path)
		all = append(all, s)
	}
	for _, k := range kept.Kept {
		s := k.Standard
		s.From = filepath.Base(kept.Path)
		all = append(all, s)
	}
	here := results.Standard{CPU: m.CPU, Stepping: m.Stepping, Core: m.Core}
	return slices.DeleteFunc(all, func(s results.Standard) bool {
		s.Runtime, s.Reference = "", "" // those of any JDK may be needed
		return !s.HoldsFor(here)
	})
}

// Made is a standard set by a campaign, and the file that stores it; "": none.
type Made struct {
	results.Standard
	Path string
}

// Finish adds the missing standards to a measured campaign, each the median over the campaign's own
// JVMs, and adds the campaign's results to kept, which the caller has to save. It changes no
// existing standard.
func Finish(store *results.Store, speeds []analysis.MachineSpeed, kept *File, when time.Time) (made []Made, err error) {
	c := store.Campaign()
	machines, err := store.Machines()
	if err != nil {
		return nil, err
	}
	for _, s := range speeds {
		i := slices.IndexFunc(machines, func(m *results.Machine) bool { return m.ID == s.Machine })
		if i < 0 || machines[i].Core == results.MixedCores || c.Versions[results.VersionReference] == "" {
			continue
		}
		m := machines[i]
		own := results.Standard{
			NS: s.NS, CPU: m.CPU, Stepping: m.Stepping, Core: m.Core, Runtime: s.Runtime,
			Reference: c.Versions[results.VersionReference], From: results.FromItself, Made: when, N: s.N,
		}
		lacks := c.StandardOf(m, s.Runtime) == nil
		if lacks {
			c.Standards = append(c.Standards, own)
			made = append(made, Made{own, kept.Path})
		}
		kept.tell(own, lacks)
	}
	if len(made) > 0 {
		err = store.SaveCampaign()
	}
	return made, err
}

// tell stores a campaign's result: as the last one of an existing standard, or as a new standard.
func (f *File) tell(own results.Standard, isNew bool) {
	if k := results.Find(f.Kept, func(k *Kept) bool { return k.HoldsFor(own) }); k != nil {
		k.LastNS, k.Last, f.told = own.NS, own.Made, true
		return
	}
	if isNew {
		f.Kept, f.told = append(f.Kept, Kept{Standard: own}), true
	}
}
