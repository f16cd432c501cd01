package locks

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/figure"
)

// MetricsFormat is the version of the format of metrics.
const MetricsFormat = 1

// MostRuns is the largest number of runs that are compared.
const MostRuns = 1000

// Metrics holds the figures of a program's locks, run by run. It is the content of a file
// x.metrics.json, with which another run can be compared.
type Metrics struct {
	Format  int      `json:"moobench_lock_metrics"`
	Version string   `json:"version"` // of moobench
	Command []string `json:"command,omitempty"`
	Log     []string `json:"log"` // optional events that were logged: contention, callers, …
	Runs    []Run    `json:"runs"`
}

// Run is one run of the program.
type Run struct {
	JVMs []JVMMetrics `json:"jvms"`
	// Unread is the number of the run's logs that could not be read: their JVMs are in no number.
	Unread int `json:"unread_logs,omitempty"`
}

// JVMMetrics holds the metrics of one JVM. Times are in ns. Shah and Guyer 2018 define metrics
// 1 to 12; 1 to 9 describe sections, and 3, the time of each execution, is in x.csv.
type JVMMetrics struct {
	PID          int   `json:"pid"`
	ProgramNS    int64 `json:"program_ns"`     // metric 10
	InSectionsNS int64 `json:"in_sections_ns"` // metric 11, summed over threads
	// LogNS is metric 12: the time for events, instrumenting classes, starting the threads' logs,
	// and looking up callers; 0: not known.
	LogNS         int64            `json:"log_ns"`
	WovenNS       int64            `json:"woven_ns"`       // its part for instrumenting classes
	BegunNS       int64            `json:"begun_ns"`       // for starting logs
	CallersNS     int64            `json:"callers_ns"`     // for looking up callers
	MissingEvents int64            `json:"missing_events"` // events lost, or not kept
	Killed        bool             `json:"killed,omitempty"`
	Sections      []SectionMetrics `json:"sections"`
	Locks         []LockMetrics    `json:"locks"`
}

// SectionMetrics holds the metrics of one critical section.
type SectionMetrics struct {
	Method              string  `json:"method"` // signature
	Kind                Kind    `json:"kind"`
	Line                int     `json:"line,omitempty"`
	Threads             int     `json:"threads"`    // metric 1: number of different threads
	Executions          int64   `json:"executions"` // metric 2
	MaxNS               int64   `json:"max_ns"`     // metric 4
	MinNS               int64   `json:"min_ns"`     // metric 5
	MeanNS              float64 `json:"mean_ns"`    // metric 6
	SDNS                float64 `json:"sd_ns"`      // metric 7
	Divergent           int64   `json:"divergent"`  // metric 8
	DivergentShare      float64 `json:"divergent_share"`
	DivergentExecutions []int64 `json:"divergent_executions"` // the first of them, numbered from 0
	DivergentTail       int64   `json:"divergent_tail"`       // by our rule, after the warm-up
	TotalNS             int64   `json:"total_ns"`
	Waits               int64   `json:"waits"`
	WaitedNS            int64   `json:"waited_ns"`
	LongestWaitNS       int64   `json:"longest_wait_ns"`
	SleptNS             int64   `json:"slept_ns"`
	Thrown              int64   `json:"thrown"`
	Locks               int     `json:"locks"` // number of different locks
	Behaviours          string  `json:"behaviours,omitempty"`
}

// LockMetrics holds the metrics of one lock, or of the locks of a class that are too many to list.
type LockMetrics struct {
	Class         string `json:"class"`
	Hash          string `json:"hash,omitempty"` // identity hash, hexadecimal; absent for several locks
	Locks         int    `json:"locks"`          // number of locks, at least
	Threads       int    `json:"threads,omitempty"`
	Executions    int64  `json:"executions"`
	HeldNS        int64  `json:"held_ns"`
	Waits         int64  `json:"waits"`
	WaitedNS      int64  `json:"waited_ns"`
	LongestWaitNS int64  `json:"longest_wait_ns"`
}

// Metrics returns the figures of a report on the JVM with this process ID.
func (r *Report) Metrics(pid int) JVMMetrics {
	m := JVMMetrics{
		PID: pid, ProgramNS: r.ProgramNS, InSectionsNS: r.InsideNS,
		LogNS: r.PriceNS, WovenNS: r.WovenNS, BegunNS: r.MadeNS, CallersNS: r.CallersNS,
		MissingEvents: r.Lost + r.Unkept, Killed: !r.Whole,
		Sections: []SectionMetrics{}, Locks: []LockMetrics{},
	}
	for i := range r.Sections {
		m.Sections = append(m.Sections, r.Sections[i].metrics())
	}
	for _, l := range r.Locks {
		m.Locks = append(m.Locks, LockMetrics{
			Class: l.Class, Hash: strconv.FormatUint(uint64(l.Hash), 16), Locks: 1, Threads: l.Threads,
			Executions: l.Executions, HeldNS: l.HeldNS,
			Waits: l.Contended, WaitedNS: l.WaitNS, LongestWaitNS: l.LongestWaitNS,
		})
	}
	for _, x := range r.Others {
		m.Locks = append(m.Locks, LockMetrics{
			Class: x.Class, Locks: x.Locks,
			Executions: x.Executions, HeldNS: x.HeldNS, Waits: x.Contended, WaitedNS: x.WaitNS,
		})
	}
	return m
}

