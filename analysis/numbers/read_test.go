package numbers

import (
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"moobench/refusal"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "-2.5": -2.5, "+3e2": 300, ".5": 0.5, "5.": 5} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

// TestRefusals: what could be read in two ways is not read, and the error says
// what to write.
func TestRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"":            "missing",
		"NA":          "missing value",
		"1,234":       "write 1234 or 1.234",
		"1,234,567.8": "write 1234567.8",
		"1'234'567":   "write 1234567",
		"1 234":       "write 1234",
		"1_000":       "write 1000",
		"12,5":        "write 12.5",
		"1.234,5":     "write 1234.5",
		"3 ns":        "write 3, and name the unit",
		"1.5e3ms":     "write 1.5e3",
		"7%":          "write 7",
		"NaN":         "not a finite number",
		"-Inf":        "not a finite number",
		"1e999":       "too large",
		"0x1p4":       "is not a number",
		"fast":        "is not a number",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want an error with %q", text, err, want)
		}
	}
}

func TestLines(t *testing.T) {
	s, err := Lines("a.txt", strings.NewReader("\ufeff# comment\r\n1.5\r\n\r\n  2 # remark\n3e0"))
	if err != nil || !slices.Equal(s.Values, []float64{1.5, 2, 3}) || !slices.Equal(s.Lines, []int{2, 4, 5}) {
		t.Errorf("%v on lines %v, %v", s.Values, s.Lines, err)
	}
}

func TestMistakesAllAtOnce(t *testing.T) {
	_, err := Lines("a.txt", strings.NewReader("1\n2,5\n3\nNaN\n1;2\nx\ty\n"))
	var ms *refusal.Mistakes
	if !errors.As(err, &ms) || ms.Count != 4 {
		t.Fatalf("want four mistakes, got %v", err)
	}
	listed := strings.Split(ms.Error(), "\n")
	for i, want := range []string{"a.txt:2: ", "a.txt:4: ", "a.txt:5: ", "a.txt:6: "} {
		if !strings.HasPrefix(listed[i], want) {
			t.Errorf("%q does not begin with %q", listed[i], want)
		}
	}
	if !strings.Contains(listed[2], "--column") {
		t.Errorf("%q knows no --column", listed[2])
	}
}

func TestManyMistakesAreCounted(t *testing.T) {
	_, err := Lines("a.txt", strings.NewReader(strings.Repeat("x\n", 1000)))
	if err == nil || !strings.HasSuffix(err.Error(), "and 980 more") {
		t.Errorf("got %v", err)
	}
}

