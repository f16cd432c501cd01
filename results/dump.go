package results

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"regexp"
	"strconv"
	"strings"

	"moobench/results/safefile"
)

// A raw dump is written by a fixture. It has one line of ASCII,
//
//	moobench-i64 1 series=duration thread=0 columns=t:ns:duration n=2000000 batch=1
//
// then n rows of int64, little endian, and an end record of 16 bytes: MOOEND01 and n again.
const (
	dumpMagic     = "moobench-i64"
	dumpVersion   = "1"
	dumpEnd       = "MOOEND01"
	maxDumpHeader = 64 << 10
	dumpBuffer    = 1 << 20
)

var (
	seriesName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)
	columnName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	columnUnit = regexp.MustCompile(`^[^\s,:"]+$`)
)

// ParseColumns parses columns as written in raw dumps and in the fixture protocol: name:unit:kind, separated by
// commas.
func ParseColumns(text string) ([]Column, error) {
	var columns []Column
	for part := range strings.SplitSeq(text, ",") {
		f := strings.Split(part, ":")
		if len(f) != 3 {
			return nil, fmt.Errorf("column %q is not name:unit:kind", part)
		}
		columns = append(columns, Column{Name: f[0], Unit: f[1], Kind: Kind(f[2])})
	}
	return columns, checkColumns(columns)
}

// FormatColumns is the inverse of ParseColumns.
func FormatColumns(columns []Column) string {
	texts := Each(columns, func(c Column) string { return c.Name + ":" + c.Unit + ":" + string(c.Kind) })
	return strings.Join(texts, ",")
}

// checkColumns returns an error unless a series can have these columns.
func checkColumns(columns []Column) error {
	seen := map[string]bool{"series": true, "thread": true} // columns of every sample file
	for _, c := range columns {
		switch {
		case !columnName.MatchString(c.Name) || seen[c.Name]:
			return fmt.Errorf("column name %q is reserved, used twice or not of a-z, 0-9 and _", c.Name)
		case !columnUnit.MatchString(c.Unit):
			return fmt.Errorf("column %s: unit %q", c.Name, c.Unit)
		case c.Kind != KindDuration && c.Kind != KindInstant && c.Kind != KindID && c.Kind != KindCount:
			return fmt.Errorf("column %s: unknown kind %q (want duration, instant, id or count)", c.Name, c.Kind)
		}
		seen[c.Name] = true
	}
	if len(columns) == 0 {
		return errors.New("no columns")
	}
	return nil
}

// maxSeries is the largest number of series of an invocation: several for each of some thousand threads.
const maxSeries = 1 << 14

// checkSeries returns an error unless a list of series can be stored.
func checkSeries(list []Series) error {
	if len(list) > maxSeries {
		return fmt.Errorf("it has %d series, and at most %d are allowed", len(list), maxSeries)
	}
	seen := map[string]bool{}
	for _, s := range list {
		key := s.Name + " " + strconv.Itoa(s.Thread)
		if !seriesName.MatchString(s.Name) || s.Thread < 0 || s.Count < 0 || s.Batch < 1 || seen[key] {
			return fmt.Errorf("series %q, thread %d: count %d, batch %d: not a series, or there twice",
				s.Name, s.Thread, s.Count, s.Batch)
		}
		seen[key] = true
		if err := checkColumns(s.Columns); err != nil {
			return fmt.Errorf("series %s, thread %d: %w", s.Name, s.Thread, err)
		}
	}
	return nil
}

// WriteDump writes rows as a raw dump: columns[c][r] is the value of column c
// in row r. s.Count is taken from the columns.
func WriteDump(w io.Writer, s Series, columns ...[]int64) error {
	if len(columns) != len(s.Columns) || len(columns) == 0 {
		return fmt.Errorf("writing dump of series %s: %d columns of values for %d columns",
			s.Name, len(columns), len(s.Columns))
	}
	s.Count = int64(len(columns[0]))
	if err := checkSeries([]Series{s}); err != nil {
		return fmt.Errorf("writing dump: %w", err)
	}
	out := bufio.NewWriterSize(w, dumpBuffer) // it keeps the first error
	fmt.Fprintln(out, dumpHeader(s))
	for r := range columns[0] {
		for c := range columns {
			if len(columns[c]) != len(columns[0]) {
				return fmt.Errorf("writing dump of series %s: columns differ in length", s.Name)
			}
			out.Write(binary.LittleEndian.AppendUint64(out.AvailableBuffer(), uint64(columns[c][r])))
		}
	}
	out.Write(dumpEndRecord(s.Count))
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing dump of series %s: %w", s.Name, err)
	}
	return nil
}

// dumpHeader is the first line of the dump of a series, without its end.
func dumpHeader(s Series) string {
	return fmt.Sprintf("%s %s series=%s thread=%d columns=%s n=%d batch=%d",
		dumpMagic, dumpVersion, s.Name, s.Thread, FormatColumns(s.Columns), s.Count, s.Batch)
}

// dumpEndRecord is the end record of a dump with n rows.
func dumpEndRecord(n int64) []byte {
	return binary.LittleEndian.AppendUint64([]byte(dumpEnd), uint64(n))
}

