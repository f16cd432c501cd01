package jmh

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

// sizeMost is the largest length of a file in bytes: it is held in memory several times.
const sizeMost = 256 << 20

// forksMost is the largest number of forks of a benchmark: each becomes an invocation,
// with a folder of its own. JMH's default is five.
const forksMost = 10_000

// number is a score. JMH writes numbers that JSON lacks as strings: "NaN".
type number float64

// notFinite are these strings. An iteration with one of them has no score.
var notFinite = []string{"NaN", "Infinity", "+INF", "+Infinity", "INF", "-Infinity", "-INF"}

// UnmarshalJSON reads a number, or NaN for anything else: a bad score costs only its iteration.
func (n *number) UnmarshalJSON(text []byte) error {
	f := math.NaN()
	if !slices.Contains(notFinite, strings.Trim(string(text), `"`)) && string(text) != "null" {
		if json.Unmarshal(text, &f) != nil {
			f = math.NaN()
		}
	}
	*n = number(f)
	return nil
}

// metric is a score of a benchmark, by fork and iteration. Mode sample has a histogram per iteration instead:
// pairs of a time and its frequency.
type metric struct {
	Unit      string          `json:"scoreUnit"`
	Raw       [][]number      `json:"rawData"`
	Histogram [][][][2]number `json:"rawDataHistogram"`

	forks [][]float64 // the finite scores of each fork's iterations
	lost  []int       // number of each fork's iterations without a score
}

// settle sets forks and lost; the score of an iteration with a histogram is its mean.
func (m *metric) settle() {
	raw := m.Raw
	if len(raw) == 0 {
		for _, fork := range m.Histogram {
			means := make([]number, len(fork))
			for i, iteration := range fork {
				var sum, n float64
				for _, bin := range iteration {
					sum, n = sum+float64(bin[0])*float64(bin[1]), n+float64(bin[1])
				}
				means[i] = number(sum / n) // NaN without samples
			}
			raw = append(raw, means)
		}
	}
	for _, fork := range raw {
		scores := []float64{}
		for _, s := range fork {
			if f := float64(s); !math.IsNaN(f) && !math.IsInf(f, 0) {
				scores = append(scores, f)
			}
		}
		m.forks, m.lost = append(m.forks, scores), append(m.lost, len(fork)-len(scores))
	}
	m.Raw, m.Histogram = nil, nil
}

// benchmark is one element of a result file.
type benchmark struct {
	Name      string            `json:"benchmark"`
	Mode      string            `json:"mode"`
	Threads   int               `json:"threads"`
	VMVersion string            `json:"vmVersion"`
	VMName    string            `json:"vmName"`
	JDK       string            `json:"jdkVersion"`
	JMH       string            `json:"jmhVersion"`
	JVMArgs   []string          `json:"jvmArgs"`
	Forks     *int              `json:"forks"` // 0: in JMH's own JVM; nil: not stated
	Warmup    int               `json:"warmupIterations"`
	WarmupAt  string            `json:"warmupTime"`
	WarmBatch int               `json:"warmupBatchSize"`
	Measured  int               `json:"measurementIterations"` // 0: not stated
	Time      string            `json:"measurementTime"`
	Batch     int               `json:"measurementBatchSize"`
	Params    map[string]string `json:"params"`
	Primary   metric            `json:"primaryMetric"`
	Secondary map[string]metric `json:"secondaryMetrics"`

	file    string
	line    int
	variant string // "" until it is set
	short   string // the benchmark's short name, if that is the variant
	cell    string // ID
}

// reader reads result files, and collects the omissions.
type reader struct {
	left     importer.LeftOut
	mistakes *refusal.Mistakes
	seen     map[[sha256.Size]byte]*benchmark // first benchmark with each list of scores
	told     map[[2]string]bool               // pairs of files with the same scores that were reported
}

func newReader() *reader {
	return &reader{mistakes: &refusal.Mistakes{}, seen: map[[sha256.Size]byte]*benchmark{}, told: map[[2]string]bool{}}
}

