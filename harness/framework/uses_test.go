package framework

import "testing"

// TestCountedBy: all of the catalogue monitors a method of ours, but for what a user gets
// who says nothing.
func TestCountedBy(t *testing.T) {
	s := catalogue(t)
	for _, name := range append(s.Names(), None) {
		v, err := s.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.CountedBy(name); (got == "records_per_request") != (v.Mode == "auto") || got != "" && got != "depth" && v.Mode != "auto" {
			t.Errorf("%s is counted by %q", name, got)
		}
	}
}
