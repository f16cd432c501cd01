package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/results"
	"moobench/results/importer"
)

// foreignFiles is files of one format, whose numbers differ by their seed.
type foreignFiles struct {
	format string
	r      importer.Request
	// files are named texts; cells are what stands for a value in them, each once.
	files map[string]string
	cells []string
}

// sources has one of each format.
func sources() []foreignFiles {
	var jmh, otel, cells, cellsOfOTel []string
	for v, variant := range []string{"none", "x"} {
		var forks []string
		for i := range 5 {
			a, b := fmt.Sprintf("%d.25", 1000+100*v+7*i%11), fmt.Sprintf("%d.75", 1000+100*v+5*i%13)
			forks, cells = append(forks, "["+a+", "+b+"]"), append(cells, a)
		}
		jmh = append(jmh, fmt.Sprintf(`{"benchmark": "a.B.c", "mode": "avgt", "params": {"agent": %q}, "primaryMetric": {"scoreUnit": "ns/op", "rawData": [%s]}}`,
			variant, strings.Join(forks, ", ")))
	}
	for i := range 8 {
		x := fmt.Sprintf("%d.5", 120+i*5%9)
		otel, cellsOfOTel = append(otel, fmt.Sprintf("%d,%d.25,%s", 1700000000+i, 100+i*3%7, x)), append(cellsOfOTel, x)
	}
	requests := func(ms int) string {
		text := "timeStamp,elapsed,label,success\n"
		for i := range 30 {
			text += fmt.Sprintf("%d,%d,home,true\n", 1700000000000+100*i, ms+i%5)
		}
		return text
	}
	raw := func(ns int) string {
		text := ""
		for i := range 40 {
			text += fmt.Sprintf("1;%d\n", ns+i%7)
		}
		return text
	}
	return []foreignFiles{
		{"jmh", importer.Request{By: "agent"}, map[string]string{"r.json": "[\n" + strings.Join(jmh, ",\n") + "\n]\n"}, cells},
		{"otel", importer.Request{}, map[string]string{"results.csv": "timestamp,none:requestAvg,x:requestAvg\n" + strings.Join(otel, "\n") + "\n"}, cellsOfOTel},
		{"jtl", importer.Request{}, map[string]string{"none.jtl": requests(10), "x.jtl": requests(12)}, nil},
		{"moobench-csv", importer.Request{}, map[string]string{"raw-1-10-0.csv": raw(1000), "raw-1-10-1.csv": raw(1100), "raw-2-10-0.csv": raw(1003), "raw-2-10-1.csv": raw(1109)}, nil},
	}
}

// imports makes a campaign of files.
func imports(t *testing.T, s foreignFiles, files map[string]string) (*results.Store, error) {
	t.Helper()
	dir := t.TempDir()
	r := s.r
	r.Dir, r.Name = filepath.Join(dir, "campaign"), "x"
	names := []string{}
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
		r.Files = append(r.Files, importer.File{Path: path})
	}
	all := imported()
	return all[slices.IndexFunc(all, func(f importer.Format) bool { return f.Name == s.format })].Import(t.Context(), r)
}

// width is that of the interval of the first difference; 0 where there is none.
func width(t *testing.T, s *results.Store) float64 {
	t.Helper()
	a, err := analysis.Analyse(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range a.Scenarios[0].Cells {
		if m := c.MetricNamed(a.Scenarios[0].Primary); m != nil && m.Difference != nil && m.Difference.Interval != nil {
			return m.Difference.Interval.High - m.Difference.Interval.Low
		}
	}
	return 0
}

// The same numbers given twice are refused, or count once: no interval becomes narrower by them.
func TestTheSameFileTwiceNeverNarrows(t *testing.T) {
	for _, s := range sources() {
		t.Run(s.format, func(t *testing.T) {
			once, err := imports(t, s, s.files)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range s.files {
				again := "again-" + name
				if s.format == "moobench-csv" {
					again = strings.Replace(name, "raw-", "raw-7", 1) // another loop
				}
				for how, other := range map[string]string{"copied": text, "written anew": text + "\n"} {
					if how == "written anew" && (s.format == "jtl" || s.format == "moobench-csv") {
						continue // whose rows tell nothing from others that are alike
					}
					files := map[string]string{again: other}
					for name, text := range s.files {
						files[name] = text
					}
					twice, err := imports(t, s, files)
					switch {
					case err != nil && !strings.Contains(err.Error(), again) && !strings.Contains(err.Error(), name):
						t.Errorf("%s: error %v", how, err)
					case err == nil && how == "copied":
						t.Errorf("%s is imported beside %s", again, name)
					case err == nil && width(t, twice) < width(t, once)*(1-1e-12):
						t.Errorf("%s: %v wide, and before %v", how, width(t, twice), width(t, once))
					}
				}
			}
		})
	}
}

// values are how many values a campaign has: scores of iterations, or scalars where there are no samples.
func values(t *testing.T, s *results.Store) (n int64) {
	t.Helper()
	list, err := s.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	for _, inv := range list {
		for _, series := range inv.Series {
			n += series.Count
		}
		if len(inv.Series) == 0 {
			n += int64(len(inv.Scalars))
		}
	}
	return n
}

// A cell that is not a number costs that cell, wherever it stands.
func TestABadCellCostsThatCell(t *testing.T) {
	for _, s := range sources() {
		if len(s.cells) == 0 {
			continue
		}
		t.Run(s.format, func(t *testing.T) {
			whole, err := imports(t, s, s.files)
			if err != nil {
				t.Fatal(err)
			}
			for i, cell := range s.cells {
				bad := []string{"\"fast\"", "\"NaN\"", "\"\""}[i%3]
				files := map[string]string{}
				for name, text := range s.files {
					files[name] = strings.Replace(text, cell, bad, 1)
				}
				one, err := imports(t, s, files)
				if err != nil {
					t.Errorf("%s in place of %s: error %v", bad, cell, err)
				} else if got, want := values(t, one), values(t, whole)-1; got != want {
					t.Errorf("%s in place of %s: %d values, want %d", bad, cell, got, want)
				}
			}
		})
	}
}
