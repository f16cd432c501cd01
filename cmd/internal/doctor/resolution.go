package doctor

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
)

// Resolution is about the smallest overhead that a machine shows within some
// time. It is as rough as the spread that it comes from: that of ten pairs is
// known to within a factor of two.
type Resolution struct {
	WithinNS int64 `json:"within_ns"`
	// Blocks of BlockNS each fit into that time. A block is that of a campaign
	// of one variant: the baseline, its A/A, and the variant, taken to be as
	// long as a baseline.
	Blocks  int   `json:"blocks"`
	BlockNS int64 `json:"block_ns"`
	// NS is the overhead per call, Share the same as a share of BaselineNS, the
	// mean of a call of the baseline.
	NS         float64 `json:"ns"`
	Share      float64 `json:"share"`
	BaselineNS float64 `json:"baseline_ns"`
	// SDNS is the standard deviation of what the two baselines of a block
	// differ by.
	SDNS float64 `json:"sd_ns"`
}

// invocationsOfBlock is how many a block has with one variant.
const invocationsOfBlock = 3

func (r *Resolution) String() string {
	return fmt.Sprintf("in %s this machine resolves an overhead of about %s a call (%s of %s), with 80 %% power: %s of %.2g s",
		Amount(time.Duration(r.WithinNS)), rounded(r.NS, 2), figure.Percent(r.Share), rounded(r.BaselineNS, 3),
		figure.Plural(r.Blocks, "block", "blocks"), time.Duration(r.BlockNS).Seconds())
}

// rounded is a time in ns with a few digits: no more of them are known.
func rounded(ns float64, digits int) string {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(ns, 'g', digits, 64), 64)
	return figure.Exactly(r, "ns")
}

// resolutionOf takes spread and mean from the answers; each is how long an
// invocation of the baseline takes with all that belongs to it.
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
	r = &Resolution{WithinNS: int64(within), BlockNS: int64(each * invocationsOfBlock), BaselineNS: base.Mean.Value, SDNS: *d.Difference.SD}
	if r.BlockNS <= 0 || !(r.BaselineNS > 0) {
		return nil, "the baselines took no time"
	}
	if r.Blocks = int(r.WithinNS / r.BlockNS); r.Blocks < 2 {
		return nil, fmt.Sprintf("two blocks are the least, and one takes %.2g s", time.Duration(r.BlockNS).Seconds())
	}
	var err error
	if r.NS, err = resolved(r.SDNS, r.Blocks); err != nil || r.NS == 0 {
		return nil, "the pairs of baselines don't vary"
	}
	r.Share = r.NS / r.BaselineNS
	return r, ""
}

// resolved is the smallest true difference that a paired t test of n blocks,
// two-sided at 0.05, finds with a power of 0.8 when what the pairs differ by
// has the standard deviation sd: δ with P(|T'| > t(n-1; 0.025)) = 0.8, where T'
// is noncentral t with n-1 degrees of freedom around δ √n / sd. Source: Johnson
// and Welch 1940. Blocks are taken to be independent.
func resolved(sd float64, n int) (float64, error) {
	const alpha, power = 0.05, 0.8
	return stats.Detectable(sd/math.Sqrt(float64(n)), float64(n-1), alpha, power, stats.TwoSided)
}

// lengthOfBaseline is the mean time from the start of a baseline's invocation to the
// start of the next one, so that what moobench does in between is in it; for the last one
// of a session, to its end. 0 means that there is none.
func lengthOfBaseline(c *results.Campaign, all []*results.Invocation) time.Duration {
	all = slices.SortedFunc(slices.Values(all), func(a, b *results.Invocation) int { return a.Start.Compare(b.Start) })
	var sum time.Duration
	n := 0
	for i, inv := range all {
		cell := c.Cell(inv.Cell)
		if inv.Status != results.StatusOK || cell == nil || cell.Role != results.RoleBaseline && cell.Role != results.RoleAA {
			continue
		}
		end := inv.End
		if i+1 < len(all) && all[i+1].Session == inv.Session {
			end = all[i+1].Start
		}
		sum += end.Sub(inv.Start)
		n++
	}
	return sum / time.Duration(cmp.Or(n, 1))
}

// Amount writes a chosen time: "10 min", "1 h 30 min", "90 s".
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
