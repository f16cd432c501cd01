package changes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// fake is a fixture with the samples that it is given, and a recorder.
type fake struct {
	run.Recorder
	dir      string
	series   map[string]map[string][]int64 // columns by series
	asked    []string
	scalars  map[string]float64
	warnings []string
	expected int64
	cut      int64 // bytes that the ends of its dumps lack
}

func (f *fake) Start(context.Context) error  { f.asked = append(f.asked, "start"); return nil }
func (f *fake) Attach(context.Context) error { f.asked = append(f.asked, "attach"); return nil }
func (f *fake) Stop(context.Context) error   { return nil }
func (f *fake) PID() int                     { return 0 }
func (f *fake) Answering(int) error          { return nil }
func (f *fake) Done() <-chan struct{}        { return nil }
func (f *fake) Log() string                  { return "" }
func (f *fake) Output() string               { return "" }

func (f *fake) Wait(context.Context) (jvm.Exit, error) { return jvm.Exit{}, nil }

func (f *fake) Snapshot() (jvm.Snapshot, error) {
	return jvm.Snapshot{}, errors.New("nobody looks at it")
}

func (f *fake) Ask(_ context.Context, m jvm.Message) ([]jvm.Message, error) {
	f.asked = append(f.asked, m.Line())
	switch m.Verb {
	case "measure":
		return []jvm.Message{{Verb: "measured", Args: map[string]string{"begin_ns": "10", "end_ns": "30", "recorded": "7"}}}, nil
	case "gc":
		return []jvm.Message{{Verb: "collected", Args: map[string]string{"heap_used_bytes": "4096"}}}, nil
	case "dump":
		return f.dump()
	}
	return []jvm.Message{{Verb: "done"}}, nil
}

func (f *fake) dump() ([]jvm.Message, error) {
	var lines []jvm.Message
	for name, values := range f.series {
		s := results.Series{Name: name, Batch: 1}
		var columns [][]int64
		for _, column := range slices.Sorted(maps.Keys(values)) {
			s.Columns = append(s.Columns, results.Column{Name: column, Unit: "ns", Kind: results.KindDuration})
			columns = append(columns, values[column])
		}
		file, err := os.Create(filepath.Join(f.dir, name+".0.i64"))
		if err != nil {
			return nil, err
		}
		err = results.WriteDump(file, s, columns...)
		info, _ := file.Stat()
		if err := errors.Join(err, file.Truncate(info.Size()-f.cut), file.Close()); err != nil {
			return nil, err
		}
		lines = append(lines, jvm.Message{Verb: "series", Args: map[string]string{
			"name": name, "thread": "0", "columns": results.FormatColumns(s.Columns), "count": strconv.Itoa(len(columns[0])), "batch": "1", "file": name + ".0.i64",
		}})
	}
	return append(lines, jvm.Message{Verb: "dumped"}), nil
}

func (f *fake) Begin() error { f.asked = append(f.asked, "begin"); return nil }

func (f *fake) End(int64) error                   { f.asked = append(f.asked, "end"); return nil }
func (f *fake) Dumped(results.Series)             {}
func (f *fake) Scalar(name string, value float64) { f.scalars[name] = value }
func (f *fake) Printed(*results.Output)           {}
func (f *fake) AtLeast(string, float64)           {}
func (f *fake) Recorded(int64)                    {}
func (f *fake) Invalid(string, ...any)            {}
func (f *fake) Void([]string, string, ...any)     {}
func (f *fake) Expected(n int64)                  { f.expected = n }
func (f *fake) Warn(format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
}
func (f *fake) Dir() string { return f.dir }

