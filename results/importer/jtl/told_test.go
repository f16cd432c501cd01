package jtl

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/refusal"
	"moobench/results"
)

const ms = int64(time.Millisecond)

// sampleAt is a sample of a thread without a parent.
func sampleAt(from, took int64) sample {
	s := sample{parent: -1, failed: -1, unclear: -1}
	s.values[rowSent], s.values[rowTook] = from, took
	return s
}

// TestNamesAreNumbered: a text keeps its number, and texts beyond the limit share one.
func TestNamesAreNumbered(t *testing.T) {
	n := newNames(2)
	var got []int32
	for _, text := range []string{"a", "b", "a", "c", "d", "b", "c"} {
		got = append(got, n.number(text))
	}
	if !slices.Equal(got, []int32{0, 1, 0, 2, 2, 1, 2}) || !slices.Equal(n.list, []string{"a", "b", others}) {
		t.Errorf("%v of %q", got, n.list)
	}
}

// TestChildOf: a sub-result has the name of its parent and a number.
func TestChildOf(t *testing.T) {
	for label, want := range map[string]string{
		"a-0":   "a",
		"a-19":  "a",
		"a-0-1": "a-0",
		"a b-7": "a b",
		"-3":    "",
		"a-":    "",
		"a-3x":  "",
		"a-/":   "",
		"a-:":   "",
		"a":     "",
		"":      "",
	} {
		if got, ok := childOf(label); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %t; want %q", label, got, ok, want)
		}
	}
}

// TestCutLabels: blanks stay where they are, and what is cut away may have been the number of a sub-result.
func TestCutLabels(t *testing.T) {
	for label, want := range map[string]struct {
		cut   string
		child bool
	}{
		" /a?b=c":           {" /a", false},
		"/a?b=c ":           {"/a ", false},
		" /a?b=c /d":        {" /a /d", false},
		"/a?b=1-0":          {"/a", true},
		"/a?b=1-0 ":         {"/a ", false},
		"/a?b=1-0 /c":       {"/a /c", false},
		"/c  /a?b=1-0":      {"/c  /a", true},
		"/a;b":              {"/a", false},
		"a?b":               {"a?b", false},
		"?a=b":              {"", false},
		"://u@h/a@b":        {"://h/a@b", false},
		"http://h/a-0":      {"http://h/a-0", false},
		"http://u:p@h":      {"http://h", false},
		"http://u@h/a#x-10": {"http://h/a", true},
	} {
		if cut, child := cutLabel(label); cut != want.cut || child != want.child {
			t.Errorf("%q: %q, %t; want %+v", label, cut, child, want)
		}
	}
}

// TestShort: a label is shortened by its characters, not by its bytes.
func TestShort(t *testing.T) {
	for _, c := range []struct{ label, want string }{
		{strings.Repeat("a", labelMost), strings.Repeat("a", labelMost)},
		{strings.Repeat("a", labelMost+1), strings.Repeat("a", labelMost-1) + "…"},
		{strings.Repeat("ä", labelMost), strings.Repeat("ä", labelMost)},
		{strings.Repeat("ä", labelMost+1), strings.Repeat("ä", labelMost-1) + "…"},
	} {
		if got := short(c.label); got != c.want {
			t.Errorf("%d bytes become %q", len(c.label), got)
		}
	}
}

// TestInside: a part begins and ends within its parent, but for the rounding; consecutive samples of the same
// millisecond only might.
func TestInside(t *testing.T) {
	for _, c := range []struct {
		parent, sample [2]int64 // from and to
		want           inside
	}{
		{[2]int64{0, 10 * ms}, [2]int64{-1, 5 * ms}, outside},
		{[2]int64{0, 10 * ms}, [2]int64{0, 10 * ms}, surely},
		{[2]int64{0, 10 * ms}, [2]int64{0, 11 * ms}, surely},
		{[2]int64{0, 10 * ms}, [2]int64{0, 11*ms + 1}, outside},
		{[2]int64{0, 10 * ms}, [2]int64{0, 1}, surely},
		{[2]int64{0, 10 * ms}, [2]int64{0, 0}, perhaps},
		{[2]int64{0, 10 * ms}, [2]int64{1, 1}, surely},
		{[2]int64{0, 10 * ms}, [2]int64{10*ms - 1, 10*ms - 1}, surely},
		{[2]int64{0, 10 * ms}, [2]int64{10 * ms, 10 * ms}, perhaps},
		{[2]int64{0, 10 * ms}, [2]int64{10 * ms, 11 * ms}, perhaps},
		{[2]int64{0, 10 * ms}, [2]int64{10*ms + 1, 10*ms + 1}, outside},
		{[2]int64{5, 5}, [2]int64{5, 5}, surely},
		{[2]int64{5, 5}, [2]int64{5, 6}, surely},
		{[2]int64{5, 5}, [2]int64{6, 6}, outside},
	} {
		p, s := sampleAt(c.parent[0], c.parent[1]-c.parent[0]), sampleAt(c.sample[0], c.sample[1]-c.sample[0])
		if got := s.in(&p); got != c.want {
			t.Errorf("%v in %v: %d, want %d", c.sample, c.parent, got, c.want)
		}
	}
}

