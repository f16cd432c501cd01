package results

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/results/events"
	"moobench/results/safefile"
	"moobench/results/summary"
)

// Invocations returns every sealed invocation, sorted by block, slot and repeat, with Superseded derived. The
// error names those that can't be read; the others are returned with it.
func (s *Store) Invocations() ([]*Invocation, error) {
	list, unread := s.readInvocations()
	return list, errors.Join(unread...)
}

// readInvocations returns the readable invocations, and one error for each of the others.
func (s *Store) readInvocations() (list []*Invocation, unread []error) {
	dir := s.path(invocationsDir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, []error{diskError("reading", dir, err)}
	}
	sealed, err := s.readSealed()
	if errors.Is(err, fs.ErrNotExist) {
		sealed = s.readMeasured()
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tmpPrefix) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if inv, err := s.readInvocation(path, sealed); err == nil {
			list = append(list, inv)
		} else {
			unread = append(unread, asError("reading", path, err))
		}
	}
	slices.SortFunc(list, func(a, b *Invocation) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Repeat, b.Repeat))
	})
	// In a block that was started again, only the invocations with the highest repeat are current.
	last := map[int]int{}
	for _, inv := range list {
		last[inv.Block] = max(last[inv.Block], inv.Repeat)
	}
	for _, inv := range list {
		inv.Superseded = inv.Repeat < last[inv.Block]
		inv.Cell = s.campaign.Merged.CellOn(inv.Cell, inv.Machine)
	}
	return list, unread
}

// readInvocation reads the invocation in a folder, and checks that it is as it was measured.
func (s *Store) readInvocation(dir string, sealed map[string]string) (*Invocation, error) {
	id, err := ParseIdentity(filepath.Base(dir))
	if err != nil {
		return nil, &Error{problemDamaged, "reading invocation", dir, err, "moobench didn't make it: move it away"}
	}
	path := filepath.Join(dir, invocationFile)
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	inv, err := DecodeInvocation(path, data, id)
	if err == nil {
		err = s.asMeasured(path, data, sealed)
	}
	if err != nil {
		return nil, err
	}
	return inv, nil
}

// DecodeInvocation decodes and checks the content of the invocation.json at path, in the
// folder of invocation id.
func DecodeInvocation(path string, data []byte, id Identity) (*Invocation, error) {
	inv := new(Invocation)
	if err := decodeJSON(path, data, inv); err != nil {
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

// Events returns the kept event files of an invocation: one for each JVM whose probe logged events. Package
// events reads them.
func (s *Store) Events(inv *Invocation) ([]string, error) {
	return events.Files(s.path(invocationsDir, inv.Identity.String()))
}

// Summary returns the summary of an invocation: the stored one if it is unchanged and was made by this version
// of the summariser from these samples, else one computed from the samples. It never writes. Without series the
// summary is empty.
func (s *Store) Summary(inv *Invocation) (*summary.Summary, error) {
	if len(inv.Series) == 0 {
		return &summary.Summary{}, nil
	}
	sum, damage := s.storedSummary(inv)
	if sum != nil {
		return sum, nil
	}
	sum, err := s.summarise(context.Background(), inv)
	if err != nil {
		return nil, err
	}
	sum.Anew = damage
	return sum, nil
}

// storedSummary returns summary.json, or nil if it is not usable; damage says why, unless it is missing or only
// the versions differ.
func (s *Store) storedSummary(inv *Invocation) (sum *summary.Summary, damage string) {
	data, err := safefile.Read(s.path(invocationsDir, inv.Identity.String(), summaryFile), summaryBound(inv))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ""
	case err != nil:
		return nil, err.Error()
	case hashOf(data) != inv.Files[summaryFile]:
		return nil, "its checksum is not the recorded one"
	}
	sum, err = summary.Decode(data)
	switch {
	case err != nil:
		return nil, err.Error()
	case sum.Version != summary.Version:
		return nil, ""
	case sum.Samples != inv.Files[samplesFile]:
		return nil, "it is of other samples"
	}
	return sum, ""
}

// summaryBound is the size limit of an invocation's summary in bytes: ten times the most that its columns can
// take.
func summaryBound(inv *Invocation) int64 {
	const column, most = 4 << 20, 1 << 30
	bound := int64(column)
	for _, series := range inv.Series {
		bound += column * int64(len(series.Columns))
	}
	return min(bound, most)
}

// mostOf returns the size limit of a file of an invocation, derived from invocation.json: a stranger's folder
// may hold files without end.
func (inv *Invocation) mostOf(name string) int64 {
	switch name {
	case summaryFile:
		return summaryBound(inv)
	case samplesFile:
		const value, series = 16, 1 << 20 // bytes: twice the most that the format takes
		columns, bound := int64(len(newLayout(inv.Series).columns)), int64(series)
		for _, s := range inv.Series {
			if s.Count > mostBytes/value/columns {
				return mostBytes
			}
			bound = min(mostBytes, bound+series+value*columns*s.Count)
		}
		return bound
	}
	return mostBytes
}

// anyLength is the limit for files whose lengths are not recorded.
func anyLength(string) int64 { return mostBytes }

// summarise computes the summary of an invocation from its samples, until ctx
// is done.
func (s *Store) summarise(ctx context.Context, inv *Invocation) (*summary.Summary, error) {
	sum := newSummariser(inv.Series)
	err := s.samples(ctx, inv, func(series, column int, values []int64) error {
		sum.add(series, column, values)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	columns, err := sum.columns()
	if err != nil {
		return nil, fmt.Errorf("invocation %s: %w", inv.Identity, err)
	}
	return &summary.Summary{Samples: inv.Files[samplesFile], Columns: columns}, nil
}

// Samples streams the samples of an invocation to fn: each column of each series, in pages. The values of one
// series and column come in the order of recording; fn must not keep the slices. An error of fn stops it.
func (s *Store) Samples(inv *Invocation, fn func(series Series, column int, values []int64) error) error {
	if len(inv.Series) == 0 {
		return nil
	}
	return s.samples(context.Background(), inv, func(i, column int, values []int64) error {
		return fn(inv.Series[i], column, values)
	})
}

// samples streams a sample file after checking its checksum, since a changed file may
// still be readable.
func (s *Store) samples(ctx context.Context, inv *Invocation, fn func(series, column int, values []int64) error) error {
	path := s.path(invocationsDir, inv.Identity.String(), samplesFile)
	sum, err := hashFile(ctx, path, inv.mostOf(samplesFile))
	if err != nil {
		return err
	}
	if sum != inv.Files[samplesFile] {
		return newError(problemDamaged, "reading", path, "its checksum is not the recorded one", restore)
	}
	f, err := safefile.Open(path)
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
