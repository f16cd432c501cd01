package jtl

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/refusal"
)

// run is the load that one or several load generators sent to one start of a server.
type run struct {
	pieces []piece
}

// piece is the share of one part of a file in a run, in order of sending.
type piece struct {
	file       string
	line       int // first line
	last       int // last line
	has        [rowLabels]bool
	samples    []sample
	first, end int64 // ns since 1970
	notes      []string
	unsent     string // why requests were not sent; "" if all were
}

const (
	// gapLeast is the shortest pause, without any sending or waiting, that separates two runs in one file. It
	// must also be gapTimes the median time between sendings.
	gapLeast = 10 * time.Minute
	gapTimes = 100
)

// runsOf returns the runs in a variant's files, in order of time. Pieces that overlap in time belong to one run
// with several load generators.
func runsOf(files []*file, t *tables) []run {
	var pieces []piece
	for _, f := range files {
		pieces = append(pieces, f.pieces(t)...)
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.first, b.first) })
	var runs []run
	end := int64(0)
	for _, p := range pieces {
		if len(runs) == 0 || p.first > end {
			runs, end = append(runs, run{}), p.end
		}
		last := &runs[len(runs)-1]
		last.pieces, end = append(last.pieces, p), max(end, p.end)
	}
	return runs
}

// pieces returns the parts of a file, divided at long pauses, without lines that are not requests.
func (f *file) pieces(t *tables) []piece {
	var all []piece
	var breaks []string
	for i, p := range f.parts {
		if i > 0 && len(p.samples) > 0 {
			breaks = append(breaks, fmt.Sprintf("a second header in line %d", p.line))
		}
		for j, samples := range divided(p.samples) {
			if j > 0 {
				before := all[len(all)-1]
				gap := time.Duration(samples[0].from() - before.end).Round(time.Minute)
				breaks = append(breaks, fmt.Sprintf("a gap of %s after line %d", spelled(gap), before.last))
			}
			all = append(all, p.piece(samples, t))
		}
	}
	if n := len(all); len(breaks) > 0 && n > 1 {
		where := strings.Join(breaks[:min(len(breaks), namedMost)], "; ")
		text := fmt.Sprintf("%s holds %d runs (%s): each is an invocation, unless they overlap in time",
			filepath.Base(f.name), n, where)
		for i := range all {
			all[i].notes = append(all[i].notes, text)
		}
	}
	if f.broken.Count > 0 && len(all) > 0 {
		all[len(all)-1].notes = append(all[len(all)-1].notes, f.broken.note(f.name))
	}
	return all
}

// namedMost is the largest number of items that a message names.
const namedMost = 4

// note says how many lines are broken, and why the first one is.
func (b *brokenLines) note(name string) string {
	return fmt.Sprintf("%s: %s broken and left out, the first is line %d: %s; "+
		"broken lines are often those of errors, so that more may be lost than is counted",
		filepath.Base(name), linesAre(b.Count), b.first, b.cause)
}

// linesAre returns the beginning of a sentence on n lines.
func linesAre(n int) string {
	if n == 1 {
		return "1 line is"
	}
	return fmt.Sprintf("%d lines are", n)
}

