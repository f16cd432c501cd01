package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/refusal"
	"moobench/results"
)

// part is a shard to be merged.
type part struct {
	results.Part
	name  string // as given by the user
	store *results.Store
	shard results.Shard
	all   []*results.Invocation
	done  time.Time // end of its last invocation
	// artifacts are the SHA-256 of the files that went into its JVMs, by variant and name; several if a file
	// changed.
	artifacts map[string]string
}

// Merge makes a campaign of shards, each a folder or a packed file, in a folder that must not exist yet. It is
// not sealed: the caller adds whatever is computed over all shards, such as the standard speed of the CPU.
// Samples are linked if the file system can, and read only for their checksums.
//
// It refuses, all at once, parts that are not sealed shards, or have another plan, build or artifacts than the
// others. A missing shard is listed in Merged.Missing. If a shard was measured twice, the one that was sealed
// first, by its own clock, counts; the other one is kept in the folder doubles.
//
// Each CPU model has cells of its own, unless across says that all are one population.
func Merge(ctx context.Context, names []string, dir string, across bool) (*results.Store, error) {
	tmp, err := scratch(dir)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	parts, err := readAll(ctx, names, filepath.Join(tmp, ".tmp-unpacked"))
	if err != nil {
		return nil, err
	}
	if err := alike(parts); err != nil {
		return nil, err
	}
	parts, doubles := once(parts)
	campaign := together(parts, doubles)
	if campaign.Merged.Across = across; !across {
		machines, on, err := measuredOn(parts)
		if err != nil {
			return nil, err
		}
		split(campaign, machines, on)
	}
	text, err := parts[0].store.TOML()
	if err != nil {
		return nil, err
	}
	merged := filepath.Join(tmp, "merged")
	store, err := results.Create(merged, campaign, text)
	if err != nil {
		return nil, err
	}
	// AddMachine keeps the last state of a machine as the current one
	slices.SortStableFunc(parts, func(a, b part) int { return a.done.Compare(b.done) })
	for _, p := range parts {
		if err := errors.Join(ctx.Err(), p.moveTo(store)); err != nil {
			return nil, fmt.Errorf("merging %s: %w", p.name, err)
		}
	}
	for _, p := range doubles {
		place := filepath.Join(merged, "doubles", fmt.Sprintf("%d-%s", p.Index, p.Seal[:12]))
		if err := p.keepAs(place); err != nil {
			return nil, fmt.Errorf("keeping %s, which is a double: %w", p.name, err)
		}
	}
	if err := publish(merged, dir); err != nil {
		return nil, err
	}
	return results.Open(dir)
}

// readAll opens all parts and checks their seals. A packed file is unpacked into a folder of its own.
func readAll(ctx context.Context, names []string, unpacked string) (parts []part, err error) {
	var errs []error
	for i, name := range names {
		p, err := readOne(ctx, name, filepath.Join(unpacked, fmt.Sprint(i)))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		parts = append(parts, p)
	}
	return parts, errors.Join(errs...)
}

func readOne(ctx context.Context, name, unpacked string) (p part, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return p, err
	}
	p.name = name
	if info.IsDir() {
		if p.store, err = results.Open(name); err == nil {
			err = intact(ctx, p.store, name)
		}
	} else {
		if err = os.MkdirAll(unpacked, 0o777); err == nil {
			p.store, err = open(ctx, name, unpacked)
		}
	}
	if err != nil {
		return p, err
	}
	shard := p.store.Campaign().Shard
	if shard == nil {
		why := fmt.Errorf("%s is a whole campaign, not a shard", name)
		return p, refusal.New(why, "shards are measured with: moobench run --shard 1/16 plan.json")
	}
	p.shard = *shard
	if p.Seal, err = p.store.SealDigest(); err != nil {
		return p, err
	}
	if p.all, err = p.store.Invocations(); err != nil {
		return p, err
	}
	machines := map[string]bool{}
	for _, inv := range p.all {
		machines[inv.Machine] = true
		if inv.End.After(p.done) {
			p.done = inv.End
		}
	}
	p.Index, p.Machines = shard.Index, slices.Sorted(maps.Keys(machines))
	p.artifacts = artifactsOf(p.store.Campaign(), p.all)
	return p, nil
}

