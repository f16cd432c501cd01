package receiver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"moobench/harness/proc"
	"moobench/results/safefile"
)

// written counts records in files, after the subject is gone. No file means no record: an
// agent that didn't instrument creates none.
type written struct {
	passive
	dir      string
	patterns []string // of the files with records, below dir
	header   int64    // bytes of each file that are no records
	untimed  bool     // bytes say nothing of records
	count    func(files []string) (int64, error)

	marked     bool
	markRecord int64 // bytes of records in the files at Mark
	markErr    error
}

// Mark implements Source. It reads the present sizes of the files and ignores endNS:
// bytes in a file have no time stamps.
func (w *written) Mark(int64) {
	if w.marked || w.untimed {
		return
	}
	w.marked = true
	_, _, w.markRecord, w.markErr = w.look()
}

// Finish implements Source.
func (w *written) Finish(ctx context.Context) (Tally, error) {
	if err := ctx.Err(); err != nil {
		return Tally{}, fmt.Errorf("count the records in %s: %w", w.dir, err)
	}
	files, t, ofRecords, err := w.look()
	if err != nil {
		return Tally{}, err
	}
	if t.Records, err = w.count(files); w.untimed {
		t.Untimed, t.LastNS = true, 0
	}
	if w.marked && w.markErr == nil {
		t.LoopEndFromBytes = true
		if t.ByLoopEnd = t.Records; w.markRecord < ofRecords {
			t.ByLoopEnd = int64(float64(t.Records) * float64(w.markRecord) / float64(ofRecords))
		}
	}
	return t, errors.Join(err, w.markErr)
}

// look lists the files. What they look like from outside is their length, also without
// their headers, and when the last one was changed.
func (w *written) look() (files []string, t Tally, ofRecords int64, err error) {
	sinceMonotonic := time.Now().UnixNano() - proc.MonotonicNS()
	for _, pattern := range w.patterns {
		found, err := filepath.Glob(filepath.Join(escapeGlob(w.dir), pattern))
		if err != nil {
			return nil, t, 0, fmt.Errorf("list %s in %s: %w", pattern, w.dir, err)
		}
		for _, f := range found {
			info, err := os.Stat(f)
			if errors.Is(err, fs.ErrNotExist) {
				continue // an agent may remove files while we look
			}
			if err != nil {
				return nil, t, 0, fmt.Errorf("look at what was written: %w", err)
			}
			files = append(files, f)
			t.Bytes += info.Size()
			ofRecords += max(0, info.Size()-w.header)
			t.LastNS = max(t.LastNS, info.ModTime().UnixNano()-sinceMonotonic)
		}
	}
	return files, t, ofRecords, nil
}

// countEach adds up what is counted in files; doing is what opening them is for.
func countEach(doing string, count func(io.ReadSeeker) (int64, error)) func(files []string) (int64, error) {
	return func(files []string) (all int64, err error) {
		for _, path := range files {
			n, failed := countFile(path, doing, count)
			if all += n; !errors.Is(failed, fs.ErrNotExist) { // an agent may remove files while we look
				err = errors.Join(err, failed)
			}
		}
		return all, err
	}
}

// countFile counts the records of one file; doing is what opening it is for.
func countFile(path, doing string, count func(io.ReadSeeker) (int64, error)) (int64, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	defer f.Close()
	n, err := count(f)
	if err != nil {
		err = fmt.Errorf("count the records of %s: %w", path, err)
	}
	return n, err
}

// escapeGlob keeps a folder's name from being a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(dir)
}
