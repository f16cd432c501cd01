package jtl

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/refusal"
	"moobench/results"
)

// samplesMost is the largest number of samples of a file: the samples of a variant are held in memory, about
// 100 bytes each.
const samplesMost = 20_000_000

// sample is the content of a line.
type sample struct {
	values  [rowLabels]int64 // by column; times in ns
	idle    int64            // pauses in ns, which its time excludes
	line    int32
	label   int32
	parent  int32 // label of the parent if its own label looks like a sub-result's; else -1
	thread  int32 // -1: unknown
	steps   int32 // number of samples in a transaction; 0 for a plain sample
	blank   bool  // there is no sign that anything was sent
	failed  int32 // class of the exception that prevented sending; -1: none
	unclear int32 // class of an exception without a known outcome; -1: none
}

// from and to are the times at which the sample began and ended.
func (s *sample) from() int64 { return s.values[rowSent] }
func (s *sample) to() int64   { return s.values[rowSent] + s.values[rowTook] + s.idle }

// part is the part of a file from one header on.
type part struct {
	file    string
	line    int // of the header
	has     [rowLabels]bool
	threads bool // the lines name threads
	samples []sample
}

// tables has the names in the files of one variant.
type tables struct{ labels, threads, classes *names }

func newTables() *tables {
	return &tables{newNames(namesMost), newNames(math.MaxInt32), newNames(namesMost)}
}

// brokenLines counts lines that are left out.
type brokenLines struct {
	refusal.Mistakes
	first   int // line
	cause   string
	seconds int // lines with seconds instead of milliseconds
}

// file is the content of a file.
type file struct {
	name   string
	parts  []part
	broken brokenLines
	lines  int // number of good lines
}

// reader reads one file.
type reader struct {
	file
	whole    bool           // labels stay uncut
	at       map[string]int // columns by name
	width    int            // number of columns
	begun    int            // columns so far of a broken record that goes on in the next line; 0: none
	tables   *tables
	mistakes *refusal.Mistakes
}

// readFile reads a JTL in CSV of at most most samples. Mistakes of the file as a whole are added to the
// mistakes; mistakes of lines only if most lines are broken.
func readFile(name string, in io.Reader, most int, whole bool, t *tables, mistakes *refusal.Mistakes) *file {
	r := &reader{file: file{name: name}, whole: whole, tables: t, mistakes: mistakes}
	before := mistakes.Count
	b := bufio.NewReaderSize(in, 64<<10)
	comma, ok := r.recognise(b)
	if !ok {
		return &r.file
	}
	lines := newLineReader(b, comma)
	for {
		rec, err := lines.read()
		if err != nil {
			if err != io.EOF {
				r.wrong(rec.line, "%v", err)
			}
			break
		}
		if r.lines == most {
			r.wrong(rec.line,
				"it has more than %d samples: split the file, each part of it is an invocation then", most)
			break
		}
		if !r.record(rec) {
			break
		}
	}
	switch {
	case mistakes.Count > before:
	case r.at == nil:
		r.wrong(0, "it is empty")
	case r.broken.seconds > r.lines:
		r.wrong(r.broken.first, "%s", r.broken.cause)
	case r.broken.Count > r.lines:
		mistakes.Add(r.broken.Err())
	case r.lines == 0:
		r.wrong(0, "it has no samples")
	}
	return &r.file
}

func (r *reader) wrong(line int, format string, args ...any) {
	r.mistakes.At(r.name, line, format, args...)
}

// record takes the next record, and reports whether more may follow.
func (r *reader) record(rec record) bool {
	switch {
	case r.at == nil && rec.cause != "":
		r.wrong(rec.line, "%s", rec.cause)
		return false
	case rec.cause != "":
		r.bad(rec, rec.cause)
	case isHead(rec.fields):
		return r.head(rec)
	case r.at == nil:
		return r.head(rec)
	case len(rec.fields) != r.width:
		r.torn(rec)
	default:
		r.begun = 0
		r.sample(rec)
	}
	return true
}

// torn leaves out a record of the wrong length. Records that complete a short one are treated as its rest.
func (r *reader) torn(rec record) {
	n := len(rec.fields)
	if r.begun > 0 && r.begun+n-1 <= r.width {
		if r.begun += n - 1; r.begun == r.width {
			r.begun = 0
		}
		return
	}
	r.begun = 0
	if n < r.width {
		r.begun = n
	}
	r.bad(rec, widthCause(n, r.width), n, r.width)
}

// widthCause returns the format of the message for a line of the wrong length.
func widthCause(n, want int) string {
	if n < want {
		return "it has %d columns, and the first line %d: a line break in a field without quotes?"
	}
	return "it has %d columns, and the first line %d: a comma in a field without quotes?"
}

