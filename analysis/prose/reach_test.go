package prose

import (
	"fmt"
	"testing"
)

func TestTakes(t *testing.T) {
	minutes := func(blocks int) string { return fmt.Sprintf("%d min", blocks/10) }
	unknown := func(int) string { return "" }
	for _, c := range []struct {
		ran, standard int
		hasStandard   bool
		took          func(int) string
		want          string
	}{
		{50, 50, true, minutes, "± 1 % in 5 min (50 blocks)"},
		{50, 0, false, minutes, "± 1 % in 5 min (50 blocks)"},
		{50, 80, true, minutes, "± 1 % in 5 min (50 blocks), at standard speed in 8 min (80 blocks)"},
		{50, 80, true, unknown, "± 1 % with 50 blocks, at standard speed with 80 blocks"},
		{50, 0, true, minutes, "± 1 % in 5 min (50 blocks), which no number of blocks reaches at standard speed"},
		{0, 0, true, minutes, "no number of blocks reaches ± 1 %"},
	} {
		if got := Takes(0.01, c.ran, c.standard, c.hasStandard, c.took); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestPlusMinus(t *testing.T) {
	for want, c := range map[string][2]float64{
		"± 2.9 %": {0.0291, 0}, "± 2.9 % (± 3.1 % at standard speed)": {0.0291, 0.0312}, "± 0.4 %": {0.0042, 0.0043},
	} {
		if got := PlusMinus(c[0], c[1]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
