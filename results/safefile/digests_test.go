package safefile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDigestBounds: a file that is longer than it may be is refused before it is read, and reading ends with the context.
func TestDigestBounds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "samples")
	if err := os.WriteFile(name, []byte("four"), 0o600); err != nil {
		t.Fatal(err)
	}
	if sum, err := Digest(t.Context(), name, 4, Open); err != nil || len(sum) != 64 {
		t.Errorf("%q, %v", sum, err)
	}
	if err := os.Truncate(name, 1<<40); err != nil {
		t.Skip(err)
	}
	for _, read := range []func(context.Context, int64) (string, error){
		func(ctx context.Context, most int64) (string, error) { return Digest(ctx, name, most, Open) },
		func(ctx context.Context, most int64) (string, error) {
			return new(Digests).Digest(ctx, name, most, Open)
		},
	} {
		if _, err := read(t.Context(), 1<<30); err == nil || !strings.Contains(err.Error(), "longer than 1073741824 bytes") {
			t.Errorf("a file without end: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		if _, err := read(ctx, 1<<50); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

// TestDigests: a file is read once as long as nobody touches it, and whom it belongs to is looked at each time.
func TestDigests(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.jar")
	if err := os.WriteFile(name, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * tick)
	var d Digests
	first, err := d.Digest(t.Context(), name, 10, OpenOwn)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel() // nothing can be read any more
	if sum, err := d.Digest(gone, name, 10, OpenOwn); err != nil || sum != first {
		t.Errorf("an untouched file: %s, %v", sum, err)
	}
	if err := os.WriteFile(name, []byte("two"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // it was changed just now, and may be so again without a new time
		if _, err := d.Digest(gone, name, 10, OpenOwn); !errors.Is(err, context.Canceled) {
			t.Errorf("a touched file is not read again: %v", err)
		}
		if sum, err := d.Digest(t.Context(), name, 10, OpenOwn); err != nil || sum == first {
			t.Errorf("a touched file: %s, %v", sum, err)
		}
	}
	if err := os.Chmod(name, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Digest(t.Context(), name, 10, OpenOwn); err == nil {
		t.Error("a file that others may write to is taken as it was")
	}
}
