package fleet

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

// TestTogether: blocks of all shards stand in their order, and say whose they are; what is equal stands once.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	same := results.Influence{Cell: "c1", CPU: "x", Runtime: "r", LogRatio: 0.5, N: 3}
	names := []string{
		made(t, at("two"), 2, 3, "beta", func(c *results.Campaign, _ *results.Invocation) {
			c.Influences = []results.Influence{same, {Cell: "c1", CPU: "y", Runtime: "r", N: 4}}
			c.GivenUp = []results.GivenUp{{Cell: "c1", Block: 5}}
		}),
		made(t, at("one"), 1, 3, "alpha", func(c *results.Campaign, _ *results.Invocation) {
			c.Influences = []results.Influence{same}
		}),
	}
	parts, err := readAll(t.Context(), names, at("unpacked"))
	if err != nil {
		t.Fatal(err)
	}
	counted, doubles := once(parts)
	c := together(counted, append(doubles, parts[0]))
	var blocks [][2]int
	for _, b := range c.Blocks {
		blocks = append(blocks, [2]int{b.Number, b.Shard})
	}
	if !slices.Equal(blocks, [][2]int{{1, 1}, {2, 2}, {4, 1}, {5, 2}}) {
		t.Errorf("blocks %v", blocks)
	}
	if len(c.Influences) != 2 || len(c.GivenUp) != 1 || c.GivenUp[0].Shard != 2 || c.Shard != nil || c.Origin != "" {
		t.Errorf("%+v, %+v, %+v", c.Influences, c.GivenUp, c.Shard)
	}
	want := map[string]string{"moobench": "1", "jdk": "17"}
	if d := cmp.Diff(want, c.Versions); d != "" || counted[0].store.Campaign().Versions["machine"] != "alpha" {
		t.Errorf("versions (-want +got):\n%s", d)
	}
	m := c.Merged
	if m.Count != 3 || len(m.Shards) != 2 || m.Shards[0].Index != 1 || m.Shards[1].Index != 2 || len(m.Doubles) != 1 ||
		!slices.Equal(m.Missing, []results.MissingShard{{Index: 3, Blocks: 2}}) {
		t.Errorf("%+v", m)
	}
	if !slices.Equal(m.Shards[1].Machines, []string{"beta"}) || m.Shards[1].Seal == "" {
		t.Errorf("%+v", m.Shards[1])
	}
}

// TestOnce: of shards with one number that which was done first counts; a shard that is named twice is there once.
func TestOnce(t *testing.T) {
	of := func(index, done int, seal string) part {
		p := part{done: time.Date(2026, 11, 1, 0, done, 0, 0, time.UTC)}
		p.Index, p.Seal = index, seal
		return p
	}
	for _, c := range []struct {
		name             string
		parts            []part
		counted, doubles string
	}{
		{"none", nil, "", ""},
		{"two", []part{of(2, 0, "b"), of(1, 0, "a")}, "a b", ""},
		{"one named twice", []part{of(1, 0, "a"), of(2, 0, "b"), of(1, 0, "a")}, "a b", ""},
		{"measured twice", []part{of(1, 5, "a"), of(1, 4, "b"), of(2, 9, "c")}, "b c", "a"},
		{"done at once", []part{of(1, 4, "b"), of(1, 4, "a")}, "a", "b"},
		{"measured three times", []part{of(1, 5, "a"), of(1, 4, "b"), of(1, 3, "c")}, "c", "b a"},
	} {
		seals := func(parts []part) string {
			return strings.Join(results.Each(parts, func(p part) string { return p.Seal }), " ")
		}
		before := seals(c.parts)
		counted, doubles := once(c.parts)
		if seals(counted) != c.counted || seals(doubles) != c.doubles || seals(c.parts) != before {
			t.Errorf("%s: %s count, %s are doubles", c.name, seals(counted), seals(doubles))
		}
	}
}

// TestMeasuredOn: a block was measured where its current invocation ran, and one without on most of its shard's.
func TestMeasuredOn(t *testing.T) {
	dir := t.TempDir()
	names := []string{made(t, filepath.Join(dir, "one"), 1, 1, "alpha", nil)}
	parts, err := readAll(t.Context(), names, dir)
	if err != nil {
		t.Fatal(err)
	}
	inv := func(block int, machine string, superseded bool) *results.Invocation {
		return &results.Invocation{
			Identity: results.Identity{Block: block}, Machine: machine, Superseded: superseded,
		}
	}
	p := &parts[0]
	p.Machines = []string{"alpha", "beta"}
	p.all = []*results.Invocation{
		inv(1, "alpha", false), inv(2, "beta", false), inv(2, "alpha", true), inv(3, "beta", false),
		inv(4, "beta", true),
	}
	machines, on, err := measuredOn(parts)
	want := map[int]string{1: "alpha", 2: "beta", 3: "beta", 4: "beta", 5: "beta", 6: "beta"}
	if d := cmp.Diff(want, on); err != nil || d != "" || len(machines) != 1 {
		t.Errorf("%v, %d machines (-want +got):\n%s", err, len(machines), d)
	}
	p.Machines, p.all = []string{"alpha"}, []*results.Invocation{inv(1, "alpha", false)}
	if _, on, err := measuredOn(parts); err != nil || on[1] != "alpha" || on[6] != "alpha" {
		t.Errorf("one machine measured one block: %v, %v", on, err)
	}
	p.all = nil
	if _, on, err := measuredOn(parts); err != nil || len(on) != 0 {
		t.Errorf("nothing was measured: %v, %v", on, err)
	}
}