// bad leaves a record out. If the file ends in it, the message says so.
func (r *reader) bad(rec record, format string, args ...any) {
	if rec.cut && rec.cause != nulBytes {
		format, args = "the file ends within this line: was JMeter killed while it wrote?", nil
	}
	before := &refusal.Mistakes{}
	before.At("", 0, format, args...)
	if r.broken.Count == 0 {
		r.broken.first, r.broken.cause = rec.line, before.Error()
	}
	r.broken.At(r.name, rec.line, format, args...)
}

// isHead reports whether a record is a header.
func isHead(fields []string) bool {
	named := func(f string) bool { return strings.HasSuffix(strings.TrimSpace(f), "timeStamp") }
	if !slices.ContainsFunc(fields, named) {
		return false // the usual case
	}
	has := func(name string) bool {
		return slices.ContainsFunc(fields, func(f string) bool {
			return strings.TrimPrefix(strings.TrimSpace(f), "\ufeff") == name
		})
	}
	return has("timeStamp") && has("elapsed")
}

// notJTL describes a file whose first line is not JMeter's header. Tools that no format reads are recognised
// before.
func notJTL(first string) string {
	switch {
	case strings.HasPrefix(first, "<"):
		return "this is a JTL in XML; save it as CSV: set jmeter.save.saveservice.output_format=csv"
	case strings.HasPrefix(first, "PK\x03\x04"):
		return "this is a zip file: unpack it"
	case strings.HasPrefix(first, "\x1f\x8b"):
		return "this is a gzip file: unpack it"
	}
	return "the first line does not name the columns (timeStamp,elapsed,label,…): " +
		"set jmeter.save.saveservice.print_field_names=true"
}

// recognise checks the first line, and returns the column separator.
func (r *reader) recognise(b *bufio.Reader) (comma rune, ok bool) {
	start, _ := b.Peek(4 << 10)
	first, _, _ := bytes.Cut(start, []byte("\n"))
	text := strings.TrimSpace(string(first))
	if text != "" && !strings.Contains(text, "timeStamp") {
		r.wrong(1, "%s", notJTL(text))
		return 0, false
	}
	for _, c := range ";\t|" {
		if bytes.ContainsRune(first, c) && !bytes.ContainsRune(first, ',') {
			return c, true
		}
	}
	return ',', true
}

// head reads a header, and reports whether it has all the necessary columns. Unknown columns are ignored.
func (r *reader) head(rec record) bool {
	before := r.mistakes.Count
	r.at, r.width, r.begun = map[string]int{}, len(rec.fields), 0
	for i, name := range rec.fields {
		name = strings.TrimPrefix(strings.TrimSpace(name), "\ufeff")
		if r.has(name) && slices.Contains(header, name) {
			r.wrong(rec.line, "there are two columns %s", name)
		}
		r.at[strings.Clone(name)] = i
	}
	for _, name := range []string{"timeStamp", "elapsed"} {
		if !r.has(name) {
			r.wrong(rec.line, "there is no column %s: nothing can be said without it", name)
		}
	}
	if !r.has("success") && !r.has("responseCode") {
		r.wrong(rec.line, "there is neither success nor responseCode: nothing says which requests were lost")
	}
	p := part{file: r.name, line: rec.line, threads: r.has("threadName")}
	for i, c := range columns {
		p.has[i] = c.time == "" || r.has(c.time)
	}
	r.parts = append(r.parts, p)
	return r.mistakes.Count == before
}

func (r *reader) has(name string) bool { _, ok := r.at[name]; return ok }

// field returns a field of a record, "" if the file has no such column.
func (r *reader) field(fields []string, name string) string {
	if i, ok := r.at[name]; ok {
		return fields[i]
	}
	return ""
}

// sample adds the sample of a record, or leaves a broken one out.
func (r *reader) sample(rec record) {
	s := sample{line: int32(min(rec.line, math.MaxInt32)), thread: -1, parent: -1}
	var wrong lineMistakes
	for i, c := range columns {
		if c.time != "" && r.has(c.time) {
			s.values[i] = wrong.time(r.field(rec.fields, c.time), c.time)
		}
	}
	idle, err := strconv.ParseInt(strings.TrimSpace(r.field(rec.fields, "IdleTime")), 10, 64)
	if err == nil && idle > 0 && idle < mostMS/4 {
		s.idle = idle * int64(time.Millisecond)
	}
	r.outcome(&s, rec.fields, &wrong)
	if s.values[rowSent] > math.MaxInt64-s.values[rowTook]-s.idle {
		wrong.add("timeStamp and elapsed add up to more than any clock")
	}
	if len(wrong) > 0 {
		if strings.Contains(wrong[0], secondsInstead) {
			r.broken.seconds++
		}
		for _, cause := range wrong {
			r.bad(rec, "%s", cause)
		}
		r.broken.Count -= len(wrong) - 1 // count the line once
		return
	}
	r.names(&s, rec.fields)
	p := &r.parts[len(r.parts)-1]
	p.samples = append(p.samples, s)
	r.lines++
}

