package report

import (
	"bytes"
	"strings"
	"testing"

	"moobench/analysis/history"
)

func TestRare(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1e-7: "< 0.0001", 0.0061226: "0.0061", 0.0996: "0.10", 0.996: "1.0", 9.96: "10", 0.5: "0.50", 2.21: "2.2", 17.15: "17", 123.4: "123",
	} {
		if got := rare(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}

// rehearsalOf has two series; the second one can't be re-measured where that is said.
func rehearsalOf(remeasured bool) *history.Rehearsal {
	blocks := func(n int, x float64) history.RehearsedBlocks {
		return history.RehearsedBlocks{
			N: n, Check: history.Yearly{Rate: 0.0061 * x, Low: 0.0017 * x, High: 0.025 * x}, Gate: history.Yearly{Rate: 2.2 * x, Low: 0.68, High: 8.2}, Again: 27 * x,
			Found: []history.FoundWithin{{Nights: 1, Check: 0.1 * x, Gate: 0.06}, {Nights: 3, Check: 0.05 * x}},
		}
	}
	series := func(cell string, remeasured bool, x float64) history.RehearsedSeries {
		return history.RehearsedSeries{
			Key:    history.Key{Campaign: "nightly", Scenario: "overhead", Cell: cell, Metric: "duration", Reference: "pinned", Machine: "m1", Runtime: "17"},
			Nights: 90, NightsAYear: 365.25, Shifts: 1, SD: 0.02, Within: 0.008, Lag1: 0.12, Length: 5, Remeasured: remeasured, Bound: true,
			Blocks: []history.RehearsedBlocks{blocks(15, x), blocks(16, x), blocks(30, x)},
		}
	}
	return &history.Rehearsal{
		Years: 10_000, Least: 0.03, GateAlpha: 0.01,
		Series: []history.RehearsedSeries{series("mine/bci/default", true, 1), series("other/bci/default", remeasured, 0.5)},
		Total:  []history.RehearsedBlocks{blocks(15, 1.5), blocks(16, 1.5), blocks(0, 1.5)}, Warnings: []string{"third has 12 judged nights"},
	}
}

// The words of a rehearsal: failures, or alarms where nothing can be re-measured.
func TestWriteRehearsal(t *testing.T) {
	write := func(format string, r *history.Rehearsal) string {
		var b bytes.Buffer
		if err := WriteRehearsal(&b, format, r, Options{Width: 140}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got, want := write("text", rehearsalOf(true)), string(golden(t, "rehearsal.txt", []byte(write("text", rehearsalOf(true))))); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	mixed := strings.Join(strings.Fields(write("text", rehearsalOf(false))), " ")
	for _, want := range []string{"failures, or alarms where nothing can be re-measured, a year by chance", "alarms of nights in a row count once"} {
		if !strings.Contains(mixed, want) {
			t.Errorf("it does not say %q:\n%s", want, mixed)
		}
	}
	none := rehearsalOf(false)
	none.Series = none.Series[1:]
	text := write("text", none)
	if !strings.Contains(text, "alarms a year by chance") || strings.Contains(text, "failures") || strings.Contains(text, "all series") {
		t.Error(text)
	}
	for format, want := range map[string]string{"json": `"remeasured_a_year": 27`, "markdown": "| mine/bci/default | 15 |", "html": "failures a year by chance", "latex": "mine/bci/default"} {
		if got := write(format, rehearsalOf(true)); !strings.Contains(got, want) {
			t.Errorf("%s does not say %q:\n%s", format, want, got)
		}
	}
}
