package main

import (
	"bytes"
	"math"
	"testing"
)

// TestWrongPatternsAreUsage: a mistake in the patterns is one of the call, which is told
// before a JVM is looked for.
func TestWrongPatternsAreUsage(t *testing.T) {
	var out, said bytes.Buffer
	if status := Main(t.Context(), []string{"swap", "1", "public * a..*.*(..)"}, &out, &said); status != exitUsage || out.Len() > 0 {
		t.Errorf("exit status %d\n%s%s", status, out.String(), said.String())
	}
}

// TestSeedIsDrawn: a campaign that nobody gave a seed has one that fits TOML's signed
// integers.
func TestSeedIsDrawn(t *testing.T) {
	// Two of 2⁶³ are the same once in 10¹⁹ times.
	if a, b := randomSeed(), randomSeed(); a == b || a > math.MaxInt64 || b > math.MaxInt64 {
		t.Errorf("drawn: %d and %d", a, b)
	}
}
