package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// kept says whether a file of an invocation's folder is sealed with it: logs,
// and the raw dumps, which sealing turns into samples. What a variant wrote is
// counted and then removed: it can be gigabytes, and none of it is measured.
func kept(name string) bool {
	return strings.HasSuffix(name, ".log") || strings.HasSuffix(name, ".i64")
}

// sweep removes what the variant wrote, and returns its size in bytes.
func sweep(dir string) (int64, error) { return removeBut(dir, kept) }

// logKept is how much of a log stays, in bytes: what a subject prints without
// end must not fill the disk for good.
const logKept = 1 << 20

func trimLog(path string, e fs.DirEntry) error {
	info, err := e.Info()
	if err != nil || !strings.HasSuffix(path, ".log") {
		return err
	}
	return trim(path, info)
}

// trim cuts a log down to its end.
func trim(path string, info fs.FileInfo) error {
	if info.Size() <= logKept {
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	end := make([]byte, logKept)
	if _, err := f.ReadAt(end, info.Size()-logKept); err != nil {
		return errors.Join(err, f.Close())
	}
	// Nothing new is written, so it works on a full disk too.
	if _, err := f.WriteAt(end, 0); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(f.Truncate(logKept), f.Close())
}

// clear leaves only the logs.
func clear(dir string) error {
	_, err := removeBut(dir, func(name string) bool { return strings.HasSuffix(name, ".log") })
	return err
}

func removeBut(dir string, keep func(string) bool) (int64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, fmt.Errorf("sweeping the invocation's folder: %w", err)
	}
	var bytes int64
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !e.IsDir() && keep(e.Name()) {
			if err := trimLog(path, e); err != nil {
				return bytes, fmt.Errorf("shortening a log: %w", err)
			}
			continue
		}
		bytes += size(path)
		if err := os.RemoveAll(path); err != nil {
			return bytes, fmt.Errorf("sweeping the invocation's folder: %w", err)
		}
	}
	return bytes, nil
}

// size adds up the files below path, in bytes.
func size(path string) int64 {
	var n int64
	filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}
