package main

import (
	"bytes"
	"io/fs"
	"math"
	"path"
	"strings"
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

// TestHelpIsOfVerbs: no text of help/ is left behind by a verb that is called otherwise now, and
// none lacks the table that its verb makes.
func TestHelpIsOfVerbs(t *testing.T) {
	files, err := fs.Glob(helpTexts, "help/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".txt")
		verb, rest, err := newRoot(&terminal{}).Find(strings.Split(name, "-")[1:])
		if err != nil || len(rest) > 0 || strings.ReplaceAll(verb.CommandPath(), " ", "-") != name {
			t.Errorf("%s is of no verb: %v", file, err)
			continue
		}
		if strings.Contains(verb.Long, "TABLE") || verb.Example == "" && verb.HasParent() {
			t.Errorf("%s: a table or the examples lack:\n%s", file, verb.Long)
		}
	}
}
