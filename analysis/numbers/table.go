package numbers

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Table reads columns of a table whose fields are separated by tabs,
// semicolons or commas, whichever its first line has. A column is a name of
// the header, or a number that counts from 1; a first row whose wanted field
// doesn't look like a number is the header. Lines that begin with # are
// skipped. A column may end before the others, but have no gap.
//
// The error is Mistakes, with every field that is not a number.
func Table(file string, r io.Reader, columns []string) ([]Sample, error) {
	return readTable(file, r, columns, 0)
}

// readTable reads a table; with a width, it must have exactly so many columns.
func readTable(file string, r io.Reader, columns []string, width int) ([]Sample, error) {
	in, err := text(r)
	if err != nil {
		return nil, Mistakes{{File: file, Text: err.Error()}}
	}
	rows := csv.NewReader(in)
	rows.Comma, rows.Comment = separator(in), '#'
	rows.FieldsPerRecord, rows.TrimLeadingSpace, rows.ReuseRecord = -1, rows.Comma != '\t', true
	t := table{file: file, rows: rows, width: width}
	if err := t.begin(columns); err != nil {
		return nil, err
	}
	return t.read()
}

// table is a table that is being read.
type table struct {
	file  string
	rows  *csv.Reader
	width int   // 0: any
	at    []int // of the wanted columns, from 0
	all   []Sample
	ended []int // the line on which a column had no value any more
	wrong Mistakes
	first []string // a first row that is no header
}

// separator looks at the first line that is not a comment.
func separator(in *bufio.Reader) rune {
	head, _ := in.Peek(longest)
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		for _, s := range "\t;" {
			if bytes.ContainsRune(unquoted(line), s) {
				return s
			}
		}
		break
	}
	return ','
}

// unquoted is a line without what stands in double quotes.
func unquoted(line []byte) []byte {
	var out []byte
	for i, part := range bytes.Split(line, []byte{'"'}) {
		if i%2 == 0 {
			out = append(out, part...)
		}
	}
	return out
}

// begin reads the first row, and finds the columns.
func (t *table) begin(columns []string) error {
	first, err := t.rows.Read()
	switch {
	case errors.Is(err, io.EOF):
		return Mistakes{{File: t.file, Text: "holds no table"}}
	case err != nil:
		return t.syntax(err)
	}
	if t.width > 0 && len(first) != t.width {
		line, _ := t.rows.FieldPos(0)
		return Mistakes{{t.file, line, fmt.Sprintf("has %d columns, not %d: say which ones are meant", len(first), t.width)}}
	}
	first = slices.Clone(first)
	header := false
	for _, c := range columns {
		at, isHeader, err := column(first, c)
		if err != nil {
			line, _ := t.rows.FieldPos(0)
			t.wrong.at(t.file, line, err)
			continue
		}
		header = header || isHeader
		t.at = append(t.at, at)
		t.all = append(t.all, Sample{Name: c, File: t.file})
	}
	t.ended = make([]int, len(t.at))
	if !header {
		t.first = first
	} else {
		for i, at := range t.at {
			t.all[i].Name = strings.TrimSpace(first[at])
		}
	}
	return t.wrong.Err()
}

// column finds a column by its number or name, and says whether the first row
// is a header.
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
		return 0, false, fmt.Errorf("there is no column %s: the first row has %s", quote(wanted), strings.Join(names[:min(len(names), shown)], ", "))
	}
	return 0, false, fmt.Errorf("%d columns are named %s: give the number of one", len(found), quote(wanted))
}

// numeric tells what was meant as a number, wrongly written ones included,
// from a name.
func numeric(field string) bool {
	s := strings.TrimSpace(field)
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return true
	}
	s = strings.TrimLeft(s, "+-.")
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

func (t *table) read() ([]Sample, error) {
	if t.first != nil {
		t.row(t.first)
	}
	for {
		row, err := t.rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.wrong.Add(t.syntax(err))
			break
		}
		t.row(row)
	}
	for _, s := range t.all {
		if len(s.Values) == 0 && len(t.wrong) == 0 {
			t.wrong = append(t.wrong, Mistake{File: t.file, Text: "column " + quote(s.Name) + " holds no number"})
		}
	}
	return t.all, t.wrong.Err()
}

func (t *table) row(row []string) {
	if !slices.ContainsFunc(row, func(f string) bool { return strings.TrimSpace(f) != "" }) {
		return // blank, as spreadsheets leave them
	}
	for i, at := range t.at {
		field, line := "", 0
		if at < len(row) {
			field = strings.TrimSpace(row[at])
			line, _ = t.rows.FieldPos(at)
		} else {
			line, _ = t.rows.FieldPos(0)
		}
		s := &t.all[i]
		if field == "" {
			if t.ended[i] == 0 {
				t.ended[i] = line
			}
			continue
		}
		if t.ended[i] != 0 {
			t.wrong.at(t.file, t.ended[i], fmt.Errorf("column %s has a gap: fill it, or leave the whole row out", quote(s.Name)))
			t.ended[i] = 0
		}
		v, err := Parse(field)
		if err != nil {
			t.wrong.at(t.file, line, fmt.Errorf("column %s: %w", quote(s.Name), err))
			continue
		}
		s.Values, s.Lines = append(s.Values, v), append(s.Lines, line)
	}
}

// syntax is an error of the CSV reader in our words.
func (t *table) syntax(err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return Mistakes{{t.file, p.Line, fmt.Sprintf("reading the table: %v", p.Err)}}
	}
	return Mistakes{{File: t.file, Text: fmt.Sprintf("reading the table: %v", err)}}
}
