// Package otel reads results.csv of OpenTelemetry's benchmark-overhead, which
// its project opentelemetry-java-instrumentation runs every night.
//
// Each line is a night on which every agent ran once, and each agent in it an
// invocation. The columns are called agent:field; fields have come and gone over
// the years.
package otel

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/results"
	"moobench/results/importer"
	"moobench/results/safefile"
)

// Tool is what an imported campaign names as its source.
const Tool = "OpenTelemetry benchmark-overhead"

const (
	scenario  = "otel"
	timestamp = "timestamp"
)

// about is what a reader of the figures must know of where they come from.
const about = `Lines of OpenTelemetry's benchmark-overhead: each is a night, and the number of its block; each agent ran once in it. ` +
	`The order of the agents is not recorded, nor is a second run without an agent, so that nothing is paired. ` +
	`Start and end are both the time at which the line was written.`

// IsHeader says whether the first line of a file is that of such results.
func IsHeader(line string) bool {
	return strings.HasPrefix(strings.TrimPrefix(line, "\ufeff"), timestamp+",") && strings.Contains(line, ":")
}

// Import makes a campaign in dir, which must be new or empty, of result files: a
// cell for each agent, an invocation for each of its runs. The baseline is the
// named agent, or "none", or else the first. Of the rest of the header only Name,
// Created and Versions are taken from made. The campaign is there whole or not
// at all. What is wrong in the files is in one *importer.Mistakes. It ends when ctx
// is done.
func Import(ctx context.Context, dir string, made results.Campaign, paths []string, baseline string) (*results.Store, error) {
	mistakes := &importer.Mistakes{}
	t := &table{known: fields(), seen: map[string]bool{}, mistakes: mistakes}
	for _, path := range paths {
		if err := t.readFile(ctx, path); err != nil {
			return nil, err
		}
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	if baseline == "" && slices.Contains(t.agents, importer.Without) {
		baseline = importer.Without // as the project calls a run without an agent
	}
	c, err := t.campaign(made, baseline)
	if err != nil {
		return nil, err
	}
	return importer.Campaign(dir, c, func(store *results.Store) error {
		for _, r := range t.runs {
			err := ctx.Err()
			if err == nil {
				err = r.seal(store)
			}
			if err != nil {
				return fmt.Errorf("importing: %w", err)
			}
		}
		return nil
	})
}

// run is one agent on one night.
type run struct {
	agent   string
	block   int
	when    time.Time
	scalars map[string]float64
}

// table is what was read of all files.
type table struct {
	known    []field
	agents   []string
	runs     []run
	seen     map[string]bool // metrics that some run has
	unknown  []string        // fields that are left out
	nights   int
	mistakes *importer.Mistakes
}

// column is what stands in a column of a file; a field of nil is left out.
type column struct {
	name  string
	agent string
	field *field
}

// Bounds of a file. That of several years has one or two million bytes; a column is
// a field of an agent.
const (
	sizeMost    = 64 << 20
	columnsMost = 10_000
)

func (t *table) readFile(ctx context.Context, path string) error {
	text, err := safefile.Open(path)
	if err != nil {
		return fmt.Errorf("importing: %w", err)
	}
	defer text.Close()
	info, err := text.Stat()
	if err != nil {
		return fmt.Errorf("importing: %w", err)
	}
	if info.Size() > sizeMost {
		t.mistakes.Add(path, 0, "it is longer than %d bytes: is this a result file of OpenTelemetry's benchmark-overhead?", sizeMost)
		return nil
	}
	t.read(path, importer.UntilDone(ctx, io.LimitReader(text, sizeMost)))
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("importing %s: %w", path, err)
	}
	return nil
}

func (t *table) read(name string, in io.Reader) {
	c := csv.NewReader(in)
	c.FieldsPerRecord, c.ReuseRecord = -1, true
	var columns []column
	nights := 0
	for {
		record, err := c.Read()
		var bad *csv.ParseError
		switch {
		case err == io.EOF:
			if nights == 0 && t.mistakes.Count == 0 {
				t.mistakes.Add(name, 0, "it has no runs")
			}
			return
		case errors.As(err, &bad):
			t.mistakes.Add(name, bad.StartLine, "%v", bad.Err)
			continue
		case err != nil:
			t.mistakes.Add(name, 0, "%v", err)
			return
		}
		line, _ := c.FieldPos(0)
		if columns == nil {
			if columns = t.head(name, line, record); columns == nil {
				return
			}
			continue
		}
		nights++
		t.night(name, line, columns, record)
	}
}

