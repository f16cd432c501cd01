package evidence

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/stats"
	"moobench/results"
)

// View is the evidence of one scenario of a campaign.
type View struct {
	Campaign *results.Campaign
	Scenario *results.Scenario
	Cells    []*results.Cell // of the scenario, those of the proof block left out
	// Primary is the metric that verdicts are about; without a name when there are no metrics.
	Primary results.Metric
	// ByCell are the invocations of the whole campaign, by the IDs of their cells.
	ByCell map[string][]*Invocation
	// Invalid says of cells, by ID, why no number of theirs counts.
	Invalid map[string]string
	// Broken says of cells, by ID, in what way their application did not do its work with the
	// agent, where numbers of theirs are shown all the same.
	Broken map[string]string
}

// ByCell sorts invocations by their cells' IDs.
func ByCell(all []Invocation) map[string][]*Invocation {
	found := map[string][]*Invocation{}
	for i := range all {
		found[all[i].Cell] = append(found[all[i].Cell], &all[i])
	}
	return found
}

// NewView is the evidence of a scenario before any of its cells is found to be invalid.
func NewView(c *results.Campaign, sc *results.Scenario, byCell map[string][]*Invocation) *View {
	v := &View{Campaign: c, Scenario: sc, Primary: primaryOf(sc), ByCell: byCell, Invalid: map[string]string{}, Broken: map[string]string{}}
	for i, cell := range c.Cells {
		if cell.Scenario == sc.Label && cell.Role != results.RoleProof {
			v.Cells = append(v.Cells, &c.Cells[i])
		}
	}
	return v
}

// Unordered says that the campaign has no blocks, and so no pairs.
func (v *View) Unordered() bool { return v.Campaign.Design == results.DesignUnordered }

// Profile is that of the primary metric.
func (v *View) Profile() results.Profile { return ProfileOf(v.Primary) }

// Metric finds a metric of the scenario by its name, which is "" when there is none.
func (v *View) Metric(name string) results.Metric {
	return *cmp.Or(results.Find(v.Scenario.Metrics, func(m *results.Metric) bool { return m.Name == name }), &results.Metric{})
}

// Succeeded are the invocations of a cell that gave numbers of a profile; invalid ones
// gave none.
func (v *View) Succeeded(cell string, p results.Profile) []*Invocation {
	return Select(v.ByCell[cell], func(e *Invocation) bool { return e.Profile == p && e.counts() })
}

// Primaries are those that gave numbers of the primary metric's profile.
func (v *View) Primaries(cell string) []*Invocation { return v.Succeeded(cell, v.Profile()) }

// Invalids are the invocations of a cell that succeeded but are excluded from every
// estimate.
func (v *View) Invalids(cell string, p results.Profile) []*Invocation {
	return Select(v.ByCell[cell], func(e *Invocation) bool { return e.Profile == p && e.Status == results.StatusOK && e.Invalid != "" })
}

// Voids are the invocations of a cell whose value of a metric does not count, though others do.
func (v *View) Voids(cell string, m results.Metric) []*Invocation {
	return Select(v.Succeeded(cell, ProfileOf(m)), func(e *Invocation) bool { return e.Void[m.Name] != "" })
}

// Select are the invocations that fit.
func Select(es []*Invocation, fits func(*Invocation) bool) []*Invocation {
	return slices.DeleteFunc(slices.Clone(es), func(e *Invocation) bool { return !fits(e) })
}

// Values are those of a metric in a cell.
func (v *View) Values(cell string, m results.Metric) Values {
	return valuesOf(v.Succeeded(cell, ProfileOf(m)), m.Name, func(e *Invocation) float64 { return e.Value(m.Name) })
}

// QuantileValues are the i-th quantile of the calls of each invocation of a cell.
func (v *View) QuantileValues(cell string, m results.Metric, i int) Values {
	return valuesOf(v.Succeeded(cell, ProfileOf(m)), quantileName(m.Name, i), func(e *Invocation) float64 {
		if qs := e.quantiles[m.Name]; len(qs) > i {
			return qs[i]
		}
		return math.NaN()
	})
}

// Without is the view without the invocations that others stand for. Its cells have to
// be judged again.
func (v *View) Without(repeated func(*Invocation) bool) *View {
	other := *v
	other.ByCell, other.Invalid, other.Broken = map[string][]*Invocation{}, map[string]string{}, map[string]string{}
	for cell, es := range v.ByCell {
		other.ByCell[cell] = Select(es, func(e *Invocation) bool { return !repeated(e) })
	}
	return &other
}

