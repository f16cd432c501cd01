package report

import (
	"bytes"
	"strings"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// A variant that takes exactly what the baseline takes adds 0 ns, in every format of words:
// no zero has decimals that nobody measured.
func TestAddsNothing(t *testing.T) {
	s := testcampaign.Small()
	baseline := map[int]*results.Invocation{} // by block
	for _, inv := range s.Runs {
		if inv.Cell == "c00" {
			baseline[inv.Block] = inv
		}
	}
	for _, inv := range s.Runs {
		if same := baseline[inv.Block]; inv.Cell == "c05" {
			s.Summaries[inv.Identity], inv.Scalars = s.Summaries[same.Identity], same.Scalars
		}
	}
	a := analyse(t, s)
	for format, want := range map[string]string{
		"text":     "probe/bci/disabled         0 ns        0 … 0    561 ns",
		"markdown": "| probe/bci/disabled | 0 ns | 0 … 0 |",
		"comment":  "| probe/bci/disabled | 0 ns (0 … 0) |",
		"latex":    `probe/bci/disabled & 0 ns & 0 \ldots{} 0 &`,
		"svg":      "probe/bci/disabled: 0 ns (0 … 0)",
		"junit":    "equivalent within every margin: the values of probe/bci/disabled and none are the same",
		"html":     "probe/bci/disabled: 0 ns (0 … 0)",
	} {
		var b bytes.Buffer
		if err := Write(&b, format, a, Options{All: true, Width: 140}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s has no %q", format, want)
		}
		for _, zero := range []string{"0.0 ns", "0.00 ns", "0.000 ns", "(0.000 … 0.000)", "0.000 B"} {
			if strings.Contains(b.String(), " "+zero) {
				t.Errorf("%s says %s", format, zero)
			}
		}
	}
}
