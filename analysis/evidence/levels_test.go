package evidence

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
	"moobench/results/summary"
)

// levelled is an invocation with one series of these columns.
func levelled(t *testing.T, series string, names []string, rows ...[]int64) (*results.Invocation, *summary.Summary) {
	t.Helper()
	s := results.Series{Name: series, Batch: 1, Count: int64(len(rows))}
	sum := &summary.Summary{}
	for i, name := range names {
		s.Columns = append(s.Columns, results.Column{Name: name, Unit: "1", Kind: results.KindCount})
		b := summary.NewBuilder(int64(len(rows)))
		for _, row := range rows {
			b.Add(row[i : i+1])
		}
		c, err := b.Column()
		if err != nil {
			t.Fatal(err)
		}
		c.Series, c.Name = series, name
		sum.Columns = append(sum.Columns, c)
	}
	return &results.Invocation{Series: []results.Series{s}}, sum
}

func TestLevels(t *testing.T) {
	names := []string{"since", "heap", "collections"}
	rows := [][]int64{{0, 7, 3}, {10, 7, 3}, {20, 0, 4}, {30, -1, 5}, {40, 9, 7}, {50, 9, 7}}
	all := levelsOf(levelled(t, results.SeriesJVM, names, rows...))
	if len(all) != 1 || all[0].Series != results.SeriesJVM || all[0].EndNS() != 50 {
		t.Fatalf("%+v", all)
	}
	for _, c := range []struct {
		column, counter string
		since, levels   []float64
	}{
		{"heap", "", []float64{0, 10, 20, 40, 50}, []float64{7, 7, 0, 9, 9}},
		{"heap", "collections", []float64{20, 40}, []float64{0, 9}},
		{"collections", "", []float64{0, 10, 20, 30, 40, 50}, []float64{3, 3, 4, 5, 7, 7}},
		{"heap", "gone", nil, nil},
		{"gone", "", nil, nil},
	} {
		since, levels := all[0].Of(c.column, c.counter)
		if diff := cmp.Diff([][]float64{c.since, c.levels}, [][]float64{since, levels}); diff != "" {
			t.Errorf("%s with %q (-want +got):\n%s", c.column, c.counter, diff)
		}
	}
}

// Series that are not of levels, or have no times, or no rows, have none; that of the process has.
func TestNoLevels(t *testing.T) {
	for _, c := range []struct {
		series string
		names  []string
		rows   [][]int64
		want   int
	}{
		{results.SeriesProcess, []string{"since", "rss"}, [][]int64{{0, 1}}, 1},
		{results.SeriesTimeline, []string{"since", "rss"}, [][]int64{{0, 1}}, 0},
		{results.SeriesProcess, []string{"at", "rss"}, [][]int64{{0, 1}}, 0},
		{results.SeriesProcess, []string{"since", "rss"}, nil, 0},
	} {
		if got := levelsOf(levelled(t, c.series, c.names, c.rows...)); len(got) != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
