package session

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/doctor"
	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/results"
)

// writeReach says how exactly the cost of each variant will be known, as an earlier campaign
// of the same cells showed on this machine.
func (s *Session) writeReach(w io.Writer) {
	variants := slices.ContainsFunc(s.Plan.Campaign.Cells, func(c results.Cell) bool { return c.Role == results.RoleVariant })
	host, _, err := machine.Look(s.lab.Tree)
	if !variants || err != nil {
		return
	}
	found := false
	if jdk, err := s.jdkVersions(); err == nil {
		earlier, planned := earlierCampaigns(s.Dir), timingBlocks(s.Plan.Campaign)
		for i := range s.Plan.Campaign.Scenarios {
			sc := &s.Plan.Campaign.Scenarios[i]
			if f := s.forecast(sc, planned[sc.Label], earlier, host, jdk); f != nil {
				f.write(w)
				found = true
			}
		}
	}
	if !found {
		fmt.Fprintf(w, "\nhow exact costs come out is not known: no finished campaign here has these cells%s\n", atBest(host))
	}
}

// atBest is what equal JVMs of this machine resolve, which no agent does better than.
func atBest(host results.Machine) string {
	c, err := doctor.LastCalibration(host.ID)
	if err != nil || c == nil || c.ResolvesShare <= 0 {
		return "; moobench run measures them, and moobench doctor --calibrate says what equal JVMs resolve"
	}
	return fmt.Sprintf("; moobench run measures them. Equal JVMs resolve %s here in %s (moobench doctor --calibrate), and those of an agent differ by more",
		figure.Percent(c.ResolvesShare), doctor.Amount(time.Duration(c.ResolvesInNS)))
}

// jdkVersions are those that the plan would be measured with, as campaigns note them.
func (s *Session) jdkVersions() (string, error) {
	if !s.needsJava() {
		return "", nil
	}
	if len(s.File.JVM.Homes) == 0 {
		java, err := s.chooseJava()
		return java.Version, err
	}
	var jdks []plan.JDK
	for _, c := range s.Plan.Cells {
		if !slices.Contains(jdks, c.JDK) {
			jdks = append(jdks, c.JDK)
		}
	}
	versions := results.Each(jdks, func(j plan.JDK) string { return j.Version })
	slices.Sort(versions)
	return strings.Join(versions, ", "), nil
}

// earlierCampaigns are those beside the folder that was chosen for a new one, or in the folder
// of the runs, the newest first. What can't be read is left out: a preview does not need it.
func earlierCampaigns(chosen string) []*results.Store {
	dirs := Campaigns()
	if chosen != "" {
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(chosen), "*", "campaign.json")) // a good pattern is the only condition
		dirs = results.Each(files, filepath.Dir)
	}
	var stores []*results.Store
	for _, dir := range dirs {
		if store, err := results.Open(dir); err == nil {
			stores = append(stores, store)
		}
	}
	slices.SortStableFunc(stores, func(a, b *results.Store) int { return b.Campaign().Created.Compare(a.Campaign().Created) })
	return stores
}

// forecast is what earlier campaigns say of a scenario's variants.
type forecast struct {
	folders  []string      // of the campaigns, the newest first
	blocks   int           // that are planned
	pilot    int           // blocks that decide on more, 0 where none do
	wanted   float64       // half-width, as a share of the cell's own mean
	block    time.Duration // that one block takes; 0 where that is not known
	variants []foreseen
}

// foreseen is what they say of a variant.
type foreseen struct {
	cell   *results.Cell
	reach  *analysis.Reach // nil where no campaign has the cell
	family int             // variants of its level
}

// mostCampaigns is how many are asked: spreads differ from one to the next, and each takes a
// part of a second to read.
const mostCampaigns = 5

// mostOfOne is which share of the spread a single block may have without a word: of 10 blocks
// without outliers it has that in one campaign of 20, of more blocks more seldom.
const mostOfOne = 0.6

// muchWider is how many times the narrowest interval the widest one may be without a word:
// spreads of ten blocks differ by so much by chance.
const muchWider = 2

// exact is the half-width that is spoken of where none is asked for.
const exact = 0.01

// forecast is what the newest campaigns that have cells of the scenario say of them, of which so many blocks are
// planned; nil of none.
func (s *Session) forecast(sc *results.Scenario, planned int, earlier []*results.Store, host results.Machine, jdk string) *forecast {
	c := s.Plan.Campaign
	f := &forecast{blocks: planned, wanted: exact}
	if z := sc.Sizing; z != nil && z.Precision > 0 {
		f.pilot, f.wanted = z.Pilot, z.Precision
	}
	for i := range c.Cells {
		if cell := &c.Cells[i]; cell.Scenario == sc.Label && cell.Role == results.RoleVariant {
			f.variants = append(f.variants, foreseen{cell: cell, family: variantsBeside(c, cell)})
		}
	}
	for _, store := range earlier {
		old := store.Campaign()
		then := old.Scenario(sc.Label)
		if old.Source != "moobench" || old.Versions["machine"] != host.ID || old.Versions["jdk"] != jdk || then == nil || then.Use != sc.Use {
			continue
		}
		twins := twinsOf(c, old, sc.Label)
		if len(twins) == 0 || !sealedHere(store, host) || !f.add(store, twins) {
			continue
		}
		if f.folders = append(f.folders, store.Dir()); len(f.folders) == 1 {
			f.block = blockTime(store, c, sc.Label, twins)
		}
		if len(f.folders) == mostCampaigns {
			break
		}
	}
	if f.folders == nil {
		return nil
	}
	return f
}