// three is what three changes of two classes may look like.
func three(t *testing.T) *fake {
	return &fake{dir: t.TempDir(), scalars: map[string]float64{}, series: map[string]map[string][]int64{
		first: {"total": {9000}, "match": {1000}, "transform": {2000}, "swap": {5000}, "first_call": {1000}, "undo": {10}, "recorded": {2}, "bare": {5000}},
		Turnaround: {
			"total": {300, 500}, "match": {50, 50}, "transform": {50, 100}, "swap": {150, 250}, "first_call": {50, 100},
			"undo": {10, 10}, "recorded": {2, 2}, "bare": {150, 250},
		},
	}}
}

func invocation(values ...string) plan.Invocation {
	c := results.Cell{Proof: results.ProofPlan{Kind: results.ProofCount}, Launch: results.Launch{Target: "a.Plain"}}
	for i := 0; i < len(values); i += 2 {
		c.Parameters = append(c.Parameters, results.Value{Name: values[i], Value: values[i+1]})
	}
	return plan.Invocation{Cell: plan.Cell{Cell: c, Work: Kit{}.Work(&c)}, Profile: results.ProfileTiming}
}

func TestDrive(t *testing.T) {
	f := three(t)
	f.series[results.SeriesBefore] = map[string][]int64{"t": make([]int64, 2_000)}
	f.series[results.SeriesDuring] = map[string][]int64{"t": make([]int64, 2_000)}
	f.series[results.SeriesAfter] = map[string][]int64{"t": make([]int64, 2_000)}
	inv := invocation("fixture", "classes", "samples", "3", "at_once", "2", "loaded", "10", "calls", "2000", "depth", "5", "cpus", "2")
	if err := (Kit{}).Drive(t.Context(), inv, f, f); err != nil {
		t.Fatal(err)
	}
	asked := []string{
		"start", "setup at_once=2 busy_wait=lazy calls=2000 depth=5 loaded=10 method_time=0 samples=3 target=a.Plain", "prime calls=20000", "attach", "begin", "measure", "end", "dump",
	}
	if diff := cmp.Diff(asked, f.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	// What the samples say is derived from them when the campaign is analysed.
	if diff := cmp.Diff(map[string]float64{"loop_ns": 20}, f.scalars); diff != "" {
		t.Errorf("scalars (-want +got):\n%s", diff)
	}
	if f.expected != 3*2+2000*5 {
		t.Errorf("expects %d records, want %d", f.expected, 3*2+2000*5)
	}
	if len(f.warnings) != 0 {
		t.Errorf("warnings: %q", f.warnings)
	}
}

// TestPrimes: the hot method is called beforehand ten times as often as it is timed, as far as that takes no longer
// than five seconds, and once at least.
func TestPrimes(t *testing.T) {
	for _, c := range []struct {
		calls    int64
		wait     time.Duration
		want     string
		hasPrime bool
	}{
		{2, 0, "prime calls=20", true},
		{2, 10 * time.Millisecond, "prime calls=20", true},
		{2, 400 * time.Millisecond, "prime calls=12", true},
		{2, 5 * time.Second, "prime calls=1", true},
		{2, time.Minute, "prime calls=1", true},
		{0, 0, "prime", false},
	} {
		f := three(t)
		for _, phase := range []string{results.SeriesBefore, results.SeriesDuring, results.SeriesAfter} {
			if c.calls > 0 {
				f.series[phase] = map[string][]int64{"t": make([]int64, c.calls)}
			}
		}
		inv := invocation("samples", "3", "at_once", "2", "loaded", "10", "calls", fmt.Sprint(c.calls), "depth", "1", "method_time", fmt.Sprint(int64(c.wait)))
		if err := (Kit{}).Drive(t.Context(), inv, f, f); err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(f.asked, func(line string) bool { return strings.HasPrefix(line, "prime") }); got != c.hasPrime || got && !slices.Contains(f.asked, c.want) {
			t.Errorf("%d calls that wait %v: asked %q, want %s", c.calls, c.wait, f.asked, c.want)
		}
	}
}

func TestDriveOfOtherProfiles(t *testing.T) {
	for _, c := range []struct {
		profile results.Profile
		last    string
		heap    float64
	}{
		{results.ProfileProof, "end", 0},
		{results.ProfileResources, "gc", 4096},
	} {
		f := three(t)
		inv := invocation("samples", "3", "at_once", "2", "loaded", "10")
		inv.Profile = c.profile
		if err := (Kit{}).Drive(t.Context(), inv, f, f); err != nil {
			t.Fatal(err)
		}
		if f.asked[len(f.asked)-1] != c.last || f.scalars[run.HeapAfterGC] != c.heap {
			t.Errorf("%s: asked %q, heap %v", c.profile, f.asked, f.scalars[run.HeapAfterGC])
		}
	}
}

// TestDriveFails holds every way in which the samples can be wrong against what
// is said of it.
func TestDriveFails(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*fake)
		cell  []string
		want  string
	}{
		{"too many at once", nil, []string{"at_once", "11"}, "at_once = 11 classes can't change where only loaded = 10 are there"},
		{"a row without records", func(f *fake) { f.series[Turnaround]["recorded"][1] = 0 }, nil, "sample 3: 2 first calls"},
		{"the first row has too few", func(f *fake) { f.series[first]["recorded"][0] = 1 }, nil, "sample 1: 2 first calls"},
		{"records twice", func(f *fake) { f.series[Turnaround]["recorded"][0] = 4 }, nil, "left 4 records"},
		{"no records", func(f *fake) { delete(f.series[first], "recorded") }, nil, "doesn't say how many records"},
		{"parts that are more than the whole", func(f *fake) { f.series[Turnaround]["total"] = []int64{200, 300} }, nil, "the parts of the changes of series turnaround sum up to 800ns, and the changes took 500ns"},
		{"no first row", func(f *fake) { delete(f.series, first) }, nil, "timed 2 changes, 3 were ordered"},
		{"no hot method", nil, []string{"calls", "100"}, "timed 0 calls of the hot method in phase before, 100 were ordered"},
		{"a dump without its end", func(f *fake) { f.cut = 16 }, nil, "died while writing"},
		{"a dump without its rows", func(f *fake) { f.cut = 24 }, nil, "it ends after"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := three(t)
			if c.spoil != nil {
				c.spoil(f)
			}
			values := append(c.cell, "samples", "3", "at_once", "2", "loaded", "10")
			err := Kit{}.Drive(t.Context(), invocation(values...), f, f)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, want %q", err, c.want)
			}
			if failure := (*jvm.Failure)(nil); strings.Contains(c.want, "records") && (!errors.As(err, &failure) || failure.Kind != "counts") {
				t.Errorf("%v is not a failure of kind counts", err)
			}
		})
	}
}

