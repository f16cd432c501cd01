package results

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results/summary"
)

func TestAfreshIsTheStored(t *testing.T) {
	s := newStore(t)
	for block := range 5 {
		sealOne(t, s, Identity{block + 1, 0, 0}, 1000*block)
	}
	fresh := s.Afresh(t.Context())
	list, err := fresh.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 2}, {2, 2, 0}} {
		for _, i := range order {
			stored, err := s.Summary(list[i])
			if err != nil {
				t.Fatal(err)
			}
			got, err := fresh.Summary(list[i])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(encode(t, stored), encode(t, got)); diff != "" {
				t.Errorf("%s in %v:\n%s", list[i].Identity, order, diff)
			}
		}
	}
	if n := len(fresh.ahead); n > cap(fresh.cpu) {
		t.Errorf("%d summaries are held ahead, with %d CPUs", n, cap(fresh.cpu))
	}
}

// TestAfreshReadsSamples makes the stored summary and the samples differ in
// whether they are there.
func TestAfreshReadsSamples(t *testing.T) {
	s := newStore(t)
	inv := sealOne(t, s, Identity{1, 0, 0}, 100)
	dir := s.path(invocationsDir, inv.Identity.String())
	if err := os.Remove(dir + "/" + summaryFile); err != nil {
		t.Fatal(err)
	}
	if sum, err := s.Afresh(t.Context()).Summary(inv); err != nil || len(sum.Columns) != 1 {
		t.Errorf("without summary.json: %+v, %v", sum, err)
	}
	if _, err := os.Stat(dir + "/" + summaryFile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it wrote: %v", err)
	}
	if err := os.Truncate(dir+"/"+samplesFile, 50); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Afresh(t.Context()).Summary(inv); err == nil {
		t.Error("half a sample file was summarised")
	}
}

func TestAfreshEnds(t *testing.T) {
	s := newStore(t)
	inv := sealOne(t, s, Identity{1, 0, 0}, 100)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Afresh(ctx).Summary(inv); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

func encode(t *testing.T, s *summary.Summary) string {
	t.Helper()
	data, err := summary.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
