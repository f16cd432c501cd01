package framework

import (
	"slices"
	"strings"
	"testing"
)

// TestCountedBy: all of the catalogue monitors a method of ours, but for what a user gets
// who says nothing, and what logs locks, which that method has none of.
func TestCountedBy(t *testing.T) {
	s := catalogue(t)
	for _, name := range append(s.Names(), None) {
		v, err := s.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"", "depth"}
		switch {
		case v.Mode == "auto":
			want = []string{"records_per_request"}
		case v.Framework == "locklog":
			want = []string{"runs"}
		}
		if got := s.CountedBy(name); !slices.Contains(want, got) {
			t.Errorf("%s is counted by %q", name, got)
		}
	}
}

// TestUsual: each framework of the catalogue says which of its variants is meant by its
// name, unless there is only one.
func TestUsual(t *testing.T) {
	s := catalogue(t)
	for _, name := range s.Names() {
		framework, _, _ := strings.Cut(name, "/")
		if all, err := s.Usual(framework); err != nil || len(all) == 0 {
			t.Errorf("%s: %v", framework, err)
		}
		if all, err := s.Usual(name); err != nil || len(all) != 1 || all[0].Name != name {
			t.Errorf("%s: %v, %v", name, all, err)
		}
	}
	if _, err := s.Usual("opentelemetri"); err == nil {
		t.Error("a framework that is unknown")
	}
}

// TestSiblings: what proves a variant of the catalogue counts, and is of the same framework:
// whoever replaces that replaces both.
func TestSiblings(t *testing.T) {
	s := catalogue(t)
	for _, name := range s.Names() {
		e := s.variants[name]()
		s.checkSibling(e)
		if e.proof.Mistakes() > 0 || e.Proof.Sibling != "" && !strings.HasPrefix(e.Proof.Sibling, e.Framework+"/") {
			t.Errorf("%s is proven by %q", name, e.Proof.Sibling)
		}
	}
}