// add takes in what a campaign says of the variants that have twins in it, with the same
// baseline; ok is false where that is nothing.
func (f *forecast) add(store *results.Store, twins map[string]*results.Cell) (ok bool) {
	isTwin := func(v foreseen) bool {
		twin, baseline := twins[v.cell.ID], twins[v.cell.Baseline]
		return twin != nil && baseline != nil && twin.Baseline == baseline.ID
	}
	if !slices.ContainsFunc(f.variants, isTwin) {
		return false
	}
	reaches, err := analysis.Reaches(store)
	if err != nil {
		return false
	}
	for i := range f.variants {
		v := &f.variants[i]
		if !isTwin(*v) {
			continue
		}
		r := reaches[twins[v.cell.ID].ID]
		if r == nil {
			continue
		}
		if v.reach != nil {
			r = v.reach.Plus(r)
		}
		v.reach, ok = r, true
	}
	return ok
}

// sealedHere says whether a campaign is as it was finished, and of this CPU.
func sealedHere(store *results.Store, host results.Machine) bool {
	machines, err := store.Machines()
	sameCPU := func(m *results.Machine) bool { return m.ID == host.ID && m.CPU == host.CPU }
	if err != nil || !slices.ContainsFunc(machines, sameCPU) {
		return false
	}
	sealed, _ := store.Sealed()
	return sealed
}

// twinsOf are the cells of an older campaign that do what those of a scenario do, by the
// IDs of these.
func twinsOf(c, old *results.Campaign, scenario string) map[string]*results.Cell {
	twins := map[string]*results.Cell{}
	for i := range c.Cells {
		cell := &c.Cells[i]
		if cell.Scenario != scenario {
			continue
		}
		twin := results.Find(old.Cells, func(o *results.Cell) bool {
			return o.Scenario == scenario && o.Variant == cell.Variant && o.Role == cell.Role && slices.Equal(o.Parameters, cell.Parameters)
		})
		if twin != nil {
			twins[cell.ID] = twin
		}
	}
	return twins
}

// variantsBeside counts the variants of a cell's level, whose intervals hold together.
func variantsBeside(c *results.Campaign, cell *results.Cell) int {
	n := 0
	for _, other := range c.Cells {
		if other.Role == results.RoleVariant && other.Scenario == cell.Scenario && other.Level() == cell.Level() {
			n++
		}
	}
	return n
}

// blockTime is how long a timing block of a scenario takes, by its cells' twins; 0 where one
// has none.
func blockTime(store *results.Store, c *results.Campaign, scenario string, twins map[string]*results.Cell) time.Duration {
	all, err := store.Invocations()
	i := slices.IndexFunc(c.Blocks, func(b results.Block) bool { return isTiming(c, b, scenario) })
	if err != nil || i < 0 {
		return 0
	}
	var sum time.Duration
	for _, id := range c.Blocks[i].Order {
		twin := twins[id]
		if twin == nil {
			return 0
		}
		length := analysis.Length(all, func(inv *results.Invocation) bool {
			return inv.Cell == twin.ID && inv.Profile == results.ProfileTiming
		})
		if length <= 0 {
			return 0
		}
		sum += length
	}
	return sum
}

// write says it, a line for each variant.
func (f *forecast) write(w io.Writer) {
	several := prose.If(len(f.folders) > 1, "%d campaigns, the newest of them ", len(f.folders))
	fmt.Fprintf(w, "\nhow exact, by the spread in %s%s\n", several, console.Visible(f.folders[0]))
	width := 0
	for _, v := range f.variants {
		width = max(width, utf8.RuneCountInString(console.Visible(v.cell.Label())))
	}
	for _, v := range f.variants {
		if v.reach != nil {
			fmt.Fprintf(w, "  %-*s  %s\n", width, console.Visible(v.cell.Label()), f.text(v))
		}
	}
}

// text says how wide the interval of a variant's cost will be, how wide in a minute, and what
// it takes to be as exact as is wanted.
func (f *forecast) text(v foreseen) string {
	d := analysis.Design{Blocks: f.blocks, Family: v.family, Pilot: f.pilot}
	var parts []string
	h := v.reach.HalfWidths(d)
	if f.blocks >= 2 {
		parts = append(parts, fmt.Sprintf("%s: about %s of its own mean", figure.Plural(f.blocks, "block", "blocks"), prose.PlusMinus(h.Ran, h.Standard)))
	}
	took := func(int) string { return "" }
	if f.block > 0 {
		took = func(blocks int) string { return figure.Roughly(time.Duration(blocks) * f.block) }
		if d.Blocks = int(time.Minute / f.block); d.Blocks >= 2 {
			minute := v.reach.HalfWidths(d)
			parts = append(parts, prose.PlusMinus(minute.Ran, minute.Standard)+" in a minute")
		}
	}
	ran, standard := v.reach.Needs(f.wanted, d)
	parts = append(parts, prose.Takes(f.wanted, ran, standard, h.Standard > 0, took))
	if d.Blocks = f.blocks; d.Blocks >= 2 {
		if low, high := v.reach.Range(d); high > muchWider*low {
			parts = append(parts, fmt.Sprintf("rough: by single campaigns ± %s to ± %s", figure.Percent(low), figure.Percent(high)))
		} else if share := v.reach.OneBlock; share > mostOfOne {
			parts = append(parts, fmt.Sprintf("rough: %s of a campaign's spread is one block's", figure.Percent(share)))
		}
	}
	return strings.Join(parts, "; ")
}
