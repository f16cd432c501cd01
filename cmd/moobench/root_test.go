package main

import (
	"bytes"
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
