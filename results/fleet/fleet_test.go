package fleet

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/results"
)

// made measures shard i of n of a made-up plan of six blocks, on a host.
func made(t testing.TB, dir string, i, n int, host string, change func(*results.Campaign, *results.Invocation)) string {
	t.Helper()
	shard := &results.Shard{Index: i, Count: n, Planned: 6, First: 7}
	c := &results.Campaign{
		Name: "made up", Source: "moobench", Design: results.DesignBlocks, Seed: 7, PlanHash: strings.Repeat("ab", 32), Plan: []string{"seed 7"},
		Created:   time.Date(2026, 11, 1, 2, 0, i, 0, time.UTC),
		Scenarios: []results.Scenario{{Label: "s", Use: "overhead", Metrics: []results.Metric{{Name: "call", Unit: "ns"}}}},
		Cells: []results.Cell{
			{ID: "c0", Scenario: "s", Variant: "none", Role: results.RoleBaseline},
			{ID: "c1", Scenario: "s", Variant: "agent", Role: results.RoleVariant, Baseline: "c0"},
		},
		Versions: map[string]string{"moobench": "1", "jdk": "17", "machine": host},
		Shard:    shard,
	}
	for b := range 6 {
		if shard.Measures(b) {
			c.Blocks = append(c.Blocks, results.Block{Number: b + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c0", "c1"}})
		}
	}
	probe := new(results.Invocation)
	if change != nil {
		change(c, probe)
	}
	store, err := results.Create(dir, c, []byte("name = \"made up\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.AddMachine(results.Machine{ID: host, Host: host, CPU: "cpu"}); err != nil {
		t.Fatal(err)
	}
	for _, b := range c.Blocks {
		for slot, cell := range b.Order {
			d, err := store.Begin(results.Identity{Block: b.Number, Slot: slot})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(d.Dir(), "jvm.log"), []byte(host), 0o666); err != nil {
				t.Fatal(err)
			}
			begun := c.Created.Add(time.Duration(b.Number) * time.Minute)
			inv := &results.Invocation{
				Cell: cell, Profile: b.Profile, Status: results.StatusOK, Machine: host, Boot: "boot", Start: begun, End: begun.Add(time.Second),
				Scalars: map[string]float64{"call": float64(100*b.Number + slot)}, Artifacts: probe.Artifacts,
			}
			if err := d.Seal(inv); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := store.Seal(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// packed is a shard in a file.
func packed(t testing.TB, dir string) string {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := Pack(context.Background(), store, dir+".tar"); err != nil {
		t.Fatal(err)
	}
	return dir + ".tar"
}

func content(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPackAndUnpack: what is packed is what comes out, and makes the same bytes again, whatever else was put into the folder.
func TestPackAndUnpack(t *testing.T) {
	dir := t.TempDir()
	first := packed(t, made(t, filepath.Join(dir, "a"), 1, 2, "one", nil))
	if err := os.WriteFile(filepath.Join(dir, "a", "report.html"), []byte("page"), 0o666); err != nil {
		t.Fatal(err)
	}
	store, err := Unpack(context.Background(), first, filepath.Join(dir, "b"))
	if err != nil {
		t.Fatal(err)
	}
	if sealed, changed := store.Sealed(); !sealed {
		t.Fatal(changed)
	}
	if second := packed(t, filepath.Join(dir, "b")); content(t, second) != content(t, first) {
		t.Error("the same campaign makes other bytes")
	}
	if _, err := Unpack(context.Background(), first, filepath.Join(dir, "b")); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("unpacking over a folder: %v", err)
	}
}

// entry is a file of a tar.
type entry struct {
	tar.Header
	data []byte
}

// entries are the files of a pack.
func entries(t testing.TB, file string) (all []entry) {
	t.Helper()
	r := tar.NewReader(strings.NewReader(content(t, file)))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, entry{*h, data})
	}
}

func tarOf(t testing.TB, path string, all []entry) {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range all {
		h := tar.Header{Typeflag: e.Typeflag, Name: e.Name, Linkname: e.Linkname, Size: int64(len(e.data)), Mode: 0o644}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestHostilePacks: a file that is anything but a campaign as it was sealed is refused, and nothing of it stays.
func TestHostilePacks(t *testing.T) {
	dir := t.TempDir()
	good := entries(t, packed(t, made(t, filepath.Join(dir, "a"), 1, 2, "one", nil)))
	add := func(e entry) func([]entry) []entry {
		return func(all []entry) []entry { return append(all, e) }
	}
	file := func(name string) entry {
		return entry{tar.Header{Typeflag: tar.TypeReg, Name: name}, []byte("x")}
	}
	for name, change := range map[string]func([]entry) []entry{
		"up":             add(file("../escaped")),
		"up inside":      add(file("invocations/b0001.s00.r0/../../../escaped")),
		"absolute":       add(file("/tmp/escaped")),
		"backslash":      add(file(`invocations/b0001.s00.r0/..\escaped`)),
		"elsewhere":      add(file("bin/sh")),
		"not vouched":    add(file("invocations/b0001.s00.r0/more.log")),
		"other name":     add(file("invocations/b1/more.log")),
		"unfinished":     add(file("invocations/b0001.s00.r0/.tmp-x")),
		"machine":        add(file("machines/two.json")),
		"machine, other": add(file("machines/two.sh")),
		"twice":          func(all []entry) []entry { return append(all, all[len(all)-1]) },
		"link":           add(entry{tar.Header{Typeflag: tar.TypeSymlink, Name: "invocations/b0001.s00.r0/l", Linkname: "/etc/passwd"}, nil}),
		"hard link":      add(entry{tar.Header{Typeflag: tar.TypeLink, Name: "invocations/b0001.s00.r0/l", Linkname: "SEALED"}, nil}),
		"device":         add(entry{tar.Header{Typeflag: tar.TypeChar, Name: "invocations/b0001.s00.r0/l"}, nil}),
		"pipe":           add(entry{tar.Header{Typeflag: tar.TypeFifo, Name: "invocations/b0001.s00.r0/l"}, nil}),
		"folder":         add(entry{tar.Header{Typeflag: tar.TypeDir, Name: "invocations/b0001.s00.r0/l/"}, nil}),
		"one less":       func(all []entry) []entry { return all[:len(all)-1] },
		"unsealed":       func(all []entry) []entry { return all[1:] },
		"empty":          func([]entry) []entry { return nil },
		"changed": func(all []entry) []entry {
			last := &all[len(all)-1]
			last.data = append([]byte(nil), last.data...)
			last.data[0] ^= 1
			return all
		},
	} {
		t.Run(name, func(t *testing.T) {
			own := t.TempDir()
			path := filepath.Join(own, "bad.tar")
			tarOf(t, path, change(slices.Clone(good)))
			if _, err := Unpack(context.Background(), path, filepath.Join(own, "out")); err == nil {
				t.Error("taken for a campaign")
			}
			if left, _ := os.ReadDir(own); len(left) != 1 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// TestCutShort: a file that ends anywhere is refused.
func TestCutShort(t *testing.T) {
	dir := t.TempDir()
	whole := content(t, packed(t, made(t, filepath.Join(dir, "a"), 1, 2, "one", nil)))
	// The two empty blocks that end a tar may lack, and what fills the last block: all files are there.
	for n := 0; n < len(whole)-3*512; n += 511 {
		path := filepath.Join(dir, "cut.tar")
		if err := os.WriteFile(path, []byte(whole[:n]), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Unpack(context.Background(), path, filepath.Join(dir, "out")); err == nil {
			t.Fatalf("taken for a campaign after %d of %d bytes", n, len(whole))
		}
	}
}

func FuzzUnpack(f *testing.F) {
	dir := f.TempDir()
	whole := content(f, packed(f, made(f, filepath.Join(dir, "a"), 1, 2, "one", nil)))
	f.Add([]byte(whole))
	f.Add([]byte(whole[:2000]))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "pack.tar")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Unpack(context.Background(), path, filepath.Join(dir, "out"))
		want := 1
		if err == nil {
			want = 2
		}
		if left, _ := os.ReadDir(dir); len(left) != want {
			t.Fatalf("left %v after %v", left, err)
		}
	})
}

// TestMerge: any order makes the same campaign; what lacks and what is there twice is in it.
func TestMerge(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	begun := time.Date(2026, 11, 1, 1, 0, 0, 0, time.UTC) // before the others
	names := []string{
		made(t, at("one"), 1, 4, "alpha", nil),
		packed(t, made(t, at("two"), 2, 4, "beta", func(c *results.Campaign, _ *results.Invocation) { c.Created = begun })),
		made(t, at("four"), 4, 4, "alpha", nil),
		made(t, at("later"), 1, 4, "gamma", func(c *results.Campaign, _ *results.Invocation) { c.Created = c.Created.Add(time.Hour) }),
	}
	names = append(names, names[0])
	var first string
	for try := range 6 {
		rand.New(rand.NewPCG(1, uint64(try))).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		out := at(fmt.Sprintf("merged%d", try))
		store, err := Merge(context.Background(), names, out, false)
		if err == nil {
			err = store.Seal()
		}
		if err != nil {
			t.Fatal(err)
		}
		if changes := store.Changes(context.Background()); len(changes) > 0 {
			t.Fatal(changes)
		}
		m := store.Campaign().Merged
		if len(m.Shards) != 3 || len(m.Doubles) != 1 || len(m.Missing) != 1 || m.Missing[0] != (results.MissingShard{Index: 3, Blocks: 1}) {
			t.Fatalf("%+v", m)
		}
		if got := store.Campaign().Created; !got.Equal(begun) {
			t.Errorf("the whole was begun at %v, want %v", got, begun)
		}
		if m.Doubles[0].Machines[0] != "gamma" {
			t.Error("the one that was sealed first does not count")
		}
		if _, err := os.Stat(filepath.Join(out, "doubles", "1-"+m.Doubles[0].Seal[:12], "SEALED")); err != nil {
			t.Error(err)
		}
		all, err := store.Invocations()
		if err != nil || len(all) != 10 {
			t.Fatalf("%d invocations, %v", len(all), err)
		}
		sealed := content(t, filepath.Join(out, "SEALED"))
		if first == "" {
			first = sealed
		}
		if sealed != first {
			t.Error("another order makes another campaign")
		}
	}
}

// TestMergeRefuses: what does not belong together is named, all of it at once, and nothing is made.
func TestMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	one, two := made(t, at("one"), 1, 3, "alpha", nil), made(t, at("two"), 2, 3, "beta", nil)
	agent := func(sum string) func(*results.Campaign, *results.Invocation) {
		return func(_ *results.Campaign, inv *results.Invocation) {
			inv.Artifacts = []results.Artifact{{Name: "agent.jar", SHA256: strings.Repeat(sum, 64)}}
		}
	}
	a1, a2 := made(t, at("a1"), 1, 3, "alpha", agent("a")), made(t, at("a2"), 2, 3, "alpha", agent("a"))
	tampered := made(t, at("tampered"), 3, 3, "alpha", nil)
	if err := os.WriteFile(filepath.Join(tampered, "invocations", "b0003.s00.r0", "jvm.log"), []byte("else"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		want []string
	}{
		{"plan", []string{one, two, made(t, at("plan"), 3, 3, "alpha", func(c *results.Campaign, _ *results.Invocation) { c.PlanHash = strings.Repeat("cd", 32) })}, []string{"plan: its plan is cdcdcd"}},
		{"cut", []string{one, two, made(t, at("cut"), 2, 2, "alpha", nil)}, []string{"its number of shards is 2, that of the others is 3"}},
		{"build", []string{one, two, made(t, at("build"), 3, 3, "alpha", func(c *results.Campaign, _ *results.Invocation) { c.Versions["moobench"] = "2" })}, []string{"its version of moobench is 2, that of the others is 1"}},
		{"jdk", []string{one, two, made(t, at("jdk"), 3, 3, "alpha", func(c *results.Campaign, _ *results.Invocation) { c.Versions["jdk"] = "25" })}, []string{"its version of jdk is 25"}},
		{"artifact", []string{a1, a2, made(t, at("artifact"), 3, 3, "alpha", agent("b"))}, []string{"the artifact none: agent.jar is bbbbbbbbbbbb…"}},
		{"tampered", []string{one, two, tampered}, []string{"tampered is not as it was sealed", "jvm.log"}},
		{"all at once", []string{one, tampered, at("nowhere"), dir}, []string{"tampered is not", "nowhere", "not a campaign"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Merge(context.Background(), tt.args, at("out"), false)
			if err == nil {
				t.Fatal("merged")
			}
			said := fmt.Sprintf("%v", err)
			for _, want := range tt.want {
				if !strings.Contains(said, want) {
					t.Errorf("%q is not in:\n%s", want, said)
				}
			}
			if _, err := os.Stat(at("out")); err == nil {
				t.Error("something was made")
			}
		})
	}
}
