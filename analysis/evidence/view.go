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
	Cells    []*results.Cell // of the scenario, without the proof block's
	// Primary is the metric of the verdicts; the zero Metric if there are no metrics.
	Primary results.Metric
	// ByCell holds the invocations of the whole campaign, by cell ID.
	ByCell map[string][]*Invocation
	// Invalid says why a cell's numbers don't count, by cell ID.
	Invalid map[string]string
	// Broken says in what way a cell's application failed to do its work with the agent, by cell
	// ID, if its numbers are shown all the same.
	Broken map[string]string
}

// ByCell groups invocations by cell ID.
func ByCell(all []Invocation) map[string][]*Invocation {
	found := map[string][]*Invocation{}
	for i := range all {
		found[all[i].Cell] = append(found[all[i].Cell], &all[i])
	}
	return found
}

// NewView returns the evidence of a scenario, with no cell marked invalid yet.
func NewView(c *results.Campaign, sc *results.Scenario, byCell map[string][]*Invocation) *View {
	v := &View{
		Campaign: c, Scenario: sc, Primary: primaryOf(sc), ByCell: byCell,
		Invalid: map[string]string{}, Broken: map[string]string{},
	}
	for i, cell := range c.Cells {
		if cell.Scenario == sc.Label && cell.Role != results.RoleProof {
			v.Cells = append(v.Cells, &c.Cells[i])
		}
	}
	return v
}

// Unordered reports whether the campaign has no blocks, and so no pairs.
func (v *View) Unordered() bool { return v.Campaign.Design == results.DesignUnordered }

// Profile returns the profile of the primary metric.
func (v *View) Profile() results.Profile { return ProfileOf(v.Primary) }

// Metric finds a metric of the scenario by name; the zero Metric if not found.
func (v *View) Metric(name string) results.Metric {
	found := results.Find(v.Scenario.Metrics, func(m *results.Metric) bool { return m.Name == name })
	return *cmp.Or(found, &results.Metric{})
}

// Succeeded returns the invocations of a cell with numbers of a profile; invalid ones don't count.
func (v *View) Succeeded(cell string, p results.Profile) []*Invocation {
	return Select(v.ByCell[cell], func(e *Invocation) bool { return e.Profile == p && e.counts() })
}

// Primaries returns the invocations of a cell with numbers of the primary metric's profile.
func (v *View) Primaries(cell string) []*Invocation { return v.Succeeded(cell, v.Profile()) }

// Invalids returns the invocations of a cell that succeeded but are excluded from every estimate.
func (v *View) Invalids(cell string, p results.Profile) []*Invocation {
	return Select(v.ByCell[cell], func(e *Invocation) bool {
		return e.Profile == p && e.Status == results.StatusOK && e.Invalid != ""
	})
}

// Voids returns the invocations of a cell whose value of this metric does not count, though others
// do.
func (v *View) Voids(cell string, m results.Metric) []*Invocation {
	return Select(v.Succeeded(cell, ProfileOf(m)), func(e *Invocation) bool { return e.Void[m.Name] != "" })
}

// Select returns the invocations that fit.
func Select(es []*Invocation, fits func(*Invocation) bool) []*Invocation {
	return slices.DeleteFunc(slices.Clone(es), func(e *Invocation) bool { return !fits(e) })
}

// Values returns the values of a metric in a cell.
func (v *View) Values(cell string, m results.Metric) Values {
	return valuesOf(v.Succeeded(cell, ProfileOf(m)), m.Name, func(e *Invocation) float64 { return e.Value(m.Name) })
}

// QuantileValues returns the i-th of Quantiles of the calls of each invocation of a cell.
func (v *View) QuantileValues(cell string, m results.Metric, i int) Values {
	return valuesOf(v.Succeeded(cell, ProfileOf(m)), quantileName(m.Name, i), func(e *Invocation) float64 {
		if qs := e.quantiles[m.Name]; len(qs) > i {
			return qs[i]
		}
		return math.NaN()
	})
}

// Without returns the view without the invocations that are repeats. Its cells have to be judged
// again.
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
	// host is an index of All.Hosts, and turn the position in time there; in a campaign of one
	// host, its block.
	host, turn int
	lane       int // 0 if the machine measured one thing at a time
	inTurn     results.Turn
	// Carried says how X was carried from the measured value.
	Carried Carried
	// Sensitivities are the derivatives of X with respect to estimated elasticities.
	Sensitivities []stats.Sensitivity
}

// Values are the values of one cell's invocations.
type Values []Value

// ValuesOf returns the finite figures of invocations.
func ValuesOf(es []*Invocation, figure func(*Invocation) float64) Values {
	return valuesOf(es, "", figure)
}

// valuesOf returns the finite figures, with their Carried, stored under the given name.
func valuesOf(es []*Invocation, name string, figure func(*Invocation) float64) Values {
	var vs Values
	for _, e := range es {
		if x := figure(e); stats.Finite(x) {
			c := e.carried[name]
			vs = append(vs, Value{
				Block: e.Block, host: e.Host, turn: e.turn, lane: e.Lane, inTurn: e.inTurn,
				X: x, Carried: c, Sensitivities: c.sensitivity(),
			})
		}
	}
	return vs
}

