package replication

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// fewestBlocks is the least number of blocks for a sensible interval.
const fewestBlocks = 3

// Section is a [[scenario]] of a benchmarks.toml: keys, with the values that TOML decodes.
type Section interface {
	Keys() []string
	Value(key string) any
	Set(key string, value any)
}

// Shorten makes the scenarios of a paper's campaign shorter: it multiplies their blocks, and the parameters
// that the paper names, by scale, which is above 0 and at most 1; lists element by element. A parameter that the
// paper names and no scenario sets is an error.
func (p *Paper) Shorten(scenarios []Section, scale float64) error {
	if !(scale > 0 && scale <= 1) {
		return fmt.Errorf("a scale of %v: it must be above 0 and at most 1", scale)
	}
	used := make([]bool, len(p.Short))
	for _, s := range scenarios {
		label, _ := cmp.Or(s.Value("label"), s.Value("use")).(string)
		for _, key := range s.Keys() {
			least, wanted := strconv.Itoa(fewestBlocks), key == "blocks"
			for j, short := range p.Short {
				if short.Parameter == key && (short.Scenario == "" || short.Scenario == label) {
					least, wanted, used[j] = short.Least, true, true
				}
			}
			if !wanted {
				continue
			}
			value, err := shorter(s.Value(key), least, scale)
			if err != nil {
				return fmt.Errorf("shortening %s of scenario %q: %w", key, label, err)
			}
			s.Set(key, value)
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return fmt.Errorf("shortening: benchmarks.toml does not set %s of scenario %q",
			p.Short[i].Parameter, p.Short[i].Scenario)
	}
	return nil
}

// shorter multiplies a value by scale, but not below least; a value that is below least already stays.
func shorter(value any, least string, scale float64) (any, error) {
	if list, ok := value.([]any); ok {
		short := make([]any, len(list))
		for i := range list {
			var err error
			if short[i], err = shorter(list[i], least, scale); err != nil {
				return nil, err
			}
		}
		return short, nil
	}
	v, err := parseAmount(fmt.Sprint(value))
	low, errLow := parseAmount(least)
	switch err := cmp.Or(err, errLow); {
	case err != nil:
		return nil, err
	case v.time != low.time:
		return nil, fmt.Errorf("%v and its least, %s: one is a time", value, least)
	}
	x := max(int64(math.Round(float64(v.n)*scale)), min(v.n, low.n))
	if v.time {
		return time.Duration(x).Round(time.Millisecond).String(), nil
	}
	return x, nil
}

// amount is a whole number, or a time in ns.
type amount struct {
	n    int64
	time bool
}

func parseAmount(text string) (amount, error) {
	if n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64); err == nil && n >= 0 {
		return amount{n: n}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return amount{}, fmt.Errorf("%q is not a whole number and no time", text)
	}
	return amount{int64(d), true}, nil
}
