package evidence

import (
	"testing"

	"moobench/results"
	"moobench/results/summary"
)

const (
	quietNS   = 2000.0 // the reference of a core that nobody else uses
	batchesOf = 200
)

// The slope on a reference that moved is that of the calls; on one that stood still it is
// nothing, whatever the calls did.
func TestSlopes(t *testing.T) {
	for _, c := range []struct{ moved, least, most float64 }{{0.1, 0.49, 0.5}, {0.005, 0.24, 0.26}, {0.0005, 0, 0.01}} {
		var r response
		reference, calls := make([]float64, batchesOf), make([]float64, batchesOf)
		for i := range reference {
			swing := c.moved * quietNS * float64(1-2*(i/(2*group)%2))
			reference[i], calls[i] = quietNS+swing, 1000+0.5*swing
		}
		r.add(reference, calls)
		if got := r.slope(); got < c.least || got > c.most {
			t.Errorf("where the reference moved by %v: %v, want %v to %v", c.moved, got, c.least, c.most)
		}
	}
}

func TestReferenceOf(t *testing.T) {
	column := func(thread int, values ...int64) summary.Column {
		b := summary.NewBuilder(int64(len(values)))
		b.Add(values)
		c, err := b.Column()
		if err != nil {
			t.Fatal(err)
		}
		c.Series, c.Name, c.Thread = results.SeriesReference, "t", thread
		return c
	}
	two := make([]int64, 2*summary.MaxBatches)
	for i := range two {
		two[i] = 100
	}
	two[11] = 9000 // an interruption, in a batch with another time
	s := &summary.Summary{Columns: []summary.Column{column(0, two...)}}
	if got := referenceOf(s, summary.MaxBatches); len(got) != summary.MaxBatches || got[5] != 100 {
		t.Errorf("with an interruption: %d batches, the sixth %v", len(got), got[5])
	}
	if got := referenceOf(s, 7); got != nil {
		t.Errorf("of another number of batches: %v", got)
	}
	if got := referenceOf(&summary.Summary{}, 7); got != nil {
		t.Errorf("of none: %v", got)
	}
	for i := range two {
		two[i] = 300
	}
	s.Columns = append(s.Columns, column(1, two...))
	if got := referenceOf(s, summary.MaxBatches); got[0] != 200 {
		t.Errorf("of two threads, 100 and 300: %v", got[0])
	}
}
