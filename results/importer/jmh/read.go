package jmh

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"moobench/results/importer"
	"moobench/results/safefile"
)

// sizeMost is how long a file may be, in bytes: it is held in memory several times.
const sizeMost = 256 << 20

// number is a score. JMH writes those that are none as texts: "NaN".
type number float64

// UnmarshalJSON reads a number, or the text of one that JSON has no form for.
func (n *number) UnmarshalJSON(text []byte) error {
	switch strings.Trim(string(text), `"`) {
	case "NaN":
		*n = number(math.NaN())
		return nil
	case "Infinity", "+INF", "+Infinity", "INF":
		*n = number(math.Inf(1))
		return nil
	case "-Infinity", "-INF":
		*n = number(math.Inf(-1))
		return nil
	}
	var f float64
	if err := json.Unmarshal(text, &f); err != nil {
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
}

// benchmark is one element of a result file.
type benchmark struct {
	JMH        string            `json:"jmhVersion"`
	Name       string            `json:"benchmark"`
	Mode       string            `json:"mode"`
	Threads    int               `json:"threads"`
	VMName     string            `json:"vmName"`
	VMVersion  string            `json:"vmVersion"`
	JDK        string            `json:"jdkVersion"`
	JVMArgs    []string          `json:"jvmArgs"`
	Warmups    int               `json:"warmupIterations"`
	WarmupTime string            `json:"warmupTime"`
	Params     map[string]string `json:"params"`
	Primary    metric            `json:"primaryMetric"`
	Secondary  map[string]metric `json:"secondaryMetrics"`

	file string
	line int
}

// readFile reads the result file of JMH's option -rf json. What is wrong in it
// is added to the mistakes.
func readFile(ctx context.Context, path string, mistakes *importer.Mistakes) ([]*benchmark, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("importing: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(importer.UntilDone(ctx, io.LimitReader(f, sizeMost+1)))
	if err != nil {
		return nil, fmt.Errorf("importing %s: %w", path, err)
	}
	if len(data) > sizeMost {
		mistakes.Add(path, 0, "it is longer than %d bytes: is this a result file of JMH?", sizeMost)
		return nil, nil
	}
	return read(path, data, mistakes), nil
}

func read(name string, data []byte, mistakes *importer.Mistakes) []*benchmark {
	if len(bytes.TrimSpace(data)) == 0 {
		mistakes.Add(name, 0, "it is empty")
		return nil
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			mistakes.Add(name, lineOf(data, int(syntax.Offset)), "%v", syntax)
		} else {
			mistakes.Add(name, 1, "it is no list of benchmarks: want what JMH writes with -rf json")
		}
		return nil
	}
	if len(raw) == 0 {
		mistakes.Add(name, 0, "it has no benchmarks")
	}
	var all []*benchmark
	at := bytes.IndexByte(data, '[') + 1
	for _, element := range raw {
		// Elements stand in the file as they are in raw, one behind the other.
		at += max(0, bytes.Index(data[at:], element))
		b := &benchmark{file: name, line: lineOf(data, at)}
		at += len(element)
		if err := json.Unmarshal(element, b); err != nil {
			mistakes.Add(name, b.line, "this benchmark can't be read: %s", reason(err))
			continue
		}
		if b.check(mistakes) {
			all = append(all, b)
		}
	}
	return all
}

// lineOf is the line in which a byte of the data stands.
func lineOf(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}

// reason drops from an error what says where in our own types it happened.
func reason(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("%s is a %s", kind.Field, kind.Value)
	}
	return err.Error()
}

// check says what of a benchmark is missing.
func (b *benchmark) check(mistakes *importer.Mistakes) bool {
	before := mistakes.Count
	wrong := func(format string, args ...any) { mistakes.Add(b.file, b.line, format, args...) }
	if b.Name == "" {
		wrong("an element has no benchmark: is this a result file of JMH?")
		return false
	}
	forks := b.Primary.forks()
	if len(forks) == 0 {
		wrong("%s has no rawData: nothing says what each fork measured", b.Name)
	}
	for i, fork := range forks {
		if len(fork) == 0 {
			wrong("fork %d of %s has no iteration with a score", i+1, b.Name)
		}
	}
	return mistakes.Count == before
}

// forks are the finite scores of the iterations of each fork; that of an
// iteration with a histogram is its mean.
func (m *metric) forks() [][]float64 {
	var all [][]float64
	for _, fork := range m.Raw {
		scores := []float64{}
		for _, s := range fork {
			scores = appendFinite(scores, float64(s))
		}
		all = append(all, scores)
	}
	if all != nil {
		return all
	}
	for _, fork := range m.Histogram {
		scores := []float64{}
		for _, iteration := range fork {
			var sum, n float64
			for _, bin := range iteration {
				sum, n = sum+float64(bin[0])*float64(bin[1]), n+float64(bin[1])
			}
			scores = appendFinite(scores, sum/n) // NaN without samples
		}
		all = append(all, scores)
	}
	return all
}

func appendFinite(scores []float64, s float64) []float64 {
	if math.IsNaN(s) || math.IsInf(s, 0) {
		return scores
	}
	return append(scores, s)
}

// lost counts the iterations of a fork that have no score.
func (m *metric) lost(fork int) int {
	if fork < len(m.Raw) {
		return len(m.Raw[fork]) - len(m.forks()[fork])
	}
	if fork < len(m.Histogram) {
		return len(m.Histogram[fork]) - len(m.forks()[fork])
	}
	return 0
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