// names reads the label, the thread and the parent of a sample.
func (r *reader) names(s *sample, fields []string) {
	label, cut := r.field(fields, "label"), false
	if !r.whole {
		label, cut = cutLabel(label)
	}
	label = short(label)
	s.label = r.tables.labels.number(label)
	if parent, ok := childOf(label); ok {
		s.parent = r.tables.labels.number(parent)
	} else if cut {
		s.parent = s.label
	}
	if thread := r.field(fields, "threadName"); thread != "" {
		s.thread = r.tables.threads.number(thread)
	}
	if text, ok := strings.CutPrefix(r.field(fields, "responseMessage"), "Number of samples in transaction : "); ok {
		n, _ := strconv.Atoi(upTo(text, ", "))
		s.steps = int32(min(max(n, 1), math.MaxInt32))
	}
	sent, url := r.field(fields, "sentBytes"), r.field(fields, "URL")
	s.blank = r.has("sentBytes") && r.has("URL") && (sent == "0" || sent == "") && (url == "null" || url == "") &&
		s.values[rowFirstByte] == 0 && s.values[rowConnect] == 0
}

// mostMS is the largest representable time in milliseconds.
const mostMS = math.MaxInt64 / int64(time.Millisecond)

const secondsInstead = ": seconds instead of milliseconds?"

// leastMS is the smallest accepted timeStamp, in March 1973: a smaller one is in seconds.
const leastMS = 100_000_000_000

// lineMistakes are the mistakes in one line.
type lineMistakes []string

func (m *lineMistakes) add(text string) { *m = append(*m, text) }

// time parses whole milliseconds into ns.
func (m *lineMistakes) time(text, name string) int64 {
	text = strings.TrimSpace(text)
	ms, err := strconv.ParseInt(text, 10, 64)
	switch quoted := strconv.Quote(refusal.Visible(cutTo(text, 40))); {
	case err == nil && name == "timeStamp" && ms >= 0 && ms < leastMS:
		m.add("timeStamp " + quoted + " is of " + time.UnixMilli(ms).UTC().Format("January 2006") +
			secondsInstead + " Set jmeter.save.saveservice.timestamp_format=ms")
	case err == nil && ms >= 0 && ms <= mostMS:
		return ms * int64(time.Millisecond)
	case errors.Is(err, strconv.ErrRange), err == nil:
		m.add(name + " " + quoted + " is not a time: want milliseconds from 0 to " + strconv.FormatInt(mostMS, 10))
	case name == "timeStamp":
		m.add("timeStamp " + quoted + " is not a number of milliseconds: set jmeter.save.saveservice.timestamp_format=ms")
	default:
		m.add(name + " " + quoted + " is not a number of milliseconds")
	}
	return 0
}

// cutTo returns the beginning of a text, at most most bytes.
func cutTo(text string, most int) string { return strings.ToValidUTF8(text[:min(len(text), most)], "") }

// outcome reads the outcome of a sample.
func (r *reader) outcome(s *sample, fields []string, wrongs *lineMistakes) {
	s.failed, s.unclear = -1, -1
	code := r.field(fields, "responseCode")
	// Without a column success, a status below 400 is a success, as in JMeter.
	success := len(code) == 3 && code[0] >= '1' && code[0] <= '3'
	if r.has("success") {
		var err error
		text := strings.TrimSpace(r.field(fields, "success"))
		if success, err = strconv.ParseBool(strings.ToLower(text)); err != nil {
			wrongs.add("success " + strconv.Quote(cutTo(text, 40)) + " is neither true nor false")
		}
	}
	outcome := wrong
	if class, ok := strings.CutPrefix(code, noAnswer); success {
		outcome = right
	} else if ok {
		name := class[strings.LastIndexByte(class, '.')+1:]
		switch outcome = exceptions[name]; {
		case slices.Contains(unsent, name):
			outcome, s.failed = reset, r.tables.classes.number(cutTo(name, 100))
		case outcome == "":
			outcome, s.unclear = reset, r.tables.classes.number(cutTo(class, 100)) // no answer, for an unknown reason
		}
	}
	s.values[rowOutcome] = int64(slices.Index(results.Outcomes, outcome))
}
