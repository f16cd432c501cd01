package numbers

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/stats"
	"moobench/refusal"
)

// Table reads columns of a table whose fields are separated by tabs, semicolons or commas, whichever its first
// line has. A column is named as in the header, or numbered from 1. The first row is a header if a wanted field
// in it doesn't look like a number. Lines that begin with # are skipped. A column may end before the others,
// but must have no gap.
//
// The error is [refusal.Mistakes], with every field that is not a number.
func Table(file string, r io.Reader, columns []string) ([]Sample, error) {
	return readTable(file, r, columns, 0)
}

// table is a table being read.
type table struct {
	file  string
	rows  *csv.Reader
	at    []int // indices of the wanted columns, from 0
	all   []Sample
	ended []int // by column: the first line without a value, or 0
	wrong refusal.Mistakes

	in     bounded
	values int // in all columns
}

// bounded limits the length of a row: a field with an unclosed quote would be read into memory as a whole.
type bounded struct {
	in   io.Reader
	left int // bytes left for the row
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errors.New("a row is longer than 1 MiB: do its quotes end?")
	}
	n, err := b.in.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// next reads the next row.
func (t *table) next() ([]string, error) {
	t.in.left = longest
	return t.rows.Read()
}

// readTable reads a table; a width above 0 requires exactly that many columns.
func readTable(file string, r io.Reader, columns []string, width int) ([]Sample, error) {
	t := table{file: file}
	in, err := text(r)
	if err != nil {
		t.wrong.At(file, 0, "%v", err)
		return nil, &t.wrong
	}
	t.in.in = in
	t.rows = csv.NewReader(&t.in)
	t.rows.Comma, t.rows.Comment = separator(in), '#'
	t.rows.FieldsPerRecord, t.rows.TrimLeadingSpace, t.rows.ReuseRecord = -1, t.rows.Comma != '\t', true
	row, err := t.next()
	if errors.Is(err, io.EOF) {
		t.wrong.At(file, 0, "holds no table")
		return nil, &t.wrong
	}
	isHead := err == nil && t.head(row, columns, width)
	if t.wrong.Count > 0 {
		return nil, &t.wrong
	}
	if isHead {
		row, err = t.next()
	}
	for ; err == nil; row, err = t.next() {
		if t.row(row); t.values > Most {
			line, _ := t.rows.FieldPos(0)
			return nil, fmt.Errorf("%s:%d: %w", file, line, ErrMost)
		}
	}
	if p := (*csv.ParseError)(nil); errors.As(err, &p) {
		t.wrong.At(file, p.Line, "reading the table: %v", p.Err)
	} else if !errors.Is(err, io.EOF) {
		t.wrong.At(file, 0, "reading the table: %v", err)
	}
	for _, s := range t.all {
		if len(s.Values) == 0 && t.wrong.Count == 0 {
			t.wrong.At(file, 0, "column %s holds no number", quote(s.Name))
		}
	}
	return t.all, t.wrong.Err()
}

// quoted matches a quoted field, or the part of it on its first line.
var quoted = regexp.MustCompile(`"[^"]*("|$)`)

// separator guesses the separator from the first line that is not a comment.
func separator(in *bufio.Reader) rune {
	head, _ := in.Peek(longest)
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		unquoted := quoted.ReplaceAll(line, nil)
		for _, s := range "\t;" {
			if bytes.ContainsRune(unquoted, s) {
				return s
			}
		}
		break
	}
	return ','
}

// head finds the columns in the first row, and reports whether that is a header.
func (t *table) head(first, columns []string, width int) bool {
	line, _ := t.rows.FieldPos(0)
	if width > 0 && len(first) != width {
		t.wrong.At(t.file, line, "has %d columns, not %d: say which ones are meant", len(first), width)
		return false
	}
	header := false
	for _, c := range columns {
		at, isHeader, err := column(first, c)
		if err != nil {
			t.wrong.At(t.file, line, "%v", err)
		}
		header = header || isHeader
		t.at, t.all = append(t.at, at), append(t.all, Sample{Name: c, File: t.file})
	}
	t.ended = make([]int, len(t.at))
	for i, at := range t.at {
		if header {
			t.all[i].Name = strings.TrimSpace(first[at])
		}
	}
	return header
}

