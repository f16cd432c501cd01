package results

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestTampered: a measured program that rewrites what an earlier one measured is not believed, and
// what it wrote is not sealed: the invocation is damaged, for the process that measures and for all
// that read the campaign later, and the others stay.
func TestTampered(t *testing.T) {
	s := newStore(t)
	sealOne(t, s, Identity{1, 0, 0}, 20)
	sealOne(t, s, Identity{1, 1, 0}, 20)
	file := s.path(nameOf("b0001.s00.r0"))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	forged := bytes.Replace(text, []byte(`"status": "ok"`), []byte(`"status":  "ok"`), 1)
	if bytes.Equal(forged, text) {
		t.Fatalf("nothing was forged in %s", text)
	}
	if err := os.WriteFile(file, forged, 0o600); err != nil {
		t.Fatal(err)
	}
	look := func(when string, s *Store) {
		t.Helper()
		list, err := s.Invocations()
		if len(list) != 1 || list[0].Slot != 1 || err == nil || !strings.Contains(err.Error(), "it is not as it was measured") {
			t.Errorf("%s: %d invocations, %v", when, len(list), err)
		}
	}
	look("before it is sealed", s)
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	look("sealed", s)
	if sealed, changed := s.Sealed(); sealed || !strings.Contains(changed, "invocations/b0001.s00.r0/invocation.json") {
		t.Errorf("sealed %t: %s", sealed, changed)
	}
	later, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	look("opened later", later)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := later.Invocations(); len(list) != 2 || err != nil {
		t.Errorf("restored: %d invocations, %v", len(list), err)
	}
}
