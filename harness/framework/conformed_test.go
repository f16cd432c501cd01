package framework

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKeptResultFitsTheCatalogue: what the suite saw is of entries and variants that are there, each
// entry and JDK once and in order.
func TestKeptResultFitsTheCatalogue(t *testing.T) {
	s := catalogue(t)
	all, err := conformed()
	if err != nil {
		t.Fatal(err)
	}
	var last Conformed
	for _, c := range all {
		if c.Entry < last.Entry || c.Entry == last.Entry && c.Java <= last.Java {
			t.Errorf("%s on Java %d comes after %s on Java %d", c.Entry, c.Java, last.Entry, last.Java)
		}
		last = c
		if _, err := time.Parse(time.DateOnly, c.Day); err != nil || c.JDK == "" || len(c.Held) == 0 {
			t.Errorf("%s on Java %d: seen %q with JDK %q, %d checks", c.Entry, c.Java, c.Day, c.JDK, len(c.Held))
		}
		if !slices.ContainsFunc(s.Names(), func(name string) bool { return frameworkOf(name) == c.Entry }) {
			t.Errorf("there is no entry %s", c.Entry)
		}
		for _, h := range c.Held {
			if _, err := s.Variant(h.Variant); err != nil || !strings.HasPrefix(h.Variant, c.Entry+"/") && !strings.HasPrefix(h.Variant, c.Entry+faultMark) {
				t.Errorf("%s on Java %d: %s: %v", c.Entry, c.Java, h.Variant, err)
			}
			if h.Stale != "" {
				t.Errorf("%s: that it is stale is found out, not kept", h.Variant)
			}
		}
	}
}

// TestStaleResults: another version, or another file of the same version, is not what was seen.
func TestStaleResults(t *testing.T) {
	s := catalogue(t)
	v, err := s.Variant("elastic/bci/elastic")
	if err != nil {
		t.Fatal(err)
	}
	now := v.Held("exact", 20, 20)
	if now.Version == "" || now.SHA256 == "" || now.Variant != v.Name {
		t.Fatalf("%+v", now)
	}
	older, other := now, now
	older.Version, older.SHA256, other.SHA256 = "1.0.0", "1f", "2f"
	for _, tt := range []struct {
		kept Held
		want string
	}{
		{now, ""},
		{older, "seen with 1.0.0"},
		{other, "seen with another file of " + now.Version},
	} {
		got, err := s.conformedBy("elastic", []Conformed{
			{Entry: "kieker", Java: 17, Held: []Held{{Variant: "kieker/bci/tcp"}}},
			{Entry: "elastic", Java: 17, Held: []Held{tt.kept}},
		})
		if err != nil || len(got) != 1 || got[0].Held[0].Stale != tt.want {
			t.Errorf("%+v: %+v, %v, want %q", tt.kept, got, err, tt.want)
		}
	}
	if _, err := s.conformedBy("elastic", []Conformed{{Entry: "elastic", Held: []Held{{Variant: "elastic/bci/nowhere"}}}}); err == nil {
		t.Error("a variant that is not there has no error")
	}
}
