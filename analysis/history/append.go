package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"moobench/refusal"
	"moobench/results/safefile"
)

// Append adds records to a history, and says how many; those that are there
// already are dropped. All lines are written at once and forced to disk; when
// that fails the file is as it was, with what others added to it. (Of a machine
// that dies meanwhile at most the end of a line is left, which Read leaves out.)
// The file and its folder are made when they are missing. Processes that add at the
// same time wait for each other.
func Append(path string, records ...Record) (added int, err error) {
	// What is wrong, or there already, makes no file and waits for nobody.
	_, n, err := fresh(path, records)
	if err != nil || n == 0 {
		return 0, err
	}
	f, err := locked(path)
	if err != nil {
		return 0, fmt.Errorf("add to the history: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// Another process may have added some of them meanwhile.
	text, n, err := fresh(path, records)
	if err != nil || n == 0 {
		return 0, err
	}
	if err := appendWhole(f, text); err != nil {
		return 0, fmt.Errorf("add to the history: %w", err)
	}
	return n, nil
}

// patience is how long Append waits for another process that adds to the history.
const patience = 30 * time.Second

// locked opens a history to add to it, for this process alone.
func locked(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := safefile.Hold(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644, patience)
	if errors.Is(err, safefile.ErrHeld) {
		return nil, refusal.New(err, "wait until it is done: lslocks says which process it is")
	}
	return f, err
}

// fresh are those of the records that the history lacks, as lines, and how many.
func fresh(path string, records []Record) (text []byte, n int, err error) {
	h, err := Read(path)
	if err != nil {
		return nil, 0, err
	}
	lacking, err := h.lacks(records)
	if err != nil {
		return nil, 0, fmt.Errorf("add to the history: %w", err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i := range lacking {
		if err := e.Encode(&lacking[i]); err != nil {
			return nil, 0, fmt.Errorf("add to the history: %w", err)
		}
	}
	return b.Bytes(), len(lacking), nil
}

// lacks are those of the records that the history does not have, each once.
func (h *History) lacks(records []Record) ([]Record, error) {
	seen := map[identity]bool{}
	for i := range h.Records {
		seen[h.Records[i].identity()] = true
	}
	var fresh []Record
	for _, r := range records {
		r.Format = Format
		if err := r.check(); err != nil {
			return nil, err
		}
		if id := r.identity(); !seen[id] {
			seen[id] = true
			fresh = append(fresh, r)
		}
	}
	return fresh, nil
}

// appendWhole appends all of the text or nothing.
func appendWhole(f *os.File, text []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !endsLine(f, info.Size()) {
		text = append([]byte{'\n'}, text...)
	}
	n, err := f.Write(text)
	if err != nil {
		return errors.Join(err, takeBack(f, int64(n)))
	}
	return f.Sync()
}

// takeBack cuts the last n bytes off, which were just written. What stands behind
// them is of somebody who does not lock the file, and stays.
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

// endsLine says whether a new line can begin at the end of the file: a line that
// was cut off must not spoil the next one.
func endsLine(f *os.File, size int64) bool {
	if size == 0 {
		return true
	}
	last := make([]byte, 1)
	_, err := f.ReadAt(last, size-1)
	return err == nil && last[0] == '\n'
}
