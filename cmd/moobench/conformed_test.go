package main

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"moobench/harness/framework"
)

// keptResult is what the suite has seen, which moobench has embedded.
const keptResult = "../../harness/framework/catalogue/conformance.json"

// keep writes what was seen of the entry on this JDK over what was kept of it before. Of a script
// that failed nothing is kept: what held before may hold no longer.
func (c *conformance) keep() {
	var all []framework.Conformed
	text, err := os.ReadFile(keptResult)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		c.t.Fatal(err)
	}
	held := c.held
	if c.t.Failed() {
		held = nil
	}
	all = merged(all, framework.Conformed{
		Entry: c.entry, Java: c.java.Major, JDK: c.java.Version,
		Day: time.Now().UTC().Format(time.DateOnly), Held: held,
	})
	if text, err = json.MarshalIndent(all, "", " "); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(keptResult, append(text, '\n'), 0o666); err != nil {
		c.t.Fatal(err)
	}
}

// merged has what was seen of an entry on a JDK in the place of what was kept of it.
func merged(all []framework.Conformed, seen framework.Conformed) []framework.Conformed {
	all = slices.DeleteFunc(slices.Clone(all), func(c framework.Conformed) bool {
		return c.Entry == seen.Entry && c.Java == seen.Java
	})
	if len(seen.Held) > 0 {
		all = append(all, seen)
	}
	slices.SortFunc(all, func(a, b framework.Conformed) int {
		return cmp.Or(cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Java, b.Java))
	})
	return all
}

// TestMerged: an entry's rows of one JDK are replaced as a whole, and go when its script fails.
func TestMerged(t *testing.T) {
	unit := func(entry string, java int, variants ...string) framework.Conformed {
		c := framework.Conformed{Entry: entry, Java: java}
		for _, v := range variants {
			c.Held = append(c.Held, framework.Held{Variant: v})
		}
		return c
	}
	old := []framework.Conformed{unit("a", 17, "a/x", "a/y"), unit("a", 25, "a/x"), unit("c", 17, "c/x")}
	for _, tt := range []struct {
		name string
		seen framework.Conformed
		want []framework.Conformed
	}{
		{"replaced", unit("a", 17, "a/z"), []framework.Conformed{unit("a", 17, "a/z"), old[1], old[2]}},
		{"added in order", unit("b", 17, "b/x"), []framework.Conformed{old[0], old[1], unit("b", 17, "b/x"), old[2]}},
		{"failed", unit("a", 25), []framework.Conformed{old[0], old[2]}},
	} {
		got, err := json.Marshal(merged(old, tt.seen))
		want, _ := json.Marshal(tt.want)
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: %s, %v, want %s", tt.name, got, err, want)
		}
	}
}
