package simulation

import "moobench/analysis/stats"

// rival is another way to judge: it alarms after a night, from the raw values up
// to it.
type rival struct {
	name  string
	alarm func(raw []float64) bool
}

var rivals = []rival{
	{"ratio 1.05 to the night before", aboveLast(1.05)},
	{"ratio 2.00 to the night before", aboveLast(2)},
	{"t test, last night against 30", plainT(1, 30)},
	{"t test, last five against 25", plainT(5, 25)},
}

// aboveLast is the rule of tools that compare with the run before, by a fixed
// ratio.
func aboveLast(limit float64) func([]float64) bool {
	return func(raw []float64) bool {
		n := len(raw)
		return n > 1 && raw[n-1] > limit*raw[n-2]
	}
}

// plainT takes the last nights for independent of those before, and tests at 5 %.
func plainT(last, before int) func([]float64) bool {
	return func(raw []float64) bool {
		n := len(raw)
		if n < last+before {
			return false
		}
		x, y := raw[n-last:], raw[n-last-before:n-last]
		e, err := stats.WelchDifference(x, y, 0.95)
		if last == 1 {
			var earlier stats.Earlier
			if earlier, err = stats.EarlierOf(y, make([]float64, len(y))); err == nil {
				e, err = stats.Against(x, []float64{0}, 0, earlier, 0.95)
			}
		}
		return err == nil && e.Test != nil && e.Value > 0 && e.Test.P < 0.05
	}
}

// raw are the raw values of a series up to a night.
func (k *keeper) raw(s, tonight int) []float64 {
	var xs []float64
	for _, n := range k.series[s][max(0, tonight-40) : tonight+1] {
		xs = append(xs, n.raw)
	}
	return xs
}
