package jtl

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
	"moobench/results/importer"
	"moobench/results/importer/internal/testimport"
)

// line is one of a JTL: in ms from a beginning.
type line struct {
	at, took      int
	label, thread string
	steps         int // of a transaction
	code          string
}

const begun = 1_700_000_000_000

func jtlOf(lines ...line) string {
	text := "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,Latency,Connect\n"
	for _, l := range lines {
		message, code := "OK", l.code
		if l.steps > 0 {
			message = fmt.Sprintf(`"Number of samples in transaction : %d, number of failing samples : 0"`, l.steps)
		}
		if code == "" {
			code = "200"
		}
		text += fmt.Sprintf("%d,%d,%s,%s,%s,%s,%v,0,0\n", begun+l.at, l.took, l.label, code, message, l.thread, code == "200")
	}
	return text
}

// requestLabels are the labels of an invocation's requests, in the order of sending, with their
// times in ms.
func requestLabels(t *testing.T, s *results.Store, inv *results.Invocation) []string {
	t.Helper()
	var names []string
	var took []int64
	err := s.Samples(inv, func(series results.Series, c int, values []int64) error {
		switch column := series.Columns[c]; column.Name {
		case columns[rowTook].name:
			took = append(took, values...)
		case columns[rowRequest].name:
			for _, v := range values {
				names = append(names, column.Dict[v])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range names {
		names[i] = fmt.Sprintf("%s %d", names[i], took[i]/1e6)
	}
	return names
}

func TestRequestsAreToldFromPartsAndSums(t *testing.T) {
	for name, c := range map[string]struct {
		lines []line
		want  []string
		warns string
	}{
		"sub-results": {
			[]line{{0, 103, "home", "T 1", 0, ""}, {0, 3, "home-0", "T 1", 0, ""}, {3, 100, "home-1", "T 1", 0, ""}, {200, 50, "home", "T 1", 0, ""}, {200, 50, "home-0", "T 1", 0, ""}},
			[]string{"home 103", "home 50"},
			"3 lines are part of another one",
		},
		"sub-results of sub-results": {
			[]line{{0, 50, "a", "T", 0, ""}, {0, 40, "a-0", "T", 0, ""}, {0, 10, "a-0-0", "T", 0, ""}, {10, 5, "a-0-1", "T", 0, ""}},
			[]string{"a 50"},
			"3 lines are part of",
		},
		"no time passes": {
			[]line{{0, 5, "a", "T", 0, ""}, {0, 5, "a-0", "T", 0, ""}, {5, 0, "a-1", "T", 0, ""}, {9, 5, "a", "T", 0, ""}, {9, 3, "a-0", "T", 0, ""}, {12, 1, "a-1", "T", 0, ""}},
			[]string{"a 5", "a 5"},
			"",
		},
		"only looks like a child": {
			[]line{{0, 10, "item", "T", 0, ""}, {10, 10, "item-3", "T", 0, ""}, {20, 10, "item", "T", 0, ""}, {30, 0, "item-3", "T", 0, ""}, {30, 10, "item", "T", 0, ""}},
			[]string{"item 10", "item-3 10", "item 10", "item-3 0", "item 10"},
			"",
		},
		"a like name in another thread": {
			[]line{{0, 100, "item", "T 1", 0, ""}, {10, 10, "item-3", "T 2", 0, ""}, {40, 10, "item-3", "T 2", 0, ""}},
			[]string{"item 100", "item-3 10", "item-3 10"},
			"",
		},
		"the sum of samples": {
			[]line{{0, 10, "a", "T", 0, ""}, {10, 10, "b", "T", 0, ""}, {0, 20, "both", "T", 2, ""}, {1, 5, "c", "U", 0, ""}},
			[]string{"a 10", "c 5", "b 10"},
			"1 line is the sum",
		},
		"transactions within transactions": {
			[]line{{0, 10, "a", "T", 0, ""}, {0, 10, "in", "T", 1, ""}, {0, 10, "out", "T", 1, ""}},
			[]string{"a 10"},
			"2 lines are the sum",
		},
		"threads of a parallel controller": {
			[]line{{0, 10, "a", "T 1-1-parallel 1", 0, ""}, {0, 12, "b", "T 1-1-parallel 2", 0, ""}, {0, 12, "both", "T 1-1", 2, ""}, {0, 12, "both", "T 1-10", 2, ""}},
			[]string{"a 10", "b 12", "both 12"},
			"1 line is of a transaction",
		},
		"transactions alone": {
			[]line{{0, 50, "buy", "T", 3, ""}, {90, 51, "buy", "T", 3, "500"}, {150, 5, "ping", "T", 0, ""}},
			[]string{"buy 50", "buy 51", "ping 5"},
			"2 lines are of a transaction",
		},
		"of other samples' time": {
			[]line{{0, 50, "buy", "T", 3, ""}, {5, 5, "ping", "T", 0, ""}, {90, 51, "buy", "T", 3, ""}, {95, 5, "ping", "T", 0, ""}},
			[]string{"buy 50", "ping 5", "buy 51", "ping 5"},
			"2 lines are of a transaction",
		},
		"parts of a transaction alone": {
			[]line{{0, 50, "buy", "T", 2, ""}, {0, 20, "buy-0", "T", 0, ""}, {20, 30, "buy-1", "T", 0, ""}},
			[]string{"buy 50"},
			"2 lines are part",
		},
		"nothing was sent": {
			[]line{{0, 10, "a", "T", 0, ""}, {10, 0, "b", "T", 0, noAnswer + "java.net.URISyntaxException"}},
			[]string{"a 10"},
			"1 of 2 lines sent no request: 1 of 2 URISyntaxException in the load generator",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := importing.Store(t, importer.Request{}, files(t, jtlOf(c.lines...)))
			inv := testimport.Invocations(t, s)[0]
			if diff := cmp.Diff(c.want, requestLabels(t, s, inv)); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if got := strings.Join(inv.Warnings, "\n"); !strings.Contains(got, c.warns) {
				t.Errorf("warnings %q, want %q", got, c.warns)
			}
		})
	}
}

// get are so many requests, 50 ms apart.
func get(at, n int, thread string) (all []line) {
	for i := range n {
		all = append(all, line{at + 50*i, 20 + i%7, "get", thread, 0, ""})
	}
	return all
}

func TestRunsOfAVariant(t *testing.T) {
	const hour = 3_600_000
	one, two := jtlOf(get(0, 30, "A")...), jtlOf(get(190*hour, 30, "B")...)
	_, tail, _ := strings.Cut(two, "\n")
	for name, c := range map[string]struct {
		texts []string
		n     []float64 // requests of each invocation
		warns string
	}{
		"a gap":               {[]string{one + tail}, []float64{30, 30}, "v0.jtl holds 2 runs (a gap of 190 h after line 31)"},
		"a second header":     {[]string{one + two}, []float64{30, 30}, "v0.jtl holds 2 runs (a second header in line 32)"},
		"the older one last":  {[]string{two + one}, []float64{30, 30}, "holds 2 runs"},
		"one after the other": {[]string{two, one}, []float64{30, 30}, ""},
		"engines":             {[]string{one, jtlOf(get(7, 20, "B")...), jtlOf(get(1400, 5, "C")...), two}, []float64{55, 30}, "3 load generators sent at the same time (v0.jtl, v1.jtl, v2.jtl)"},
		"engines in one file": {[]string{one + jtlOf(get(7, 20, "B")...)}, []float64{50}, "2 load generators sent at the same time (v0.jtl)"},
		"rarely":              {[]string{jtlOf(line{0, 5, "a", "T", 0, ""}, line{hour, 5, "a", "T", 0, ""}, line{2 * hour, 5, "a", "T", 0, ""})}, []float64{3}, ""},
		"one long request":    {[]string{jtlOf(slices.Concat(get(0, 9, "A"), get(hour, 9, "A"), []line{{10, hour, "get", "B", 0, ""}})...)}, []float64{19}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			sources := files(t, c.texts...)
			for i := range sources {
				sources[i].Variant = "v"
			}
			var got []float64
			var warns []string
			for _, inv := range testimport.Invocations(t, importing.Store(t, importer.Request{}, sources)) {
				got, warns = append(got, inv.Scalars["requests"]), append(warns, inv.Warnings...)
				if took := inv.End.Sub(inv.Start).Hours(); took > 3 {
					t.Errorf("an invocation took %v h", took)
				}
			}
			if diff := cmp.Diff(c.n, got); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if all := strings.Join(warns, "\n"); !strings.Contains(all, c.warns) || c.warns == "" && all != "" {
				t.Errorf("warnings %q, want %q", all, c.warns)
			}
		})
	}
}

// What was measured once is one run, in whatever form it comes again.
func TestCopiesAreRefused(t *testing.T) {
	one := jtlOf(get(0, 30, "A")...)
	_, tail, _ := strings.Cut(one, "\n")
	rows := strings.SplitAfter(strings.TrimSuffix(tail, "\n"), "\n")
	slices.Reverse(rows)
	head, _, _ := strings.Cut(one, "\n")
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"a copy":           {[]string{one, one}, "v1.jtl:1: it has the same samples as"},
		"other line ends":  {[]string{one, strings.ReplaceAll(one, "\n", "\r\n")}, "v1.jtl:1: it has the same samples as"},
		"another order":    {[]string{one, head + "\n" + rows[0] + "\n" + strings.Join(rows[1:], "")}, "v1.jtl:1: it has the same samples as"},
		"appended":         {[]string{one + one}, "v0.jtl:32: it has the same samples as"},
		"appended further": {[]string{one + tail}, "60 of its 60 samples stand in it twice"},
	} {
		for _, variant := range []string{"v", ""} { // as one variant, or as several
			sources := files(t, c.texts...)
			for i := range sources {
				if variant != "" {
					sources[i].Variant = variant
				}
			}
			_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: sources})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", name, err, c.want)
			}
		}
	}
}

