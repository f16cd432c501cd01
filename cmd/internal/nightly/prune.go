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

// Prune says how much to keep of the files that nights leave behind, and where they are.
type Prune struct {
	Keep            int // complete campaigns to keep of each name, 1 or more
	Runs, Artifacts string
	History         string // artifacts that it names stay
	Dry             bool   // only print what would be removed
}

// Run prints what it removes, what it leaves alone, and the space that this frees. It then removes
// these files, and finishes interrupted removals. It refuses to run while this machine is
// measuring.
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
	for _, one := range all { // one failure does not stop the rest
		errs = append(errs, one.remove())
	}
	errs = append(errs, results.OpenKept(o.Artifacts).Recover())
	return errors.Join(errs...)
}

// pruning lists what to remove, and what to leave alone for a reason.
type pruning struct {
	campaigns []removable
	halves    []removable // campaigns whose removal was interrupted
	artifacts []removable
	left      []string // in words
}

// removable is a campaign's folder or a kept file.
type removable struct {
	path    string
	bytes   int64
	remove  func() error
	name    string    // of a campaign
	created time.Time // of a campaign
}

// prunedPrefix begins the folder name of a campaign during its removal: half a campaign must not
// look like one.
const prunedPrefix = ".tmp-pruned-"

// plan finds what to remove: complete campaigns except the newest of each name, and files that only
// those need. Everything else stays.
func (o Prune) plan() (*pruning, error) {
	p := &pruning{}
	entries, err := os.ReadDir(o.Runs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refusal.New(fmt.Errorf("pruning: there is no folder %s", o.Runs),
			"say where the campaigns are with --runs")
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

// completeCampaign returns a folder's campaign, or the reason to leave the folder alone.
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

// digestText matches possible names of kept files. Files are searched, not parsed, so a damaged
// line, or one of a newer moobench, still protects the files that it names.
var digestText = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// mostNaming is the size limit, in bytes, of a file that names kept files.
const mostNaming = 1 << 30

// addArtifacts adds the kept files that neither the history nor a remaining campaign names.
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
		p.left = append(p.left, fmt.Sprintf("%s: there is no history %s, which would show which jars are needed; "+
			"name it with --history", o.Artifacts, o.History))
		return nil
	}
	for _, dir := range stays {
		e := read(filepath.Join(dir, "campaign.json"))
		if err == nil && !errors.Is(e, fs.ErrNotExist) { // a folder without a campaign names nothing
			err = e
		}
	}
	if err != nil {
		return fmt.Errorf("looking for the jars that are needed: %w", err)
	}
	for _, a := range all {
		if folder := filepath.Join(o.Artifacts, a.SHA256); !named[a.SHA256] {
			p.artifacts = append(p.artifacts, removable{
				path: filepath.Join(folder, a.Name), bytes: sizeOf(folder),
				remove: func() error { return kept.Remove(a.SHA256) },
			})
		}
	}
	return nil
}

// sizeOf returns the total size of a folder's files; unreadable ones count as 0.
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

// remove removes a campaign's folder, unless it is locked by a process that does not share this
// machine's lock.
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
