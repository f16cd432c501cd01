package receiver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
)

// On each start, Kieker's FileWriter creates a folder kieker-… with files of a certain number of records each, and
// kieker.map: one line $id=string for each class name and, in the binary form, each string.
const (
	kiekerFolders = "kieker-*"
	kiekerMap     = "kieker.map"
	// kiekerLine is the maximum length of a text line in bytes: Kieker's buffer holds 65,536 characters.
	kiekerLine = 256 << 10
	// kiekerMapMost bounds the size of a map in bytes.
	kiekerMapMost = 64 << 20
)

// kiekerForm counts the records of one of Kieker's files.
type kiekerForm func(*kiekerDecoder, io.Reader) (int64, error)

// openKiekerFiles counts the records in FileWriter's files of one form.
func openKiekerFiles(suffix, form string, count kiekerForm) func(dir string) Source {
	return func(dir string) Source {
		pattern := filepath.Join(kiekerFolders, "kieker-*"+suffix)
		w := &written{dir: dir, patterns: []string{pattern}, missing: deletedByKieker}
		w.count = func(open opener, files []string) (int64, error) {
			if len(files) > 0 {
				return countKiekerFiles(open, files, count)
			}
			found, err := filepath.Glob(filepath.Join(escapeGlob(dir), kiekerFolders, "kieker-*"))
			if err != nil || len(found) == 0 {
				return 0, err
			}
			return 0, fmt.Errorf("count kieker's %s files: %s has none, but %s: "+
				"logStreamHandler or compression of the FileWriter don't fit", form, dir, filepath.Base(found[0]))
		}
		return w
	}
}

// deletedByKieker says how many files were deleted, judging by the names: they end in a number, from 1 in each
// folder.
func deletedByKieker(files []string) string {
	last, deleted := map[string]int{}, -len(files)
	for _, path := range files {
		name := strings.TrimSuffix(path, filepath.Ext(path))
		n, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
		if err != nil || n < 1 {
			return ""
		}
		folder := filepath.Dir(path)
		deleted += max(0, n-last[folder])
		last[folder] = max(n, last[folder])
	}
	if deleted < 1 {
		return ""
	}
	return fmt.Sprintf("Kieker's FileWriter deleted the oldest %d of its %d files (maxLogFiles, maxLogSize)",
		deleted, deleted+len(files))
}

// countKiekerFiles counts all readable records, and reports an error for each other file or map.
func countKiekerFiles(open opener, files []string, count kiekerForm) (records int64, err error) {
	var errs []error
	decoders := map[string]*kiekerDecoder{}
	for _, path := range files {
		folder := filepath.Dir(path)
		d, known := decoders[folder]
		if !known {
			name := filepath.Join(folder, kiekerMap)
			text, err := open.content(name, kiekerMapMost)
			if err != nil {
				errs = append(errs, fmt.Errorf("read what kieker's ids stand for: %w", err))
			} else if d, err = parseKiekerMap(text); err != nil {
				errs = append(errs, fmt.Errorf("read %s: %w", name, err))
			}
			decoders[folder] = d
		}
		if d == nil {
			continue
		}
		n, err := countFile(open, path, "count records", func(r io.ReadSeeker) (int64, error) { return count(d, r) })
		records += n
		if !errors.Is(err, fs.ErrNotExist) { // an agent may remove files meanwhile
			errs = append(errs, err)
		}
	}
	return records, errors.Join(errs...)
}

func parseKiekerMap(text []byte) (*kiekerDecoder, error) {
	d := newKiekerDecoder(false, new(atomic.Int64))
	line := 0
	for bytesOf := range bytes.Lines(text) {
		l := string(bytesOf)
		line++
		id, value, ok := strings.Cut(strings.TrimRight(l, "\r\n"), "=")
		n, err := strconv.ParseInt(strings.TrimPrefix(id, "$"), 10, 32)
		if !ok || err != nil || !strings.HasPrefix(id, "$") {
			return nil, fmt.Errorf("line %d is %.60q, want $id=string", line, l)
		}
		if err := d.register(int32(n), value); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	return d, nil
}

// countKiekerBinary counts the records of one file.
func countKiekerBinary(d *kiekerDecoder, r io.Reader) (records int64, err error) {
	err = d.read(r, func(_, n int64) { records += n })
	return records, err
}

// countKiekerText counts the lines of one file: $id;timestamp;value;…
func countKiekerText(d *kiekerDecoder, r io.Reader) (records int64, err error) {
	in := bufio.NewReaderSize(r, kiekerLine)
	for line := 1; ; line++ {
		text, err := in.ReadSlice('\n')
		var id int32
		switch {
		case errors.Is(err, io.EOF) && len(text) == 0:
			return records, nil
		case errors.Is(err, io.EOF):
			err = fmt.Errorf("%w: it has no line end", errKiekerPart)
		case err == nil:
			id, err = kiekerLineID(text)
		}
		// A text record ends with its line, so any registered class will do.
		if err == nil && !d.registered(id) {
			err = d.unknown(id)
		}
		if err != nil {
			return records, fmt.Errorf("line %d: %w", line, err)
		}
		if id != d.meta {
			records++
		}
	}
}

// kiekerLineID reads the id at the beginning of a line.
func kiekerLineID(line []byte) (int32, error) {
	id, rest, ok := bytes.Cut(line, []byte{';'})
	digits, dollar := bytes.CutPrefix(id, []byte{'$'})
	n, err := strconv.ParseUint(string(digits), 10, 31)
	if !ok || !dollar || err != nil || len(digits) > 7 || len(rest) == 0 {
		return 0, fmt.Errorf("%.60q is not a record (want $id;timestamp;…)", line)
	}
	return int32(n), nil
}
