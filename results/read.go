package results

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/results/summary"
)

// Invocations returns every sealed invocation, sorted by block, slot and
// repeat, with Superseded derived. Those that can't be read are named in the
// error, and the rest is returned with it.
func (s *Store) Invocations() ([]*Invocation, error) {
	dir := s.path(invocationsDir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, diskError("reading", dir, err)
	}
	var list []*Invocation
	var errs []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tmpPrefix) {
			continue
		}
		inv, err := readInvocation(filepath.Join(dir, e.Name()))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, inv)
	}
	slices.SortFunc(list, func(a, b *Invocation) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Repeat, b.Repeat))
	})
	supersede(list)
	return list, errors.Join(errs...)
}

func readInvocation(dir string) (*Invocation, error) {
	id, err := ParseIdentity(filepath.Base(dir))
	if err != nil {
		return nil, &Error{Problem: ProblemDamaged, Op: "reading invocation", Path: dir, Err: err, Hint: "moobench didn't make it: move it away"}
	}
	inv := new(Invocation)
	path := filepath.Join(dir, invocationFile)
	if err := readJSON(path, inv); err != nil {
		return nil, err
	}
	if inv.Identity != id {
		return nil, damaged(path, fmt.Errorf("it says it is %s", inv.Identity))
	}
	if err := checkSeries(inv.Series); err != nil {
		return nil, damaged(path, err)
	}
	return inv, nil
}

// supersede marks the invocations of a block that was started again: only those
// with the block's highest repeat are current.
func supersede(list []*Invocation) {
	last := map[int]int{}
	for _, inv := range list {
		last[inv.Block] = max(last[inv.Block], inv.Repeat)
	}
	for _, inv := range list {
		inv.Superseded = inv.Repeat < last[inv.Block]
	}
}

// Summary returns the summary of an invocation: the stored one if it was made
// by this version of the summariser from these samples, else one computed from
// the samples. It never writes. Without series the summary is empty.
func (s *Store) Summary(inv *Invocation) (*summary.Summary, error) {
	if len(inv.Series) == 0 {
		return &summary.Summary{}, nil
	}
	path := s.path(invocationsDir, inv.Identity.String(), summaryFile)
	if data, err := os.ReadFile(path); err == nil {
		sum, err := summary.Decode(data)
		if err == nil && sum.Version == summary.Version && sum.Samples == inv.Files[samplesFile] {
			return sum, nil
		}
	}
	return s.summarise(context.Background(), inv)
}

// summarise computes the summary of an invocation from its samples, until ctx
// is done.
func (s *Store) summarise(ctx context.Context, inv *Invocation) (*summary.Summary, error) {
	builders := make([]*summariser, len(inv.Series))
	for i := range inv.Series {
		builders[i] = newSummariser(inv.Series[i])
	}
	err := s.samples(inv, func(series, column int, values []int64) error {
		builders[series].addColumn(column, values)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	sum := &summary.Summary{Samples: inv.Files[samplesFile]}
	for _, b := range builders {
		columns, err := b.columns()
		if err != nil {
			return nil, fmt.Errorf("invocation %s: %w", inv.Identity, err)
		}
		sum.Columns = append(sum.Columns, columns...)
	}
	return sum, nil
}

// Samples streams the samples of an invocation to fn: of each series, each
// column, in pages. Values of one series and column come in the order in which
// they were recorded; fn may keep none of them. An error of fn ends it.
func (s *Store) Samples(inv *Invocation, fn func(series Series, column int, values []int64) error) error {
	if len(inv.Series) == 0 {
		return nil
	}
	return s.samples(inv, func(i, column int, values []int64) error {
		return fn(inv.Series[i], column, values)
	})
}

func (s *Store) samples(inv *Invocation, fn func(series, column int, values []int64) error) error {
	path := s.path(invocationsDir, inv.Identity.String(), samplesFile)
	f, err := os.Open(path)
	if err != nil {
		return diskError("reading", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return diskError("reading", path, err)
	}
	if err := readSamples(f, info.Size(), inv.Series, fn); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}
