package tidy

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"moobench/results"
	"moobench/results/importer"
)

// TestSamplesAreNumberedOverRowGroups: the number of a sample goes on in the next row group of its series, however
// long the groups are.
func TestSamplesAreNumberedOverRowGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "samples.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &sampleWriter{
		columns: append(named(text, "invocation", "series"), named(integer, "thread", sampleNumber, "t")...),
		index:   map[string]int{"t": 4}, invocation: "i",
		series: results.Series{Name: "duration", Thread: 7, Columns: []results.Column{{Name: "t"}}},
	}
	s.out = results.NewParquetWriter(f, "samples", s.columns)
	n := 0
	for _, rows := range []int{3, 1<<16 + 2, 1} {
		s.begin()
		s.rows = int64(rows)
		s.put(4, rows, func(i int) parquet.Value { return parquet.Int64Value(int64(n+i)).Level(0, 1, 4) })
		s.end()
		if n += rows; s.done != int64(n) || s.rows != 0 || s.last != -1 {
			t.Fatalf("%d samples: %d are done, %d rows, column %d", n, s.done, s.rows, s.last)
		}
	}
	s.end() // of no rows
	if err := s.out.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if got := integers(t, path, 2); len(got) != n || slices.Max(got) != 7 || slices.Min(got) != 7 {
		t.Errorf("%d samples are of threads from %d to %d", len(got), slices.Min(got), slices.Max(got))
	}
	for column := 3; column <= 4; column++ { // both have the numbers of the samples
		got := integers(t, path, column)
		for i, v := range got {
			if v != int64(i) {
				t.Fatalf("row %d of column %d is %d", i, column, v)
			}
		}
		if len(got) != n {
			t.Errorf("column %d has %d rows of %d", column, len(got), n)
		}
	}
}

// integers are the values of a column of integers.
func integers(t *testing.T, path string, column int) (all []int64) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range p.RowGroups() {
		pages := g.ColumnChunks()[column].Pages()
		for page, err := pages.ReadPage(); err != io.EOF; page, err = pages.ReadPage() {
			if err != nil {
				t.Fatal(err)
			}
			data := page.Data()
			all = append(all, data.Int64()...)
		}
		pages.Close()
	}
	return all
}

// TestSeriesOfOneColumn: series that have but one column are apart, too, and each invocation begins anew.
func TestSeriesOfOneColumn(t *testing.T) {
	s, err := results.Create(filepath.Join(t.TempDir(), "c"), &results.Campaign{
		Scenarios: []results.Scenario{{Label: "s"}}, Cells: []results.Cell{{ID: "c00", Scenario: "s"}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	one := func(name string, thread int, values ...int64) importer.Samples {
		columns := []results.Column{{Name: "t", Unit: "ns", Kind: results.KindDuration}}
		series := results.Series{Name: name, Thread: thread, Batch: 1, Columns: columns}
		return importer.Samples{Series: series, Values: [][]int64{values}}
	}
	for block := 1; block <= 2; block++ {
		inv := &results.Invocation{Cell: "c00", Status: results.StatusOK}
		all := []importer.Samples{one("a", 1, 5, 6), one("a", 2, 7), one("b", 2, 8, 9)}
		if err := importer.Seal(s, results.Identity{Block: block}, inv, all...); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "p")
	if _, err := Write(t.Context(), dir, Parquet, s, list, nil); err != nil {
		t.Fatal(err)
	}
	got, err := read(filepath.Join(dir, "samples.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"invocation", "series", "thread", "sample", "t"}}
	for _, i := range []string{"b0001.s00.r0", "b0002.s00.r0"} {
		want = append(
			want, []string{i, "a", "1", "0", "5"}, []string{i, "a", "1", "1", "6"}, []string{i, "a", "2", "0", "7"},
			[]string{i, "b", "2", "0", "8"}, []string{i, "b", "2", "1", "9"},
		)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAsText: each value can be read back as it was, and what is not known is empty.
func TestAsText(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, ""},
		{"", ""},
		{"a,b", "a,b"},
		{0.1, "0.1"},
		{1e300, "1e+300"},
		{int64(-7), "-7"},
		{int64(1234567890123), "1234567890123"},
		{true, "TRUE"},
		{false, "FALSE"},
		{time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), "2026-01-02T03:04:05.000006Z"},
	} {
		if got := asText(c.value); got != c.want {
			t.Errorf("%v: %q, want %q", c.value, got, c.want)
		}
	}
}

// TestKnown: what is empty or zero is not known.
func TestKnown(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct{ got, want any }{
		{known(""), nil},
		{known(" "), " "},
		{known(time.Time{}.UTC()), nil},
		{known(at), at},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// TestCounts: an invocation counts if it succeeded, and nobody says that it does not.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		inv  results.Invocation
		void string
		want bool
	}{
		{"it succeeded", results.Invocation{Status: results.StatusOK}, "", true},
		{"it failed", results.Invocation{Status: results.StatusFailed}, "", false},
		{"it is invalid", results.Invocation{Status: results.StatusOK, Invalid: "why"}, "", false},
		{"it was restarted", results.Invocation{Status: results.StatusOK, Superseded: true}, "", false},
		{"the analysis says so", results.Invocation{Status: results.StatusOK}, "why", false},
	} {
		e := &export{measured: map[results.Identity]Measured{c.inv.Identity: {Void: c.void}}}
		if got := e.counts(&c.inv); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestFactors: a factor is a number if all its values are, and without a value it is not known.
func TestFactors(t *testing.T) {
	cell := &results.Cell{Factors: []results.Value{{Name: "n", Value: "2_000"}, {Name: "w", Value: "x"}}}
	for _, c := range []struct {
		factor factor
		want   any
	}{
		{factor{"n", true}, 2000.0},
		{factor{"n", false}, "2_000"},
		{factor{"w", true}, "x"},
		{factor{"w", false}, "x"},
		{factor{"none", true}, nil},
		{factor{"none", false}, nil},
	} {
		if got := c.factor.value(cell); got != c.want {
			t.Errorf("%+v: %v, want %v", c.factor, got, c.want)
		}
	}
}

// TestRowsInGroups: a table is written in groups of so many rows, without an empty one.
func TestRowsInGroups(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, groupRows: 1, groupRows + 1: 2} {
		path := filepath.Join(t.TempDir(), "t.parquet")
		err := writeFile(path, func(w io.Writer) error {
			return writeParquet(w, table{"t", named(integer, "i", "j"), func(add func(...any)) {
				for i := range n {
					add(int64(i), nil)
				}
			}})
		})
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		p, err := parquet.OpenFile(f, info.Size())
		if err != nil || len(p.RowGroups()) != want || p.NumRows() != int64(n) {
			t.Errorf("%d rows: %d in %d groups, %v", n, p.NumRows(), len(p.RowGroups()), err)
		}
		f.Close()
	}
}
