package jtl

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
	"moobench/results/importer"
)

// Whatever is exported and imported again has the same samples and scalars.
func TestImportOfAnExport(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	codes := []string{"200", "500", noAnswer + "java.net.ConnectException", noAnswer + "java.net.SocketTimeoutException"}
	for range 12 { // each writes two campaigns, and waits for the disk
		dir, text := t.TempDir(), "timeStamp,elapsed,label,responseCode,success,Latency,Connect\n"
		for range 1 + rng.IntN(50) {
			code := codes[rng.IntN(len(codes))]
			text += fmt.Sprintf("%d,%d,%s,%s,%v,%d,%d\n", 1_700_000_000_000+rng.Int64N(1e6), rng.IntN(1e6),
				[]string{"home", "a b", "x"}[rng.IntN(3)], code, code == "200", rng.IntN(1e6), rng.IntN(1e6))
		}
		first := importText(t, filepath.Join(dir, "1"), text)
		var b bytes.Buffer
		if _, err := Write(&b, first.store, []*results.Invocation{first.inv}); err != nil {
			t.Fatal(err)
		}
		again := importText(t, filepath.Join(dir, "2"), b.String())
		if diff := cmp.Diff(first.inv.Scalars, again.inv.Scalars); diff != "" {
			t.Errorf("scalars (-first +again):\n%s", diff)
		}
		if diff := cmp.Diff(first.services(t), again.services(t)); diff != "" {
			t.Errorf("services (-first +again):\n%s", diff)
		}
	}
}

// imported is a campaign of one file.
type imported struct {
	store *results.Store
	inv   *results.Invocation
}

func importText(t *testing.T, dir, text string) imported {
	t.Helper()
	path := dir + ".jtl"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := importFiles(t.Context(), importer.Request{Dir: dir, Name: "x", Files: []importer.File{{Variant: "v", Path: path}}})
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Invocations()
	if err != nil || len(list) != 1 {
		t.Fatalf("%d invocations, %v", len(list), err)
	}
	return imported{s, list[0]}
}

// services are the times of all requests, sorted: requests that were sent at one
// time have no order.
func (i imported) services(t *testing.T) []int64 {
	t.Helper()
	var all []int64
	err := i.store.Samples(i.inv, func(s results.Series, column int, values []int64) error {
		if s.Columns[column].Name == columns[rowTook].name {
			all = append(all, values...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}
