package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Append adds records to a history, and says how many; those that are there
// already are dropped. All lines are written at once and forced to disk; when
// that fails the file is as it was. (Of a machine that dies meanwhile at most the
// end of a line is left, which Read leaves out.) The file and its folder are made
// when they are missing.
func Append(path string, records ...Record) (added int, err error) {
	h, err := Read(path)
	if err != nil {
		return 0, err
	}
	fresh, err := h.lacks(records)
	if err != nil {
		return 0, fmt.Errorf("add to the history: %w", err)
	}
	if len(fresh) == 0 {
		return 0, nil
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	for i := range fresh {
		if err := e.Encode(&fresh[i]); err != nil {
			return 0, fmt.Errorf("add to the history: %w", err)
		}
	}
	if err := appendWhole(path, text.Bytes()); err != nil {
		return 0, fmt.Errorf("add to the history: %w", err)
	}
	return len(fresh), nil
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
func appendWhole(path string, text []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !endsLine(f, info.Size()) {
		text = append([]byte{'\n'}, text...)
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(err, f.Truncate(info.Size()))
	}
	return f.Sync()
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
