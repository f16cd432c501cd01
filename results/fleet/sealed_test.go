package fleet

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"moobench/results"
)

// TestAsSealed: the first changes are named, and how many more there are.
func TestAsSealed(t *testing.T) {
	var all []string
	for i := range namedChanges + 2 {
		all = append(all, fmt.Sprint(i))
	}
	if err := asSealed("a", nil); err != nil {
		t.Errorf("nothing is changed: %v", err)
	}
	named := ""
	for i := range namedChanges {
		if named += "; "; i == 0 {
			named = ""
		}
		named += fmt.Sprint(i)
	}
	for n, want := range map[int]string{
		1: "a is not as it was sealed: 0", namedChanges: "a is not as it was sealed: " + named,
		namedChanges + 1: "a is not as it was sealed: " + named + "; and 1 more",
		namedChanges + 2: "a is not as it was sealed: " + named + "; and 2 more",
	} {
		if err := asSealed("a", append([]string(nil), all[:n]...)); err == nil || err.Error() != want {
			t.Errorf("%d changes: %v, want %s", n, err, want)
		}
	}
}

// TestOneShardOfThree: one shard alone is merged, and the others lack; what comes out may be read by its owner.
func TestOneShardOfThree(t *testing.T) {
	dir := t.TempDir()
	file := packed(t, made(t, filepath.Join(dir, "a"), 2, 3, "one", nil))
	store, err := Merge(t.Context(), []string{file}, filepath.Join(dir, "new", "merged"), false)
	if err != nil {
		t.Fatal(err)
	}
	want := []results.MissingShard{{Index: 1, Blocks: 2}, {Index: 3, Blocks: 2}}
	if got := store.Campaign().Merged.Missing; !slices.Equal(got, want) {
		t.Errorf("%+v lack, want %+v", got, want)
	}
	info, err := os.Stat(filepath.Join(dir, "new"))
	if err != nil || info.Mode().Perm()&0o700 != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for r := tar.NewReader(in); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if head.Mode != 0o644 || head.Uid != 0 || head.Uname != "" {
			t.Errorf("%s has mode %o of %d", head.Name, head.Mode, head.Uid)
		}
	}
}
