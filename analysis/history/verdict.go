package history

import (
	"math"

	"moobench/analysis/stats"
)

const (
	// ConfirmAlpha is the chance that measuring again confirms a change that is
	// none, both directions together.
	ConfirmAlpha = 0.01
	// confirmPower is the chance with which it settles an alarm that is what it
	// seems, or nothing.
	confirmPower = 0.9
	// LeastChange is the least change worth a word unless a check is told
	// otherwise, as a share: 0.03 is 3 %.
	LeastChange = defaultLeast

	usualBlocks = 15
	leastBlocks = 10
	mostBlocks  = 40
)

// ConfirmBlocks is how many blocks settle an alarm nine times in ten, be it what
// it seems or nothing: a paired t test at ConfirmAlpha must find half of the
// alarm's change of the logarithm, when log(new/old) has the standard deviation
// sd between blocks. It is 10 at least, because the A/A needs some, and 40 at
// most; enough is false when more would be needed, or when sd is not known and
// 15 is only the usual number. It is the normal approximation with the correction of
// Guenther 1981, ((z(alpha/2) + z(beta)) sd/delta)² + z(alpha/2)²/2.
func ConfirmBlocks(alarm, sd float64) (blocks int, enough bool) {
	if !(sd > 0) || alarm == 0 || math.IsInf(sd, 0) || math.IsNaN(alarm) {
		return usualBlocks, false
	}
	z := stats.NormalQuantile(ConfirmAlpha / 2)
	ratio := (z + stats.NormalQuantile(1-confirmPower)) * sd / (math.Abs(alarm) / 2)
	n := math.Ceil(ratio*ratio + z*z/2)
	if !(n <= mostBlocks) {
		return mostBlocks, false
	}
	return max(int(n), leastBlocks), true
}

// BlockSD is the standard deviation between blocks of log(cell/reference), from
// the standard errors of some nights; 0 when none says. That of log(new/old) in
// the same blocks is about the same: each is the difference of two invocations'
// logarithms, from which the block's own part has gone.
func BlockSD(nights ...Night) float64 {
	sum, n := 0.0, 0.0
	for _, night := range nights {
		if night.N > 1 && night.SE > 0 {
			sum += night.SE * night.SE * float64(night.N)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(sum / n)
}
