package session

import (
	"io"
	"strings"
	"testing"

	"moobench/cmd/internal/console"
	"moobench/refusal"
)

// TestNoCacheInTheFolderForEverybody: without HOME, a folder that all may write to is no
// place to take what we run from.
func TestNoCacheInTheFolderForEverybody(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	b, err := (&Lab{Console: console.Console{Err: io.Discard}}).Fixtures("")
	switch {
	case err != nil && !strings.HasPrefix(refusal.Do(err), "set HOME or XDG_CACHE_HOME"):
		t.Error(err)
	case err == nil && strings.HasPrefix(b.Cache, tmp):
		t.Errorf("jars are taken from %s", b.Cache)
	}
}
