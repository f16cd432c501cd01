package figure

import (
	"math"
	"testing"
)

func TestQuantity(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{56.1, "ns", "56.10 ns"},
		{716.04, "ns", "716.0 ns"},
		{2072, "ns", "2.072 µs"},
		{999.96, "ns", "1.000 µs"},
		{99.999, "ns", "100.0 ns"},
		{-2072, "ns", "−2.072 µs"},
		{5.31e9, "ns", "5.310 s"},
		{0.0421, "ns", "0.04210 ns"},
		{0, "ns", "0 ns"},
		{-1e-9, "ns", "−1.000e-09 ns"},
		{48, "B", "48.00 B"},
		{3 << 20, "B", "3.000 MiB"},
		{12, "1", "12.00"},
		{1500, "calls/s", "1500 calls/s"},
		{1000, "ns", "1.000 µs"},
		{1e300, "calls/s", "1.000e+300 calls/s"},
		{1e15, "calls/s", "1.000e+15 calls/s"},
		{999e12, "calls/s", "999000000000000 calls/s"},
		{0.001234, "1", "0.001234"},
		{0.0001234, "1", "1.234e-04"},
		{math.NaN(), "ns", "– ns"},
		{math.Inf(-1), "ns", "– ns"},
	} {
		if got := Quantity(c.v, c.unit); got != c.want {
			t.Errorf("Quantity(%v, %s) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        string
	}{
		{20, 20, "100 %"},
		{19_999_999, 20_000_000, "> 99.99 %"},
		{9_995, 10_000, "99.95 %"},
		{45, 1000, "4.5 %"},
		{5, 1000, "0.50 %"},
		{1, 1_000_000, "< 0.01 %"},
		{0, 10, "0 %"},
		{0, 0, "–"},
		{12, 10, "120.0 %"},
	} {
		if got := Share(c.part, c.whole); got != c.want {
			t.Errorf("Share(%d, %d) = %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}

func TestSmallWords(t *testing.T) {
	for got, want := range map[string]string{
		Percent(0.0042):            "0.4 %",
		Percent(0.0174):            "1.7 %",
		Percent(0.12):              "12 %",
		Percent(1588.62):           "158,862 %",
		Percent(-1588.62):          "−158,862 %",
		Percent(99.99):             "9999 %",
		Percent(0.00031):           "0.03 %",
		Percent(0.0999):            "10 %",
		Percent(1e-9):              "< 0.001 %",
		P(0.0312):                  "p = 0.031",
		P(0):                       "p < 1e-300",
		P(math.NaN()):              "p = –",
		Percent(math.Inf(1)):       "–",
		Percent(1e300):             "1.0e+302 %",
		Level(math.NaN()):          "–",
		Ratio(math.NaN()):          "–",
		P(3.14e-32):                "p = 3.1e-32",
		Count(2000000):             "2,000,000",
		Count(-1234):               "−1,234",
		Level(0.9875):              "98.75 %",
		Level(0.95):                "95 %",
		Range(1981, 2052, "ns"):    "1.981 … 2.052 µs",
		Range(-3.2, 4.8, "ns"):     "−3.200 … 4.800 ns",
		Plural(1, "pair", "pairs"): "1 pair",
		Ratio(36.94):               "36.94",
		Fit("ns", 3).Signed(2):     "+2.000",
		Fit("ns", 3).Signed(-2):    "−2.000",
		Fit("ns", 3).Signed(0):     "0.000",
		Fit("ns", 0).Signed(0):     "0",
		Range(0, 0, "B"):           "0 … 0 B",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestChosenAndSigned(t *testing.T) {
	for v, want := range map[float64]string{2000: "2 µs", 2500: "2.5 µs", 0: "0 ns", 100: "100 ns", 1e9: "1 s"} {
		if got := Exactly(v, "ns"); got != want {
			t.Errorf("Exactly(%v) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{0.017: "+1.7 %", -0.017: "−1.7 %", 0: "0 %"} {
		if got := SignedPercent(v); got != want {
			t.Errorf("SignedPercent(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestCalls(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0 calls", 0.42: "0.42 calls", 4.2: "4.2 calls", 42.4: "42 calls", 42_345: "42,300 calls", 999_999: "1,000,000 calls", 4.21e6: "4.2 million calls",
		66.1e6: "66 million calls", 1.5e9: "1.5 billion calls", 2.5e13: "25 trillion calls", 1e300: "1.0e+288 trillion calls", math.Inf(1): "– calls",
	} {
		if got := Calls(n); got != want {
			t.Errorf("Calls(%v) = %q, want %q", n, got, want)
		}
	}
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{3.1e6, 6.8e6, "3.1 … 6.8 million"},
		{0.9e6, 1.3e6, "0.9 … 1.3 million"},
		{40_000, 1.3e6, "40,000 … 1.3 million"},
		{0, 1.3e6, "0 … 1.3 million"},
		{100_000, 1.3e6, "0.1 … 1.3 million"},
		{99_999, 1.3e6, "100,000 … 1.3 million"},
		{31_000, 68_000, "31,000 … 68,000"},
		{700e6, 2.4e12, "0.7 billion … 2.4 trillion"},
	} {
		if got := CallsRange(c.low, c.high); got != c.want {
			t.Errorf("CallsRange(%v, %v) = %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

// A bound is rounded away from what it bounds, and a level below 1 is no 100 %.
func TestBoundsAreBounds(t *testing.T) {
	for v, want := range map[float64]string{36_197: "37", 36_000: "36", 1: "1.0", 1.01: "1.1"} {
		if s := Fit("ns", v).Coarser(2); s.Up(v) != want {
			t.Errorf("%v is below %s, want %s", v, s.Up(v), want)
		}
	}
	if s := Fit("ns", -36_197).Coarser(2); s.Down(-36_197) != "−37" {
		t.Errorf("%s", s.Down(-36_197))
	}
	if got := Level(0.9999999999) + Level(0.9999) + Level(1); got != "> 99.99 %99.99 %100 %" {
		t.Errorf("%s", got)
	}
}
