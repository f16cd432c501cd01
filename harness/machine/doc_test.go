package machine

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"moobench/harness/machine/knob"
)

// TestDocumented: MACHINE.md has all knobs in their order, and says of each what
// the code says.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("MACHINE.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n### ")[1:]
	knobs := knob.All()
	var drifting []string
	for _, k := range knobs {
		if k.Drifts {
			drifting = append(drifting, "`"+k.Name+"`")
		}
	}
	if list := "(" + strings.Join(drifting, ", ") + ")"; !strings.Contains(string(text), list) {
		t.Errorf("those that change by themselves are not %s", list)
	}
	if len(sections) != len(knobs) {
		t.Fatalf("%d sections for %d knobs", len(sections), len(knobs))
	}
	for i, k := range knobs {
		name, section, _ := strings.Cut(sections[i], "\n")
		if name != k.Name {
			t.Errorf("section %d is about %s, want %s", i+1, name, k.Name)
			continue
		}
		section = strings.Join(strings.Fields(section), " ") + " "
		for _, want := range documented(k) {
			if !strings.Contains(section, want) {
				t.Errorf("%s: there is no %q", name, want)
			}
		}
	}
}

// documented is what has to stand in the section of a knob.
func documented(k knob.Knob) []string {
	wanted := []string{
		strings.ToUpper(k.Title[:1]) + k.Title[1:] + ": " + k.Does + ".", "- left alone: " + k.Cost + " -", "- files: `/", "- set by: ",
	}
	for _, v := range k.Values {
		wanted = append(wanted, fmt.Sprintf("`%q`", v))
	}
	if k.Check == nil {
		wanted = append(wanted, "- values: only observed")
	}
	if k.Fixed == "" {
		return append(wanted, "- `fixed-hardware`: leaves it alone -")
	}
	return append(wanted, fmt.Sprintf("- `fixed-hardware`: sets `%q` -", k.Fixed))
}
