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

	"moobench/results/safefile"
)

// Kieker's FileWriter makes one folder kieker-… per start, with files of so many records
// each and kieker.map: one line $id=string for each class name and, in the binary form,
// each string.
const (
	kiekerFolders = "kieker-*"
	kiekerMap     = "kieker.map"
	// kiekerLine is the longest line of text in bytes: Kieker's buffer holds 65,536
	// characters.
	kiekerLine = 256 << 10
	// kiekerMapMost bounds a map, in bytes.
	kiekerMapMost = 64 << 20
)

// openKiekerText counts the lines of FileWriter's text files.
func openKiekerText(dir string) Source {
	return openKiekerFiles(dir, ".dat", "text", countKiekerText)
}

// openKiekerBinary counts the records of FileWriter's binary files.
func openKiekerBinary(dir string) Source {
	return openKiekerFiles(dir, ".bin", "binary", countKiekerBinary)
}

func openKiekerFiles(dir, suffix, form string, count func(*kiekerDecoder, io.Reader) (int64, error)) Source {
	w := &written{dir: dir, pattern: filepath.Join(kiekerFolders, "kieker-*"+suffix)}
	w.count = func(files []string) (int64, error) {
		if len(files) > 0 {
			return countKiekerFiles(files, count)
		}
		found, err := filepath.Glob(filepath.Join(escapeGlob(dir), kiekerFolders, "kieker-*"))
		if err != nil || len(found) == 0 {
			return 0, err
		}
		return 0, fmt.Errorf("count kieker's %s files: %s has none, but %s: logStreamHandler or compression of the FileWriter don't fit", form, dir, filepath.Base(found[0]))
	}
	return w
}

func countKiekerFiles(files []string, count func(*kiekerDecoder, io.Reader) (int64, error)) (int64, error) {
	decoders := map[string]*kiekerDecoder{}
	var records int64
	var errs []error
	for _, path := range files {
		folder := filepath.Dir(path)
		d, known := decoders[folder]
		if !known {
			var err error
			if d, err = readKiekerMap(filepath.Join(folder, kiekerMap)); err != nil {
				errs = append(errs, err)
			}
			decoders[folder] = d
		}
		if d == nil {
			continue
		}
		n, err := countKiekerFile(path, d, count)
		records += n
		if err != nil {
			errs = append(errs, err)
		}
	}
	return records, errors.Join(errs...)
}

func countKiekerFile(path string, d *kiekerDecoder, count func(*kiekerDecoder, io.Reader) (int64, error)) (int64, error) {
	f, err := safefile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("count records: %w", err)
	}
	defer f.Close()
	n, err := count(d, f)
	if err != nil {
		return n, fmt.Errorf("count the records of %s: %w", path, err)
	}
	return n, nil
}

func readKiekerMap(path string) (*kiekerDecoder, error) {
	text, err := safefile.Read(path, kiekerMapMost)
	if err != nil {
		return nil, fmt.Errorf("read what kieker's ids stand for: %w", err)
	}
	d, err := parseKiekerMap(text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return d, nil
}

func parseKiekerMap(text []byte) (*kiekerDecoder, error) {
	d := newKiekerDecoder(false, newBudget(kiekerIDs))
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
		if errors.Is(err, io.EOF) && len(text) == 0 {
			return records, nil
		}
		if errors.Is(err, io.EOF) {
			return records, fmt.Errorf("line %d: %w: it has no line end", line, errKiekerPart)
		}
		if err != nil {
			return records, fmt.Errorf("line %d: %w", line, err)
		}
		id, err := kiekerLineID(text)
		// In text, the size of a record is that of its line: any class will do.
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

// kiekerLineID reads the id at the beginning of a line, without allocating.
func kiekerLineID(line []byte) (int32, error) {
	id, digits, ok := bytes.Cut(line, []byte{';'})
	if !ok || len(id) < 2 || len(id) > 8 || id[0] != '$' || len(digits) == 0 {
		return 0, fmt.Errorf("%.60q is no record (want $id;timestamp;…)", line)
	}
	n := int32(0)
	for _, c := range id[1:] {
		if c < '0' || c > '9' {
			return 0, fmt.Errorf("%.60q is no record (want $id;timestamp;…)", line)
		}
		n = n*10 + int32(c-'0')
	}
	return n, nil
}