// Sensitivities returns the sensitivities of each value.
func (vs Values) Sensitivities() [][]stats.Sensitivity {
	return results.Each(vs, func(v Value) []stats.Sensitivity { return v.Sensitivities })
}

// Hosts returns the host of each value; nil if all share one.
func (vs Values) Hosts() []int {
	hosts := results.Each(vs, func(v Value) int { return v.host })
	if len(hosts) == 0 || slices.Max(hosts) == slices.Min(hosts) {
		return nil
	}
	return hosts
}

// InLanes reports whether lanes of one machine measured the values: all or none do.
func (vs Values) InLanes() bool { return len(vs) > 0 && vs[0].lane > 0 }

// InLane returns the values of one lane.
func (vs Values) InLane(lane int) Values {
	return slices.DeleteFunc(slices.Clone(vs), func(v Value) bool { return v.lane != lane })
}

// Beside returns the values measured while the given number of other lanes measured.
func (vs Values) Beside(others int) Values {
	return slices.DeleteFunc(slices.Clone(vs), func(v Value) bool { return v.inTurn.Others != others })
}

// ByTurn returns the values of each turn of the lanes, in order of time.
func (vs Values) ByTurn() []Values {
	byTurn := func(a, b Value) int { return cmp.Compare(a.inTurn.Number, b.inTurn.Number) }
	sorted := slices.SortedStableFunc(slices.Values(vs), byTurn)
	var turns []Values
	for _, turn := range stats.Grouped(sorted, func(v Value) int64 { return v.inTurn.Number }) {
		turns = append(turns, turn)
	}
	return turns
}

// Lane returns the lane that measured the value, from 1.
func (v Value) Lane() int { return v.lane }

// Carried reports whether all values were carried to one CPU speed.
func (vs Values) Carried() bool {
	return len(vs) > 0 && !slices.ContainsFunc(vs, func(v Value) bool { return v.Carried.Law == nil })
}

// Stepped reports whether most of the carried values had one measured value: the clock is too
// coarse.
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

// Speed returns the geometric mean of the reference's times beside the values, and its time at the
// speed they were carried to, in ns; 0 if not carried.
func (vs Values) Speed() (beside, at float64) {
	if !vs.Carried() {
		return 0, 0
	}
	speed, _ := stats.Mean(results.Each(vs, func(v Value) float64 { return v.Carried.Speed })) // no error: not empty
	to, _ := stats.Mean(results.Each(vs, func(v Value) float64 { return v.Carried.To }))
	return math.Exp(speed), math.Exp(to)
}

// At returns the values carried to another speed, given by its logarithm; values not carried stay
// as they are.
func (vs Values) At(speed float64) Values {
	return vs.recarried(func(c *Carried) { c.To = speed })
}

// Under returns the values carried by another law of the same program; values not carried stay as
// they are.
func (vs Values) Under(law *Law) Values {
	return vs.recarried(func(c *Carried) { c.Law = law })
}

// recarried returns the values carried again after a change; values not carried stay as they are.
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

// Logarithms returns the logarithms of the positive values.
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

// Measured returns the values as measured.
func (vs Values) Measured() Values {
	others := slices.Clone(vs)
	for i := range others {
		if v := &others[i]; v.Carried.Law != nil {
			v.X, v.Carried, v.Sensitivities = v.Carried.Measured, Carried{}, nil
		}
	}
	return others
}

// Numbers returns the values without their blocks.
func (vs Values) Numbers() []float64 {
	xs := make([]float64, len(vs))
	for i, v := range vs {
		xs[i] = v.X
	}
	return xs
}

// Pairs are the values of two cells in the same blocks, X[i] and Y[i], by host and in order of
// time.
type Pairs struct {
	Blocks        []int
	X, Y          []float64
	First, Second Values // X and Y, with their Carried
}

// PairsOf pairs the values of the blocks that both have.
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

// Differences returns all X - Y.
func (ps Pairs) Differences() []float64 {
	var ds []float64
	for i, x := range ps.X {
		ds = append(ds, x-ps.Y[i])
	}
	return ds
}

// Sensitivities returns the sensitivities of the i-th difference, times a factor.
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

// Before returns the number of pairs from blocks with a lower number.
func (ps Pairs) Before(block int) int {
	n, _ := slices.BinarySearch(ps.Blocks, block)
	return n
}

// CPUs returns the smallest and the largest number of CPUs of the invocations; 0 if not known.
func CPUs(es []*Invocation) (fewest, most int) {
	for _, e := range es {
		if c := e.CPUCount(); c > 0 {
			fewest, most = min(cmp.Or(fewest, c), c), max(most, c)
		}
	}
	return fewest, most
}

// CPUCount counts the CPUs in the subject's list, such as 0,2-3; 0 if not known.
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