func (s *Section) metrics() SectionMetrics {
	t := s.Times
	m := SectionMetrics{
		Method: s.Method, Kind: s.Kind, Line: s.Line, Threads: s.Threads, Executions: t.N,
		MaxNS: t.MostNS, MinNS: t.LeastNS, MeanNS: t.MeanNS, SDNS: t.SDNS, TotalNS: t.TotalNS,
		Divergent: t.Paper.N, DivergentShare: t.Paper.Share, DivergentExecutions: []int64{}, DivergentTail: t.Ours.N,
		Waits: s.Contended, WaitedNS: s.WaitNS, LongestWaitNS: s.LongestWaitNS, SleptNS: s.SleptNS,
		Thrown: s.Thrown, Locks: s.Locks,
	}
	for _, e := range t.Paper.Named {
		m.DivergentExecutions = append(m.DivergentExecutions, e.Index)
	}
	for _, b := range s.Behaviours {
		m.Behaviours += string(rune(b))
	}
	return m
}

// metricsHead is the header of a table of metrics. The program's figures are repeated in each row.
var metricsHead = []string{
	"run", "pid", "what", "name", "hash_or_line", "threads", "executions", "max_ns", "min_ns", "mean_ns", "sd_ns",
	"divergent", "divergent_share", "divergent_executions", "divergent_tail", "total_ns",
	"waits", "waited_ns", "longest_wait_ns", "slept_ns", "thrown", "locks", "behaviours",
	"program_ns", "in_sections_ns", "log_ns",
}

// WriteCSV writes a row for each section and each lock.
func (m *Metrics) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(metricsHead) // errors: the writer keeps its first one
	count := func(v int64) string { return strconv.FormatInt(v, 10) }
	for run, r := range m.Runs {
		for _, jvm := range r.JVMs {
			first := []string{strconv.Itoa(run + 1), strconv.Itoa(jvm.PID)}
			last := []string{count(jvm.ProgramNS), count(jvm.InSectionsNS), count(jvm.LogNS)}
			for i := range jvm.Sections {
				out.Write(slices.Concat(first, jvm.Sections[i].fields(), last))
			}
			for i := range jvm.Locks {
				out.Write(slices.Concat(first, jvm.Locks[i].fields(), last))
			}
		}
	}
	out.Flush()
	return out.Error()
}

func (s *SectionMetrics) fields() []string {
	count := func(v int64) string { return strconv.FormatInt(v, 10) }
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }
	line := ""
	if s.Line > 0 {
		line = strconv.Itoa(s.Line)
	}
	indices := make([]string, len(s.DivergentExecutions))
	for i, v := range s.DivergentExecutions {
		indices[i] = count(v)
	}
	return []string{
		"section", figure.Cell(s.Method), line, strconv.Itoa(s.Threads), count(s.Executions),
		count(s.MaxNS), count(s.MinNS), number(s.MeanNS), number(s.SDNS),
		count(s.Divergent), number(s.DivergentShare), strings.Join(indices, " "), count(s.DivergentTail),
		count(s.TotalNS),
		count(s.Waits), count(s.WaitedNS), count(s.LongestWaitNS), count(s.SleptNS), count(s.Thrown),
		strconv.Itoa(s.Locks), s.Behaviours,
	}
}

func (l *LockMetrics) fields() []string {
	count := func(v int64) string { return strconv.FormatInt(v, 10) }
	threads := ""
	if l.Threads > 0 {
		threads = strconv.Itoa(l.Threads)
	}
	return []string{
		"lock", figure.Cell(l.Class), l.Hash, threads, count(l.Executions),
		"", "", "", "", "", "", "", "", count(l.HeldNS),
		count(l.Waits), count(l.WaitedNS), count(l.LongestWaitNS), "", "", strconv.Itoa(l.Locks), "",
	}
}

// ReadMetrics reads metrics from JSON, which may be untrusted.
func ReadMetrics(text []byte) (*Metrics, error) {
	var m Metrics
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&m); err != nil {
		return nil, fmt.Errorf("reading metrics of locks: %w", err)
	}
	switch {
	case m.Format == 0:
		return nil, errors.New("it holds no metrics of locks: moobench locks -o x.metrics.json writes some")
	case m.Format > MetricsFormat:
		return nil, fmt.Errorf("its format is %d, of moobench %s, and this moobench reads %d", m.Format, m.Version, MetricsFormat)
	case len(m.Runs) == 0:
		return nil, errors.New("it holds no run")
	case len(m.Runs) > MostRuns:
		return nil, fmt.Errorf("it holds %d runs, and %d are the most that are compared", len(m.Runs), MostRuns)
	}
	for i, r := range m.Runs {
		for _, jvm := range r.JVMs {
			if err := jvm.check(); err != nil {
				return nil, fmt.Errorf("run %d, process %d: %w", i+1, jvm.PID, err)
			}
		}
	}
	return &m, nil
}

func (j *JVMMetrics) check() error {
	all := []int64{j.ProgramNS, j.InSectionsNS, j.LogNS, j.WovenNS, j.BegunNS, j.CallersNS, j.MissingEvents}
	for _, l := range j.Locks {
		all = append(all, l.Executions, l.HeldNS, l.Waits, l.WaitedNS, l.LongestWaitNS)
	}
	for _, v := range all {
		if v < 0 {
			return fmt.Errorf("%d is not a number of a program's locks", v)
		}
	}
	return nil
}
