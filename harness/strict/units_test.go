package strict

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseDuration(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
	}{
		{"0ns", 0},
		{"10us", 10 * time.Microsecond},
		{"10 µs", 10 * time.Microsecond},
		{" 1.5s ", 1500 * time.Millisecond},
		{"1 h 30 min", 90 * time.Minute},
		{"10", -1},
		{"1.5", -1},
		{"10 parsecs", -1},
		{"minmin", -1},
		{"", -1},
	} {
		got, err := parseDuration(c.text)
		if err != nil {
			got = -1
		}
		if got != c.want {
			t.Errorf("parseDuration(%q) = %v, %v, want %v", c.text, got, err, c.want)
		}
	}
}

func TestParsePercent(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64 // 0: refused
	}{
		{"2%", 0.02},
		{" 0.5 % ", 0.005},
		{"100%", 1},
		{"0%", 0},
		{"-1%", 0},
		{"100.0001%", 0},
		{"Inf%", 0},
		{"NaN%", 0},
		{"2", 0},
		{"%", 0},
		{"", 0},
		{"2%%", 0},
	} {
		if got, err := ParsePercent(c.text, 100); got != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("ParsePercent(%q) = %v, %v, want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseExactTime(t *testing.T) {
	for text, want := range map[string]float64{
		"38984.74us": 38984740, "129.31 µs": 129310, " 0.1ns": 0.1, "0 ms": 0, "1.5s": 1.5e9, "2 h": 7200e9, "+3us": 3000,
		"10": -1, "": -1, "us": -1, "1h30m": -1, "1/2us": -1, "1e3us": -1, "0x10us": -1, "1_000us": -1, "-1us": -1, "Inf us": -1,
		"99999999999999999999999999999999us": -1,
	} {
		got, err := ParseExactTime(text)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("ParseExactTime(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

// TestExactTimeIsFinite reads whatever may stand there.
func TestExactTimeIsFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[-+]?[0-9.eE/_xpP]{0,40} ?(ns|us|µs|ms|s|min|h|)`).Draw(t, "text")
		if ns, err := ParseExactTime(text); err == nil && !(ns >= 0 && !math.IsInf(ns, 0)) {
			t.Fatalf("%q is %v ns", text, ns)
		}
	})
}
