package jmh

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/refusal"
	"moobench/results"
)

// sizeMost is the largest length of a file in bytes: it is held in memory several times.
const sizeMost = 256 << 20

// forksMost is the largest number of forks of a benchmark: each becomes an invocation,
// with a folder of its own. JMH's default is five.
const forksMost = 10_000

// number is a score. JMH writes scores that JSON has no number for as strings: "NaN".
type number float64

// notFinite are these strings. An iteration with any of them has no score.
var notFinite = []string{"NaN", "Infinity", "+INF", "+Infinity", "INF", "-Infinity", "-INF"}

// UnmarshalJSON reads a number, or the string for one that is not finite as NaN.
func (n *number) UnmarshalJSON(text []byte) error {
	var f float64
	if slices.Contains(notFinite, strings.Trim(string(text), `"`)) {
		f = math.NaN()
	} else if err := json.Unmarshal(text, &f); err != nil {
		return fmt.Errorf("%.40s is no number", text)
	}
	*n = number(f)
	return nil
}

// metric is a score of a benchmark, by fork and iteration. Mode sample has a
// histogram for each iteration instead: pairs of a time and how often it came.
type metric struct {
	Unit      string          `json:"scoreUnit"`
	Raw       [][]number      `json:"rawData"`
	Histogram [][][][2]number `json:"rawDataHistogram"`

	forks [][]float64 // the finite scores of each fork's iterations
	lost  []int       // number of iterations of each fork without a score
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
	JDK       string            `json:"jdkVersion"`
	JVMArgs   []string          `json:"jvmArgs"`
	Params    map[string]string `json:"params"`
	Primary   metric            `json:"primaryMetric"`
	Secondary map[string]metric `json:"secondaryMetrics"`

	file    string
	line    int
	variant string // "" until it is named
	cell    string // ID
}

// read returns the benchmarks of a result file, and adds what is wrong in it to the
// mistakes.
func read(name string, data []byte, mistakes *refusal.Mistakes) []*benchmark {
	if len(bytes.TrimSpace(data)) == 0 {
		mistakes.At(name, 0, "it is empty")
		return nil
	}
	// All of the syntax is checked before anything is read.
	var none struct{}
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(data, &none)); ok {
		before := data[:min(max(int(syntax.Offset), 0), len(data))]
		mistakes.At(name, 1+bytes.Count(before, []byte("\n")), "%v", syntax)
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if open, _ := d.Token(); open != json.Delim('[') {
		mistakes.At(name, 1, "it is no list of benchmarks: want what JMH writes with -rf json")
		return nil
	}
	if !d.More() {
		mistakes.At(name, 0, "it has no benchmarks")
	}
	var all []*benchmark
	at, line := 0, 1
	for d.More() {
		var element json.RawMessage
		d.Decode(&element) // its syntax was checked
		start := int(d.InputOffset()) - len(element)
		// Lines are counted from the last element on, so that the file is read in one pass.
		at, line = start, line+bytes.Count(data[at:start], []byte("\n"))
		before := mistakes.Count
		wrong := func(format string, args ...any) { mistakes.At(name, line, format, args...) }
		b := &benchmark{file: name, line: line}
		err := json.Unmarshal(element, b)
		b.Primary.settle()
		for name, m := range b.Secondary {
			m.settle()
			b.Secondary[name] = m
		}
		switch forks := b.Primary.forks; {
		case err != nil:
			wrong("this benchmark can't be read: %s", reason(err))
		case b.Name == "":
			wrong("an element has no benchmark: is this a result file of JMH?")
		case len(forks) == 0:
			wrong("%s has no rawData: nothing says what each fork measured", b.Name)
		case len(forks) > forksMost:
			wrong("%s has %d forks, and %d are the most: is this a result file of JMH?", b.Name, len(forks), forksMost)
		default:
			for i, fork := range forks {
				if len(fork) == 0 {
					wrong("fork %d of %s has no iteration with a score", i+1, b.Name)
				}
			}
		}
		if mistakes.Count == before {
			all = append(all, b)
		}
	}
	return all
}

// reason is the message of an error without the names of our own types.
func reason(err error) string {
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s is a %s", cmp.Or(kind.Field, "it"), kind.Value)
	}
	return err.Error()
}

// nanoseconds has the lengths of JMH's units of time, by the names that it prints.
var nanoseconds = map[string]float64{
	"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "hr": 3600e9, "day": 86400e9,
}

// quantity is the meaning of a score: multiplied by factor it is in unit.
type quantity struct {
	unit   string
	factor float64
	better results.Better
}

// quantityOf parses the unit of a score. Times of an operation become ns, rates operations
// per second; a unit that is not JMH's own is kept as it is.
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
