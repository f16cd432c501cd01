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

// writeReach prints the expected precision of each variant's cost, from earlier campaigns of the
// same cells on this machine.
func (s *Session) writeReach(w io.Writer) {
	variants := slices.ContainsFunc(s.Plan.Campaign.Cells, func(c results.Cell) bool {
		return c.Role == results.RoleVariant
	})
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
		fmt.Fprintf(w, "\nhow exact costs come out is not known: no finished campaign here has these cells%s\n",
			atBest(host))
	}
}

// atBest says how precisely this machine measures equal JVMs; no agent is measured more precisely.
func atBest(host results.Machine) string {
	c, err := doctor.LastCalibration(host.ID)
	if err != nil || c == nil || c.ResolvesShare <= 0 {
		return "; moobench run measures them, and moobench doctor --calibrate says what equal JVMs resolve"
	}
	const text = "; moobench run measures them. Equal JVMs resolve %s here in %s (moobench doctor --calibrate), " +
		"and those of an agent differ by more"
	return fmt.Sprintf(text, figure.Percent(c.ResolvesShare), doctor.Amount(time.Duration(c.ResolvesInNS)))
}

// jdkVersions returns the plan's JDK versions, in the form that campaigns record.
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

// earlierCampaigns returns the campaigns beside the chosen folder of a new one, or in the folder of
// runs, newest first. It skips unreadable ones, because a preview does not need them.
func earlierCampaigns(chosen string) []*results.Store {
	dirs := Campaigns()
	if chosen != "" {
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(chosen), "*", "campaign.json")) // the pattern is valid
		dirs = results.Each(files, filepath.Dir)
	}
	var stores []*results.Store
	for _, dir := range dirs {
		if store, err := results.Open(dir); err == nil {
			stores = append(stores, store)
		}
	}
	slices.SortStableFunc(stores, func(a, b *results.Store) int {
		return b.Campaign().Created.Compare(a.Campaign().Created)
	})
	return stores
}

// forecast is the expected precision of a scenario's variants, from earlier campaigns.
type forecast struct {
	folders  []string      // of the campaigns, newest first
	blocks   int           // planned blocks
	pilot    int           // blocks before the number is decided; 0: it is fixed
	wanted   float64       // half-width, as a share of the cell's own mean
	block    time.Duration // time per block; 0 if unknown
	variants []foreseen
}

// foreseen is the expected precision of a variant.
type foreseen struct {
	cell   *results.Cell
	reach  *analysis.Reach // nil if no campaign has the cell
	family int             // variants of its level
}

// mostCampaigns limits the campaigns read: spreads differ between campaigns, and each takes a
// fraction of a second to read.
const mostCampaigns = 5

// mostOfOne is the share of the spread above which a single block is mentioned. Without outliers,
// one campaign in 20 with 10 blocks exceeds it, and fewer with more blocks.
const mostOfOne = 0.6

// muchWider is the ratio of the widest to the narrowest interval above which it is mentioned.
// Spreads of ten blocks differ by this factor by chance.
const muchWider = 2

// exact is the half-width used if the user wants no particular one.
const exact = 0.01

// forecast computes the precision from the newest campaigns that have cells of the scenario, for
// the planned number of blocks; nil without such campaigns.
func (s *Session) forecast(
	sc *results.Scenario, planned int, earlier []*results.Store, host results.Machine, jdk string,
) *forecast {
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
		here := old.Versions["machine"] == host.ID && old.Versions["jdk"] == jdk
		if old.Source != "moobench" || !here || then == nil || then.Use != sc.Use {
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

// add adds a campaign's spread for the variants whose twins in it have the same baseline; ok is
// false without such variants.
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

// sealedHere reports whether a campaign is sealed, unchanged, and from this CPU.
func sealedHere(store *results.Store, host results.Machine) bool {
	machines, err := store.Machines()
	sameCPU := func(m *results.Machine) bool { return m.ID == host.ID && m.CPU == host.CPU }
	if err != nil || !slices.ContainsFunc(machines, sameCPU) {
		return false
	}
	sealed, _ := store.Sealed()
	return sealed
}

// twinsOf returns the cells of an older campaign that do the same as those of a scenario, by the
// IDs of the new cells.
func twinsOf(c, old *results.Campaign, scenario string) map[string]*results.Cell {
	twins := map[string]*results.Cell{}
	for i := range c.Cells {
		cell := &c.Cells[i]
		if cell.Scenario != scenario {
			continue
		}
		twin := results.Find(old.Cells, func(o *results.Cell) bool {
			same := o.Scenario == scenario && o.Variant == cell.Variant && o.Role == cell.Role
			return same && slices.Equal(o.Parameters, cell.Parameters)
		})
		if twin != nil {
			twins[cell.ID] = twin
		}
	}
	return twins
}

// variantsBeside counts the variants of a cell's level, whose intervals hold simultaneously.
func variantsBeside(c *results.Campaign, cell *results.Cell) int {
	n := 0
	for _, other := range c.Cells {
		if other.Role == results.RoleVariant && other.Scenario == cell.Scenario && other.Level() == cell.Level() {
			n++
		}
	}
	return n
}

// blockTime returns the time of a scenario's timing block, from the twins of its cells; 0 if a cell
// has no twin.
func blockTime(
	store *results.Store, c *results.Campaign, scenario string, twins map[string]*results.Cell,
) time.Duration {
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

// write prints a line for each variant.
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

// text gives the width of the interval of a variant's cost, the width after a minute, and the
// blocks needed for the wanted width.
func (f *forecast) text(v foreseen) string {
	d := analysis.Design{Blocks: f.blocks, Family: v.family, Pilot: f.pilot}
	var parts []string
	h := v.reach.HalfWidths(d)
	if f.blocks >= 2 {
		parts = append(parts, fmt.Sprintf("%s: about %s of its own mean",
			figure.Plural(f.blocks, "block", "blocks"), prose.PlusMinus(h.Ran, h.Standard)))
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
			parts = append(parts,
				fmt.Sprintf("rough: by single campaigns ± %s to ± %s", figure.Percent(low), figure.Percent(high)))
		} else if share := v.reach.OneBlock; share > mostOfOne {
			parts = append(parts, fmt.Sprintf("rough: %s of a campaign's spread is one block's", figure.Percent(share)))
		}
	}
	return strings.Join(parts, "; ")
}