// TestMostlyParts: samples that only might be parts are, if nine of ten others of their label surely are.
func TestMostlyParts(t *testing.T) {
	for _, c := range []struct {
		sure, perhaps int
		parts         int // 0: all of them are requests
	}{
		{0, 1, 0},
		{1, 0, 1},
		{1, 1, 2},
		{8, 2, 8},
		{9, 1, 10},
		{9, 2, 11},
		{9, 3, 9},
	} {
		tables := newTables()
		thread, item := tables.threads.number("T"), tables.labels.number("item")
		var all []sample
		for i := range c.sure + c.perhaps {
			parent, part := sampleAt(int64(i)*100*ms, 10*ms), sampleAt(int64(i)*100*ms+5*ms, 1*ms)
			if i >= c.sure {
				part = sampleAt(int64(i)*100*ms+10*ms, 0)
			}
			parent.label, part.label, part.parent = item, tables.labels.number("item-0"), item
			parent.thread, part.thread = thread, thread
			all = append(all, parent, part)
		}
		kept, out := requestsOf(all, tables)
		if want := (leftOut{parts: c.parts}); out != want || len(kept) != len(all)-c.parts {
			t.Errorf("%d surely and %d perhaps: %+v, %d kept", c.sure, c.perhaps, out, len(kept))
		}
	}
}

// TestDivided: a pause divides samples if it is longer than ten minutes and than a hundred usual ones.
func TestDivided(t *testing.T) {
	const minute = int64(time.Minute)
	const longest = 1 << 62 / gapTimes * gapTimes
	for _, c := range []struct {
		from []int64
		took int64 // of the first
		want []int // samples of each part
	}{
		{nil, 0, nil},
		{[]int64{7}, 0, []int{1}},
		{[]int64{0, 0, 0, 10 * minute}, 0, []int{4}},
		{[]int64{0, 0, 0, 10*minute + 1}, 0, []int{3, 1}},
		{[]int64{10*minute + 1, 0, 0, 0}, 0, []int{3, 1}},
		{[]int64{0, 0, 0, 10*minute + 1}, 1, []int{4}},
		{[]int64{0, minute, 2 * minute, 102 * minute}, 0, []int{4}},
		{[]int64{0, minute, 2 * minute, 102*minute + 1}, 0, []int{3, 1}},
		{[]int64{0, 0, 0, 11 * minute, 11 * minute, 11 * minute, 30 * minute}, 0, []int{3, 3, 1}},
		{[]int64{0, longest, 2 * longest}, 0, []int{3}},
		{[]int64{0, longest + 1, 2*longest + 2}, 0, []int{1, 1, 1}},
	} {
		var all []sample
		for i, from := range c.from {
			all = append(all, sampleAt(from, []int64{c.took, 0}[min(i, 1)]))
		}
		var got []int
		for _, part := range divided(all) {
			got = append(got, len(part))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("sent at %d: parts of %d, want %d", c.from, got, c.want)
		}
	}
}

