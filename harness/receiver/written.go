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

// written counts records in files after the subject is gone. No file means no records: an agent that did not
// instrument creates none.
type written struct {
	passive
	dir      string
	patterns []string // of the files with records, relative to dir
	header   int64    // bytes at the start of each file that are not records
	untimed  bool     // bytes tell nothing about records
	count    func(open opener, files []string) (int64, error)
	missing  func(files []string) string // as in Tally; nil: the files can't tell

	marked     bool
	markRecord int64 // bytes of records at Mark
	markErr    error
}

// Mark implements Source. It reads the files' current sizes and ignores endNS: bytes in a file have no time
// stamps.
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

// look lists the files. t has their total size and latest modification time; ofRecords is the size without
// headers.
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
				continue // an agent may remove files meanwhile
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

// opener opens a file with records.
type opener func(path string) (io.ReadSeekCloser, error)

// opener returns an opener for files in the folder. Reading ends with ctx, since a file may be arbitrarily long. A
// link out of the folder is refused: its target was written by somebody else.
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

// content reads a file of at most this many bytes.
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

// countEach adds up the counts of several files; doing says in errors why a file is opened.
func countEach(
	doing string, count func(io.ReadSeeker) (int64, error),
) func(open opener, files []string) (int64, error) {
	return func(open opener, files []string) (all int64, err error) {
		for _, path := range files {
			n, failed := countFile(open, path, doing, count)
			if all += n; !errors.Is(failed, fs.ErrNotExist) { // an agent may remove files meanwhile
				err = errors.Join(err, failed)
			}
		}
		return all, err
	}
}

// countFile counts the records of one file; doing says in errors why it is opened.
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

// escapeGlob escapes a folder's name for use in a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(dir)
}
