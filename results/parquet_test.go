package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"moobench/internal/testrace"
)

// writeSampleFile writes values[series][column] in pieces.
func writeSampleFile(t testing.TB, list []Series, values [][][]int64, piece int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := newSampleWriter(&b, list)
	for i, columns := range values {
		for at := 0; at < len(columns[0]); at += piece {
			cut := make([][]int64, len(columns))
			for c := range columns {
				cut[c] = columns[c][at:min(at+piece, len(columns[c]))]
			}
			if err := w.write(i, cut); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.endSeries(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readSampleFile(data []byte, list []Series) ([][][]int64, error) {
	got := make([][][]int64, len(list))
	for i := range list {
		got[i] = make([][]int64, len(list[i].Columns))
	}
	err := readSamples(bytes.NewReader(data), int64(len(data)), list, func(s, c int, values []int64) error {
		got[s][c] = append(got[s][c], values...)
		return nil
	})
	return got, err
}

func drawSampleFile(t *rapid.T) (list []Series, values [][][]int64) {
	for i := range rapid.IntRange(1, 4).Draw(t, "series") {
		s := drawSeries(t, "s", i)
		columns := drawColumns(t, len(s.Columns), rapid.IntRange(0, 3000).Draw(t, "rows"))
		s.Count = int64(len(columns[0]))
		list, values = append(list, s), append(values, columns)
	}
	return list, values
}

func TestSamplesRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list, values := drawSampleFile(rt)
		data := writeSampleFile(t, list, values, rapid.IntRange(1, 2000).Draw(rt, "piece"))
		got, err := readSampleFile(data, list)
		if err != nil {
			rt.Fatal(err)
		}
		for i := range list {
			for c := range list[i].Columns {
				if !slices.Equal(got[i][c], values[i][c]) {
					rt.Fatalf("series %d, column %d: %d values, want %d", i, c, len(got[i][c]), len(values[i][c]))
				}
			}
		}
	})
}

func TestSamplesSplitRowGroups(t *testing.T) {
	testrace.Slow(t)
	if testing.Short() {
		t.Skip("needs time: writes more than one row group")
	}
	s := testSeries
	n := maxGroupRows + 10
	columns := [][]int64{make([]int64, n), make([]int64, n)}
	for i := range n {
		columns[0][i], columns[1][i] = int64(i)*30, int64(i%100)
	}
	s.Count = int64(n)
	got, err := readSampleFile(writeSampleFile(t, []Series{s}, [][][]int64{columns}, 1<<20), []Series{s})
	if err != nil || !slices.Equal(got[0][0], columns[0]) || !slices.Equal(got[0][1], columns[1]) {
		t.Errorf("differ: %v", err)
	}
}

func TestSamplesDamaged(t *testing.T) {
	s := testSeries
	s.Count = 2000
	columns := latencies(2000)
	data := writeSampleFile(t, []Series{s}, [][][]int64{columns}, 500)
	other := s
	other.Name = "other"
	if _, err := readSampleFile(data, []Series{other}); err == nil {
		t.Error("samples of another series were read")
	}
	// No damage may panic; whether it is noticed is for the checksums.
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		spoilt := slices.Clone(data)
		for range 1 + r.IntN(4) {
			spoilt[r.IntN(len(spoilt))] ^= byte(1 + r.IntN(255))
		}
		readSampleFile(spoilt[:len(spoilt)-r.IntN(2)*r.IntN(len(spoilt))], []Series{s})
	}
}

// What pandas and pyarrow make of a sample file with two threads, a series
// with other columns, a dictionary and the extremes of int64.
const pandasScript = `
import json, sys
import pandas as pd, pyarrow.parquet as pq
f = pq.ParquetFile(sys.argv[1])
df = pd.read_parquet(sys.argv[1], dtype_backend="numpy_nullable")
out = {"columns": f.schema_arrow.names, "groups": f.num_row_groups,
  "series": [s["name"] for s in json.loads(f.metadata.metadata[b"moobench.series"])],
  "format": f.metadata.metadata[b"moobench.format"].decode(),
  "encodings": sorted({str(e) for i in range(f.metadata.num_columns) for e in f.metadata.row_group(0).column(i).encodings}),
  "compression": f.metadata.row_group(0).column(0).compression,
  "count": {int(k): int(v) for k, v in df.groupby("series").size().items()},
  "sum": int(df.duration.sum()), "min": int(df.extreme.min()), "max": int(df.extreme.max()),
  "null": int(df.extreme.isna().sum()), "tail": [int(v) for v in df.t.tail(3)]}
print(json.dumps(out))
`

func TestPandasReadsSamples(t *testing.T) {
	python := cmp.Or(os.Getenv("MOOBENCH_TEST_PYTHON"), "python3")
	if err := exec.Command(python, "-c", "import pandas, pyarrow").Run(); err != nil {
		t.Skip("needs python3 with pandas and pyarrow: " + err.Error())
	}
	one := testSeries
	one.Count = 50_000
	two := one
	two.Thread = 1
	extra := Series{Name: "extra", Batch: 1, Count: 3, Columns: []Column{
		{Name: "extreme", Unit: "1", Kind: KindID, Dict: []string{"a", "b"}}, {Name: "t", Unit: "ns", Kind: KindInstant},
	}}
	columns := latencies(50_000)
	data := writeSampleFile(t, []Series{one, two, extra}, [][][]int64{
		columns, columns,
		{{math.MinInt64, 0, math.MaxInt64}, {7, 8, 9}},
	}, 7000)
	path := filepath.Join(t.TempDir(), "samples.parquet")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", pandasScript, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var sum int64
	for _, v := range columns[1] {
		sum += 2 * v
	}
	want, _ := json.Marshal(map[string]any{
		"columns": []string{"series", "thread", "t", "duration", "extreme"}, "groups": 3,
		"series": []string{"duration", "duration", "extra"}, "format": "2",
		"encodings": []string{"DELTA_BINARY_PACKED", "RLE"}, "compression": "UNCOMPRESSED",
		"count": map[string]int{"0": 50_000, "1": 50_000, "2": 3},
		"sum":   sum, "min": int64(math.MinInt64), "max": int64(math.MaxInt64),
		"null": 100_000, "tail": []int{7, 8, 9},
	})
	var got any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	again, _ := json.Marshal(got)
	var wantAny any
	json.Unmarshal(want, &wantAny)
	want, _ = json.Marshal(wantAny)
	if string(again) != string(want) {
		t.Errorf("got  %s\nwant %s", again, want)
	}
}