// spelled formats a duration in hours or minutes.
func spelled(d time.Duration) string {
	if d >= 2*time.Hour {
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}

// divided sorts samples by sending, and splits them at pauses much longer than usual, in which nothing was sent
// or waited for.
func divided(samples []sample) [][]sample {
	if len(samples) == 0 {
		return nil
	}
	slices.SortStableFunc(samples, func(a, b sample) int { return cmp.Compare(a.from(), b.from()) })
	var steps []int64
	for i := range samples[1:] {
		steps = append(steps, samples[i+1].from()-samples[i].from())
	}
	slices.Sort(steps)
	least := int64(gapLeast)
	if len(steps) > 0 {
		least = max(least, min(steps[len(steps)/2], int64(1<<62)/gapTimes)*gapTimes)
	}
	var all [][]sample
	begin, end := 0, samples[0].to()
	for i := range samples {
		if s := &samples[i]; s.from()-end > least {
			all, begin = append(all, samples[begin:i]), i
		}
		end = max(end, samples[i].to())
	}
	return append(all, samples[begin:])
}

// piece returns the requests among samples of a part, in order of sending.
func (p *part) piece(samples []sample, t *tables) piece {
	x := piece{file: p.file, has: p.has, first: samples[0].from(), line: int(samples[0].line)}
	for _, s := range samples {
		x.end, x.line, x.last = max(x.end, s.to()), min(x.line, int(s.line)), max(x.last, int(s.line))
	}
	kept, out := requestsOf(samples, t)
	note := func(n int, format string) {
		if n > 0 {
			x.notes = append(x.notes, fmt.Sprintf(format, linesAre(n)))
		}
	}
	note(out.parts, "%s part of another one (JMeter's sub-results, such as redirects and images) and left out: "+
		"what has the parts is the request")
	note(out.sums, "%s the sum of others (JMeter's transaction controller) and left out")
	note(out.alone, "%s of a transaction whose own requests are not in the file "+
		"(JMeter's generate parent sample): each counts as one request")
	x.samples = x.sentOf(kept, t)
	return x
}

// sentOf leaves out the samples that sent nothing: exceptions in the load generator, and scripts if other
// samples sent something.
func (x *piece) sentOf(samples []sample, t *tables) []sample {
	anySent := slices.ContainsFunc(samples, func(s sample) bool { return !s.blank })
	quiet := map[int32]bool{} // labels that never sent anything
	for _, s := range samples {
		if q, known := quiet[s.label]; !known || q {
			quiet[s.label] = s.blank && s.steps == 0 && anySent
		}
	}
	failed, scripts, all := map[string]int{}, 0, len(samples)
	kept := slices.DeleteFunc(samples, func(s sample) bool {
		switch {
		case s.failed >= 0:
			failed[t.classes.list[s.failed]]++
			return true
		case quiet[s.label]:
			scripts++
			return true
		}
		return false
	})
	if len(failed) > 0 {
		n := 0
		var classes []string
		for _, class := range slices.Sorted(maps.Keys(failed)) {
			n += failed[class]
			classes = append(classes, fmt.Sprintf("%d of %d %s", failed[class], all, class))
		}
		x.notes = append(x.notes, fmt.Sprintf(
			"%d of %d lines sent no request: %s in the load generator; they are left out, and no losses of the server",
			n, all, strings.Join(classes, ", ")))
		x.unsent = strings.Join(classes, ", ") + " in the load generator"
	}
	if scripts > 0 {
		x.notes = append(x.notes, linesAre(scripts)+" of a sampler that sends nothing, such as a script, and left out")
	}
	return kept
}

// notes returns the remarks on a run.
func (r run) notes() []string {
	var all []string
	if len(r.pieces) > 1 {
		var files []string
		for _, p := range r.pieces {
			if name := filepath.Base(p.file); !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
		from := strings.Join(files[:min(len(files), namedMost)], ", ")
		if rest := len(files) - namedMost; rest > 0 {
			from += fmt.Sprintf(" and %d more", rest)
		}
		all = append(all, fmt.Sprintf(
			"%d load generators sent at the same time (%s): they are one run of the server, and one invocation",
			len(r.pieces), from))
	}
	for _, p := range r.pieces {
		for _, note := range p.notes {
			if !slices.Contains(all, note) {
				all = append(all, note)
			}
		}
	}
	return all
}

// copies are the parts of files read so far, by content.
type copies map[[sha256.Size]byte]string

// add adds the parts of a file. A part that was seen before is a mistake, as is one with most of its lines
// twice.
func (c copies) add(f *file, t *tables, mistakes *refusal.Mistakes) {
	for i := range f.parts {
		p := &f.parts[i]
		if len(p.samples) == 0 {
			continue
		}
		sum, twice := p.fingerprint(t)
		place := f.name
		if len(f.parts) > 1 {
			place += fmt.Sprintf(" from line %d on", p.line)
		}
		switch first, seen := c[sum]; {
		case seen:
			mistakes.At(f.name, p.line,
				"it has the same samples as %s: a copy is no other run; leave one of them out", first)
		case p.threads && 2*twice >= len(p.samples) && twice > 1:
			mistakes.At(f.name, 0, "%d of its %d samples stand in it twice: was the file appended to itself? "+
				"A copy is no other run; leave one of them out", twice, len(p.samples))
		}
		c[sum] = place
	}
}

// fingerprint returns a digest of the samples, independent of their order and form. twice is the number of
// samples that occur more than once.
func (p *part) fingerprint(t *tables) (sum [sha256.Size]byte, twice int) {
	hashes := make([][sha256.Size]byte, 0, len(p.samples))
	for _, s := range p.samples {
		var b []byte
		for i, v := range s.values {
			if i != rowRequest {
				b = binary.LittleEndian.AppendUint64(b, uint64(v))
			}
		}
		b = append(b, t.labels.list[s.label]...)
		b = append(b, 0)
		if s.thread >= 0 {
			b = append(b, t.threads.list[s.thread]...)
		}
		hashes = append(hashes, sha256.Sum256(b))
	}
	slices.SortFunc(hashes, func(a, b [sha256.Size]byte) int { return slices.Compare(a[:], b[:]) })
	h := sha256.New()
	for i, x := range hashes {
		h.Write(x[:])
		if i > 0 && x == hashes[i-1] {
			twice += 1
			if i == 1 || hashes[i-2] != x {
				twice++
			}
		}
	}
	return [sha256.Size]byte(h.Sum(nil)), twice
}