// A broken line costs that line, whatever is wrong in it, and is told with its place.
func TestABrokenLineCostsThatLine(t *testing.T) {
	good := jtlOf(get(0, 30, "A")...)
	head, tail, _ := strings.Cut(good, "\n")
	whole := fmt.Sprintf("%d,12,get,500,Oops,B,false,0,0\n", begun+9000)
	for name, c := range map[string]struct{ broken, warns string }{
		"cut off":         {whole[:20], "the first is line 32: the file ends within this line"},
		"cut in a quote":  {strings.Replace(whole[:24], "get", `"get`, 1), "the first is line 32: the file ends within this line"},
		"NUL":             {strings.Repeat("\x00", 100), "line 32: it has NUL bytes"},
		"line break":      {strings.Replace(whole, "Oops", "Oops\nand more", 1), "line 32: it has 5 columns, and the first line 9: a line break"},
		"line breaks":     {strings.Replace(whole, "Oops", "Oops\nand\nmore", 1), "line 32: it has 5 columns, and the first line 9: a line break"},
		"commas":          {strings.Replace(whole, "Oops", "Oops, it broke, badly", 1), "line 32: it has 11 columns, and the first line 9: a comma"},
		"an open quote":   {strings.Replace(whole, "Oops", `"Oops`, 1), "line 32: a quote is not closed"},
		"a quote inside":  {strings.Replace(whole, "Oops", `O"op"s`, 1), `line 32: bare " in non-quoted-field`},
		"no number":       {strings.Replace(whole, ",12,", ",soon,", 1), `line 32: elapsed "soon" is not a number`},
		"below 0":         {strings.Replace(whole, ",12,", ",-12,", 1), `line 32: elapsed "-12" is not a time`},
		"seconds":         {strings.Replace(whole, "000,12,", ",12,", 1), `line 32: timeStamp "1700000009" is of January 1970`},
		"neither of both": {strings.Replace(whole, "false", "no", 1), `line 32: success "no" is neither true nor false`},
		"far too long":    {strings.Repeat("x", 2*recordMost) + "\n", "line 32: a line is longer"},
	} {
		texts := []string{good + c.broken}
		if strings.HasSuffix(c.broken, "\n") { // then more may follow
			texts = append(texts, head+"\n"+c.broken+tail)
		}
		for i, text := range texts {
			inv := testimport.Invocations(t, importing.Store(t, importer.Request{}, files(t, text)))[0]
			warns := c.warns
			if i == 1 {
				warns = strings.Replace(warns, "line 32", "line 2", 1)
			}
			if len(inv.Warnings) != 1 || !strings.HasPrefix(inv.Warnings[0], "v0.jtl: 1 line is broken") || !strings.Contains(inv.Warnings[0], warns) {
				t.Errorf("%s: warnings %q, want %q", name, inv.Warnings, warns)
			}
			if inv.Scalars["requests"] != 30 || inv.Scalars["right"] != 30 {
				t.Errorf("%s: %v", name, inv.Scalars)
			}
		}
	}
}

