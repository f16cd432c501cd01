// Package otel reads results.csv of OpenTelemetry's benchmark-overhead, which
// its project opentelemetry-java-instrumentation runs every night.
// Each line is a night on which every agent ran once; each of these runs is an invocation. The columns are
// named agent:field; fields have come and gone over the years.
package otel

import (
	"context"
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
	// tool is the source of an imported campaign.
	tool      = "OpenTelemetry benchmark-overhead"
	scenario  = "otel"
	timestamp = "timestamp"
)

const about = `Lines of OpenTelemetry's benchmark-overhead: each is a night, and the number of its block; ` +
	`each agent ran once in it, ` +
	`in one job on one machine, so that agents are compared within nights. ` +
	`Their order in a night is always the same and not recorded, and there is no second run without an agent. ` +
	`Start and end are both the time at which the line was written.`

// Limits of a file. Several years take one or two million bytes; a column is a field of an agent.
const (
	sizeMost    = 64 << 20
	columnsMost = 10_000
)

// Format reads the results of benchmark-overhead.
func Format() importer.Format {
	return importer.Format{
		Name: "otel", Paths: []string{"*.csv"}, Import: importFiles, Nights: readNights,
		About: `results.csv of OpenTelemetry's benchmark-overhead: each agent on
each line is an invocation`,
		Header: func(line string) bool {
			return strings.HasPrefix(line, timestamp+",") && strings.Contains(line, ":")
		},
	}
}

// importFiles makes a campaign of result files: a cell for each agent, an invocation for each of its runs. The
// baseline is the named agent, else "none", else the first one. All mistakes in the files are in one
// *refusal.Mistakes. It stops when ctx is done.
func importFiles(ctx context.Context, r importer.Request) (*results.Store, error) {
	t, err := readFiles(ctx, r)
	if err != nil {
		return nil, err
	}
	text := about
	if len(t.unknown) > 0 {
		text += " Left out, because their meaning is not known: " + refusal.OneLine(strings.Join(t.unknown, ", ")) + "."
	}
	b := importer.NewBuilder(r, tool, text, results.Scenario{
		Label: scenario, About: "an application under load, once per agent and night",
	})
	b.Campaign.Design = results.DesignPaired
	b.LeaveOut(t.left.Texts()...)
	b.LeaveOut(t.absent()...)
	for _, agent := range t.agents {
		b.Cell(results.Cell{Variant: agent})
	}
	sc := b.Scenario()
	for _, f := range t.known {
		if t.seen[f.metric.Name] {
			sc.Metrics = append(sc.Metrics, f.metric)
		}
	}
	main := sc.Metrics[0].Name
	err = b.Compare(t.baseline(r.Baseline), importer.Question{Metric: main, Text: func(cell, _ *results.Cell) string {
		return fmt.Sprintf("How much does %s change %s?", cell.Variant, main)
	}})
	if err != nil {
		return nil, err
	}
	return b.Make(func() error {
		for _, run := range t.runs {
			cell := b.Cell(results.Cell{Variant: run.agent})
			inv := &results.Invocation{Cell: cell, Start: run.when, End: run.when, Scalars: run.scalars}
			if err := b.Add(ctx, results.Identity{Block: run.block, Slot: b.Slot(cell)}, inv); err != nil {
				return fmt.Errorf("importing: %w", err)
			}
		}
		return nil
	})
}

// readNights returns the values of each agent beside the baseline's on the same line, for the primary and key
// metrics.
func readNights(ctx context.Context, r importer.Request) (*importer.Nights, error) {
	t, err := readFiles(ctx, r)
	if err != nil {
		return nil, err
	}
	base := t.baseline(r.Baseline)
	if !slices.Contains(t.agents, base) {
		return nil, refusal.Mistake("there is no agent %q to be the baseline: there are %s",
			base, strings.Join(t.agents, ", "))
	}
	found := &importer.Nights{Source: tool, LeftOut: append(t.left.Texts(), t.absent()...)}
	beside := map[int]run{} // by block
	for _, run := range t.runs {
		if run.agent == base {
			beside[run.block] = run
		}
	}
	for _, run := range t.runs {
		for _, f := range t.known {
			x, y := run.scalars[f.metric.Name], beside[run.block].scalars[f.metric.Name]
			// other values have no ratio
			if run.agent == base || !f.metric.Primary && !f.metric.Key || !(x > 0 && y > 0) {
				continue
			}
			found.All = append(found.All, importer.Night{
				When: run.when, Suite: scenario, Cell: run.agent, Metric: f.metric, Value: x,
				Reference: base, ReferenceValue: y,
			})
		}
	}
	if len(found.All) == 0 {
		return nil, refusal.Mistake("no night has a value of an agent and of %s: there is nothing to compare", base)
	}
	return found, nil
}

