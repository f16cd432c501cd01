package results

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

const benchSamples = 2_000_000

// latencies looks like nanoseconds of a monitored call: a narrow body, a long
// tail, and ticks of 10 ns.
func latencies(n int) [][]int64 {
	r := rand.New(rand.NewPCG(1, 2))
	columns := [][]int64{make([]int64, n), make([]int64, n)}
	now := int64(1e15)
	for i := range n {
		d := 500 + int64(r.ExpFloat64()*120)/10*10
		if r.IntN(10000) == 0 {
			d += int64(r.ExpFloat64() * 1e6)
		}
		columns[1][i] = d
		now += d + 30
		columns[0][i] = now
	}
	return columns
}

// BenchmarkSeal turns the raw dump of two million samples into Parquet and a
// summary: what a campaign pays per invocation after the JVM is gone.
func BenchmarkSeal(b *testing.B) {
	for _, tt := range []struct {
		name    string
		columns []Column
	}{
		{"duration", testSeries.Columns[1:]},
		{"t+duration", testSeries.Columns},
	} {
		b.Run(tt.name, func(b *testing.B) {
			s := newStore(b)
			series := testSeries
			series.Columns = tt.columns
			series.Count = benchSamples
			values := latencies(benchSamples)
			var raw bytes.Buffer
			if err := WriteDump(&raw, series, values[2-len(tt.columns):]...); err != nil {
				b.Fatal(err)
			}
			var size int64
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				dir := b.TempDir()
				if err := os.WriteFile(filepath.Join(dir, series.Dump), raw.Bytes(), 0o666); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if _, err := (&Draft{store: s, dir: dir}).convert(okInvocation(series)); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				info, err := os.Stat(filepath.Join(dir, samplesFile))
				if err != nil {
					b.Fatal(err)
				}
				size = info.Size()
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchSamples, "ns/sample")
			b.ReportMetric(float64(size)/benchSamples, "B/sample")
		})
	}
}

func benchStore(b *testing.B) (*Store, *Invocation) {
	s := newStore(b)
	d, err := s.Begin(Identity{1, 0, 0})
	if err != nil {
		b.Fatal(err)
	}
	series := testSeries
	series.Count = benchSamples
	var raw bytes.Buffer
	if err := WriteDump(&raw, series, latencies(benchSamples)...); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.Dir(), series.Dump), raw.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	inv := okInvocation(series)
	if err := d.Seal(inv); err != nil {
		b.Fatal(err)
	}
	return s, inv
}

// BenchmarkSamples reads two columns of two million samples by column pages.
func BenchmarkSamples(b *testing.B) {
	s, inv := benchStore(b)
	for b.Loop() {
		var n int
		err := s.Samples(inv, func(_ Series, _ int, values []int64) error {
			n += len(values)
			return nil
		})
		if err != nil || n != 2*benchSamples {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchSamples, "ns/sample")
}

// BenchmarkSummary reads a stored summary, which is what a report does, and a
// quantile of its second half.
func BenchmarkSummary(b *testing.B) {
	s, inv := benchStore(b)
	info, err := os.Stat(s.path(invocationsDir, inv.Identity.String(), summaryFile))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Summary(inv); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(info.Size()), "B/summary")
}