// Value is one invocation's value of a metric.
type Value struct {
	Block int
	X     float64
	// host is where it was measured, an index of All.Hosts, and turn its place in time among what
	// was measured there: in a campaign of one host, its block.
	host, turn int
	lane       int // 0 where the machine measured nothing else at once
	inTurn     results.Turn
	// Carried says how X came from what was measured.
	Carried Carried
	// Sensitivities say how X hangs on elasticities that are not known exactly.
	Sensitivities []stats.Sensitivity
}

// Values are those of the invocations of one cell.
type Values []Value

// ValuesOf are the figures of invocations, of those that have a finite one.
func ValuesOf(es []*Invocation, figure func(*Invocation) float64) Values {
	return valuesOf(es, "", figure)
}

// valuesOf are the figures with how they were carried, by the name that they are carried
// under.
func valuesOf(es []*Invocation, name string, figure func(*Invocation) float64) Values {
	var vs Values
	for _, e := range es {
		if x := figure(e); stats.Finite(x) {
			c := e.carried[name]
			vs = append(vs, Value{Block: e.Block, host: e.Host, turn: e.turn, lane: e.Lane, inTurn: e.inTurn, X: x, Carried: c, Sensitivities: c.sensitivity()})
		}
	}
	return vs
}

// Sensitivities are those of the values.
func (vs Values) Sensitivities() [][]stats.Sensitivity {
	return results.Each(vs, func(v Value) []stats.Sensitivity { return v.Sensitivities })
}

// Hosts are the numbers of the hosts that the values were measured on; nil where that is one.
func (vs Values) Hosts() []int {
	hosts := results.Each(vs, func(v Value) int { return v.host })
	if len(hosts) == 0 || slices.Max(hosts) == slices.Min(hosts) {
		return nil
	}
	return hosts
}

// InLanes says whether lanes of one machine measured the values: there are no others.
func (vs Values) InLanes() bool { return len(vs) > 0 && vs[0].lane > 0 }

// InLane are the values of one lane.
func (vs Values) InLane(lane int) Values {
	return slices.DeleteFunc(slices.Clone(vs), func(v Value) bool { return v.lane != lane })
}

// Beside are the values that were measured while so many other lanes did.
func (vs Values) Beside(others int) Values {
	return slices.DeleteFunc(slices.Clone(vs), func(v Value) bool { return v.inTurn.Others != others })
}

// ByTurn are the values of each turn of the lanes, in order of time.
func (vs Values) ByTurn() []Values {
	sorted := slices.SortedStableFunc(slices.Values(vs), func(a, b Value) int { return cmp.Compare(a.inTurn.Number, b.inTurn.Number) })
	var turns []Values
	for _, turn := range stats.Grouped(sorted, func(v Value) int64 { return v.inTurn.Number }) {
		turns = append(turns, turn)
	}
	return turns
}

// Lane is the one that measured the value, from 1.
func (v Value) Lane() int { return v.lane }

// Carried says whether the values were carried to one speed of the CPU, all of them.
func (vs Values) Carried() bool {
	return len(vs) > 0 && !slices.ContainsFunc(vs, func(v Value) bool { return v.Carried.Law == nil })
}

// Stepped says that values which were carried were measured as one number, most of them: the clock
// shows them in steps.
func (vs Values) Stepped() bool {
	if !vs.Carried() {
		return false
	}
	times := map[float64]int{}
	for _, v := range vs {
		times[v.Carried.Measured]++
	}
	return 2*slices.Max(slices.Collect(maps.Values(times))) > len(vs)
}

// Speed is how long the reference took beside the values, their geometric mean, and how long
// it takes at the speed that they were carried to, in ns; 0 where they were not carried.
func (vs Values) Speed() (beside, at float64) {
	if !vs.Carried() {
		return 0, 0
	}
	speed, _ := stats.Mean(results.Each(vs, func(v Value) float64 { return v.Carried.Speed })) // of one or more
	to, _ := stats.Mean(results.Each(vs, func(v Value) float64 { return v.Carried.To }))
	return math.Exp(speed), math.Exp(to)
}