// TestUsual: what most parts have is usual, of equally many what sorts first; which is not the first that is named.
func TestUsual(t *testing.T) {
	dir := t.TempDir()
	jdk := func(i int, version string) string {
		name := filepath.Join(dir, version+string('a'+rune(i-1)))
		return made(t, name, i, 3, "alpha", func(c *results.Campaign, _ *results.Invocation) {
			c.Versions["jdk"] = version
		})
	}
	all := []string{jdk(1, "25"), jdk(2, "21"), jdk(3, "25")}
	for _, c := range []struct {
		names []string
		want  string // "": they are alike
	}{
		{all[:2], "25a: its version of jdk is 25, that of the others is 21"},
		{[]string{all[1], all[0]}, "25a: its version of jdk is 25, that of the others is 21"},
		{all[:3], "21b: its version of jdk is 21, that of the others is 25"},
		{[]string{all[0], all[2]}, ""},
	} {
		parts, err := readAll(t.Context(), c.names, dir)
		if err != nil {
			t.Fatal(err)
		}
		err = alike(parts)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) ||
			err != nil && strings.Count(err.Error(), "its version") != 1 {
			t.Errorf("%q: %v, want %q", c.names, err, c.want)
		}
	}
}

// TestShownVersions: checksums are shortened, other versions are not.
func TestShownVersions(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "not known",
		"17.0.1":                       "17.0.1",
		strings.Repeat("0a", 32):       "0a0a0a0a0a0a…",
		strings.Repeat("0a", 31) + "a": strings.Repeat("0a", 31) + "a",
		strings.Repeat("0x", 32):       strings.Repeat("0x", 32),
	} {
		if got := shown(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestArtifactsOf: artifacts are told by the variant that they went into, all that there were.
func TestArtifactsOf(t *testing.T) {
	c := &results.Campaign{Cells: []results.Cell{{ID: "c0", Variant: "agent"}}}
	inv := func(cell string, sums ...string) *results.Invocation {
		i := &results.Invocation{Cell: cell}
		for _, sum := range sums {
			i.Artifacts = append(i.Artifacts, results.Artifact{Name: "a.jar", SHA256: sum})
		}
		return i
	}
	got := artifactsOf(c, []*results.Invocation{
		inv("c0", "2"), inv("c0", "1"), inv("c0", "2"), inv("c9", "3"), inv("c0"),
	})
	if d := cmp.Diff(map[string]string{"agent: a.jar": "1 2", "c9: a.jar": "3"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestExtract: a file may be as large as the tar says, together they are no larger than the tar itself.
func TestExtract(t *testing.T) {
	k := kind{"thing", "first", func(string) bool { return true }, func(name string) bool { return name == "first" }}
	dir := t.TempDir()
	write := func(name string, files ...[2]string) string {
		path := filepath.Join(dir, name)
		var all []entry
		for _, f := range files {
			all = append(all, entry{tar.Header{Typeflag: tar.TypeReg, Name: f[0]}, []byte(f[1])})
		}
		tarOf(t, path, all)
		return path
	}
	got, err := k.extract(t.Context(), write("good", [2]string{"first", "list"}, [2]string{"other", "text"}), nil)
	if err != nil || len(got.sums) != 2 || string(got.kept["first"]) != "list" || len(got.kept) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	// A sparse file that claims to be larger than the tar.
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []*tar.Header{
		{Typeflag: tar.TypeReg, Name: "first", Mode: 0o644},
		{Typeflag: tar.TypeReg, Name: "large", Mode: 0o644, Size: 1 << 30},
	} {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	first, other := [2]string{"first", "x"}, [2]string{"other", "x"}
	for name, want := range map[string]string{
		large:                               `holds "large", which is not a regular file of this size`,
		write("late", other):                `holds "other", which no thing has there`,
		write("twice", first, first):        `holds "first", which no thing has there`,
		write("again", first, other, other): `holds "other", which no thing has there`,
		write("empty"):                      "it is no thing, or cut short",
	} {
		if _, err := k.extract(t.Context(), name, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.extract(done, write("done", first), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := k.extract(t.Context(), filepath.Join(dir, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no file: %v", err)
	}
}

// TestMostKept: a file that lists others has a size limit, which others have not.
func TestMostKept(t *testing.T) {
	for _, c := range []struct {
		size int64
		keep bool
		ok   bool
	}{{mostKept, true, true}, {mostKept + 1, true, false}, {mostKept + 1, false, true}} {
		got := &contents{sums: map[string]string{}, kept: map[string][]byte{}}
		err := got.take(&tar.Header{Name: "a", Size: c.size}, strings.NewReader("text"), nil, c.keep)
		if (err == nil) != c.ok || c.ok && (got.sums["a"] == "" || (string(got.kept["a"]) == "text") != c.keep) {
			t.Errorf("%d bytes, kept %t: %v", c.size, c.keep, err)
		}
	}
}

// TestChangesOf: each difference is named, first what should be there.
func TestChangesOf(t *testing.T) {
	got := changesOf(
		map[string]string{"same": "1", "gone": "2", "other": "3"},
		map[string]string{"same": "1", "other": "4", "new": "5"},
	)
	want := []string{
		"gone is gone", "other: its checksum is not the recorded one", "new: no checksum is recorded for it",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := changesOf(map[string]string{"a": "1"}, map[string]string{"a": "1"}); got != nil {
		t.Errorf("nothing changed: %q", got)
	}
}

// TestPackUnsealed: what is not complete, or changed, is not packed; and looking into a pack writes nothing.
func TestPackUnsealed(t *testing.T) {
	dir := t.TempDir()
	one := made(t, filepath.Join(dir, "one"), 1, 2, "alpha", nil)
	path := packed(t, one)
	c, err := Look(t.Context(), path)
	if err != nil || c.Name != "made up" || c.Shard == nil {
		t.Errorf("%+v, %v", c, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("%v, %v", left, err)
	}
	if err := os.Remove(filepath.Join(one, "SEALED")); err != nil {
		t.Fatal(err)
	}
	store, err := results.Open(one)
	if err != nil {
		t.Fatal(err)
	}
	err = Pack(t.Context(), store, filepath.Join(dir, "again.tar"))
	if err == nil || !strings.Contains(err.Error(), "it is not complete: finish it with: moobench run --resume "+one) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "again.tar")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

// TestScratch: an empty folder is made beside the one that is wanted, which must not be there.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	want := filepath.Join(dir, "a", "b")
	for range 2 {
		tmp, err := scratch(want + "/")
		if err != nil || filepath.Dir(tmp) != filepath.Dir(want) || !strings.HasPrefix(filepath.Base(tmp), ".tmp-b-") {
			t.Fatalf("%s, %v", tmp, err)
		}
		if left, err := os.ReadDir(tmp); err != nil || len(left) != 0 {
			t.Errorf("%v, %v", left, err)
		}
		if err := os.WriteFile(filepath.Join(tmp, "left"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := scratch(dir); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("%v", err)
	}
	if _, err := scratch(filepath.Join(file(t, "f", "x"), "b", "c")); err == nil {
		t.Error("a folder is made in a file")
	}
}

// TestLink: all regular files of a folder are linked, nothing else is.
func TestLink(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
	for _, name := range []string{"a", "b/c", "b/d/e"} {
		path := filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", filepath.Join(from, "l")); err != nil {
		t.Fatal(err)
	}
	if err := link(from, to); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b/c", "b/d/e"} {
		one, errOne := os.Stat(filepath.Join(from, name))
		two, errTwo := os.Stat(filepath.Join(to, name))
		if errOne != nil || errTwo != nil || !os.SameFile(one, two) {
			t.Errorf("%s: %v, %v", name, errOne, errTwo)
		}
	}
	if _, err := os.Lstat(filepath.Join(to, "l")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a symbolic link is linked: %v", err)
	}
	if err := link(filepath.Join(from, "none"), to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no folder: %v", err)
	}
	if err := linkFile(filepath.Join(from, "a"), filepath.Join(to, "a")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: %v", err)
	}
}

// TestMoveTo: all states of a machine are moved, and the last one stays the current one.
func TestMoveTo(t *testing.T) {
	dir := t.TempDir()
	parts, err := readAll(t.Context(), []string{made(t, filepath.Join(dir, "one"), 1, 1, "alpha", nil)}, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, kernel := range []string{"2", "3"} {
		if err := parts[0].store.AddMachine(results.Machine{ID: "alpha", Host: "alpha", Kernel: kernel}); err != nil {
			t.Fatal(err)
		}
	}
	to, err := results.Create(filepath.Join(dir, "to"), together(parts, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := parts[0].moveTo(to); err != nil {
		t.Fatal(err)
	}
	machines, err := to.Machines()
	kernels := results.Each(machines, func(m *results.Machine) string { return m.Kernel })
	if err != nil || !slices.Equal(kernels, []string{"3", "2", ""}) {
		t.Errorf("%q, %v", kernels, err)
	}
	if all, err := to.Invocations(); err != nil || len(all) != len(parts[0].all) {
		t.Errorf("%d invocations of %d, %v", len(all), len(parts[0].all), err)
	}
}
