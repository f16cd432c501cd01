package main

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
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// pruning is what is to go, and what is left alone for a reason.
type pruning struct {
	runs, kept string
	campaigns  []prunable
	artifacts  []prunable
	halves     []prunable // campaigns whose removal was interrupted
	left       []string   // in words
}

// prunable is a campaign's folder, or a kept file.
type prunable struct {
	path, name, sha256 string
	created            time.Time
	bytes              int64
}

// planPrune finds what may go.
func planPrune(o pruneOptions) (*pruning, error) {
	p := &pruning{runs: o.runs, kept: o.kept}
	complete, stays, err := p.campaignsIn(o.runs)
	if err != nil {
		return nil, err
	}
	seen := map[string]int{}
	for _, c := range complete { // newest first
		if seen[c.name]++; seen[c.name] <= o.keep {
			stays = append(stays, c.path)
			continue
		}
		c.bytes = sizeOf(c.path)
		p.campaigns = append(p.campaigns, c)
	}
	return p, p.artifactsIn(o, stays)
}

// campaignsIn are the complete campaigns of a folder, newest first; others stay,
// whatever they are.
func (p *pruning) campaignsIn(runs string) (complete []prunable, stays []string, err error) {
	entries, err := os.ReadDir(runs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, refusal.New(fmt.Errorf("pruning: there is no folder %s", runs), "say where the campaigns are with --runs")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("pruning: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(runs, e.Name())
		if strings.HasPrefix(e.Name(), prunedPrefix) {
			p.halves = append(p.halves, prunable{path: path, bytes: sizeOf(path)})
			continue
		}
		if !e.IsDir() {
			continue
		}
		c, why := completeCampaign(path)
		if why != "" {
			p.left = append(p.left, path+": "+why)
			stays = append(stays, path)
			continue
		}
		complete = append(complete, c)
	}
	slices.SortFunc(complete, func(a, b prunable) int {
		return cmp.Or(b.created.Compare(a.created), strings.Compare(b.path, a.path))
	})
	return complete, stays, nil
}

// completeCampaign says what a folder is, or why it is left alone.
func completeCampaign(path string) (c prunable, why string) {
	store, err := results.Open(path)
	if err != nil {
		return c, refusal.Inline(err, "; ")
	}
	campaign := store.Campaign()
	if campaign.Source != "moobench" {
		return c, "imported from " + campaign.Source
	}
	switch sealed, changed := store.Sealed(); {
	case changed != "":
		return c, changed + "; restore it from a copy, or remove the folder yourself"
	case !sealed:
		return c, "unfinished: go on with it by moobench run --resume, or remove the folder yourself"
	}
	return prunable{path: path, name: campaign.Name, created: campaign.Created}, ""
}

// digestText finds what may be the name of a kept file. The texts are searched and
// not read, so that a line that is damaged, or of a newer moobench, spares what it
// names as well.
var digestText = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// artifactsIn finds the kept files that nobody names: no line of the history, and
// no campaign that stays.
func (p *pruning) artifactsIn(o pruneOptions, stays []string) error {
	kept := results.OpenKept(o.kept)
	all, err := kept.All()
	if err != nil || len(all) == 0 {
		return err
	}
	named, err := namedBy(nil, o.history)
	if errors.Is(err, fs.ErrNotExist) {
		p.left = append(p.left, fmt.Sprintf("%s: there is no history %s that could say which of it is needed; say where it is with --history", o.kept, o.history))
		return nil
	}
	for _, dir := range stays {
		if err == nil {
			named, err = namedBy(named, filepath.Join(dir, "campaign.json"))
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // no campaign: it names nothing
		}
	}
	if err != nil {
		return fmt.Errorf("looking for the jars that are needed: %w", err)
	}
	for _, a := range all {
		if named[a.SHA256] {
			continue
		}
		size, err := kept.Size(a.SHA256)
		if err != nil {
			return err
		}
		p.artifacts = append(p.artifacts, prunable{path: filepath.Join(o.kept, a.SHA256, a.Name), sha256: a.SHA256, bytes: size})
	}
	return nil
}

// mostNaming is how long a file may be that names kept files.
const mostNaming = 1 << 30

// namedBy adds the digests that a file names.
func namedBy(named map[string]bool, path string) (map[string]bool, error) {
	if named == nil {
		named = map[string]bool{}
	}
	text, err := safefile.Read(path, mostNaming)
	for _, sum := range digestText.FindAll(text, -1) {
		named[string(sum)] = true
	}
	return named, err
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

// print says what goes, what is left alone, and how much room that gives.
func (p *pruning) print(w io.Writer) {
	var bytes int64
	for _, c := range slices.Concat(p.campaigns, p.halves, p.artifacts) {
		fmt.Fprintf(w, "remove  %10s  %s\n", roomText(c.bytes), visible(c.path))
		bytes += c.bytes
	}
	for _, text := range p.left {
		fmt.Fprintf(w, "left    %10s  %s\n", "", visible(text))
	}
	fmt.Fprintf(w, "%s and %s, %s\n", figure.Plural(len(p.campaigns), "campaign", "campaigns"),
		figure.Plural(len(p.artifacts), "kept file", "kept files"), roomText(bytes))
}
