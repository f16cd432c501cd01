package nightly

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/harness/machine"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// Prune says how much stays of what nights leave behind, and where that lies.
type Prune struct {
	Keep            int // complete campaigns of each name, 1 or more
	Runs, Artifacts string
	History         string // the files that it names stay
	Dry             bool   // only say what is to go
}

// Run says what is to go, what is left alone, and how much room that gives. Then it removes
// what is to go, and what an earlier removal left half done, but not while something is
// measured here.
func (o Prune) Run(w io.Writer) error {
	if !o.Dry {
		release, err := machine.Lock(machine.LockPath(), "prune of "+o.Runs)
		if err != nil {
			return fmt.Errorf("pruning: %w", err)
		}
		defer release()
	}
	p, err := o.plan()
	if err != nil {
		return err
	}
	all, bytes := slices.Concat(p.campaigns, p.halves, p.artifacts), int64(0)
	for _, one := range all {
		fmt.Fprintf(w, "remove  %10s  %s\n", figure.Quantity(float64(one.bytes), "B"), doc.Clean(one.path))
		bytes += one.bytes
	}
	for _, text := range p.left {
		fmt.Fprintf(w, "left    %10s  %s\n", "", doc.Clean(text))
	}
	fmt.Fprintf(w, "%s and %s, %s\n", figure.Plural(len(p.campaigns), "campaign", "campaigns"),
		figure.Plural(len(p.artifacts), "kept file", "kept files"), figure.Quantity(float64(bytes), "B"))
	if o.Dry {
		fmt.Fprintln(w, "nothing was removed")
		return nil
	}
	var errs []error
	for _, one := range all { // what can't be removed does not keep the rest
		errs = append(errs, one.remove())
	}
	errs = append(errs, results.OpenKept(o.Artifacts).Recover())
	return errors.Join(errs...)
}

// pruning lists what is to go, and what is left alone for a reason.
type pruning struct {
	campaigns []removable
	halves    []removable // campaigns whose removal was interrupted
	artifacts []removable
	left      []string // in words
}

// removable is a campaign's folder, or a kept file.
type removable struct {
	path    string
	bytes   int64
	remove  func() error
	name    string    // of a campaign
	created time.Time // of a campaign
}

// prunedPrefix begins the name of a campaign's folder that is being removed: one
// that is half gone is no campaign.
const prunedPrefix = ".tmp-pruned-"

// plan finds what may go: complete campaigns, all but the newest of each name, and
// what only they need. Anything else stays, whatever it is.
func (o Prune) plan() (*pruning, error) {
	p := &pruning{}
	entries, err := os.ReadDir(o.Runs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refusal.New(fmt.Errorf("pruning: there is no folder %s", o.Runs), "say where the campaigns are with --runs")
	}
	if err != nil {
		return nil, fmt.Errorf("pruning: %w", err)
	}
	var complete []removable
	var stays []string // folders
	for _, e := range entries {
		path := filepath.Join(o.Runs, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), prunedPrefix):
			p.halves = append(p.halves, removable{path: path, bytes: sizeOf(path), remove: func() error {
				if err := os.RemoveAll(path); err != nil {
					return fmt.Errorf("removing what was left of %s: %w", path, err)
				}
				return nil
			}})
		case e.IsDir():
			c, why := completeCampaign(path)
			if why == "" {
				complete = append(complete, c)
				continue
			}
			p.left, stays = append(p.left, path+": "+why), append(stays, path)
		}
	}
	slices.SortFunc(complete, func(a, b removable) int { // newest first
		return cmp.Or(b.created.Compare(a.created), strings.Compare(b.path, a.path))
	})
	seen := map[string]int{}
	for _, c := range complete {
		if seen[c.name]++; seen[c.name] <= o.Keep {
			stays = append(stays, c.path)
			continue
		}
		c.bytes, c.remove = sizeOf(c.path), func() error { return o.remove(c.path) }
		p.campaigns = append(p.campaigns, c)
	}
	return p, p.addArtifacts(o, stays)
}

// completeCampaign says what a folder is, or why it is left alone.
func completeCampaign(path string) (c removable, why string) {
	store, err := results.Open(path)
	if err != nil {
		return c, refusal.Inline(err, "; ")
	}
	campaign := store.Campaign()
	sealed, changed := store.Sealed()
	switch {
	case campaign.Source != "moobench":
		return c, "imported from " + campaign.Source
	case changed != "":
		return c, changed + "; restore it from a copy, or remove the folder yourself"
	case !sealed:
		return c, "unfinished: go on with it by moobench run --resume, or remove the folder yourself"
	}
	return removable{path: path, name: campaign.Name, created: campaign.Created}, ""
}

// digestText finds what may be the name of a kept file. The texts are searched and
// not read, so that a line that is damaged, or of a newer moobench, spares what it
// names as well.
var digestText = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// mostNaming bounds the length of a file that names kept files.
const mostNaming = 1 << 30

// addArtifacts adds the kept files that nobody names: no line of the history, and no
// campaign that stays.
func (p *pruning) addArtifacts(o Prune, stays []string) error {
	kept := results.OpenKept(o.Artifacts)
	all, err := kept.All()
	if err != nil || len(all) == 0 {
		return err
	}
	named := map[string]bool{}
	read := func(path string) error {
		text, err := safefile.Read(path, mostNaming)
		for _, sum := range digestText.FindAll(text, -1) {
			named[string(sum)] = true
		}
		return err
	}
	err = read(o.History)
	if errors.Is(err, fs.ErrNotExist) {
		p.left = append(p.left, fmt.Sprintf("%s: there is no history %s that could say which of it is needed; say where it is with --history", o.Artifacts, o.History))
		return nil
	}
	for _, dir := range stays {
		if e := read(filepath.Join(dir, "campaign.json")); err == nil && !errors.Is(e, fs.ErrNotExist) { // no campaign names nothing
			err = e
		}
	}
	if err != nil {
		return fmt.Errorf("looking for the jars that are needed: %w", err)
	}
	for _, a := range all {
		if folder := filepath.Join(o.Artifacts, a.SHA256); !named[a.SHA256] {
			p.artifacts = append(p.artifacts, removable{path: filepath.Join(folder, a.Name), bytes: sizeOf(folder), remove: func() error { return kept.Remove(a.SHA256) }})
		}
	}
	return nil
}

// sizeOf is how much the files of a folder take; what can't be read counts as
// nothing.
func sizeOf(dir string) int64 {
	var bytes int64
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// remove removes a campaign's folder, unless somebody who does not share the lock of
// this machine writes to it.
func (o Prune) remove(dir string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("removing %s: %w", dir, err)
		}
	}()
	release, err := results.Lock(dir)
	if err != nil {
		return err
	}
	defer release()
	away := filepath.Join(o.Runs, prunedPrefix+filepath.Base(dir))
	if err := os.Rename(dir, away); err != nil {
		return err
	}
	return os.RemoveAll(away)
}
