package tidy

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"moobench/results"
	"moobench/results/importer"
)

// made is a campaign with two cells at two depths, whose invocations have several
// series and threads; one failed.
func made(dir string, times []int64) (*results.Store, error) {
	c := &results.Campaign{
		Scenarios: []results.Scenario{{Label: "s", Metrics: []results.Metric{
			{Name: "duration", Unit: "ns", Better: results.Lower, Primary: true}, {Name: "absent", Unit: "1"}, {Name: "gc", Unit: "1", Better: results.Lower},
		}}},
		Cells: []results.Cell{
			{ID: "c00", Scenario: "s", Variant: "none", Role: results.RoleBaseline, Factors: []results.Value{{Name: "calls", Value: "2_000"}, {Name: "word", Value: "1"}}},
			{ID: "c01", Scenario: "s", Variant: "a,\"b\"", Role: results.RoleVariant, Baseline: "c00", Proof: results.ProofPlan{Kind: results.ProofCount, Expected: 5}, Factors: []results.Value{{Name: "calls", Value: "10"}, {Name: "word", Value: "x"}}},
		},
	}
	ns := results.Column{Name: "t", Unit: "ns", Kind: results.KindDuration}
	id := results.Column{Name: "outcome", Unit: "1", Kind: results.KindID, Dict: []string{"right", "wrong"}}
	own := results.Column{Name: "sample", Unit: "1", Kind: results.KindCount}
	s, err := results.Create(dir, c, nil)
	if err != nil {
		return nil, err
	}
	start := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	ok := &results.Invocation{Cell: "c00", Profile: results.ProfileTiming, Status: results.StatusOK, Start: start, End: start.Add(time.Second)}
	zeros := make([]int64, len(times))
	err = importer.Seal(
		s, results.Identity{Block: 1}, ok,
		importer.Samples{Series: results.Series{Name: "duration", Thread: 1, Batch: 1, Columns: []results.Column{ns, own}}, Values: [][]int64{times, zeros}},
		importer.Samples{Series: results.Series{Name: "duration", Thread: 2, Batch: 1, Columns: []results.Column{ns, own}}, Values: [][]int64{times, zeros}},
		importer.Samples{Series: results.Series{Name: "request", Batch: 1, Columns: []results.Column{id}}, Values: [][]int64{{1, 0}}},
	)
	if err != nil {
		return nil, err
	}
	void := &results.Invocation{Cell: "c01", Profile: results.ProfileTiming, Status: results.StatusOK, Proof: results.Proof{Source: "x", Expected: 5}}
	if err := importer.Seal(s, results.Identity{Block: 1, Slot: 1}, void); err != nil {
		return nil, err
	}
	failed := &results.Invocation{Cell: "c01", Profile: results.ProfileTiming, Status: results.StatusFailed, Failure: &results.Failure{Kind: "died"}}
	if err := importer.Seal(s, results.Identity{Block: 2, Slot: 1}, failed); err != nil {
		return nil, err
	}
	return s, s.Seal()
}

// exportAll writes tables of all invocations.
func exportAll(dir string, f Format, s *results.Store) ([]string, error) {
	list, err := s.Invocations()
	if err != nil {
		return nil, err
	}
	return Write(context.Background(), dir, f, s, list, map[results.Identity]Measured{
		list[0].Identity: {Values: map[string]float64{"duration": 1. / 3, "gc": 7}, Adjusted: map[string]Adjusted{"duration": {0.5, 3000, 2000}}, Class: "flat", WindowFrom: 0.25},
		list[1].Identity: {Void: "not instrumented"},
	})
}