// TestUnprovenNeedNoRecords lets a variant through whose records nobody counts.
func TestUnprovenNeedNoRecords(t *testing.T) {
	f := three(t)
	delete(f.series[first], "recorded")
	inv := invocation("samples", "3", "at_once", "2", "loaded", "10")
	inv.Cell.Proof.Kind = results.ProofNone
	if err := (Kit{}).Drive(t.Context(), inv, f, f); err != nil || f.expected != 0 {
		t.Errorf("%v, expects %d records", err, f.expected)
	}
}

// TestRecordsOfWhichNobodyKnows: where the JVM can't say how many records a change has left, all of
// them together must come.
func TestRecordsOfWhichNobodyKnows(t *testing.T) {
	f := three(t)
	f.series[first]["recorded"], f.series[Turnaround]["recorded"] = []int64{unknown}, []int64{unknown, unknown}
	err := Kit{}.Drive(t.Context(), invocation("samples", "3", "at_once", "2", "loaded", "10"), f, f)
	if err != nil || f.expected != 6 {
		t.Errorf("%v, expects %d records, want 6", err, f.expected)
	}
}

// TestLoadingIsAPart: where classes are loaded after the order, loading is one of
// the parts that make up the turnaround.
func TestLoadingIsAPart(t *testing.T) {
	f := three(t)
	f.series[first]["load"] = []int64{0}
	f.series[Turnaround]["load"], f.series[Turnaround]["total"] = []int64{100, 300}, []int64{400, 800}
	if err := (Kit{}).Drive(t.Context(), invocation("samples", "3", "at_once", "2", "loaded", "10", "at_load", "true"), f, f); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(f.asked, "setup at_load=true at_once=2 busy_wait=lazy calls=0 depth=1 loaded=10 method_time=0 samples=3 target=a.Plain") {
		t.Errorf("asked %q", f.asked)
	}
}

