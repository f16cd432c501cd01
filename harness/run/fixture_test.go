package run

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/jvm"
	"moobench/results"
)

func TestSeriesOf(t *testing.T) {
	const good = "series name=turnaround thread=0 columns=total:ns:duration,recorded:1:count count=499 batch=1 file=turnaround.0.i64"
	want := results.Series{
		Name: "turnaround", Count: 499, Batch: 1, Dump: "turnaround.0.i64",
		Columns: []results.Column{{Name: "total", Unit: "ns", Kind: results.KindDuration}, {Name: "recorded", Unit: "1", Kind: results.KindCount}},
	}
	m, err := jvm.ParseMessage(good)
	if err != nil {
		t.Fatal(err)
	}
	ask := new(Asker)
	if got := seriesOf(ask, m); ask.Err != nil || !cmp.Equal(got, want) {
		t.Errorf("%s: %v\n%s", good, ask.Err, cmp.Diff(want, got))
	}
	for _, c := range []struct{ key, value, kind string }{
		{"thread", "x", jvm.KindProtocol},
		{"count", "", jvm.KindProtocol},
		{"batch", "1.5", jvm.KindProtocol},
		{"columns", "total:ns", jvm.KindGarbage},
		{"columns", "total:ns:duration,total:ns:duration", jvm.KindGarbage},
		{"columns", "total:ns:colour", jvm.KindGarbage},
	} {
		m, _ := jvm.ParseMessage(good)
		m.Args[c.key] = c.value
		var failure *jvm.Failure
		ask := new(Asker)
		if seriesOf(ask, m); !errors.As(ask.Err, &failure) || failure.Kind != c.kind {
			t.Errorf("%s=%q: %v, want a failure of kind %s", c.key, c.value, ask.Err, c.kind)
		}
	}
}
