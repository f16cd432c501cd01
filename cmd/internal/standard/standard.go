// Package standard keeps the speeds of CPUs that costs are told at: where they are kept, which
// one a campaign gets, and what becomes of them when it is measured.
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

// Kept is a standard in a file, with what a later campaign found.
type Kept struct {
	results.Standard
	// LastNS is the median of the last campaign of the same CPU, JDK and reference, and Last
	// when it ended; absent before there is a second one.
	LastNS float64   `json:"last_ns,omitempty"`
	Last   time.Time `json:"last,omitzero"`
}

// Off is by how much the last campaign's CPU was slower than at standard speed, as a share.
func (k *Kept) Off() float64 {
	if k.LastNS <= 0 {
		return 0
	}
	return k.LastNS/k.NS - 1
}

// farOff is from which share on a standard is no longer what its machine does.
const farOff = 0.1

// FarOff says whether the last campaign was another one by more than a tenth.
func (k *Kept) FarOff() bool { return math.Abs(k.Off()) > farOff }

// format of the files.
const format = 1

// File is where standards are kept: the user's own, or one in a repository.
type File struct {
	Path  string `json:"-"` // "" is nowhere
	place kept.Place
	told  bool // something of it is not saved yet
	// Format is 1.
	Format int    `json:"format"`
	Kept   []Kept `json:"standards"`
}

// Read reads the file of standards that is named, or else the user's own; a user without a
// home has none. One that does not exist yet is empty.
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
		return nil, refusal.New(fmt.Errorf("reading the standard speeds in %s: %w", f.Path, err), "repair or remove the file: the next campaign makes new ones")
	}
	return f, nil
}

// Save writes the file, where there is one and a campaign told it something.
func (f *File) Save() error {
	if !f.told {
		return nil
	}
	if err := f.place.Save(f); err != nil {
		return fmt.Errorf("keeping the standard speed: %w", err)
	}
	return nil
}

// Wish is what a user says of the standard: a time, or a file of standards. The empty one says
// nothing.
type Wish struct {
	NS   float64
	Path string
}

// Wished reads a time such as 2373ns, or else the path of a file.
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

// For are the standards that a new campaign gets, on a machine: what the command line says,
// what benchmarks.toml says, or those that are kept.
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
		s.Runtime, s.Reference = "", "" // those of any JDK may be measured
		return !s.HoldsFor(here)
	})
}

// Made is a standard that a campaign made, and where it is kept from now on, "" being nowhere.
type Made struct {
	results.Standard
	Path string
}

// Finish gives a campaign that was measured the standards that it lacks, each the median over
// its own JVMs, which are its speeds, and tells the file what the campaign found at that time; it
// has to be saved. Nothing that is there is changed.
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
			NS: s.NS, CPU: m.CPU, Stepping: m.Stepping, Core: m.Core, Runtime: s.Runtime, Reference: c.Versions[results.VersionReference],
			From: results.FromItself, Made: when, N: s.N,
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

// tell keeps what a campaign found: beside the standard that is there, or as a new one.
func (f *File) tell(own results.Standard, isNew bool) {
	if k := results.Find(f.Kept, func(k *Kept) bool { return k.HoldsFor(own) }); k != nil {
		k.LastNS, k.Last, f.told = own.NS, own.Made, true
		return
	}
	if isNew {
		f.Kept, f.told = append(f.Kept, Kept{Standard: own}), true
	}
}