// At are the values at another speed, whose logarithm is given; those that were not carried
// stay as they are.
func (vs Values) At(speed float64) Values {
	return vs.recarried(func(c *Carried) { c.To = speed })
}

// Under are the values by another law of the same program; those that were not carried stay
// as they are.
func (vs Values) Under(law *Law) Values {
	return vs.recarried(func(c *Carried) { c.Law = law })
}

// recarried are the values carried anew after a change of how; those that were not carried
// stay as they are.
func (vs Values) recarried(change func(*Carried)) Values {
	others := slices.Clone(vs)
	for i := range others {
		if v := &others[i]; v.Carried.Law != nil {
			change(&v.Carried)
			v.X, v.Sensitivities = v.Carried.value(), v.Carried.sensitivity()
		}
	}
	return others
}

// Logarithms are the logarithms of the values; a value that has none is left out.
func (vs Values) Logarithms() Values {
	var others Values
	for _, v := range vs {
		if !(v.X > 0) {
			continue
		}
		relative := results.Each(v.Sensitivities, func(s stats.Sensitivity) stats.Sensitivity {
			return stats.Sensitivity{On: s.On, By: s.By / v.X}
		})
		v.X, v.Carried, v.Sensitivities = math.Log(v.X), Carried{}, relative
		others = append(others, v)
	}
	return others
}

// Measured are the values as they were measured.
func (vs Values) Measured() Values {
	others := slices.Clone(vs)
	for i := range others {
		if v := &others[i]; v.Carried.Law != nil {
			v.X, v.Carried, v.Sensitivities = v.Carried.Measured, Carried{}, nil
		}
	}
	return others
}

// Numbers are the values without their blocks.
func (vs Values) Numbers() []float64 {
	xs := make([]float64, len(vs))
	for i, v := range vs {
		xs[i] = v.X
	}
	return xs
}

// Pairs are values of two cells, X[i] and Y[i] of one block, by host and in order of time.
type Pairs struct {
	Blocks        []int
	X, Y          []float64
	First, Second Values // X and Y with how they were carried
}

// PairsOf are the values of both that share a block.
func PairsOf(a, b Values) Pairs {
	others := map[int]Value{}
	for _, v := range b {
		others[v.Block] = v
	}
	var ps Pairs
	for _, v := range slices.SortedStableFunc(slices.Values(a), func(v, w Value) int {
		return cmp.Or(cmp.Compare(v.host, w.host), cmp.Compare(v.turn, w.turn))
	}) {
		if y, ok := others[v.Block]; ok {
			ps.Blocks, ps.X, ps.Y = append(ps.Blocks, v.Block), append(ps.X, v.X), append(ps.Y, y.X)
			ps.First, ps.Second = append(ps.First, v), append(ps.Second, y)
		}
	}
	return ps
}

// Differences are all X - Y.
func (ps Pairs) Differences() []float64 {
	var ds []float64
	for i, x := range ps.X {
		ds = append(ds, x-ps.Y[i])
	}
	return ds
}

// Sensitivities are those of the i-th difference, times a factor.
func (ps Pairs) Sensitivities(i int, factor float64) []stats.Sensitivity {
	var all []stats.Sensitivity
	for _, s := range ps.First[i].Sensitivities {
		all = append(all, stats.Sensitivity{On: s.On, By: factor * s.By})
	}
	for _, s := range ps.Second[i].Sensitivities {
		all = append(all, stats.Sensitivity{On: s.On, By: -factor * s.By})
	}
	return all
}

// Before is how many pairs are of blocks with a lower number.
func (ps Pairs) Before(block int) int {
	n, _ := slices.BinarySearch(ps.Blocks, block)
	return n
}

// CPUs are the smallest and the largest number of CPUs that invocations had; 0 when
// it is not known.
func CPUs(es []*Invocation) (fewest, most int) {
	for _, e := range es {
		if c := e.CPUCount(); c > 0 {
			fewest, most = min(cmp.Or(fewest, c), c), max(most, c)
		}
	}
	return fewest, most
}

// CPUCount counts the CPUs of a list such as 0,2-3 that the subject had; 0 when they
// are not known.
func (e *Invocation) CPUCount() int {
	n := 0
	for part := range strings.SplitSeq(e.CPUs, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		a, errA := strconv.Atoi(first)
		b, errB := strconv.Atoi(last)
		if errA != nil || errB != nil || b < a {
			return 0
		}
		n += b - a + 1
	}
	return n
}
