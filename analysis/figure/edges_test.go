package figure

import (
	"math"
	"testing"
	"time"
)

// Each form of a number begins where it says, and the value just before has the form before.
func TestForms(t *testing.T) {
	s := func(d float64) time.Duration { return time.Duration(d * float64(time.Second)) }
	for _, c := range []struct{ got, want string }{
		{Share(99_990_000, 100_000_000), "> 99.99 %"},
		{Share(99_989_999, 100_000_000), "99.98 %"},
		{Share(100_010_000, 100_000_000), "100.01 %"},
		{Share(101, 100), "101.0 %"},
		{Share(99, 100), "99.00 %"},
		{Share(9_899, 10_000), "99.0 %"},
		{Share(1, 10_000), "0.01 %"},
		{Share(99_999, 1_000_000_000), "< 0.01 %"},
		{Share(1, 100), "1.0 %"},
		{Share(999, 100_000), "1.00 %"},
		{Share(-1, 100), "-1.00 %"},
		{Share(5, 0), "–"},
		{Share(1, 1), "100 %"},
		{Percent(0.00001), "0.001 %"},
		{Percent(0.000009), "< 0.001 %"},
		{Percent(0.000994), "0.1 %"},
		{Percent(0.000996), "0.1 %"},
		{Percent(0.0994), "9.9 %"},
		{Percent(0.0995), "10 %"},
		{Percent(99.994), "9999 %"},
		{Percent(100), "10,000 %"},
		{Percent(1e13), "1.0e+15 %"},
		{Percent(9.99e12), "999,000,000,000,000 %"},
		{Percent(-1e13), "−1.0e+15 %"},
		{P(1e-300), "p = 1.0e-300"},
		{P(0.001), "p = 0.001"},
		{P(0.000999), "p = 1.0e-03"},
		{Count(999), "999"},
		{Count(1000), "1,000"},
		{Count(-999), "−999"},
		{Count(1_000_000), "1,000,000"},
		{Level(1), "100 %"},
		{Level(1.01), "101 %"},
		{Plural(0, "pair", "pairs"), "0 pairs"},
		{Plural(1000, "pair", "pairs"), "1,000 pairs"},
		{Roughly(0), "0 s"},
		{Roughly(s(0.1)), "1 s"},
		{Roughly(s(89.9)), "90 s"},
		{Roughly(s(90)), "2 min"},
		{Roughly(s(5399)), "90 min"},
		{Roughly(s(5400)), "1 h 30 min"},
		{Roughly(s(7260)), "2 h 01 min"},
		{Calls(0.994), "0.99 calls"},
		{Calls(1), "1.0 calls"},
		{Calls(9.94), "9.9 calls"},
		{Calls(9.95), "10 calls"},
		{Calls(999.4), "999 calls"},
		{Calls(1000), "1,000 calls"},
		{Calls(12_345), "12,300 calls"},
		{Calls(1e6), "1.0 million calls"},
		{Calls(1e12), "1.0 trillion calls"},
		{Calls(1e27), "1.0e+15 trillion calls"},
		{CallsRange(1e5, 1e6), "0.1 … 1.0 million"},
		{CallsRange(math.NaN(), 1e6), "– … 1.0 million"},
		{Quantity(1023, "B"), "1023 B"},
		{Quantity(1024, "B"), "1.000 KiB"},
		{Quantity(1<<30, "B"), "1.000 GiB"},
		{Quantity(999.95, "ns"), "1.000 µs"},
		{Quantity(999.94, "ns"), "999.9 ns"},
		{Quantity(9.9999, "ns"), "10.00 ns"},
		{Quantity(99.994, "ns"), "99.99 ns"},
		{Quantity(9.99e-4, "x"), "9.990e-04 x"},
		{Quantity(0.001, "x"), "0.001000 x"},
		{Quantity(0.00099999, "x"), "0.001000 x"},
		{Quantity(-1e15, "x"), "−1.000e+15 x"},
		{Quantity(12345, "x"), "12345 x"},
		{Fit("ns", 3).Signed(math.NaN()), "–"},
		{Fit("ns", 3).Number(-0.0001), "0.000"},
		{Fit("ns", 1e-9).Number(0), "0.000000"},
		{Fit("ns", math.NaN(), 2000).Number(2000), "2.000"},
		{Fit("ns", -2000).Unit, "µs"},
		{Fit("ns", 12.34).Coarser(1).Number(12.34), "12.3"},
		{Fit("ns", 12.34).Coarser(3).Number(12.34), "12"},
		{Fit("ns", 1234).Up(1234), "1.234"},
		{Fit("ns", 1234).Up(1234.5), "1.235"},
		{Fit("ns", 1234).Down(1234.5), "1.234"},
		{Fit("ns", 1234).Up(math.Inf(1)), "–"},
		{Exactly(1200, "ns"), "1.2 µs"},
		{Exactly(1200, "x"), "1200 x"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// What a spreadsheet would take for a formula gets an apostrophe, unless it is a number.
func TestCell(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "  ": "  ", "a": "a", "=1+1": "'=1+1", "  =x": "'  =x", "+1": "+1", "-1.5e3": "-1.5e3", "-x": "'-x",
		"@x": "'@x",
		"＝x": "'＝x", "＋x": "'＋x", "－x": "'－x", "＠x": "'＠x", "a=b": "a=b", "1-2": "1-2",
	} {
		if got := Cell(text); got != want {
			t.Errorf("Cell(%q) = %q, want %q", text, got, want)
		}
	}
}