// TestStandstillOfAnInvocation: the JVM's own log says how long it stood still, and whether it can be read.
func TestStandstillOfAnInvocation(t *testing.T) {
	for log, want := range map[string]map[string]float64{
		`Safepoint "RedefineClasses", Total: 7 ns`: {"loop_ns": 20, standstill: 7},
		"": {"loop_ns": 20},
		`Safepoint "RedefineClasses", Total: 99999999999999999999 ns`: nil, // an error
	} {
		f := three(t)
		if err := os.WriteFile(filepath.Join(f.dir, safepointLog), []byte(log), 0o666); err != nil {
			t.Fatal(err)
		}
		err := Kit{}.Drive(t.Context(), invocation("samples", "3", "at_once", "2", "loaded", "2"), f, f)
		if want == nil {
			if err == nil || f.scalars[standstill] != 0 {
				t.Errorf("%s: %v, %v", log, err, f.scalars)
			}
			continue
		}
		if diff := cmp.Diff(want, f.scalars); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", log, err, diff)
		}
	}
	f := three(t)
	err := Kit{}.Drive(t.Context(), invocation("samples", "3", "at_once", "3", "loaded", "2"), f, f)
	const want = "at_once = 3 classes can't change where only loaded = 2"
	if err == nil || len(f.asked) > 0 || !strings.Contains(err.Error(), want) {
		t.Errorf("more at once than are loaded: %v, %q", err, f.asked)
	}
}

// TestParts: the parts of changes may be a fifth longer than the changes, of each series.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		of map[string][]int64
		ok bool
	}{
		{map[string][]int64{"total": {600, 400}, "match": {200}, "transform": {100, 100}, "swap": {300, 500}}, true},
		{map[string][]int64{"total": {600, 400}, "match": {200}, "transform": {100, 100}, "swap": {300, 501}}, false},
		{map[string][]int64{"total": {1000}, "swap": {1000}, "load": {199}, "first_call": {1}}, true},
		{map[string][]int64{"total": {1000}, "swap": {1000}, "load": {199}, "first_call": {2}}, false},
		{map[string][]int64{"total": {1000}, "match": {1201}}, false},
		{map[string][]int64{"total": {1000}, "load": {1201}}, false},
		{map[string][]int64{"total": {1000}, "undo": {1201}, "bare": {1201}}, true},
		{nil, true},
	} {
		series := map[string]map[string][]int64{first: {"total": {9000}, "swap": {9000}}, Turnaround: c.of}
		if err := checkParts(series); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.of, err)
		}
	}
}

// TestRecordsOfAChange: each class leaves one record, if anybody counts them.
func TestRecordsOfAChange(t *testing.T) {
	for _, c := range []struct {
		recorded []int64
		atOnce   int64
		want     string // of the error; "" is none
	}{
		{nil, 1, ""},
		{[]int64{1, unknown, 1}, 1, ""},
		{[]int64{1, 0}, 1, "sample 2: 1 first calls of 1 class left 0 records"},
		{[]int64{2, 2, 3}, 2, "sample 3: 2 first calls of 2 classes left 3 records"},
		{[]int64{-2}, 2, "sample 1: 2 first calls of 2 classes left -2 records"},
	} {
		err := checkRecords(c.recorded, c.atOnce)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d of %d: %v, want %q", c.recorded, c.atOnce, err, c.want)
		}
	}
}
