package moobenchcsv

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/refusal"
	"moobench/results/importer"
	"moobench/results/importer/internal/testimport"
)

// Columns that any file has are metrics, the first of which is primary, and a cell has the calls and threads that
// all of its files agree on.
func TestMetricsOfColumns(t *testing.T) {
	for _, c := range []struct {
		name, first, second string
		metrics             []string
		parameters          string
	}{
		{"times", "1;80\n1;90\n", "1;81\n1;91\n", []string{"duration t@duration primary"}, "calls=2 threads=1"},
		{
			"all columns", "1;80;1000;0\n2;90;2000;1\n", "1;81;1000;0\n2;91;2000;1\n",
			[]string{"duration t@duration primary", "heap heap@duration", "gc_count @"},
			"calls=1 threads=2",
		},
		{
			"named columns", "duration_ns;thread_id;gc_count\n80;1;0\n", "1;81\n",
			[]string{"duration t@duration primary", "gc_count @"},
			"calls=1 threads=1",
		},
		{"unlike threads", "1;80\n2;90\n", "1;81\n1;82\n", []string{"duration t@duration primary"}, ""},
	} {
		s := importing.Store(t, importer.Request{}, files(
			write(t, map[string]string{"raw-1-10-0.csv": c.first, "raw-2-10-0.csv": c.second})))
		var metrics, parameters []string
		for _, m := range s.Campaign().Scenarios[0].Metrics {
			metrics = append(
				metrics,
				strings.TrimSpace(
					fmt.Sprintf("%s %s@%s %s", m.Name, m.Column, m.Series, map[bool]string{true: "primary"}[m.Primary]),
				),
			)
		}
		for _, v := range s.Campaign().Cells[0].Parameters {
			if slices.Contains([]string{"calls", "threads"}, v.Name) {
				parameters = append(parameters, v.Name+"="+v.Value)
			}
		}
		if diff := cmp.Diff(c.metrics, metrics); diff != "" || strings.Join(parameters, " ") != c.parameters {
			t.Errorf("%s: %q; metrics (-want +got):\n%s", c.name, parameters, diff)
		}
	}
}

// No time at all is none that the clock was set back in.
func TestNoTimeIsNotNegative(t *testing.T) {
	s := importing.Store(t, importer.Request{}, files(write(t, map[string]string{"raw-1-10-0.csv": "1;0\n1;5\n"})))
	if inv := testimport.Invocations(t, s)[0]; len(inv.Warnings) != 0 {
		t.Errorf("warnings %q", inv.Warnings)
	}
}

// Progress counts the files that were read, up to all of them.
func TestProgressOfAnImport(t *testing.T) {
	var got []string
	r := importer.Request{
		Dir: filepath.Join(t.TempDir(), "c"), Files: files(write(t, folder)),
		Progress: func(done, all int) { got = append(got, fmt.Sprint(done, "/", all)) },
	}
	if _, err := importFiles(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1/4", "2/4", "3/4", "4/4"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Collections are counted wherever their column stands, and a third column that is named is not left out.
func TestNamedThirdColumn(t *testing.T) {
	for text, want := range map[string]struct {
		scalars  map[string]float64
		warnings int
	}{
		"gc;thread;ns\n0;1;80\n2;1;90\n1;2;70\n": {map[string]float64{"gc_count": 2}, 0},
		"heap;thread;ns\n9;1;80\n8;1;90\n":       {nil, 0},
		"thread;ns;heap\n1;80;9\n1;90;8\n":       {nil, 0},
		"1;80;9\n1;90;8\n":                       {nil, 1},
	} {
		s := importing.Store(t, importer.Request{}, files(write(t, map[string]string{"raw-1-10-0.csv": text})))
		inv := testimport.Invocations(t, s)[0]
		got := maps.Clone(inv.Scalars)
		maps.DeleteFunc(got, func(name string, _ float64) bool { return name != "gc_count" })
		if !maps.Equal(got, want.scalars) || len(inv.Warnings) != want.warnings {
			t.Errorf("%q: %v, %q", text, inv.Scalars, inv.Warnings)
		}
	}
}

// Each folder is looked at by itself: one may have a zip file where another has raw files, and one with neither is
// told.
func TestFoldersByThemselves(t *testing.T) {
	dir, packed := write(t, map[string]string{"a/raw-1-10-0.csv": "1;2\n", "none/x": ""}), t.TempDir()
	zipped(t, packed, map[string]string{"raw-2-10-0.csv": "1;3\n"})
	s := importing.Store(t, importer.Request{}, files(filepath.Join(dir, "a"), packed))
	if list := testimport.Invocations(t, s); len(list) != 2 {
		t.Errorf("%d invocations", len(list))
	}
	r := importer.Request{
		Dir: filepath.Join(t.TempDir(), "c"), Files: files(filepath.Join(dir, "a"), filepath.Join(dir, "none")),
	}
	_, err := importFiles(t.Context(), r)
	const neither = "none: it has neither raw-LOOP-DEPTH-CONFIGURATION.csv nor results.zip"
	if err == nil || !strings.Contains(err.Error(), neither) {
		t.Errorf("%v", err)
	}
}

// A number that is none of a thread ends the reading: what follows would be told line by line.
func TestFirstImpossibleThread(t *testing.T) {
	mistakes := &refusal.Mistakes{}
	read("x", strings.NewReader("1;2\n-1;2\n-1;2\n"), bounds{sizeMost, callsMost}, mistakes)
	if mistakes.Error() != "x:2: -1 is not a number of a thread" {
		t.Error(mistakes)
	}
}

// Kieker's configurations have names as far as they are known, and the others numbers.
func TestNamesOfKieker(t *testing.T) {
	l := labels{framework: "kieker-java"}
	want := map[int]string{0: "none", 5: "Binary TCP", 6: "config-6"}
	if diff := cmp.Diff(want, l.variants([]int{0, 5, 6})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
