package history

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"moobench/refusal"
	"moobench/results/safefile"
)

// patience limits the time that Append waits for another process that appends to the history.
const patience = 30 * time.Second

// Append adds records to a history and returns their number; records already there are dropped. All
// lines are written at once and synced; on failure the file is restored, keeping lines that others
// added meanwhile. (If the machine crashes, at most a partial last line remains, which Read
// ignores.) It creates the file and its folder if missing. Processes that append at the same time
// wait for each other.
func Append(path string, records ...Record) (added int, err error) {
	// Invalid or existing records need no file and no lock.
	_, n, err := lacking(path, records)
	if err != nil || n == 0 {
		return 0, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return 0, fmt.Errorf("add to the history: %w", err)
	}
	f, err := safefile.Hold(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644, patience)
	if errors.Is(err, safefile.ErrHeld) {
		err = refusal.New(err, "wait until it is done: lslocks says which process it is")
	}
	if err != nil {
		return 0, fmt.Errorf("add to the history: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// Another process may have added some of them meanwhile.
	text, n, err := lacking(path, records)
	if err != nil || n == 0 {
		return 0, err
	}
	if err := appendWhole(f, text); err != nil {
		return 0, fmt.Errorf("add to the history: %w", err)
	}
	return n, nil
}

// lacking returns the records missing from the history, as lines, and their number.
func lacking(path string, records []Record) (text []byte, n int, err error) {
	h, err := Read(path)
	if err != nil {
		return nil, 0, err
	}
	seen := map[identity]bool{}
	for i := range h.Records {
		id, _ := h.Records[i].identity()
		seen[id] = true
	}
	var b bytes.Buffer
	for _, r := range records {
		r.Format = formatVersion
		line, err := encode(&r)
		if err := cmp.Or(r.check(), err); err != nil {
			return nil, 0, fmt.Errorf("add to the history: %w", err)
		}
		if id, _ := r.identity(); !seen[id] {
			seen[id] = true
			n++
			b.Write(append(line, '\n'))
		}
	}
	return b.Bytes(), n, nil
}

// appendWhole appends all of the text or nothing, starting on a new line, so that a partial last
// line doesn't spoil it.
func appendWhole(f *os.File, text []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if size := info.Size(); size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err != nil || last[0] != '\n' {
			text = append([]byte{'\n'}, text...)
		}
	}
	n, err := f.Write(text)
	if err != nil {
		return errors.Join(err, takeBack(f, int64(n)))
	}
	return f.Sync()
}

// takeBack removes the last n bytes, which were just written. Bytes behind them are from a process
// that does not lock the file, and stay.
func takeBack(f *os.File, n int64) error {
	end, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil || n == 0 || info.Size() != end {
		return err
	}
	return f.Truncate(end - n)
}
