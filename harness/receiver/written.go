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
	count    func(open opener, files []string) (int64, error)
	missing  func(files []string) string // as in Tally; nil: the files don't say

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
	if t.Records, err = w.count(w.opener(ctx), files); w.untimed {
		t.Untimed, t.LastNS = true, 0
	}
	if w.missing != nil {
		t.Missing = w.missing(files)
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

// opener opens a file that was written.
type opener func(path string) (io.ReadSeekCloser, error)

// opener opens files of the folder, which are read for as long as ctx goes on: a file may be as long
// as it likes. A link out of the folder is refused: what it leads to was written by somebody else.
func (w *written) opener(ctx context.Context) opener {
	return func(path string) (io.ReadSeekCloser, error) {
		name, err := filepath.Rel(w.dir, path)
		if err != nil {
			return nil, err
		}
		f, err := safefile.OpenIn(w.dir, name)
		if err != nil {
			return nil, err
		}
		return safefile.During(ctx, f), nil
	}
}

// content reads a file of at most so many bytes.
func (open opener) content(path string, most int64) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s holds more than %d bytes", path, most)
	}
	return text, err
}

// countEach adds up what is counted in files; doing is what opening them is for.
func countEach(doing string, count func(io.ReadSeeker) (int64, error)) func(open opener, files []string) (int64, error) {
	return func(open opener, files []string) (all int64, err error) {
		for _, path := range files {
			n, failed := countFile(open, path, doing, count)
			if all += n; !errors.Is(failed, fs.ErrNotExist) { // an agent may remove files while we look
				err = errors.Join(err, failed)
			}
		}
		return all, err
	}
}

// countFile counts the records of one file; doing is what opening it is for.
func countFile(open opener, path, doing string, count func(io.ReadSeeker) (int64, error)) (int64, error) {
	f, err := open(path)
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
