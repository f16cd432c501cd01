package doctor

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// Resolution is the approximate smallest overhead that a machine resolves in some time. It is as
// rough as the spread that it is computed from: a spread of ten pairs is known to within a factor
// of two.
type Resolution struct {
	WithinNS int64 `json:"within_ns"`
	// Blocks is the number of blocks, of BlockNS each, that fit into that time. A block of a
	// campaign with one variant has the baseline, its A/A, and the variant, which is assumed to
	// take as long as a baseline.
	Blocks  int   `json:"blocks"`
	BlockNS int64 `json:"block_ns"`
	// NS is the overhead per call, Share the same as a share of BaselineNS, the baseline's mean
	// time per call.
	NS         float64 `json:"ns"`
	Share      float64 `json:"share"`
	BaselineNS float64 `json:"baseline_ns"`
	// SDNS is the standard deviation of the difference between the two baselines of a block.
	SDNS float64 `json:"sd_ns"`
	// Costs holds the precision of the cost of the calibration's own probe. The JVMs of an agent
	// vary more.
	Costs []Cost `json:"costs,omitempty"`
}

// Cost is the half-width of the 95 % interval of a variant's cost after such blocks have run for
// some time.
type Cost struct {
	WithinNS int64 `json:"within_ns"`
	Blocks   int   `json:"blocks"`
	analysis.HalfWidths
}

// invocationsOfBlock is the number of invocations in a block with one variant.
const invocationsOfBlock = 3

func (r *Resolution) String() string {
	return fmt.Sprintf("in %s this machine resolves an overhead of about %s a call (%s of %s), "+
		"with 80 %% power: %s of %.2g s",
		Amount(time.Duration(r.WithinNS)), rounded(r.NS, 2), figure.Percent(r.Share), rounded(r.BaselineNS, 3),
		figure.Plural(r.Blocks, "block", "blocks"), time.Duration(r.BlockNS).Seconds())
}

// costs says how precisely costs are known; "" if that is unknown.
func (r *Resolution) costs() string {
	text := strings.Join(results.Each(r.Costs, func(c Cost) string {
		return fmt.Sprintf("%s in %s", prose.PlusMinus(c.Ran, c.Standard), Amount(time.Duration(c.WithinNS)))
	}), ", ")
	return prose.If(text != "", "what moobench's own probe costs is known to %s, as a share of the call; "+
		"JVMs of an agent differ by more: moobench run -n says by how much, once it was measured here", text)
}

// costsOf returns the precision for the campaign's first variant after a minute and after the given
// time; nil if it is unknown.
func costsOf(store *results.Store, block, within time.Duration) ([]Cost, error) {
	cells := store.Campaign().Cells
	i := slices.IndexFunc(cells, func(c results.Cell) bool { return c.Role == results.RoleVariant })
	reaches, err := analysis.Reaches(store)
	if err != nil || i < 0 || reaches[cells[i].ID] == nil {
		return nil, err
	}
	var costs []Cost
	for _, d := range slices.Compact([]time.Duration{min(time.Minute, within), within}) {
		if blocks := int(d / block); blocks >= 2 {
			h := reaches[cells[i].ID].HalfWidths(analysis.Design{Blocks: blocks, Family: 1})
			costs = append(costs, Cost{int64(d), blocks, h})
		}
	}
	return costs, nil
}

// rounded formats a time in ns with the few digits that are known.
func rounded(ns float64, digits int) string {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(ns, 'g', digits, 64), 64)
	return figure.Exactly(r, "ns")
}

// resolutionOf takes spread and mean from the answers; each is the time from one invocation of the
// baseline to the next.
func resolutionOf(a *analysis.Answers, each, within time.Duration) (r *Resolution, why string) {
	s := a.Scenarios[0]
	if len(s.AA) == 0 {
		return nil, "there is no A/A"
	}
	aa := s.AA[0]
	if aa.State != analysis.AAResolves {
		return nil, "the A/A " + aa.Text.String()
	}
	again := s.Cell(aa.Cell)
	d := again.MetricNamed(s.Primary)
	if d == nil || d.Difference == nil || d.Difference.SD == nil {
		return nil, "the two equal baselines gave no figures"
	}
	base := s.Cell(again.Baseline).MetricNamed(s.Primary)
	if base == nil || base.Mean == nil {
		return nil, "the baseline gave no figure"
	}
	r = &Resolution{
		WithinNS: int64(within), BlockNS: int64(each * invocationsOfBlock),
		BaselineNS: base.Mean.Value, SDNS: *d.Difference.SD,
	}
	if r.BlockNS <= 0 || !(r.BaselineNS > 0) {
		return nil, "the baselines took no time"
	}
	if r.Blocks = int(r.WithinNS / r.BlockNS); r.Blocks < 2 {
		return nil, fmt.Sprintf("two blocks are needed, and one takes %.2g s", time.Duration(r.BlockNS).Seconds())
	}
	var err error
	if r.NS, err = resolved(r.SDNS, r.Blocks); err != nil || r.NS == 0 {
		return nil, "the pairs of baselines don't vary"
	}
	r.Share = r.NS / r.BaselineNS
	return r, ""
}

// resolved returns the smallest true difference that a paired t test of n blocks, two-sided at
// 0.05, finds with a power of 0.8 if the differences of the pairs have the standard deviation sd.
// It is the δ with P(|T'| > t(n-1; 0.025)) = 0.8, where T' is noncentral t with n-1 degrees of
// freedom and noncentrality δ √n / sd. Source: Johnson and Welch 1940. Blocks are assumed to be
// independent.
func resolved(sd float64, n int) (float64, error) {
	const alpha, power = 0.05, 0.8
	return stats.Detectable(sd/math.Sqrt(float64(n)), float64(n-1), alpha, power, stats.TwoSided)
}

// lengthOfBaseline returns the mean time per baseline invocation, including moobench's work before
// the next one; 0 if there are no such invocations.
func lengthOfBaseline(c *results.Campaign, all []*results.Invocation) time.Duration {
	return analysis.Length(all, func(inv *results.Invocation) bool {
		cell := c.Cell(inv.Cell)
		return cell != nil && (cell.Role == results.RoleBaseline || cell.Role == results.RoleAA)
	})
}

// Amount formats a round time: "10 min", "1 h 30 min", "90 s".
func Amount(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d >= time.Hour && d%time.Minute == 0:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%g s", d.Seconds())
}
