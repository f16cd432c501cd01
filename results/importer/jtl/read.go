package jtl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

const (
	// recordMost is the largest length in bytes of a line, and of a quoted field over
	// several lines.
	recordMost = 1 << 20
	// samplesMost is the largest number of samples of a file: they are held in memory,
	// about 100 bytes each.
	samplesMost = 20_000_000
	// labelsMost is the number of labels that are told apart; the others share a name.
	labelsMost = 1000
	labelMost  = 200 // characters
	others     = "(other labels)"
)

// samples are the samples of one file.
type samples struct {
	values       [rowLabels][]int64 // by column; times in ns
	has          [rowLabels]bool    // columns of the file
	labels       []string
	transactions int            // lines left out: sums of other lines
	unknown      map[string]int // exceptions without a known outcome
}

// reader reads one file.
type reader struct {
	name     string
	at       map[string]int // columns by name
	labels   map[string]int64
	samples  samples
	mistakes *refusal.Mistakes
}

// read reads a JTL in CSV of at most this many samples, and adds what is wrong in it to
// the mistakes.
func read(name string, in io.Reader, most int, mistakes *refusal.Mistakes) *samples {
	r := &reader{name: name, labels: map[string]int64{}, mistakes: mistakes, samples: samples{unknown: map[string]int{}}}
	before := mistakes.Count
	b := bufio.NewReaderSize(in, 64<<10)
	comma, ok := r.recognise(b)
	if !ok {
		return &r.samples
	}
	file := importer.CSV{Name: name, Comma: comma, Most: importer.Bound{Bytes: recordMost, Tool: "JTL"}, Mistakes: mistakes}
	for line, record := range file.Records(b) {
		if len(r.samples.values[rowSent]) == most {
			r.wrong(line, "it has more than %d samples: split the file, each part of it is an invocation then", most)
			break
		}
		if r.at != nil {
			r.sample(line, record)
		} else if !r.head(record) {
			break
		}
	}
	switch {
	case mistakes.Count > before:
	case r.at == nil:
		r.wrong(0, "it is empty")
	case len(r.samples.values[rowSent]) == 0:
		r.wrong(0, "it has no samples")
	}
	return &r.samples
}

func (r *reader) wrong(line int, format string, args ...any) {
	r.mistakes.At(r.name, line, format, args...)
}

// recognise checks the first line, and returns the character that separates columns.
func (r *reader) recognise(b *bufio.Reader) (comma rune, ok bool) {
	if mark, _ := b.Peek(3); string(mark) == "\ufeff" {
		b.Discard(len(mark))
	}
	start, _ := b.Peek(4 << 10)
	first, _, _ := bytes.Cut(start, []byte("\n"))
	switch text := strings.TrimSpace(string(first)); {
	case strings.HasPrefix(text, "<"):
		r.wrong(1, "this is a JTL in XML; save it as CSV: set jmeter.save.saveservice.output_format=csv")
		return 0, false
	case text != "" && !strings.Contains(text, "timeStamp"):
		r.wrong(1, "the first line does not name the columns (timeStamp,elapsed,label,…): set jmeter.save.saveservice.print_field_names=true")
		return 0, false
	}
	for _, c := range ";\t|" {
		if bytes.ContainsRune(first, c) && !bytes.ContainsRune(first, ',') {
			return c, true
		}
	}
	return ',', true
}

// head reads the names of the columns, and reports whether all that are needed are
// there. Columns that are not JMeter's are ignored.
func (r *reader) head(record []string) bool {
	before := r.mistakes.Count
	r.at = map[string]int{}
	for i, name := range record {
		name = strings.TrimSpace(name)
		if r.has(name) && slices.Contains(header, name) {
			r.wrong(1, "there are two columns %s", name)
		}
		r.at[strings.Clone(name)] = i
	}
	for _, name := range []string{"timeStamp", "elapsed"} {
		if !r.has(name) {
			r.wrong(1, "there is no column %s: nothing can be said without it", name)
		}
	}
	if !r.has("success") && !r.has("responseCode") {
		r.wrong(1, "there is neither success nor responseCode: nothing says which requests were lost")
	}
	for i, c := range columns {
		r.samples.has[i] = c.time == "" || r.has(c.time)
	}
	return r.mistakes.Count == before
}

func (r *reader) has(name string) bool { _, ok := r.at[name]; return ok }

// field returns a field of a record, "" where the file has no such column.
func (r *reader) field(record []string, name string) string {
	if i, ok := r.at[name]; ok {
		return record[i]
	}
	return ""
}

// sample adds the sample of a line.
func (r *reader) sample(line int, record []string) {
	s := &r.samples
	if strings.HasPrefix(r.field(record, "responseMessage"), "Number of samples in transaction :") {
		s.transactions++
		return
	}
	before := r.mistakes.Count
	var values [rowLabels]int64
	for i, c := range columns {
		if c.time != "" && r.has(c.time) {
			values[i] = r.time(line, record, c.time)
		}
	}
	values[rowOutcome] = r.outcome(line, record)
	if values[rowSent] > math.MaxInt64-values[rowTook] {
		r.wrong(line, "timeStamp and elapsed add up to more than any clock")
	}
	if r.mistakes.Count > before {
		return
	}
	label := r.field(record, "label")
	if cut := []rune(label); len(cut) > labelMost {
		label = string(cut[:labelMost-1]) + "…" // a length that can be shown
	}
	id, ok := r.labels[label]
	if !ok && len(r.labels) >= labelsMost {
		label = others
		id, ok = r.labels[label]
	}
	if !ok {
		id, label = int64(len(r.labels)), strings.Clone(label)
		r.labels[label] = id
		s.labels = append(s.labels, label)
	}
	values[rowRequest] = id
	for i, v := range values {
		s.values[i] = append(s.values[i], v)
	}
}

// time returns a time of whole milliseconds in ns.
func (r *reader) time(line int, record []string, name string) int64 {
	text := strings.TrimSpace(r.field(record, name))
	ms, err := strconv.ParseInt(text, 10, 64)
	const most = math.MaxInt64 / int64(time.Millisecond)
	switch {
	case err == nil && ms >= 0 && ms <= most:
		return ms * int64(time.Millisecond)
	case errors.Is(err, strconv.ErrRange), err == nil:
		r.wrong(line, "%s %.40q is no time: want milliseconds from 0 to %d", name, text, most)
	case name == "timeStamp":
		r.wrong(line, "timeStamp %.40q is no number of milliseconds: set jmeter.save.saveservice.timestamp_format=ms", text)
	default:
		r.wrong(line, "%s %.40q is no number of milliseconds", name, text)
	}
	return 0
}

// outcome returns the index of a sample's outcome in results.Outcomes.
func (r *reader) outcome(line int, record []string) int64 {
	code := r.field(record, "responseCode")
	// Without the column success, it is a status below 400, as in JMeter.
	success := len(code) == 3 && code[0] >= '1' && code[0] <= '3'
	if r.has("success") {
		var err error
		text := strings.TrimSpace(r.field(record, "success"))
		if success, err = strconv.ParseBool(strings.ToLower(text)); err != nil {
			r.wrong(line, "success %.40q is neither true nor false", text)
		}
	}
	outcome := wrong
	if class, ok := strings.CutPrefix(code, noAnswer); success {
		outcome = right
	} else if ok {
		if outcome = exceptions[class[strings.LastIndexByte(class, '.')+1:]]; outcome == "" {
			outcome = reset // no answer came, for an unknown reason
			r.samples.unknown[fmt.Sprintf("%.100s", class)]++
		}
	}
	return int64(slices.Index(results.Outcomes, outcome))
}