// TestWords: what messages are made of.
func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{linesAre(1), "1 line is"},
		{linesAre(2), "2 lines are"},
		{spelled(119 * time.Minute), "119 min"},
		{spelled(2 * time.Hour), "2 h"},
		{cutTo("abc", 2), "ab"},
		{cutTo("abc", 3), "abc"},
		{cutTo("aä", 2), "a"},
		{upTo("a,b", ",;"), "a"},
		{upTo(",b", ","), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestGeneratorsNamed: the first files of a run are named.
func TestGeneratorsNamed(t *testing.T) {
	for n, want := range map[int]string{
		1: "",
		2: "2 load generators sent at the same time (a, b): they are one run of the server, and one invocation",
		4: "4 load generators sent at the same time (a, b, c, d): they are one run of the server, and one invocation",
		6: "6 load generators sent at the same time (a, b, c, d and 2 more): " +
			"they are one run of the server, and one invocation",
	} {
		var r run
		for i := range n {
			r.pieces = append(r.pieces, piece{file: "x/" + string('a'+rune(i)), notes: []string{"twice"}})
		}
		lines := []string{want, "twice"}
		if want == "" {
			lines = lines[1:]
		}
		if diff := cmp.Diff(lines, r.notes()); diff != "" {
			t.Errorf("%d files (-want +got):\n%s", n, diff)
		}
	}
}

// TestTwiceInAFile: a file of which most samples stand in it twice was appended to itself, if threads tell them
// apart.
func TestTwiceInAFile(t *testing.T) {
	for _, c := range []struct {
		once, copies int // samples, and further ones that are equal
		threads      bool
		want         int // stand in it twice; 0: no mistake
	}{
		{3, 0, true, 0},
		{1, 1, true, 2},
		{2, 1, true, 2},
		{2, 2, true, 3},
		{3, 1, true, 2},
		{4, 1, true, 0},
		{1, 1, false, 0},
	} {
		tables, mistakes := newTables(), &refusal.Mistakes{}
		label, thread := tables.labels.number("a"), tables.threads.number("T")
		p := part{line: 1, threads: c.threads}
		for i := range c.once + c.copies {
			s := sampleAt(int64(max(0, i-c.copies)), 1)
			s.label, s.thread = label, thread
			p.samples = append(p.samples, s)
		}
		copies{}.add(&file{name: "x", parts: []part{p}}, tables, mistakes)
		want := ""
		if c.want > 0 {
			want = fmt.Sprintf("x: %d of its %d samples stand in it twice: was the file appended to itself? "+
				"A copy is no other run; leave one of them out", c.want, len(p.samples))
		}
		if got := mistakes.Error(); got != want {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
}

// TestCopyOf: a copy is told with the place of the first one, which is a line if its file has several parts.
func TestCopyOf(t *testing.T) {
	tables := newTables()
	tables.labels.number("a")
	at := func(line int, from int64) part {
		s := sampleAt(from, 1)
		s.thread = -1
		return part{line: line, samples: []sample{s}}
	}
	mistakes, seen := &refusal.Mistakes{}, copies{}
	for _, f := range []file{
		{name: "one", parts: []part{at(1, 1)}},
		{name: "two", parts: []part{at(1, 2), {line: 3}, at(4, 3)}},
		{name: "three", parts: []part{at(1, 3), at(3, 1)}},
	} {
		seen.add(&f, tables, mistakes)
	}
	const end = ": a copy is no other run; leave one of them out"
	want := "three:1: it has the same samples as two from line 4 on" + end + "\n" +
		"three:3: it has the same samples as one" + end
	if got := mistakes.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFields: what a sample takes from the fields of its line.
func TestFields(t *testing.T) {
	const head = "timeStamp,elapsed,IdleTime,responseMessage,responseCode\n"
	const first, at = "1700000000000", int64(1_700_000_000_000) * ms
	const idle = mostMS/4 - 1 // the longest
	type fields struct{ From, To, Idle, Steps int64 }
	for line, want := range map[string]fields{
		first + ",12,,,200":                                                 {at, at + 12*ms, 0, 0},
		" " + first + " , 12 ,,,200":                                        {at, at + 12*ms, 0, 0},
		first + ",0,,,200":                                                  {at, at, 0, 0},
		first + ",12, 5 ,,200":                                              {at, at + 17*ms, 5 * ms, 0},
		first + ",12,1,,200":                                                {at, at + 13*ms, ms, 0},
		first + ",12,0,,200":                                                {at, at + 12*ms, 0, 0},
		first + ",12,-5,,200":                                               {at, at + 12*ms, 0, 0},
		first + ",12,soon,,200":                                             {at, at + 12*ms, 0, 0},
		fmt.Sprintf("%s,12,%d,,200", first, idle):                           {at, at + (12+idle)*ms, idle * ms, 0},
		fmt.Sprintf("%s,12,%d,,200", first, idle+1):                         {at, at + 12*ms, 0, 0},
		first + ",12,,Number of samples in transaction : 0,200":             {at, at + 12*ms, 0, 1},
		first + ",12,,Number of samples in transaction : x,200":             {at, at + 12*ms, 0, 1},
		first + ",12,,\"Number of samples in transaction : 7, others\",200": {at, at + 12*ms, 0, 7},
		first + ",12,,Number of samples in transaction : 99999999999,200":   {at, at + 12*ms, 0, math.MaxInt32},
		fmt.Sprint(leastMS, ",1,,,200"):                                     {leastMS * ms, leastMS*ms + ms, 0, 0},
		fmt.Sprint(mostMS, ",0,,,200"):                                      {mostMS * ms, mostMS * ms, 0, 0},
	} {
		mistakes := &refusal.Mistakes{}
		f := readFile("x", strings.NewReader(head+line+"\n"), 9, false, newTables(), mistakes)
		if mistakes.Count > 0 || len(f.parts[0].samples) != 1 {
			t.Errorf("%s: %v", line, mistakes)
			continue
		}
		s := f.parts[0].samples[0]
		if got := (fields{s.from(), s.to(), s.idle, int64(s.steps)}); got != want || s.thread != -1 || s.line != 2 {
			t.Errorf("%s: %+v, want %+v; thread %d, line %d", line, got, want, s.thread, s.line)
		}
	}
	for line, want := range map[string]string{
		fmt.Sprint(leastMS-1, ",1,,,200"):                     "x:2: timeStamp \"99999999999\" is of March 1973",
		fmt.Sprint(mostMS+1, ",0,,,200"):                      "x:2: timeStamp \"9223372036855\" is not a time",
		fmt.Sprint(mostMS, ",1,,,200"):                        "x:2: timeStamp and elapsed add up",
		fmt.Sprintf("%d,1,%d,,200", mostMS-6, idle):           "x:2: timeStamp and elapsed add up",
		fmt.Sprintf("-1,%s,,,200", strings.Repeat("7", 50)):   "x:2: timeStamp \"-1\" is not a time",
		"1700000000000," + strings.Repeat("x", 50) + ",,,200": "x:2: elapsed \"" + strings.Repeat("x", 40) + "\" is no",
	} {
		mistakes := &refusal.Mistakes{}
		readFile("x", strings.NewReader(head+line+"\n"), 9, false, newTables(), mistakes)
		if got := mistakes.Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestOutcomes: an outcome is told by success, else by the status, and without an answer by the exception.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct{ head, line, want string }{
		{"", "099", wrong},
		{"", "100", right},
		{"", "399", right},
		{"", "400", wrong},
		{"", "20", wrong},
		{"", "2000", wrong},
		{"", "", wrong},
		{"", noAnswer + "java.net.ConnectException", refused},
		{"", noAnswer + "SocketTimeoutException", timedOut},
		{"", noAnswer + "a.b.EOFException", truncated},
		{"", noAnswer + "a.b.Unheard", reset},
		{"", noAnswer + "a.b.OutOfMemoryError", reset},
		{",success", "500, TRUE ", right},
		{",success", "200,false", wrong},
		{",success", noAnswer + "a.SocketException,false", reset},
		{",success", noAnswer + "a.SocketException,true", right},
	} {
		mistakes, tables := &refusal.Mistakes{}, newTables()
		text := "timeStamp,elapsed,responseCode" + c.head + "\n1700000000000,1," + c.line + "\n"
		f := readFile("x", strings.NewReader(text), 9, false, tables, mistakes)
		if mistakes.Count > 0 {
			t.Errorf("%s: %v", c.line, mistakes)
			continue
		}
		s := f.parts[0].samples[0]
		if got := results.Outcomes[s.values[rowOutcome]]; got != c.want {
			t.Errorf("%s: %s, want %s", c.line, got, c.want)
		}
		unsent, unclear := strings.HasSuffix(c.line, "OutOfMemoryError"), strings.HasSuffix(c.line, "Unheard")
		if (s.failed >= 0) != unsent || (s.unclear >= 0) != unclear {
			t.Errorf("%s: class %d prevented sending, class %d is unknown", c.line, s.failed, s.unclear)
		}
	}
}
