package nightly

import (
	"fmt"
	"strings"
	"testing"

	"moobench/analysis/history"
	"moobench/refusal"
)

// TestSeriesThatThereAre: where none has a name, a dozen are named that there are, and where there are more it is
// said.
func TestSeriesThatThereAre(t *testing.T) {
	for n, more := range map[int]bool{1: false, 12: false, 13: true} {
		f := &history.Findings{}
		for i := range n {
			key := history.Key{Scenario: "s", Metric: "m", Cell: fmt.Sprintf("c%02d", i)}
			f.Series = append(f.Series, history.Series{Key: key}, history.Series{Key: key})
		}
		_, err := Choose(f, []string{"*", "none", "other"})
		if err == nil || !strings.Contains(err.Error(), `no series is called "none"`) ||
			!strings.Contains(err.Error(), `no series is called "other"`) {
			t.Errorf("%v", err)
		}
		hint := refusal.Do(err)
		if got := strings.Contains(hint, "… (moobench history show lists all)"); got != more ||
			strings.Count(hint, "s/m/c") != min(n, 12) {
			t.Errorf("of %d: %s", n, hint)
		}
		chosen, err := Choose(f, []string{"c00", "*/c00"})
		if err != nil || len(chosen) != 2 {
			t.Errorf("%v, %v", chosen, err)
		}
	}
}

// TestMovesThatCannotBe: a machine is moved to another one, and only where the history has both.
func TestMovesThatCannotBe(t *testing.T) {
	file := written(t, nightsOf("a", 0, 0)...)
	for _, c := range []struct {
		from, to string
		want     string
	}{
		{"m1", "m1", "--from and --to name the same machine, m1"},
		{"m1", "m9", `--to: the history has no night of a machine "m9"`},
		{"m9", "m1", `--from: the history has no night of a machine "m9"`},
	} {
		var b strings.Builder
		err := Moving{History: file, From: c.from, To: c.to}.Move(&b, firstNight)
		if err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("%s to %s: %v, %s", c.from, c.to, err, b.String())
		}
	}
}
