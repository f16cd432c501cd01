package stats

import (
	"fmt"
	"math"
)

// Unseen is the largest share of JVMs that a mode may have without showing up among n
// of them: a mode with a larger share is missed with a probability below alpha. It is
// the exact upper bound of a proportion observed as 0 of n, the p that solves
// (1-p)^n = alpha: 1 - alpha^(1/n). With alpha 0.05 it is 0.26 for ten, 0.14 for
// twenty, 0.095 for thirty; "the rule of three" says 3/n. ErrTooFew below one,
// ErrLevel if alpha is not between 0 and 1.
// Sources: Clopper and Pearson 1934; Hanley and Lippman-Hand 1983.
func Unseen(n int, alpha float64) (share float64, err error) {
	if n < 1 {
		return 0, fmt.Errorf("unseen mode: %w: %d", ErrTooFew, n)
	}
	if err := checkLevel(alpha); err != nil {
		return 0, fmt.Errorf("unseen mode: %w", err)
	}
	return -math.Expm1(math.Log(alpha) / float64(n)), nil
}
