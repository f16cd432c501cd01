package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"moobench/analysis/infer"
	"moobench/results"
	"moobench/results/safefile"
)

// History is the content of a history.jsonl.
type History struct {
	// Records are in the order of reading, without duplicates.
	Records []Record
	// Warnings are about lines that are not counted, and why.
	Warnings []string
}

// mostBytes is the largest size of a history: a thousand years of a hundred series.
const mostBytes = 1 << 30

// mark is the byte order mark, which some editors put before the first line. In concatenated files
// it is before other lines too.
const mark = "\ufeff"

// namedLines is the number of unreadable lines with a warning each.
const namedLines = 20

// Read reads a history. The order of its lines does not matter, so two branches' files may be
// merged by keeping the lines of both. An unreadable line is left out with a warning. If two lines
// about the same thing differ, the one from more blocks counts; of equally many, the choice does
// not depend on the order. A missing file is an empty history. A record of a newer format is an
// error, because its meaning is unknown.
func Read(path string) (*History, error) {
	data, err := safefile.Read(path, mostBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return &History{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	h := &History{}
	at := map[identity]int{} // index of the record by identity
	var lines [][]byte       // of the records
	var numbers []int        // of these lines
	n, bad := 0, 0
	for line := range bytes.Lines(data) {
		n++
		line = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(line), []byte(mark)))
		if len(line) == 0 {
			continue
		}
		line, r, err := parse(line)
		switch {
		case r.Format > formatVersion:
			const newer = "%s:%d: a record of format %d, and this moobench reads up to %d: use a newer moobench"
			return nil, fmt.Errorf(newer, path, n, r.Format, formatVersion)
		case err != nil:
			if bad++; bad <= namedLines {
				h.Warnings = append(h.Warnings, fmt.Sprintf("%s:%d: not counted: %v", path, n, err))
			}
			continue
		}
		id, blocks := r.identity()
		i, known := at[id]
		switch {
		case !known:
			at[id] = len(h.Records)
			h.Records, lines, numbers = append(h.Records, r), append(lines, line), append(numbers, n)
			continue
		case bytes.Equal(lines[i], line):
			continue
		}
		other := n
		_, before := h.Records[i].identity()
		if cmp.Or(cmp.Compare(blocks, before), bytes.Compare(lines[i], line)) > 0 {
			other = numbers[i]
			h.Records[i], lines[i], numbers[i] = r, line, n
		}
		const otherwise = "%s:%d: not counted: it contradicts line %d, which has the same series and night"
		h.Warnings = append(h.Warnings, fmt.Sprintf(otherwise, path, other, numbers[i]))
	}
	if more := bad - namedLines; more > 0 {
		h.Warnings = append(h.Warnings, fmt.Sprintf("%s: and %d more lines that could not be read", path, more))
	}
	return h, nil
}

// format1 maps keys and values of format 1 to their names in format 2.
var format1 = results.Renames{
	"night.log":                         {To: "log_ratio"},
	"night.raw":                         {To: "mean"},
	"night.reference_raw":               {To: "reference_mean"},
	"night.marks":                       {To: "caveats", Values: map[string]string{"void": MarkInvalid}},
	"confirmation.log":                  {To: "log_ratio"},
	"confirmation.alarm":                {To: "alarm_log_ratio"},
	"confirmation.because":              {To: "reason"},
	"confirmation.distrusted":           {To: "aa_failed"},
	"confirmation.verdict":              {Values: map[string]string{"open": string(infer.Open)}},
	"confirmation.joint.log":            {To: "log_ratio"},
	"confirmation.joint.scatter.within": {To: "within_sd"},
	"confirmation.joint.scatter.bound":  {To: "upper_bound"},
	"acceptance.why":                    {To: "reason"},
}

// parse reads one line, and returns it in today's format: lines of an older format stay in the file
// as they are, but a record written in both formats counts as one line. Records of a newer format
// are not validated.
func parse(line []byte) (today []byte, r Record, err error) {
	for _, m := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if bytes.HasPrefix(line, []byte(m)) {
			err := errors.New("what a merge conflict leaves; remove the line, and keep those on both sides of it")
			return line, Record{}, err
		}
	}
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return line, Record{}, err
	}
	if head.Format == 1 {
		if line, err = format1.Upgrade(line); err != nil {
			return line, Record{}, err
		}
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return line, Record{Format: head.Format}, err
	}
	if r.Format == 1 {
		r.Format = formatVersion
		if line, err = encode(&r); err != nil {
			return line, Record{}, err
		}
	}
	return line, r, r.check()
}

// encode returns a record as a line, without the newline.
func encode(r *Record) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(r)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

// identity is the subject of a record: two records with the same identity agree, or contradict each
// other.
type identity struct {
	kind  Kind
	key   Key // of the series
	night string
	when  int64 // for a confirmation: an alarm may be re-measured twice; for a move: it may be repeated
}

// identity returns the identity of a valid record, and the number of blocks it is based on.
func (r *Record) identity() (id identity, blocks int) {
	switch n, c, a, m := r.Night, r.Confirmation, r.Acceptance, r.Move; r.Kind {
	case KindNight:
		return identity{r.Kind, n.Key.Series(), n.ID, 0}, n.N
	case KindConfirmation:
		return identity{r.Kind, c.Key.Series(), c.Night, c.When.UnixNano()}, c.N
	case KindMove:
		return identity{r.Kind, m.Key.Series(), "", m.When.UnixNano()}, 0
	default:
		return identity{r.Kind, a.Key.Series(), a.Night, 0}, 0
	}
}