// namesShown is the largest number of column names in a message.
const namesShown = 20

// column finds a column by its number or name, and reports whether the first row is a header.
func column(first []string, wanted string) (at int, header bool, err error) {
	if n, err := strconv.Atoi(wanted); err == nil {
		if n < 1 || n > len(first) {
			return 0, false, fmt.Errorf("there is no column %d: the first row has %d", n, len(first))
		}
		return n - 1, !numeric(first[n-1]), nil
	}
	var found []int
	var names []string
	for i, f := range first {
		name := strings.TrimSpace(f)
		names = append(names, quote(name))
		if strings.EqualFold(name, strings.TrimSpace(wanted)) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 1:
		return found[0], true, nil
	case 0:
		return 0, false, fmt.Errorf("there is no column %s: the first row has %s", quote(wanted), strings.Join(names[:min(len(names), namesShown)], ", "))
	}
	return 0, false, fmt.Errorf("%d columns are named %s: give the number of one", len(found), quote(wanted))
}

// numeric reports whether a field was meant as a number, if perhaps a malformed one, and not as a name.
func numeric(field string) bool {
	s := strings.TrimSpace(field)
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return true
	}
	s = strings.TrimLeft(s, "+-.")
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

func (t *table) row(row []string) {
	if !slices.ContainsFunc(row, func(f string) bool { return strings.TrimSpace(f) != "" }) {
		return // blank, as spreadsheets leave them
	}
	for i, at := range t.at {
		field, place := "", 0
		if at < len(row) {
			field, place = strings.TrimSpace(row[at]), at
		}
		line, _ := t.rows.FieldPos(place)
		s := &t.all[i]
		if field == "" {
			t.ended[i] = cmp.Or(t.ended[i], line)
			continue
		}
		if t.ended[i] != 0 {
			t.wrong.At(t.file, t.ended[i], "column %s has a gap: fill it, or leave the whole row out", quote(s.Name))
			t.ended[i] = 0
		}
		v, err := Parse(field)
		if err != nil {
			t.wrong.At(t.file, line, "column %s: %v", quote(s.Name), err)
			continue
		}
		t.values++
		s.Values, s.Lines = append(s.Values, v), append(s.Lines, line)
	}
}

// Counts has the counts of one arm, one per run, with their exposures.
type Counts struct {
	Name string
	stats.EventRuns
}

// Runs reads counts and exposures from two columns of a table, one run per row. If no columns are named, the
// table must have two: counts, then exposures.
func Runs(file string, r io.Reader, count, exposure string) (Counts, error) {
	width := 0
	if count == "" && exposure == "" {
		count, exposure, width = "1", "2", 2
	}
	columns, err := readTable(file, r, []string{count, exposure}, width)
	if err != nil {
		return Counts{Name: file}, err
	}
	counts, exposures := columns[0], columns[1]
	c := Counts{Name: file}
	var wrong refusal.Mistakes
	if len(counts.Values) != len(exposures.Values) {
		wrong.At(file, 0, "%d counts and %d exposures: each run needs both", len(counts.Values), len(exposures.Values))
	}
	for i, v := range counts.Values {
		k, err := asCount(v)
		if err != nil {
			wrong.At(file, counts.Lines[i], "%v", err)
		}
		c.Events = append(c.Events, k)
	}
	for i, e := range exposures.Values {
		if e <= 0 {
			wrong.At(file, exposures.Lines[i], "%v: %v", e, errNoExposure)
		}
		c.Exposure = append(c.Exposure, e)
	}
	return c, wrong.Err()
}