// head reads the names of the columns.
func (t *table) head(name string, line int, record []string) []column {
	before := t.mistakes.Count
	if len(record) > columnsMost {
		t.mistakes.Add(name, line, "it has %d columns: is this a result file of OpenTelemetry's benchmark-overhead?", len(record))
		return nil
	}
	var columns []column
	for i, text := range record {
		text = strings.Clone(strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")))
		if i == 0 {
			if text != timestamp {
				t.mistakes.Add(name, line, "the first column is %.40q, and of these results it is %s", text, timestamp)
				return nil
			}
			columns = append(columns, column{name: text})
			continue
		}
		at := strings.LastIndexByte(text, ':')
		if at <= 0 {
			t.mistakes.Add(name, line, "column %.40q is not called agent:field", text)
			continue
		}
		if slices.ContainsFunc(columns, func(c column) bool { return c.name == text }) {
			t.mistakes.Add(name, line, "there are two columns %.60s", text)
		}
		columns = append(columns, t.column(text, text[:at], text[at+1:]))
	}
	if len(columns) < 2 && t.mistakes.Count == before {
		t.mistakes.Add(name, line, "it has no column of any agent")
	}
	if t.mistakes.Count > before {
		return nil
	}
	return columns
}

func (t *table) column(text, agent, name string) column {
	if !slices.Contains(t.agents, agent) {
		t.agents = append(t.agents, agent)
	}
	i := slices.IndexFunc(t.known, func(f field) bool { return slices.Contains(f.names, name) })
	if i < 0 {
		if !slices.Contains(t.unknown, name) {
			t.unknown = append(t.unknown, name)
		}
		return column{name: text, agent: agent}
	}
	return column{name: text, agent: agent, field: &t.known[i]}
}

// night reads one line: a run of each agent that has a value in it.
func (t *table) night(name string, line int, columns []column, record []string) {
	if len(record) != len(columns) {
		t.mistakes.Add(name, line, "it has %d columns, and the first line %d", len(record), len(columns))
		return
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(record[0]), 10, 64)
	if err != nil || seconds < 0 || seconds > math.MaxInt32*64 {
		t.mistakes.Add(name, line, "%s %.40q is no number of seconds since 1970", timestamp, record[0])
	}
	t.nights++
	of := map[string]map[string]float64{}
	for i, c := range columns[1:] {
		v, ok, why := value(record[i+1])
		if why != "" {
			t.mistakes.Add(name, line, "%s %.40q is %s", c.name, record[i+1], why)
		}
		if !ok || c.field == nil {
			continue
		}
		if of[c.agent] == nil {
			of[c.agent] = map[string]float64{}
		}
		of[c.agent][c.field.metric.Name] = v * c.field.factor
		t.seen[c.field.metric.Name] = true
	}
	for _, agent := range t.agents {
		if of[agent] != nil {
			t.runs = append(t.runs, run{agent: agent, block: t.nights, when: time.Unix(seconds, 0).UTC(), scalars: of[agent]})
		}
	}
}

// value reads a cell. Nothing, no number, and the ends of Java's long, which
// stand for a recording without any such event, were not observed.
func value(text string) (v float64, ok bool, why string) {
	text = strings.TrimSpace(text)
	switch text {
	case "", "NaN", "null", "9223372036854775807", "-9223372036854775808":
		return 0, false, ""
	}
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return 0, false, "no number"
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, false, ""
	case v < 0:
		return 0, false, "below 0, which none of these can be"
	}
	return v, true, ""
}

// campaign has a cell for each agent, and the metrics that some run has.
func (t *table) campaign(made results.Campaign, baseline string) (*results.Campaign, error) {
	cells := importer.Cells{Scenario: scenario}
	for _, agent := range t.agents {
		cells.ID(agent)
	}
	settled, err := cells.Settle(baseline)
	if err != nil {
		return nil, err
	}
	c := &results.Campaign{
		Name: made.Name, About: about, Created: made.Created, Versions: made.Versions, Source: Tool, Design: results.DesignUnordered,
		Scenarios: []results.Scenario{{Label: scenario, Use: scenario, About: "an application under load, once per agent and night"}},
		Cells:     settled,
	}
	if len(t.unknown) > 0 {
		c.About += " Left out, because their meaning is not known: " + importer.OneLine(strings.Join(t.unknown, ", ")) + "."
	}
	sc := &c.Scenarios[0]
	for _, f := range t.known {
		if t.seen[f.metric.Name] {
			sc.Metrics = append(sc.Metrics, f.metric)
		}
	}
	if len(sc.Metrics) == 0 {
		return nil, importer.Refuse("no column has a known meaning: is this a result file of OpenTelemetry's benchmark-overhead?")
	}
	main := sc.Metrics[0]
	for cell, b := range importer.Compared(settled) {
		sc.Questions = append(sc.Questions, results.Question{
			ID: main.Name + "-" + cell.ID, Text: fmt.Sprintf("How much does %s change %s?", cell.Variant, main.Name),
			Metric: main.Name, A: cell.ID, B: b.ID, Test: results.TestWelch, Family: importer.Family(cell, main.Name),
		})
	}
	return c, nil
}

// seal adds the invocation of a run.
func (r *run) seal(store *results.Store) error {
	cells := store.Campaign().Cells
	slot := slices.IndexFunc(cells, func(c results.Cell) bool { return c.Variant == r.agent })
	return importer.Seal(store, results.Identity{Block: r.block, Slot: slot}, &results.Invocation{
		Cell: cells[slot].ID, Profile: results.ProfileTiming, Status: results.StatusOK,
		Start: r.when, End: r.when, Scalars: r.scalars,
	})
}