func TestUnreadableText(t *testing.T) {
	for name, text := range map[string]string{
		"holds no number": "# nothing\n\n",
		"UTF-16":          "\xff\xfe1\x00",
		"binary":          "\x7fELF\x00\x01",
		"longer than":     strings.Repeat("1", longest+1),
	} {
		if _, err := Lines("a.txt", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want %q, got %v", name, err)
		}
	}
	if _, err := Lines("a.txt", failing{}); err == nil || !strings.Contains(err.Error(), os.ErrClosed.Error()) {
		t.Errorf("a failing reader: %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, os.ErrClosed }

func TestTable(t *testing.T) {
	for _, c := range []struct {
		name, text string
		columns    []string
		want       [][]float64
		names      []string
	}{
		{"header", "a,b\n1,2\n3,4\n", []string{"b", "a"}, [][]float64{{2, 4}, {1, 3}}, []string{"b", "a"}},
		{"no header", "1,2\n3,4\n", []string{"2"}, [][]float64{{2, 4}}, []string{"2"}},
		{"number with a header", "a,b\n1,2\n", []string{"2"}, [][]float64{{2}}, []string{"b"}},
		{"semicolons", "# x,y\n\"a;b\";c\n1;2\n", []string{"A;B"}, [][]float64{{1}}, []string{"a;b"}},
		{"tabs", "a\tb\n1\t2\n", []string{"b"}, [][]float64{{2}}, []string{"b"}},
		{"a comma in a quoted name", "\"x;y\",b\n1,2\n", []string{"b"}, [][]float64{{2}}, []string{"b"}},
		{"a shorter column", "a,b\n1,2\n3,\n,,\n", []string{"a", "b"}, [][]float64{{1, 3}, {2}}, []string{"a", "b"}},
		{"other columns hold text", "run,ns\nfirst,1\nsecond,2\n", []string{"ns"}, [][]float64{{1, 2}}, []string{"ns"}},
	} {
		got, err := Table("t.csv", strings.NewReader(c.text), c.columns)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i := range c.want {
			if !slices.Equal(got[i].Values, c.want[i]) || got[i].Name != c.names[i] {
				t.Errorf("%s: column %s is %v, want %s %v", c.name, got[i].Name, got[i].Values, c.names[i], c.want[i])
			}
		}
	}
}

func TestTableMistakes(t *testing.T) {
	for _, c := range []struct {
		text, column, want string
	}{
		{"", "a", "holds no table"},
		{"a,b\n1,2\n", "c", `t.csv:1: there is no column "c": the first row has "a", "b"`},
		{"a,a\n1,2\n", "a", "2 columns are named"},
		{"1,2\n", "3", "there is no column 3"},
		{"1,2\n", "0", "there is no column 0"},
		{"a,b\n1,2\n2\n3,4\n", "b", `t.csv:3: column "b" has a gap`},
		{"a;b\n1,5;2\n", "a", `t.csv:2: column "a": "1,5" has a decimal comma`},
		{"a\n\"1\n", "a", "t.csv:2: reading the table"},
		{"a,b\nx,2\n", "a", `t.csv:2: column "a": "x" is not a number`},
		{"a,b\n\n", "a", "holds no number"},
	} {
		if _, err := Table("t.csv", strings.NewReader(c.text), []string{c.column}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, column %s: %v, want %q", c.text, c.column, err, c.want)
		}
	}
}

func TestParseMargin(t *testing.T) {
	for _, c := range []struct {
		text, unit string
		want       Margin
	}{
		{"1%", "", Margin{0.01, true}},
		{"0.5 %", "ns", Margin{0.005, true}},
		{"0.3", "", Margin{0.3, false}},
		{"5ns", "ns", Margin{5, false}},
		{"5 µs", "ns", Margin{5000, false}},
		{"1ms", "s", Margin{0.001, false}},
		{"2MB", "MB", Margin{2, false}},
		{"1e3ns", "us", Margin{1, false}},
	} {
		if got, err := ParseMargin(c.text, c.unit); err != nil || got != c.want {
			t.Errorf("ParseMargin(%q, %q) = %v, %v, want %v", c.text, c.unit, got, err, c.want)
		}
	}
	for text, unit := range map[string]string{"": "", "%": "", "-1%": "", "0": "", "5ns": "", "1 s": "B", "1e400": "", "nan": "", "1e300s": "ns", "1,5": ""} {
		if got, err := ParseMargin(text, unit); err == nil {
			t.Errorf("ParseMargin(%q, %q) = %v, want an error", text, unit, got)
		}
	}
}

func TestRuns(t *testing.T) {
	c, err := Runs("k.csv", strings.NewReader("run,sent,lost\n1,1e6,3\n2,2e6,0\n"), "lost", "sent")
	if err != nil || !slices.Equal(c.Events, []int64{3, 0}) || !slices.Equal(c.Exposure, []float64{1e6, 2e6}) {
		t.Errorf("%v, %v", c, err)
	}
	if _, err := Runs("k.csv", strings.NewReader("run,sent,lost\n1,1e6,3\n"), "", ""); err == nil || !strings.Contains(err.Error(), "k.csv:1: has 3 columns, not 2") {
		t.Errorf("which of three columns? %v", err)
	}
	_, err = Runs("k.csv", strings.NewReader("lost,all\n3,1e6\n-1,1000\n2.5,0\n"), "", "")
	var ms *refusal.Mistakes
	if !errors.As(err, &ms) || ms.Count != 3 || !strings.HasPrefix(err.Error(), "k.csv:3: ") || strings.Count(err.Error(), "\nk.csv:4: ") != 2 {
		t.Errorf("want a mistake in line 3 and two in line 4, got %v", err)
	}
}

// FuzzNumbers: whatever the text, there are finite numbers with their lines in
// order, or mistakes, and never both.
func FuzzNumbers(f *testing.F) {
	for _, seed := range []string{"1\n2\n", "a,b\n1,2\n", "1;2,5\n", "\"a\n", "\xef\xbb\xbf1", "# c\n1e308\n", "a\tb\n\t\n1\t2\n", "\xff\xfe", "1,\n,2\n"} {
		f.Add(seed, "1")
		f.Add(seed, "b")
	}
	f.Fuzz(func(t *testing.T, text, column string) {
		s, err := Lines("f", strings.NewReader(text))
		inspect(t, s, err)
		all, err := Table("f", strings.NewReader(text), []string{column, "1"})
		if err != nil {
			inspect(t, Sample{}, err)
			return
		}
		for _, s := range all {
			inspect(t, s, nil)
		}
	})
}

func inspect(t *testing.T, s Sample, err error) {
	t.Helper()
	if err != nil {
		var ms *refusal.Mistakes
		if !errors.As(err, &ms) || ms.Count == 0 || ms.Error() == "" {
			t.Errorf("%#v are not mistakes", err)
		}
		return
	}
	if len(s.Values) == 0 || len(s.Values) != len(s.Lines) || !slices.IsSorted(s.Lines) {
		t.Errorf("%d values on lines %v", len(s.Values), s.Lines)
	}
	for _, v := range s.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%v was read", v)
		}
	}
}

// FuzzSummary: a summary, a rate or a margin that is accepted is one.
func FuzzSummary(f *testing.F) {
	for _, seed := range []string{"2.0718,18.0090,1000000", "1,2", "-1e3,0,2", "25,26105373", "1%", "5ns", "nan,inf,1", ",,", "1,-1,1e300"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := ParseSummary(text); err == nil && (s.N < 2 || !(s.SD >= 0) || math.IsNaN(s.Mean-s.Mean) || math.IsInf(s.SD, 0)) {
			t.Errorf("%q is accepted as %v", text, s)
		}
		if r, err := ParseRate(text); err == nil && (r.Events[0] < 0 || !(r.Exposure[0] > 0) || math.IsInf(r.Exposure[0], 0)) {
			t.Errorf("%q is accepted as %v", text, r)
		}
		for _, unit := range []string{"", "ns", "B"} {
			if m, err := ParseMargin(text, unit); err == nil && (!(m.Size > 0) || math.IsInf(m.Size, 0)) {
				t.Errorf("%q is accepted as %v", text, m)
			}
		}
	})
}

// endless repeats a text.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		c := copy(p[n:], e.text[e.at:])
		n, e.at = n+c, (e.at+c)%len(e.text)
	}
	return n, nil
}

// TestMost: what can't be compared is not read to its end, which may never come.
func TestMost(t *testing.T) {
	if _, err := Lines("a", &endless{text: "1\n"}); !errors.Is(err, ErrMost) || !strings.HasPrefix(err.Error(), "a:5000001: there are more than") {
		t.Errorf("lines: %v", err)
	}
	if _, err := Table("a", &endless{text: "1,2\n"}, []string{"1", "2"}); !errors.Is(err, ErrMost) {
		t.Errorf("table: %v", err)
	}
	for _, start := range []string{"", "x\n"} {
		in := io.MultiReader(strings.NewReader(start+`"`), &endless{text: "1\n"})
		if _, err := Table("a", in, []string{"1"}); err == nil || !strings.Contains(err.Error(), "a row is longer than 1 MiB") {
			t.Errorf("quotes without end: %v", err)
		}
	}
}
