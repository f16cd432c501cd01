package framework

import "testing"

// TestByRequest: all of the catalogue monitors a method of ours, but for what a
// user gets who says nothing.
func TestByRequest(t *testing.T) {
	s := catalogue(t)
	for _, name := range append(s.Names(), None) {
		v, err := s.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := s.ByRequest(name), v.Mode == "auto"; got != want {
			t.Errorf("%s is counted by request: %t, want %t", name, got, want)
		}
	}
}
