package receiver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"moobench/harness/proc"
	"moobench/results/safefile"
)

// written counts records in files, after the subject is gone. No file means no record: an
// agent that didn't instrument creates none.
type written struct {
	dir     string
	pattern string // pattern of the files with records, below dir
	header  int64  // bytes of each file that are no records
	count   func(files []string) (int64, error)

	marked     bool
	markRecord int64 // bytes of records in the files at Mark
	markErr    error
}

// Vars implements Source.
func (w *written) Vars() map[string]string { return nil }

// Close implements Source.
func (w *written) Close() error { return nil }

// Mark implements Source. It reads the present sizes of the files and ignores endNS:
// bytes in a file have no time stamps.
func (w *written) Mark(int64) {
	if w.marked {
		return
	}
	w.marked = true
	_, s, err := w.look()
	w.markRecord, w.markErr = s.records, err
}

// Finish implements Source.
func (w *written) Finish(ctx context.Context) (Tally, error) {
	if err := ctx.Err(); err != nil {
		return Tally{}, fmt.Errorf("count the records in %s: %w", w.dir, err)
	}
	files, s, err := w.look()
	if err != nil {
		return Tally{}, err
	}
	t := Tally{Bytes: s.bytes, LastNS: s.lastNS}
	t.Records, err = w.count(files)
	if w.marked && w.markErr == nil {
		t.LoopEndFromBytes = true
		t.ByLoopEnd = share(t.Records, w.markRecord, s.records)
	}
	return t, errors.Join(err, w.markErr)
}

// share is n·part/whole, at most n.
func share(n, part, whole int64) int64 {
	if part >= whole {
		return n
	}
	return int64(float64(n) * float64(part) / float64(whole))
}

// sizes is what the files of a source look like from outside.
type sizes struct {
	bytes, records int64 // bytes of all files, with and without their headers
	lastNS         int64 // latest modification, on CLOCK_MONOTONIC
}

func (w *written) look() ([]string, sizes, error) {
	var files []string
	var s sizes
	sinceMonotonic := time.Now().UnixNano() - proc.MonotonicNS()
	found, err := filepath.Glob(filepath.Join(escapeGlob(w.dir), w.pattern))
	if err != nil {
		return nil, s, fmt.Errorf("list %s in %s: %w", w.pattern, w.dir, err)
	}
	for _, f := range found {
		info, err := os.Stat(f)
		if errors.Is(err, fs.ErrNotExist) {
			continue // an agent may remove files while we look
		}
		if err != nil {
			return nil, s, fmt.Errorf("look at what was written: %w", err)
		}
		files = append(files, f)
		s.bytes += info.Size()
		s.records += max(0, info.Size()-w.header)
		s.lastNS = max(s.lastNS, info.ModTime().UnixNano()-sinceMonotonic)
	}
	return files, s, nil
}

// countFile counts the records of one file; doing is what opening it is for.
func countFile(path, doing string, count func(*os.File) (int64, error)) (int64, error) {
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
	var out []byte
	for _, c := range []byte(dir) {
		if c == '*' || c == '?' || c == '[' || c == '\\' {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return string(out)
}
