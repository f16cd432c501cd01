package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/analysis"
	"moobench/results"
	"moobench/scenarios/overhead"
)

// moobenchBatched is moobench with a time stamp per thousand calls.
const moobenchBatched = moobench + ", batches"

// column is one variant measured by one tool.
type column struct{ tool, variant string }

// loop is the cost of a timed loop around an empty method, by JVM: CPU time in ns and bytes allocated, per
// call.
type loop struct {
	name      string
	ns, bytes []float64
}

// figures is the measured data of the table.
type figures struct {
	size
	when                   time.Time
	machine, jdk, checkout string
	artifacts              []string                   // Maven coordinates of the measured artifacts
	means                  map[column]map[int]float64 // ns per call, by round
	walls                  map[column][]float64       // seconds per JVM
	loops                  []loop
	analysis               analysed
}

// figures reads the measured data. For all three tools they are the values from which moobench computes its
// answers.
func (m *measuring) figures(ctx context.Context, checkout string) (*figures, error) {
	f := &figures{
		size: m.size, when: time.Now(), walls: m.walls,
		means: map[column]map[int]float64{}, checkout: version(ctx, checkout),
	}
	if err := f.ours(m.own.store()); err != nil {
		return nil, err
	}
	if _, err := f.read(imported(m.dir, mooBench), mooBench); err != nil {
		return nil, err
	}
	forks, err := f.read(imported(m.dir, jmh), jmh)
	if err != nil {
		return nil, err
	}
	if f.loops, err = m.readLoops(); err != nil {
		return nil, err
	}
	empty := loop{name: jmh}
	for _, fork := range forks[nothing] {
		ns, ok1 := fork.Values["time"]
		allocated, ok2 := fork.Values["gc.alloc.rate.norm"]
		if !ok1 || !ok2 {
			return nil, fmt.Errorf("JMH's fork of a method without work has no time or no allocation: %v", fork.Values)
		}
		empty.ns, empty.bytes = append(empty.ns, ns), append(empty.bytes, allocated)
	}
	f.loops = append(f.loops, empty)
	return f, nil
}

// version returns the commit of a checkout.
func version(ctx context.Context, checkout string) string {
	text, err := exec.CommandContext(ctx, "git", "-C", checkout, "log", "-1", "--format=%h of %cs").Output()
	if err != nil {
		return "unknown commit"
	}
	return strings.TrimSpace(string(text))
}

// ours reads moobench's own campaign.
func (f *figures) ours(dir string) error {
	store, err := results.Open(dir)
	if err != nil {
		return err
	}
	machines, err := store.Machines()
	if err != nil {
		return err
	}
	if len(machines) > 0 {
		f.machine = fmt.Sprintf("%s, %d CPUs", machines[0].CPU, machines[0].CPUs)
		if v := machines[0].Facts["virtualisation"]; v != "" && v != "none" {
			f.machine += ", " + v
		}
	}
	all, err := analysis.Measure(store)
	if err != nil {
		return err
	}
	c := store.Campaign()
	f.jdk = c.Versions["jdk"]
	byBlock := map[int][]analysis.Measured{}
	for _, inv := range all {
		byBlock[inv.Block] = append(byBlock[inv.Block], inv)
		cell := c.Cell(inv.Cell)
		for _, a := range inv.Artifacts {
			if !slices.Contains(f.artifacts, a.Name) {
				f.artifacts = append(f.artifacts, a.Name)
			}
		}
		if v, ok := inv.Values[overhead.Duration]; ok && cell.Role != results.RoleAA {
			f.note(columnOf(cell), inv.Block, v)
		}
	}
	for _, block := range byBlock {
		slices.SortFunc(block, func(a, b analysis.Measured) int { return a.Start.Compare(b.Start) })
		for i, inv := range block {
			// From start to start, so that moobench's work between two JVMs counts too.
			until := inv.End
			if i+1 < len(block) && block[i+1].Session == inv.Session {
				until = block[i+1].Start
			}
			if cell := c.Cell(inv.Cell); cell.Role != results.RoleAA {
				f.walls[columnOf(cell)] = append(f.walls[columnOf(cell)], until.Sub(inv.Start).Seconds())
			}
		}
	}
	slices.Sort(f.artifacts)
	return nil
}

func columnOf(cell *results.Cell) column {
	if cell.Parameter("batch") != strconv.Itoa(stamped) {
		return column{moobenchBatched, cell.Variant}
	}
	return column{moobench, cell.Variant}
}

// read reads an imported campaign, in which a cell's invocations are in the order of the rounds, and returns
// them by variant.
func (f *figures) read(dir, tool string) (map[string][]analysis.Measured, error) {
	store, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	all, err := analysis.Measure(store)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b analysis.Measured) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Slot, b.Slot))
	})
	var primary string
	for _, m := range store.Campaign().Scenarios[0].Metrics {
		if m.Primary {
			primary = m.Name
		}
	}
	by := map[string][]analysis.Measured{}
	for _, inv := range all {
		variant := store.Campaign().Cell(inv.Cell).Variant
		by[variant] = append(by[variant], inv)
		if v, ok := inv.Values[primary]; ok {
			f.note(column{tool, variant}, len(by[variant]), v)
		}
	}
	return by, nil
}

func (f *figures) note(c column, round int, ns float64) {
	if f.means[c] == nil {
		f.means[c] = map[int]float64{}
	}
	f.means[c][round] = ns
}

// readLoops reads the output of moobench.peer.Loops, one file for each round.
func (m *measuring) readLoops() ([]loop, error) {
	var all []loop
	for n := range m.rounds {
		text, err := os.ReadFile(m.loopsFile(n + 1))
		if err != nil {
			return nil, err
		}
		r := csv.NewReader(bytes.NewReader(text))
		r.Comma, r.FieldsPerRecord = ';', 3
		rows, err := r.ReadAll()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.loopsFile(n+1), err)
		}
		for _, row := range rows {
			ns, err1 := strconv.ParseFloat(row[1], 64)
			b, err2 := strconv.ParseFloat(row[2], 64)
			if err := cmp.Or(err1, err2); err != nil {
				return nil, fmt.Errorf("%s: %w", m.loopsFile(n+1), err)
			}
			all = addLoop(all, row[0], ns, b)
		}
	}
	return all, nil
}

// addLoop adds the costs of a loop in another JVM.
func addLoop(all []loop, name string, ns, bytes float64) []loop {
	i := slices.IndexFunc(all, func(l loop) bool { return l.name == name })
	if i < 0 {
		i, all = len(all), append(all, loop{name: name})
	}
	all[i].ns, all[i].bytes = append(all[i].ns, ns), append(all[i].bytes, bytes)
	return all
}

func imported(dir, tool string) string { return filepath.Join(dir, "imported-"+tool) }