func TestLabelsKeepNoSecret(t *testing.T) {
	for label, want := range map[string]string{
		"http://127.0.0.1/login?access_token=SECRET&x=1":        "http://127.0.0.1/login",
		"https://user:SECRET@127.0.0.1:8080/a/b#SECRET":         "https://127.0.0.1:8080/a/b",
		"GET http://127.0.0.1/a;jsessionid=SECRET?q=1 (second)": "GET http://127.0.0.1/a (second)",
		"/login?token=SECRET":                                   "/login",
		"login?token=SECRET":                                    "login",
		"what is this? a=b":                                     "what is this? a=b",
		"item #5; first":                                        "item #5; first",
		"me@home":                                               "me@home",
		"http://127.0.0.1/a":                                    "http://127.0.0.1/a",
		"ws://a?b/SECRET@c":                                     "ws://a",
	} {
		if got, _ := cutLabel(label); got != want {
			t.Errorf("%s becomes %s, want %s", label, got, want)
		}
	}
	text := "timeStamp,elapsed,label,threadName,success\n"
	for i := range 9 {
		text += fmt.Sprintf("%d,20,http://127.0.0.1/a?token=SECRET%d,T,true\n%d,15,http://127.0.0.1/a?token=SECRET%d-0,T,true\n", begun+100*i, i, begun+100*i, i)
	}
	for whole, labels := range map[bool]int{false: 1, true: 9} {
		s, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: files(t, text), WholeLabels: whole})
		if err != nil {
			t.Fatal(err)
		}
		inv := testimport.Invocations(t, s)[0]
		if got := requestLabels(t, s, inv); len(got) != 9 || len(slices.Compact(got)) != labels {
			t.Errorf("whole %v: requests %q", whole, got)
		}
		var b bytes.Buffer
		if _, err := Write(&b, s, []*results.Invocation{inv}); err != nil || strings.Contains(b.String(), "SECRET") != whole {
			t.Errorf("whole %v: error %v, exported\n%s", whole, err, b.String())
		}
	}
}