// readFiles reads all files; it is a mistake if no agent has a run.
func readFiles(ctx context.Context, r importer.Request) (*table, error) {
	t := newTable()
	bound := importer.Bound{Bytes: sizeMost, Tool: "OpenTelemetry's benchmark-overhead"}
	err := r.ReadFiles(ctx, bound, t.mistakes, func(f importer.File, in io.Reader) error {
		t.read(f.Path, in)
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(t.runs) == 0 && len(t.unknown) > 0:
		return nil, refusal.Mistake("no column has a known meaning: " +
			"is this a result file of OpenTelemetry's benchmark-overhead?")
	case len(t.runs) == 0:
		why := append([]string{"there is no run of an agent in what was given"}, t.left.Texts()...)
		return nil, refusal.Mistake("%s", strings.Join(why, "; "))
	}
	return t, nil
}

// baseline returns the agent that the others are compared with: the named one, else none, which is the
// project's name for a run without an agent, else the first.
func (t *table) baseline(named string) string {
	switch {
	case named != "":
		return named
	case slices.Contains(t.agents, importer.Without):
		return importer.Without
	}
	return t.agents[0]
}

// table is the content of all files.
type table struct {
	known    []field
	agents   []string
	runs     []run
	seen     map[string]bool // metrics that any run has
	unknown  []string        // fields without a known meaning
	nights   int
	times    map[int64]bool   // times of the nights
	expected map[string]int   // number of nights whose columns name the agent
	left     importer.LeftOut // bad cells and lines
	mistakes *refusal.Mistakes
}

func newTable() *table {
	return &table{
		known: fields(), seen: map[string]bool{}, times: map[int64]bool{},
		expected: map[string]int{}, mistakes: &refusal.Mistakes{},
	}
}

// run is one agent's run on one night.
type run struct {
	agent   string
	block   int // number of the night
	when    time.Time
	scalars map[string]float64
}

// column is a field of an agent; field is nil if its meaning is unknown.
type column struct {
	name, agent string
	field       *field
}

// read adds the runs of a file. Each header names the columns of the lines that follow. If a line has as many
// additional columns as an agent has fields, an agent was added without a new header: from there on the meaning
// of the columns is unknown.
func (t *table) read(name string, in io.Reader) {
	var columns []column
	renamed := false
	malformed := func(line int, why error) {
		t.left.Add("line can't be read", "lines can't be read", name, line, why.Error())
	}
	file := importer.CSV{Name: name, Comma: ',', Mistakes: t.mistakes, AnyWidth: true, Malformed: malformed}
	for line, record := range file.Records(in) {
		switch first := strings.TrimSpace(record[0]); {
		case columns == nil || first == timestamp:
			if columns = t.head(name, line, record); columns == nil {
				return
			}
			renamed = false
		case renamed || addsAgent(columns, len(record)):
			renamed = true
			t.left.Add(
				"line has one agent more than the header names: what its columns mean is not known",
				"lines come from where there is one agent more than the header names: "+
					"what their columns mean is not known",
				name, line, fmt.Sprintf("%d columns, and %d names", len(record), len(columns)),
			)
		case len(record) != len(columns):
			t.left.Add("line has not as many columns as have names", "lines have not as many columns as have names",
				name, line, fmt.Sprintf("%d columns, and %d names", len(record), len(columns)))
		default:
			t.night(name, line, columns, record)
		}
	}
	if columns == nil && t.mistakes.Count == 0 {
		t.mistakes.At(name, 0, "it has no runs")
	}
}

// addsAgent reports whether a line has enough columns for further agents; all agents have the same number.
func addsAgent(columns []column, width int) bool {
	agents := map[string]int{}
	for _, c := range columns[1:] {
		agents[c.agent]++
	}
	each := (len(columns) - 1) / len(agents)
	return width > len(columns) && (width-len(columns))%each == 0 && (len(columns)-1)%len(agents) == 0
}

// absent names the agents without a value on nights whose columns name them.
func (t *table) absent() []string {
	there := map[string]int{}
	for _, r := range t.runs {
		there[r.agent]++
	}
	var texts []string
	for _, agent := range t.agents {
		if n := t.expected[agent]; there[agent] < n {
			texts = append(texts, fmt.Sprintf(
				"%s has no value in %d of %d nights: what is there may be the better ones", agent, n-there[agent], n))
		}
	}
	return texts
}

// head returns the columns that a header names; nil after a mistake.
func (t *table) head(file string, line int, record []string) []column {
	before := t.mistakes.Count
	if len(record) > columnsMost {
		t.mistakes.At(file, line, "it has %d columns: is this a result file of OpenTelemetry's benchmark-overhead?",
			len(record))
		return nil
	}
	columns := []column{{name: timestamp}}
	for i, text := range record {
		text = strings.Clone(strings.TrimSpace(text))
		at := strings.LastIndexByte(text, ':')
		switch {
		case i == 0 && text == timestamp:
			continue
		case i == 0:
			t.mistakes.At(file, line, "the first column is %.40q, and of these results it is %s", text, timestamp)
			return nil
		case at <= 0:
			t.mistakes.At(file, line, "column %.40q is not called agent:field", text)
			continue
		case slices.ContainsFunc(columns, func(c column) bool { return c.name == text }):
			t.mistakes.At(file, line, "there are two columns %.60s", text)
		}
		c, name := column{name: text, agent: text[:at]}, text[at+1:]
		if !slices.Contains(t.agents, c.agent) {
			t.agents = append(t.agents, c.agent)
		}
		if i := slices.IndexFunc(t.known, func(f field) bool { return slices.Contains(f.names, name) }); i >= 0 {
			c.field = &t.known[i]
		} else if !slices.Contains(t.unknown, name) {
			t.unknown = append(t.unknown, name)
		}
		columns = append(columns, c)
	}
	if len(columns) < 2 && t.mistakes.Count == before {
		t.mistakes.At(file, line, "it has no column of any agent")
	}
	if t.mistakes.Count > before {
		return nil
	}
	return columns
}

// notObserved are the texts for values that were not observed: nothing, NaN, and the limits of Java's long,
// written if a recording has no such event. -1, which benchmark-overhead writes itself, is counted as left out.
var notObserved = []string{"", "NaN", "null", "9223372036854775807", "-9223372036854775808"}

// night adds the runs of a line: one for each agent with a value in it.
func (t *table) night(name string, line int, columns []column, record []string) {
	seconds, err := strconv.ParseInt(strings.TrimSpace(record[0]), 10, 64)
	switch {
	case err != nil || seconds < 0 || seconds > math.MaxInt32*64:
		t.left.Add(
			"line has no time that is a number of seconds since 1970",
			"lines have no time that is a number of seconds since 1970",
			name, line, short(record[0]),
		)
		return
	case t.times[seconds]:
		t.left.Add(
			"line has the time of another one: the same night", "lines have the time of another one: the same nights",
			name, line, short(record[0]),
		)
		return
	}
	t.nights++
	t.times[seconds] = true
	scalars := map[string]map[string]float64{} // by agent
	for i, c := range columns[1:] {
		if _, known := scalars[c.agent]; !known {
			scalars[c.agent] = nil
			t.expected[c.agent]++
		}
		v, ok := t.value(name, line, c, strings.TrimSpace(record[i+1]))
		if !ok || c.field == nil {
			continue
		}
		if scalars[c.agent] == nil {
			scalars[c.agent] = map[string]float64{}
		}
		scalars[c.agent][c.field.metric.Name] = v * c.field.factor
		t.seen[c.field.metric.Name] = true
	}
	for _, agent := range t.agents {
		if scalars[agent] != nil {
			t.runs = append(t.runs, run{
				agent: agent, block: t.nights, when: time.Unix(seconds, 0).UTC(), scalars: scalars[agent],
			})
		}
	}
}

// value parses a cell; ok is false if it was not observed or is implausible, which costs that cell alone.
func (t *table) value(name string, line int, c column, text string) (v float64, ok bool) {
	if slices.Contains(notObserved, text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	what := c.name + " " + short(text)
	switch {
	case err != nil:
		t.left.Add("value is not a number", "values are not numbers", name, line, what)
	case math.IsNaN(v) || math.IsInf(v, 0):
	case v == -1:
		t.left.Add(
			"value is -1, which stands for “not observed”", "values are -1, which stands for “not observed”",
			name, line, what,
		)
	case v < 0:
		t.left.Add(
			"value is below 0, which none of these can be", "values are below 0, which none of these can be",
			name, line, what,
		)
	default:
		return v, true
	}
	return 0, false
}

// short quotes the beginning of a text.
func short(text string) string { return fmt.Sprintf("%.40q", text) }

// field is a column that each agent has, with its meaning.
type field struct {
	names  []string // current name, and those of older versions
	metric results.Metric
	factor float64 // from the column's unit to the metric's
}

// key marks a metric that every report shows.
func key(m results.Metric) results.Metric {
	m.Key = true
	return m
}

// startUp makes a key metric that people decide by: the start-up time.
func startUp(m results.Metric) results.Metric {
	m.Key, m.Title, m.Decides = true, "start-up", results.DecidesStartup
	return m
}

const (
	fromMS = 1e6
	fromMB = 1 << 20
)

// fields returns the known columns by importance, the primary metric first. Times of requests and iterations
// are from the load generator k6, the other values from the JDK's Flight Recorder.
func fields() []field {
	lower := func(name, unit, about string) results.Metric {
		return importer.Metric(name, unit, results.Lower, about)
	}
	all := []field{
		{[]string{"requestAvg"}, lower("request_mean", "ns", "mean time of a request"), fromMS},
		{
			[]string{"requestP95"},
			key(lower("request_p95", "ns", "95 % of the requests of the run took at most this")), fromMS,
		},
		{
			[]string{"iterationAvg"},
			lower("iteration_mean", "ns", "mean time of an iteration: a user's whole sequence of requests"), fromMS,
		},
		{
			[]string{"iterationP95"},
			lower("iteration_p95", "ns", "95 % of the iterations of the run took at most this"), fromMS,
		},
		{
			[]string{"startupDurationMs", "startupTimeMs"},
			startUp(lower("startup", "ns", "from the start of the container until the application answers")), fromMS,
		},
		{
			[]string{"averageCpuUser"},
			key(lower("cpu_user_mean", "1", "mean share of the machine's CPUs that the JVM took in user mode")), 1,
		},
		{[]string{"maxCpuUser"}, lower("cpu_user_max", "1", "largest such share"), 1},
		{
			[]string{"averageMachineCpuTotal"},
			lower("cpu_machine_mean", "1", "mean share of the machine's CPUs that were busy"), 1,
		},
		{[]string{"totalAllocatedMB"}, key(lower("allocated", "B", "allocated on the heap in the whole run")), fromMB},
		{[]string{"minHeapUsed"}, lower("heap_min", "B", "least heap in use"), 1},
		{[]string{"maxHeapUsed"}, lower("heap_max", "B", "most heap in use"), 1},
		{[]string{"totalGCTime"}, lower("gc_time", "ns", "sum of the durations of garbage collections"), 1},
		{[]string{"gcPauseMs"}, lower("gc_pause", "ns", "sum of the pauses of garbage collections"), fromMS},
		{
			[]string{"maxThreadContextSwitchRate"},
			importer.Metric("switch_rate_max", "1/s", results.Neither, "largest rate of context switches"), 1,
		},
		{[]string{"peakThreadCount"}, lower("threads_max", "1", "most threads at a time"), 1},
		{
			[]string{"netReadAvg"},
			importer.Metric("net_read_mean", "bit/s", results.Neither, "mean rate of reading from the network"), 1,
		},
		{
			[]string{"netWriteAvg"},
			importer.Metric("net_write_mean", "bit/s", results.Neither,
				"mean rate of writing to the network; export by an agent is part of it"), 1,
		},
		{[]string{"runDurationMs"}, lower("run_duration", "ns", "how long the run took"), fromMS},
	}
	all[0].metric.Primary = true
	return all
}