func store(t *testing.T) *results.Store {
	t.Helper()
	s, err := made(filepath.Join(t.TempDir(), "campaign"), []int64{5, -7, math.MaxInt64})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCSV(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	names, err := exportAll(dir, CSV, store(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"invocations.csv", "metrics.csv", "columns.csv", "names.csv"}, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for name, want := range map[string]string{
		"invocations.csv": `campaign,invocation,scenario,cell,label,variant,role,baseline,factor_calls,factor_word,block,slot,repeat,profile,status,failure,superseded,disturbed,invalid,counts,start,end,machine,runtime,cpus,steady_state,window_from,records_expected,records_received_by_loop_end,records_received
campaign,b0001.s00.r0,s,c00,none calls=2_000 word=1,none,baseline,,2000,1,1,0,0,timing,ok,,FALSE,FALSE,,TRUE,2026-11-21T03:00:00Z,2026-11-21T03:00:01Z,,,,flat,0.25,,,
campaign,b0001.s01.r0,s,c01,"a,""b"" calls=10 word=x","a,""b""",variant,c00,10,x,1,1,0,timing,ok,,FALSE,FALSE,not instrumented,FALSE,,,,,,,,5,0,0
campaign,b0002.s01.r0,s,c01,"a,""b"" calls=10 word=x","a,""b""",variant,c00,10,x,2,1,0,timing,failed,died,FALSE,FALSE,,FALSE,,,,,,,,,,
`,
		"metrics.csv": `campaign,invocation,scenario,cell,label,variant,block,metric,unit,better,is_primary,counts,value,unadjusted,reference_ns,at_ns
campaign,b0001.s00.r0,s,c00,none calls=2_000 word=1,none,1,duration,ns,lower,TRUE,TRUE,0.3333333333333333,0.5,3000,2000
campaign,b0001.s00.r0,s,c00,none calls=2_000 word=1,none,1,gc,1,lower,FALSE,TRUE,7,,,
`,
		"columns.csv": "series,column,unit,kind\nduration,t,ns,duration\nduration,sample,1,count\nrequest,outcome,1,id\n",
		"names.csv":   "invocation,series,thread,column,id,name\nb0001.s00.r0,request,0,outcome,0,right\nb0001.s00.r0,request,0,outcome,1,wrong\n",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// read are the rows of a Parquet file as CSV has them.
func read(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return nil, err
	}
	rows := [][]string{nil}
	for _, c := range p.Root().Columns() {
		rows[0] = append(rows[0], c.Name())
	}
	for _, g := range p.RowGroups() {
		r := g.Rows()
		for {
			var buf [10]parquet.Row
			n, err := r.ReadRows(buf[:])
			for _, row := range buf[:n] {
				rows = append(rows, texts(p, row))
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, err
			}
		}
		if err := r.Close(); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func texts(p *parquet.File, row parquet.Row) []string {
	all := make([]string, len(p.Root().Columns()))
	for _, v := range row {
		c := p.Root().Columns()[v.Column()]
		switch {
		case v.IsNull():
		case c.Type().Kind() == parquet.Boolean:
			all[v.Column()] = strings.ToUpper(v.String())
		case c.Type().Kind() == parquet.Double:
			all[v.Column()] = strconv.FormatFloat(v.Double(), 'g', -1, 64)
		case c.Type().LogicalType() != nil && strings.HasPrefix(c.Type().String(), "TIMESTAMP"):
			all[v.Column()] = time.UnixMicro(v.Int64()).UTC().Format(time.RFC3339Nano)
		default:
			all[v.Column()] = v.String()
		}
	}
	return all
}

// Parquet and CSV say the same.
func TestParquetIsAsCSV(t *testing.T) {
	s := store(t)
	asCSV, asParquet := filepath.Join(t.TempDir(), "c"), filepath.Join(t.TempDir(), "p")
	if _, err := exportAll(asCSV, CSV, s); err != nil {
		t.Fatal(err)
	}
	if _, err := exportAll(asParquet, Parquet, s); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"invocations", "metrics", "columns", "names"} {
		f, err := os.Open(filepath.Join(asCSV, name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(filepath.Join(asParquet, name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-CSV +Parquet):\n%s", name, diff)
		}
	}
}

func TestSamples(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	if _, err := exportAll(dir, Parquet, store(t)); err != nil {
		t.Fatal(err)
	}
	got, err := read(filepath.Join(dir, "samples.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	var want [][]string
	for _, line := range []string{
		"invocation series thread sample t sample_ outcome",
		"b0001.s00.r0 duration 1 0 5 0 ", "b0001.s00.r0 duration 1 1 -7 0 ", "b0001.s00.r0 duration 1 2 9223372036854775807 0 ",
		"b0001.s00.r0 duration 2 0 5 0 ", "b0001.s00.r0 duration 2 1 -7 0 ", "b0001.s00.r0 duration 2 2 9223372036854775807 0 ",
		"b0001.s00.r0 request 0 0   1", "b0001.s00.r0 request 0 1   0",
	} {
		want = append(want, strings.Split(line, " "))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
}

// Whatever was measured, the exported samples are that, and have its mean.
func TestSamplesAreThoseOfTheCampaign(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 12 { // each writes a campaign, and waits for the disk
		dir, times := t.TempDir(), make([]int64, 1+rng.IntN(300))
		for i := range times {
			times[i] = rng.Int64N(1e12)
		}
		s, err := made(filepath.Join(dir, "c"), times)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := exportAll(filepath.Join(dir, "p"), Parquet, s); err != nil {
			t.Fatal(err)
		}
		rows, err := read(filepath.Join(dir, "p", "samples.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 1+2*len(times)+2 {
			t.Fatalf("%d rows of %d calls of two threads and two requests", len(rows)-1, len(times))
		}
		for i, ns := range times {
			for _, row := range [][]string{rows[1+i], rows[1+len(times)+i]} {
				if row[3] != fmt.Sprint(i) || row[4] != fmt.Sprint(ns) {
					t.Fatalf("sample %d is %v, want %d", i, row, ns)
				}
			}
		}
	}
}

// What can't be written is said, and leaves no folder.
func TestWriteIntoWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := exportAll(dir, CSV, store(t)); err == nil || !strings.HasPrefix(err.Error(), "exporting into ") {
		t.Errorf("error %v", err)
	}
}
