package fleet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"moobench/results"
)

var (
	many      = flag.Int("many", 200, "merge so many made-up invocations")
	sampleLen = flag.Int("sample-bytes", 10_000, "samples of each of them")
)

// TestMergeMany: a merge takes about as long as reading its files once, holds no samples in memory, and copies none.
func TestMergeMany(t *testing.T) {
	const shards = 20
	dir := t.TempDir()
	var names []string
	for i := 1; i <= shards; i++ {
		names = append(names, manyIn(t, filepath.Join(dir, fmt.Sprint("shard", i)), i, shards, *many/shards))
	}
	began := time.Now()
	read := digestAll(t, dir)
	reading := time.Since(began)
	runtime.GC()
	began = time.Now()
	store, err := Merge(context.Background(), names, filepath.Join(dir, "merged"), false)
	if err == nil {
		err = store.Seal()
	}
	if err != nil {
		t.Fatal(err)
	}
	merging := time.Since(began)
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d invocations, %d MB: SHA-256 of all %v, merge %v, %d MB of memory at most", *many, read>>20, reading, merging, used.Maxrss>>10)
	if used.Maxrss > 1<<20 {
		t.Errorf("%d MB of memory", used.Maxrss>>10)
	}
	if most := reading*3/2 + time.Minute; merging > most { // as much as a merge may take: hours would be in it
		t.Errorf("it took %v, and may take %v", merging, most)
	}
	all, err := store.Invocations()
	if err != nil || len(all) != *many/shards*shards {
		t.Fatalf("%d invocations, %v", len(all), err)
	}
	one := filepath.Join("invocations", all[0].Identity.String(), "samples.parquet")
	from, errFrom := os.Stat(filepath.Join(dir, "shard1", one))
	to, errTo := os.Stat(filepath.Join(dir, "merged", one))
	if errFrom != nil || errTo != nil || !os.SameFile(from, to) {
		t.Errorf("samples were copied: %v, %v", errFrom, errTo)
	}
}

// manyIn makes a shard up with so many invocations of one block each.
func manyIn(t *testing.T, dir string, i, shards, each int) string {
	t.Helper()
	// The made-up shard of two invocations is the pattern.
	made(t, dir, i, shards, fmt.Sprint("host", i), func(c *results.Campaign, _ *results.Invocation) {
		c.Blocks = nil
		for b := range each {
			c.Blocks = append(c.Blocks, results.Block{Number: (b*shards + i), Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c0"}})
		}
		c.Shard.Planned, c.Shard.First = each*shards, each*shards+1
	})
	rng := rand.New(rand.NewPCG(1, uint64(i)))
	samples := make([]byte, *sampleLen)
	entries, err := os.ReadDir(filepath.Join(dir, "invocations"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		folder := filepath.Join(dir, "invocations", e.Name())
		for k := 0; k+8 <= len(samples); k += 8 {
			binary.LittleEndian.PutUint64(samples[k:], rng.Uint64())
		}
		addFile(t, folder, "samples.parquet", samples)
		addFile(t, folder, "summary.json", bytes.Repeat([]byte(`{"n":1}`), 300))
	}
	if err := os.Remove(filepath.Join(dir, "SEALED")); err != nil {
		t.Fatal(err)
	}
	store, err := results.Open(dir)
	if err == nil {
		err = store.Seal()
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// addFile puts a file into an invocation that was sealed already.
func addFile(t *testing.T, folder, name string, data []byte) {
	t.Helper()
	path := filepath.Join(folder, "invocation.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var inv map[string]any
	if err := json.Unmarshal(text, &inv); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if name == "samples.parquet" { // so many samples may take so many bytes
		columns := []results.Column{{Name: "duration", Unit: "ns", Kind: results.KindDuration}}
		inv["series"] = []results.Series{{Name: "duration", Columns: columns, Count: int64(len(data) / 8), Batch: 1}}
	}
	inv["files"].(map[string]any)[name] = hex.EncodeToString(sum[:])
	if text, err = json.Marshal(inv); err == nil {
		err = os.WriteFile(path, text, 0o666)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name), data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// digestAll reads all files once.
func digestAll(t *testing.T, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		size, err := io.Copy(sha256.New(), f)
		n += size
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