// alike refuses parts that differ in the plan or in the build of anything.
func alike(parts []part) error {
	var errs []error
	// The most frequent value is the reference; ties go to the one that sorts first, so that the order of the
	// arguments does not matter.
	usual := func(what string, of func(p part) string) {
		n := map[string]int{}
		for _, p := range parts {
			n[of(p)]++
		}
		most := slices.MinFunc(slices.Sorted(maps.Keys(n)), func(a, b string) int { return cmp.Compare(n[b], n[a]) })
		for _, p := range parts {
			if got := of(p); got != most {
				why := fmt.Errorf("%s: %s is %s, that of the others is %s", p.name, what, shown(got), shown(most))
				do := fmt.Sprintf("leave it out, and measure shard %s again as the others were measured", p.shard)
				errs = append(errs, refusal.New(why, do))
			}
		}
	}
	usual("its plan", func(p part) string { return p.store.Campaign().PlanHash })
	usual("its number of shards", func(p part) string { return fmt.Sprint(p.shard.Count) })
	for _, key := range []string{"moobench", "jdk", "fixtures", "fixture_jars", results.VersionReference} {
		usual("its version of "+key, func(p part) string { return p.store.Campaign().Versions[key] })
	}
	names := map[string]bool{}
	for _, p := range parts {
		for name := range p.artifacts {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		usual("the artifact "+name, func(p part) string { return p.artifacts[name] })
	}
	return errors.Join(errs...)
}

// shown formats a version for messages, and shortens hashes.
func shown(text string) string {
	if text == "" {
		return "not known"
	}
	if len(text) == 64 && strings.Trim(text, "0123456789abcdef") == "" {
		text = text[:12] + "…"
	}
	return text
}

// artifactsOf returns the SHA-256 of the artifacts that went into JVMs, by variant and name; several, if they
// changed, joined by blanks.
func artifactsOf(c *results.Campaign, all []*results.Invocation) map[string]string {
	sums := map[string]map[string]bool{}
	for _, inv := range all {
		variant := inv.Cell
		if cell := c.Cell(inv.Cell); cell != nil {
			variant = cell.Variant
		}
		for _, a := range inv.Artifacts {
			name := variant + ": " + a.Name
			if sums[name] == nil {
				sums[name] = map[string]bool{}
			}
			sums[name][a.SHA256] = true
		}
	}
	found := map[string]string{}
	for name, of := range sums {
		found[name] = strings.Join(slices.Sorted(maps.Keys(of)), " ")
	}
	return found
}

// once sorts parts by index, and sets aside repeated measurements of a shard. A part that is named twice is
// kept once.
func once(parts []part) (counted, doubles []part) {
	parts = slices.Clone(parts)
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), a.done.Compare(b.done), cmp.Compare(a.Seal, b.Seal))
	})
	parts = slices.CompactFunc(parts, func(a, b part) bool { return a.Seal == b.Seal })
	for _, p := range parts {
		if n := len(counted); n > 0 && counted[n-1].Index == p.Index {
			doubles = append(doubles, p)
			continue
		}
		counted = append(counted, p)
	}
	return counted, doubles
}

// together returns the campaign of all counted parts.
func together(parts, doubles []part) *results.Campaign {
	first := parts[0].store.Campaign()
	whole := *first
	whole.Shard, whole.Origin, whole.Blocks, whole.GivenUp, whole.Influences = nil, "", nil, nil, nil
	whole.Versions = maps.Clone(first.Versions)
	delete(whole.Versions, "machine")
	m := &results.Merged{Count: parts[0].shard.Count}
	for _, p := range parts {
		c := p.store.Campaign()
		if c.Created.Before(whole.Created) {
			whole.Created = c.Created
		}
		for _, b := range c.Blocks {
			b.Shard = p.Index
			whole.Blocks = append(whole.Blocks, b)
		}
		for _, g := range c.GivenUp {
			g.Shard = p.Index
			whole.GivenUp = append(whole.GivenUp, g)
		}
		for _, i := range c.Influences {
			if !slices.Contains(whole.Influences, i) {
				whole.Influences = append(whole.Influences, i)
			}
		}
		m.Shards = append(m.Shards, p.Part)
	}
	slices.SortFunc(whole.Blocks, func(a, b results.Block) int { return cmp.Compare(a.Number, b.Number) })
	for _, p := range doubles {
		m.Doubles = append(m.Doubles, p.Part)
	}
	for i := 1; i <= m.Count; i++ {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.Index == i }) {
			s := parts[0].shard
			s.Index = i
			m.Missing = append(m.Missing, results.MissingShard{Index: i, Blocks: s.Blocks()})
		}
	}
	whole.Merged = m
	return &whole
}

// measuredOn returns the machines of all parts, and the machine of each block: that of its invocations or,
// without any, the one that measured most of its shard.
func measuredOn(parts []part) (machines []*results.Machine, on map[int]string, err error) {
	on = map[int]string{}
	for _, p := range parts {
		own, err := p.store.Machines()
		if err != nil {
			return nil, nil, err
		}
		machines = append(machines, own...)
		n := map[string]int{}
		for _, inv := range p.all {
			n[inv.Machine]++
			if !inv.Superseded {
				on[inv.Block] = inv.Machine
			}
		}
		for _, b := range p.store.Campaign().Blocks {
			if _, known := on[b.Number]; !known && len(n) > 0 {
				on[b.Number] = slices.MaxFunc(p.Machines, func(a, b string) int { return cmp.Compare(n[a], n[b]) })
			}
		}
	}
	return machines, on, nil
}

// moveTo adds the machines and the invocations of a part to the merged campaign.
func (p part) moveTo(store *results.Store) error {
	machines, err := p.store.Machines()
	if err != nil {
		return err
	}
	slices.Reverse(machines) // the earliest state first
	for _, m := range machines {
		if err := store.AddMachine(*m); err != nil {
			return err
		}
	}
	for _, inv := range p.all {
		name := filepath.Join("invocations", inv.Identity.String())
		if err := link(filepath.Join(p.store.Dir(), name), filepath.Join(store.Dir(), name)); err != nil {
			return err
		}
	}
	return nil
}

// keepAs links all files of a part into a folder.
func (p part) keepAs(dir string) error {
	files, err := p.store.Files()
	if err != nil {
		return err
	}
	for _, name := range files {
		name = filepath.FromSlash(name)
		if err := linkFile(filepath.Join(p.store.Dir(), name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
