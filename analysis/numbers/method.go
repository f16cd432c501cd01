package numbers

import (
	"fmt"
)

// method names the test.
func (o Options) method() string {
	unpaired := map[bool]string{true: "paired", false: "unpaired (Welch)"}[o.Paired]
	switch o.Kind {
	case Student:
		return "Student's t test with pooled variance"
	case Welch:
		return "Welch's t test"
	case Paired:
		return "paired t test"
	case MannWhitney:
		return "Mann-Whitney test"
	case SignedRank:
		return "Wilcoxon's signed-rank test"
	case Sign:
		return "sign test"
	case TOST:
		if o.Margin.Relative {
			return "two one-sided paired t tests of the log ratio"
		}
		return "two one-sided t tests, " + unpaired
	case Fieller:
		return "ratio of means with Fieller's interval, " + unpaired
	case LogRatio:
		return "t test of the log ratio, " + unpaired
	case Poisson:
		return "exact conditional test of two Poisson rates"
	}
	return fmt.Sprintf("unknown kind %q", string(o.Kind))
}
