package framework

import (
	"slices"
	"strings"
	"testing"

	"moobench/harness/receiver"
	"moobench/harness/strict"
	"moobench/results"
)

// TestNamesHaveMeanings: the reference says what each mode and stage of the catalogue and
// each source of records is, and of no others.
func TestNamesHaveMeanings(t *testing.T) {
	set, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var modes, stages, formats []string
	for _, name := range set.Names() {
		parts := strings.Split(name, "/")
		modes, stages = append(modes, parts[1]), append(stages, parts[2])
	}
	told := map[string]bool{} // the sources that are keys of their own, because they have to be told where to look
	for _, f := range receiver.Formats() {
		if f.Key() != "" {
			told[f.Key()] = true
		} else {
			formats = append(formats, f.Count())
		}
	}
	frameworks, _, _ := Tables()
	defer func() {
		if len(told) > 0 {
			t.Errorf("no keys stand for %v", told)
		}
	}()
	for _, s := range frameworks().Sections("[framework.NAME]") {
		for _, k := range s.Keys {
			if delete(told, k.Name); k.Text == "" {
				t.Errorf("%s has no text", k.Name)
			}
			want := map[string][]string{"mode": modes, "stage": stages, "count": formats}[k.Name]
			if want == nil {
				continue
			}
			known := slices.Sorted(slices.Values(k.Kind.Values))
			slices.Sort(want)
			if want = slices.Compact(want); !slices.Equal(known, want) || len(k.Kind.Means) != len(want) || slices.Contains(k.Kind.Means, "") {
				t.Errorf("%s: known are %q, with meanings %q, and there are %q", k.Name, known, k.Kind.Means, want)
			}
		}
	}
}

// TestJarHasNoPath: a program's own jars are fetched.
func TestJarHasNoPath(t *testing.T) {
	_, _, programs := Tables()
	if keys := results.Each(programs().Keys, func(k strict.Key) string { return k.Name }); !slices.Equal(keys, []string{"maven", "sha256"}) {
		t.Errorf("keys of a program's jar: %q", keys)
	}
}