// ReadDump reads a whole raw dump, which must be of series want, into columns[c][r]. It fails as readDump does.
func ReadDump(path string, want Series) (columns [][]int64, err error) {
	columns = make([][]int64, len(want.Columns))
	err = openDump(path, want, func(chunk [][]int64) error {
		for i := range chunk {
			columns[i] = append(columns[i], chunk[i]...)
		}
		return nil
	})
	return columns, err
}

// openDump streams the raw dump in a file, as readDump does, and verifies its checksum if want has one.
func openDump(path string, want Series, fn func(columns [][]int64) error) error {
	f, err := safefile.Open(path)
	if err != nil {
		return diskError("reading", path, err)
	}
	defer f.Close()
	sum := crc32.NewIEEE()
	if err := readDump(io.TeeReader(f, sum), path, want, fn); err != nil {
		return err
	}
	if is := FormatChecksum(sum.Sum32()); want.Checksum != "" && want.Checksum != is {
		return dumpError(problemCounts, path,
			"its checksum is %s, and it was %s when it was written: somebody wrote other samples over it",
			is, want.Checksum)
	}
	return nil
}

// FormatChecksum formats a CRC-32 for Series.Checksum.
func FormatChecksum(sum uint32) string { return fmt.Sprintf("%08x", sum) }

// readDump streams a raw dump, which must be of series want, to fn: columns[c][r], valid until fn returns. A
// malformed or unexpected dump is an *Error with problemDump or problemCounts.
func readDump(r io.Reader, path string, want Series, fn func(columns [][]int64) error) error {
	d := dumpReader{bufio.NewReaderSize(r, maxDumpHeader), path, want}
	if err := d.header(); err != nil {
		return err
	}
	if err := d.rows(fn); err != nil {
		return err
	}
	// Nothing may follow the end record.
	end := dumpEndRecord(want.Count)
	got := make([]byte, len(end))
	n, err := io.ReadFull(d.r, got)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return dumpError(problemDump, path,
			"it has %d of the %d bytes of its end record: the fixture died while writing", n, len(end))
	case err != nil:
		return diskError("reading", path, err)
	case !bytes.HasPrefix(got, []byte(dumpEnd)):
		return dumpError(problemCounts, path,
			"no end record after %d rows: more rows than announced, or damaged", want.Count)
	case !bytes.Equal(got, end):
		return dumpError(problemCounts, path, "its end record says %d rows, its header %d",
			int64(binary.LittleEndian.Uint64(got[8:])), want.Count)
	}
	if _, err := d.r.ReadByte(); err == nil {
		return dumpError(problemDump, path, "there is something behind its end record")
	}
	return nil
}

type dumpReader struct {
	r    *bufio.Reader
	path string
	want Series
}

func dumpError(p problem, path, format string, args ...any) error {
	return &Error{p, "reading dump", path, fmt.Errorf(format, args...), ""}
}

// header reads and checks the first line, which fits into the buffer of r.
func (d *dumpReader) header() error {
	start, err := d.r.Peek(len(dumpMagic))
	if err == nil && string(start) != dumpMagic && !bytes.ContainsRune(start[:len(start)-1], '\n') {
		return dumpError(problemDump, d.path, "it begins with %q, not with %s", start, dumpMagic)
	}
	text, err := d.r.ReadSlice('\n')
	if err != nil {
		return dumpError(problemDump, d.path, "no header line")
	}
	line := strings.TrimSuffix(string(text), "\n")
	f := strings.Split(line, " ")
	if len(f) < 2 || f[0] != dumpMagic || f[1] != dumpVersion {
		return dumpError(problemDump, d.path, "header %.80q: want %s %s", line, dumpMagic, dumpVersion)
	}
	keys := map[string]string{}
	for _, kv := range f[2:] {
		k, v, ok := strings.Cut(kv, "=")
		if _, twice := keys[k]; !ok || twice {
			return dumpError(problemDump, d.path, "header has %.80q, which is not a key=value or there twice", kv)
		}
		keys[k] = v
	}
	for _, announced := range strings.Split(dumpHeader(d.want), " ")[2:] {
		key, want, _ := strings.Cut(announced, "=")
		if got := keys[key]; got != want {
			p := problemDump
			if _, err := strconv.ParseInt(got, 10, 64); key == "n" && err == nil {
				p = problemCounts
			}
			return dumpError(p, d.path, "header says %s=%.80s, the fixture announced %s", key, got, announced)
		}
	}
	return nil
}

// rows streams the rows to fn.
func (d *dumpReader) rows(fn func(columns [][]int64) error) error {
	width := len(d.want.Columns)
	// above 0: all columns are named in the header, which is far shorter than the buffer
	chunk := dumpBuffer / (8 * width)
	buf, values := make([]byte, 8*chunk*width), make([]int64, chunk*width)
	columns := make([][]int64, width)
	for done := int64(0); done < d.want.Count; {
		n := int(min(int64(chunk), d.want.Count-done))
		raw := buf[:8*width*n]
		switch got, err := io.ReadFull(d.r, raw); err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			rows := done + int64(got/(8*width))
			return dumpError(problemCounts, d.path, "it ends after %d of %d rows", rows, d.want.Count)
		default:
			return diskError("reading", d.path, err)
		}
		for c := range columns {
			col := values[c*n : (c+1)*n]
			for i := range col {
				col[i] = int64(binary.LittleEndian.Uint64(raw[8*(i*width+c):]))
			}
			columns[c] = col
		}
		if err := fn(columns); err != nil {
			return err
		}
		done += int64(n)
	}
	return nil
}