// A sampler that sends nothing is not a request beside those that do, and a request where all are so.
func TestSamplersThatSendNothing(t *testing.T) {
	head := "timeStamp,elapsed,label,threadName,success,sentBytes,URL,Latency,Connect\n"
	script := fmt.Sprintf("%d,3,script,T,true,0,null,0,0\n%d,3,script,T,true,0,null,0,0\n", begun, begun+10)
	for text, want := range map[string]int{
		head + script: 2,
		head + script + fmt.Sprintf("%d,5,get,T,true,80,http://127.0.0.1/,4,0\n", begun+20):               1,
		head + script + fmt.Sprintf("%d,5,script,T,true,80,http://127.0.0.1/,4,0\n", begun+20):            3,
		head + script + fmt.Sprintf("%d,5,gone,T,false,0,http://127.0.0.1/,0,0\n", begun+20):              1,
		head + script + fmt.Sprintf("%d,5,query,T,true,0,null,4,0\n%d,1,query,T,true,0,null,0,0\n", 0, 0): 2,
	} {
		text = strings.ReplaceAll(text, "\n0,", fmt.Sprintf("\n%d,", begun+30))
		if got := testimport.Invocations(t, importing.Store(t, importer.Request{}, files(t, text)))[0].Scalars["requests"]; int(got) != want {
			t.Errorf("%v requests, want %d of\n%s", got, want, text)
		}
	}
}