// read returns the benchmarks of a result file. An unreadable element costs only itself; in a truncated or
// broken file the elements before the break count. A file without any benchmark is a mistake.
func (r *reader) read(name string, data []byte) []*benchmark {
	if len(bytes.TrimSpace(data)) == 0 {
		r.mistakes.At(name, 0, "it is empty")
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if open, _ := d.Token(); open != json.Delim('[') {
		r.mistakes.At(name, 1, "it is not a list of benchmarks: want what JMH writes with -rf json")
		return nil
	}
	var all []*benchmark
	at, line, elements := 0, 1, 0
	var wrong refusal.Mistakes // omitted elements, reported only if no benchmark is left
	for d.More() {
		var element json.RawMessage
		if d.Decode(&element) != nil {
			break // syntaxError gives the reason
		}
		start := int(d.InputOffset()) - len(element)
		// Lines are counted from the previous element, so that the file is read in one pass.
		at, line = start, line+bytes.Count(data[at:start], []byte("\n"))
		elements++
		b, why := parse(name, line, element)
		if why == "" {
			all = append(all, b)
			r.again(b)
			continue
		}
		wrong.At(name, line, "%s", why)
		r.left.Add("benchmark can't be read", "benchmarks can't be read", name, line, why)
	}
	broken, why := syntaxError(data)
	switch {
	case why != "" && len(all) == 0:
		wrong.At(name, broken, "%s", why)
	case why != "":
		r.left.Add(
			"file is cut off or broken: what comes from there on",
			"files are cut off or broken: what comes from there on",
			name, broken, why,
		)
	case elements == 0:
		wrong.At(name, 0, "it has no benchmarks")
	}
	if len(all) == 0 {
		r.mistakes.Add(wrong.Err())
	}
	return all
}

// syntaxError returns the line and the reason of a JSON syntax error; why is "" for valid JSON.
func syntaxError(data []byte) (line int, why string) {
	var none struct{}
	syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(data, &none))
	if !ok {
		return 0, ""
	}
	before := data[:min(max(int(syntax.Offset), 0), len(data))]
	return 1 + bytes.Count(before, []byte("\n")), syntax.Error()
}

// again reports a benchmark whose scores equal an earlier one's, number for number: a file may be contained in
// another one, or reformatted. It reports each pair of files once.
func (r *reader) again(b *benchmark) {
	text, _ := json.Marshal([]any{b.Name, b.Mode, b.Params, b.Threads, fmt.Sprint(b.Primary.forks)}) // plain values
	key := sha256.Sum256(text)
	first, known := r.seen[key]
	if !known {
		r.seen[key] = b
		return
	}
	if files := [2]string{first.file, b.file}; !r.told[files] {
		r.told[files] = true
		r.mistakes.At(b.file, b.line,
			"%s has the scores, number for number, of %s:%d: what is given twice was measured once; leave one out",
			b.Name, refusal.OneLine(first.file), first.line)
	}
}

// parse reads an element; why is the reason to leave it out.
func parse(file string, line int, element []byte) (b *benchmark, why string) {
	b = &benchmark{file: file, line: line}
	err := json.Unmarshal(element, b)
	b.Primary.settle()
	for name, m := range b.Secondary {
		m.settle()
		b.Secondary[name] = m
	}
	scores := slices.ContainsFunc(b.Primary.forks, func(fork []float64) bool { return len(fork) > 0 })
	switch n := max(len(b.Primary.forks), b.wanted()); {
	case err != nil:
		return nil, "this benchmark can't be read: " + reason(err)
	case b.Name == "":
		return nil, "an element has no benchmark: is this a result file of JMH?"
	case len(b.Primary.forks) == 0:
		return nil, b.Name + " has no rawData: nothing says what each fork measured"
	case n > forksMost:
		return nil, fmt.Sprintf("%s has %d forks, and %d are the most: is this a result file of JMH?",
			b.Name, n, forksMost)
	case !scores:
		return nil, "no iteration of " + b.Name + " has a score"
	}
	return b, ""
}

// wanted returns the number of forks that the file announces; 0 if it doesn't.
func (b *benchmark) wanted() int {
	if b.Forks == nil {
		return 0
	}
	return *b.Forks
}

// reason returns the message of an error without our own type names.
func reason(err error) string {
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s is a %s", cmp.Or(kind.Field, "it"), kind.Value)
	}
	return err.Error()
}

// nanoseconds has the lengths of JMH's time units, by their printed names.
var nanoseconds = map[string]float64{
	"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "hr": 3600e9, "day": 86400e9,
}

// quantity is the meaning of a score: score times factor is in unit.
type quantity struct {
	unit   string
	factor float64
	better results.Better
}

// quantityOf parses the unit of a score. Times per operation become ns, rates become operations per second; a
// unit that is not JMH's own stays.
func quantityOf(unit string) quantity {
	unit = strings.TrimSpace(unit)
	over, under, isRatio := strings.Cut(unit, "/")
	switch ns := nanoseconds[over]; {
	case isRatio && under == "op" && ns > 0:
		return quantity{"ns", ns, results.Lower}
	case isRatio && over == "ops" && nanoseconds[under] > 0:
		return quantity{"ops/s", 1e9 / nanoseconds[under], results.Higher}
	case unit == "B/op":
		return quantity{"B", 1, results.Lower}
	case !isRatio && ns > 0:
		return quantity{"ns", ns, results.Lower}
	case unit == "counts" || unit == "#" || unit == "#/op" || unit == "":
		return quantity{"1", 1, results.Neither}
	}
	return quantity{unit, 1, results.Neither}
}
