package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// written writes files into a new current folder.
func written(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestNamesOfSamples(t *testing.T) {
	written(t, map[string]string{"a.txt": "1\n2\n", "b.txt": "3\n4\n", "t.csv": "x,y\n1,2\n3,4\n"})
	for _, tt := range []struct {
		source source
		args   []string
		want   []string
	}{
		{source{}, []string{"a.txt", "b.txt"}, []string{"a.txt", "b.txt"}},
		{source{stdin: strings.NewReader("1\n2\n")}, []string{"a.txt", "-"}, []string{"a.txt", "standard input"}},
		{source{columns: []string{"x", "y"}}, []string{"t.csv"}, []string{"x", "y"}},
		{source{columns: []string{"x", "x"}}, []string{"t.csv"}, []string{"x (A)", "x (B)"}},
		{source{summary: true}, []string{"1,2,3", "4,5,6"}, []string{"A", "B"}},
	} {
		all, err := tt.source.samples(tt.args)
		if err != nil {
			t.Errorf("%q: %v", tt.args, err)
		}
		var names []string
		for _, s := range all {
			names = append(names, s.Name)
		}
		if !slices.Equal(names, tt.want) {
			t.Errorf("%q of columns %q: %q, want %q", tt.args, tt.source.columns, names, tt.want)
		}
	}
}

func TestRates(t *testing.T) {
	written(t, map[string]string{"runs.csv": "bad,ns\n1,10\n2,20\n"})
	all, err := (&source{columns: []string{"bad"}, exposure: "ns"}).rates([]string{"runs.csv", "25,26105373"})
	if err != nil || len(all) != 2 || all[1].Name != "B" || !slices.Equal(all[0].Events, []int64{1, 2}) || !slices.Equal(all[1].Events, []int64{25}) {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestMistakes(t *testing.T) {
	written(t, map[string]string{"a.txt": "1\n2\n"})
	for _, tt := range []struct {
		source source
		args   []string
		want   string
	}{
		{source{stdin: strings.NewReader("1\n")}, []string{"-", "-"}, "standard input can be read once only"},
		{source{}, []string{"1,2,3", "nowhere.txt"}, "1,2,3 is not a file: figures such as mean,sd,n need --summary"},
		{source{}, []string{"1,2,3", "nowhere.txt"}, "reading numbers: open nowhere.txt"},
		{source{columns: []string{"x", "y"}}, []string{"a.txt", "a.txt", "a.txt"}, "3 files and 2 columns"},
	} {
		if _, err := tt.source.samples(tt.args); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.args, err, tt.want)
		}
	}
}
