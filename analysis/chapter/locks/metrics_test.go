package locks

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/internal/testevents"
)

// measured are the metrics of a log with a contended lock, one that nobody waits for, and an
// execution that takes long.
func measured(t *testing.T) *Metrics {
	t.Helper()
	var log strings.Builder
	log.WriteString("0 - o a.Store 1\n0 - o =cmd 2\n")
	at := 10
	add := func(after int, text string) {
		at += after
		log.WriteString(strings.ReplaceAll(text, "@", itoa(at)) + "\n")
	}
	for i := range 4 {
		add(10, "@ t r put#block=7,size=9 1")
		add(1, "@ t + put#block=7,size=9 1")
		add(1, "@ u r get#method,size=5 1")
		add(map[bool]int{true: 1000, false: 10}[i == 2], "@ t - put#block=7,size=9 1")
		add(1, "@ u + get#method,size=5 1")
		add(5, "@ u - get#method,size=5 1")
	}
	add(1, "@ t + put#block=7,size=9 2")
	add(2, "@ t - put#block=7,size=9 2")
	add(7, "@ - e 2000 26")
	r, err := Read(testevents.File(t, log.String()))
	if err != nil {
		t.Fatal(err)
	}
	return &Metrics{Format: MetricsFormat, Version: "1.0", Command: []string{"java"}, Log: []string{"contention"}, Runs: []Run{{JVMs: []JVMMetrics{r.Metrics(42)}}}}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// TestMetrics: every metric of the paper is in the file, a row a section and a lock, and what is
// written can be read.
func TestMetrics(t *testing.T) {
	m := measured(t)
	jvm := m.Runs[0].JVMs[0]
	want := SectionMetrics{
		Method: "public void a.B.put(int, a.C)", Kind: Block, Line: 7, Threads: 1, Executions: 5, MaxNS: 1001, MinNS: 2, MeanNS: 207.2, SDNS: 396.9,
		Divergent: 1, DivergentShare: 0.2, DivergentExecutions: []int64{2}, TotalNS: 1036, Locks: 2,
	}
	got := jvm.Sections[1]
	got.SDNS = math.Round(got.SDNS*10) / 10
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the section (-want +got):\n%s", diff)
	}
	if l := jvm.Locks[0]; l.Class != "a.Store" || l.Hash != "1" || l.Executions != 8 || l.Waits != 4 || l.WaitedNS != 1034 || l.HeldNS != 1054 {
		t.Errorf("the lock: %+v", l)
	}
	if jvm.LogNS != 52 || jvm.ProgramNS <= jvm.InSectionsNS || jvm.InSectionsNS != 1056 {
		t.Errorf("the program: %+v", jvm)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadMetrics(text)
	if diff := cmp.Diff(m, again); err != nil || diff != "" {
		t.Errorf("%v; read again (-want +got):\n%s", err, diff)
	}
	var b strings.Builder
	if err := m.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) != 1+len(jvm.Sections)+len(jvm.Locks) || strings.Join(rows[2][:7], " ") != "1 42 section public void a.B.put(int, a.C) 7 1 5" || !strings.Contains(b.String(), ",'=cmd,") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestReadMetrics: what somebody else wrote is refused where it can't be.
func TestReadMetrics(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "reading metrics of locks: EOF",
		"[]":                           "reading metrics of locks: json",
		`{"runs": [{}]}`:               "holds no metrics of locks",
		`{"moobench_lock_metrics": 7}`: "its format is 7",
		`{"moobench_lock_metrics": 1}`: "holds no run",
		`{"moobench_lock_metrics": 1, "runs": [{"jvms": [{"pid": 3, "locks": [{"waited_ns": -1}]}]}]}`: "run 1, process 3: -1 is not a number",
	} {
		if _, err := ReadMetrics([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// waiting are runs of a program of ten seconds in which threads wait so long for a class of lock.
func waiting(class string, ns ...int64) *Metrics {
	m := &Metrics{Format: MetricsFormat, Log: []string{"contention"}}
	for _, wait := range ns {
		m.Runs = append(m.Runs, Run{JVMs: []JVMMetrics{{ProgramNS: 10e9, Locks: []LockMetrics{{Class: class, Executions: 100, WaitedNS: wait}}}}})
	}
	return m
}

// TestAgainst: what runs say together, and what they can't.
func TestAgainst(t *testing.T) {
	for _, c := range []struct {
		before, after *Metrics
		verdict       string
		decidable     bool
	}{
		{waiting("a.B", 1e9, 2e9, 3e9, 4e9), waiting("a.B", 6e9, 7e9, 8e9, 9e9), "higher", true},
		{waiting("a.B", 6e9, 7e9, 8e9, 9e9), waiting("a.B", 0, 0, 0, 0), "lower", true},
		{waiting("a.B", 0, 0, 0, 0), waiting("a.B", 0, 0, 0, 0), "equivalent", true},
		{waiting("a.B", 1, 2, 3, 4), waiting("a.B", 6000, 7000, 8000, 9000), "negligible", true},
		{waiting("a.B", 1e9, 5e9, 2e9, 7e9), waiting("a.B", 2e9, 6e9, 1e9, 6e9), "undecided", true},
		{waiting("a.B", 1e9, 1e9, 1e9), waiting("a.B", 9e9, 9e9, 9e9), "", false},
		{waiting("a.B", 1), waiting("a.B", 9e9), "", false},
	} {
		got, err := Against(c.before, c.after)
		if err != nil {
			t.Fatal(err)
		}
		if got.Decidable() != c.decidable || c.verdict != "" && string(got.All.Answer.Verdict) != c.verdict || got.Worse() != (c.verdict == "higher") {
			t.Errorf("%v against %v: %s, decidable: %v; want %s", got.All.values[1], got.All.values[0], got.All.Answer.Verdict, got.Decidable(), c.verdict)
		}
	}
	bare := waiting("a.B", 1)
	bare.Log = nil
	if _, err := Against(bare, waiting("a.B", 1)); err == nil {
		t.Error("logs without contention are compared")
	}
}

// TestAgainstMuch: as many runs as are compared, of very many classes, take no time.
func TestAgainstMuch(t *testing.T) {
	m := &Metrics{Format: MetricsFormat, Log: []string{"contention"}}
	for i := range MostRuns {
		var all []LockMetrics
		for k := range 20 {
			all = append(all, LockMetrics{Class: "a.B" + itoa(20*i+k), WaitedNS: int64(i + k)})
		}
		m.Runs = append(m.Runs, Run{JVMs: []JVMMetrics{{ProgramNS: 1e9, Locks: all}}})
	}
	c, err := Against(m, m)
	if err != nil || len(c.Classes) != mostClasses || c.Worse() {
		t.Errorf("%v, %d classes, worse: %v", err, len(c.Classes), c != nil && c.Worse())
	}
}

// TestAgainstIsRarelyWrong: of runs that differ by chance alone, however skewed, next to none are
// called worse.
func TestAgainstIsRarelyWrong(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	draw := func() (ns []int64) {
		for range 5 {
			ns = append(ns, int64(1e9*math.Exp(2*r.NormFloat64())))
		}
		return ns
	}
	const times = 400
	wrong := 0
	for range times {
		c, err := Against(waiting("a.B", draw()...), waiting("a.B", draw()...))
		if err != nil {
			t.Fatal(err)
		}
		if c.Worse() {
			wrong++
		}
	}
	if most := 0.025*times + 3*math.Sqrt(0.025*times); float64(wrong) > most {
		t.Errorf("%d of %d are called worse, at most %.0f may be", wrong, times, most)
	}
}
