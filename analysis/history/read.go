package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"moobench/results/safefile"
)

// History is what a history.jsonl says.
type History struct {
	// Records are in the order of reading; none says the same as another.
	Records []Record
	// Warnings are about lines that are not counted, and why.
	Warnings []string
}

// mostBytes is how long a history may be: a thousand years of a hundred series.
const mostBytes = 1 << 30

// mark is the byte order mark, which some editors put before the first line. Where
// files are joined it stands before others, too.
const mark = "\ufeff"

// namedLines is how many unreadable lines get a warning each.
const namedLines = 20

// Read reads a history. The order of its lines does not matter, so that two
// branches' files may be merged by keeping the lines of both. A line that can't
// be read is left out with a warning; of two lines about the same thing that
// differ, the one from more blocks counts, and of equal ones the same one in any
// order. A file that does not exist is an empty history. A record of a newer
// format is an error: what it means is not known here.
func Read(path string) (*History, error) {
	data, err := safefile.Read(path, mostBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return &History{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	l := lines{path: path, at: map[identity]int{}}
	for n := 1; len(data) > 0; n++ {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		line = bytes.TrimPrefix(bytes.TrimSpace(line), []byte(mark))
		if err := l.line(n, bytes.TrimSpace(line)); err != nil {
			return nil, err
		}
		data = rest
	}
	if more := l.bad - namedLines; more > 0 {
		l.warnings = append(l.warnings, fmt.Sprintf("%s: and %d more lines that could not be read", path, more))
	}
	return &History{l.records, l.warnings}, nil
}

// identity is what a record is about: two records with the same one say the same
// thing, or contradict each other.
type identity struct {
	kind  Kind
	key   Key
	night string
	when  int64 // of a confirmation: an alarm may be measured again twice
}

// lines collects the records of a file.
type lines struct {
	path     string
	records  []Record
	raw      [][]byte
	numbers  []int
	at       map[identity]int // index of the record with this identity
	warnings []string
	bad      int
}

func (l *lines) line(n int, line []byte) error {
	if len(line) == 0 {
		return nil
	}
	if marker(line) {
		l.damaged(n, errors.New("what a merge conflict leaves; remove the line, and keep those on both sides of it"))
		return nil
	}
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		l.damaged(n, err)
		return nil
	}
	if r.Format > Format {
		return fmt.Errorf("%s:%d: a record of format %d, and this moobench reads up to %d: use a newer moobench", l.path, n, r.Format, Format)
	}
	if err := r.check(); err != nil {
		l.damaged(n, err)
		return nil
	}
	l.add(n, line, r)
	return nil
}

// marker says whether a line is one that git puts between the sides of a
// conflict.
func marker(line []byte) bool {
	for _, m := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if bytes.HasPrefix(line, []byte(m)) {
			return true
		}
	}
	return false
}

func (l *lines) damaged(n int, err error) {
	if l.bad++; l.bad <= namedLines {
		l.warnings = append(l.warnings, fmt.Sprintf("%s:%d: not counted: %v", l.path, n, err))
	}
}

// add takes a record in, unless it is there already.
func (l *lines) add(n int, line []byte, r Record) {
	id := r.identity()
	i, known := l.at[id]
	if !known {
		l.at[id] = len(l.records)
		l.records, l.raw, l.numbers = append(l.records, r), append(l.raw, line), append(l.numbers, n)
		return
	}
	if bytes.Equal(l.raw[i], line) {
		return
	}
	counts, other := l.numbers[i], n
	if prefer(r, line, l.records[i], l.raw[i]) {
		l.records[i], l.raw[i], l.numbers[i] = r, line, n
		counts, other = n, counts
	}
	l.warnings = append(l.warnings, fmt.Sprintf("%s:%d: not counted: it says otherwise than line %d, of the same series and night", l.path, other, counts))
}

// prefer says which one of two records of the same identity counts, whichever is
// read first.
func prefer(a Record, rawA []byte, b Record, rawB []byte) bool {
	if na, nb := a.blocks(), b.blocks(); na != nb {
		return na > nb
	}
	return bytes.Compare(rawA, rawB) < 0
}

// blocks is the number of blocks that a record rests on.
func (r *Record) blocks() int {
	switch {
	case r.Night != nil:
		return r.Night.N
	case r.Confirmation != nil:
		return r.Confirmation.N
	}
	return 0
}

func (r *Record) identity() identity {
	switch r.Kind {
	case KindNight:
		return identity{kind: r.Kind, key: r.Night.Key, night: r.Night.ID}
	case KindConfirmation:
		return identity{r.Kind, r.Confirmation.Key, r.Confirmation.Night, r.Confirmation.When.UnixNano()}
	}
	return identity{kind: r.Kind, key: r.Acceptance.Key, night: r.Acceptance.Night}
}
