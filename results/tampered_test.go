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

// TestTamperedBetweenSessions: what a killed session measured is known to the one that resumes the campaign, whatever was
// done to it meanwhile; so is what was sealed before more blocks were added.
func TestTamperedBetweenSessions(t *testing.T) {
	s := newStore(t)
	sealOne(t, s, Identity{1, 0, 0}, 20)
	sealOne(t, s, Identity{1, 1, 0}, 20)
	forge := func() {
		t.Helper()
		file := s.path(nameOf("b0001.s00.r0"))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	resumed := func(when string, want int) *Store {
		t.Helper()
		later, err := Open(s.Dir())
		if err != nil {
			t.Fatal(err)
		}
		release, err := later.Own()
		if err != nil {
			t.Fatal(when, err)
		}
		t.Cleanup(release)
		if list, err := later.Invocations(); len(list) != want || (err == nil) != (want == 2) {
			t.Errorf("%s: %d invocations, %v", when, len(list), err)
		}
		release()
		return later
	}
	// A line that was cut off by the kill says nothing.
	whole, err := os.ReadFile(s.path(measuredFile))
	if err != nil || bytes.Count(whole, []byte("\n")) != 2 {
		t.Fatalf("%q, %v", whole, err)
	}
	if err := os.WriteFile(s.path(measuredFile), append(whole, whole[:70]...), 0o600); err != nil {
		t.Fatal(err)
	}
	again := resumed("as it was", 2)
	if err := again.measure(Identity{2, 0, 0}, []byte("another")); err != nil || again.readMeasured()[nameOf("b0002.s00.r0")] != hashOf([]byte("another")) {
		t.Errorf("behind a line that was cut off: %v", err)
	}
	if err := again.Seal(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(s.path(measuredFile)); err == nil {
		t.Error("a sealed campaign has notes of what was measured")
	}
	resumed("unsealed again", 2)
	forge()
	later := resumed("forged", 1)
	if err := later.Seal(); err != nil {
		t.Fatal(err)
	}
	if sealed, changed := later.Sealed(); sealed || !strings.Contains(changed, "invocations/b0001.s00.r0/invocation.json") {
		t.Errorf("sealed %t: %s", sealed, changed)
	}
}
