package receiver

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"moobench/harness/proc"
	"moobench/refusal"
)

func TestFileAndLog(t *testing.T) {
	for _, c := range []struct {
		name, source string
		told         Told
		files        map[string]string
		records      int64
		err          string
	}{
		{"lines", "file", Told{"file": {"{dir}/*.csv"}, "lines": {"true"}}, map[string]string{"a.csv": "1\n2\n", "b.csv": "3\n4", "c.txt": "5\n"}, 4, ""},
		{"lines of nothing", "file", Told{"file": {"{dir}/*.csv"}, "lines": {"true"}}, nil, 0, ""},
		{"lines of an empty file", "file", Told{"file": {"{dir}/*.csv"}, "lines": {"true"}}, map[string]string{"a.csv": ""}, 0, ""},
		{"in a folder", "file", Told{"file": {"{dir}/out/*/r"}, "lines": {"true"}}, map[string]string{"out/1/r": "\n", "out/2/r": "\n"}, 2, ""},
		{"matches", "file", Told{"file": {"{dir}/*.csv"}, "match": {`enter`}}, map[string]string{"a.csv": "enter enter\nleave\n", "b.csv": "enter"}, 3, ""},
		{"numbers", "file", Told{"file": {"{dir}/*.csv"}, "match": {`recorded (\d+)`}}, map[string]string{"a.csv": "recorded 7\nrecorded 30 recorded 5\n"}, 42, ""},
		{"too large a number", "file", Told{"file": {"{dir}/a"}, "match": {`(\d+)`}}, map[string]string{"a": "9223372036854775807 1"}, 9223372036854775807, `"1" is not a number of records`},
		{"a group without a number", "file", Told{"file": {"{dir}/a"}, "match": {`n=(\w+)`}}, map[string]string{"a": "n=many"}, 0, `"many" is not a number of records, where "n=(\\w+)" finds "n=many"`},
		{"long line", "file", Told{"file": {"{dir}/a"}, "match": {`x`}}, map[string]string{"a": strings.Repeat("y", textLine+1)}, 0, "token too long"},
		{"log", "log", Told{"log": {`recorded (\d+)`}}, map[string]string{"out.log": "recorded 7\n", "stdout.log": "recorded 8\n", "gc.log": "recorded 1\n"}, 15, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a [b] *")
			for name, text := range c.files {
				write(t, filepath.Join(dir, name), []byte(text))
			}
			for k := range c.told {
				c.told[k][0] = strings.ReplaceAll(c.told[k][0], "{dir}", dir)
			}
			s, err := Open(t.Context(), c.source, dir, c.told, "")
			if err != nil {
				t.Fatal(err)
			}
			tally, err := s.Finish(t.Context())
			if tally.Records != c.records || tally.Untimed != (c.told.the("lines") == "") {
				t.Errorf("%+v, want %d records", tally, c.records)
			}
			checkError(t, err, c.err)
		})
	}
}

// Lines have a time as far as their bytes have one; matches are counted when all is over.
func TestLinesHaveATime(t *testing.T) {
	for _, told := range []Told{{"file": {"DIR/a"}, "lines": {"true"}}, {"file": {"DIR/a"}, "match": {"x"}}} {
		dir := t.TempDir()
		told["file"][0] = dir + "/a"
		s, err := Open(t.Context(), "file", dir, told, "")
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir+"/a", []byte("x\nx\nx\n"))
		s.Mark(proc.MonotonicNS())
		write(t, dir+"/a", []byte("x\nx\nx\nx\n"))
		tally, err := s.Finish(t.Context())
		timed := told.the("lines") != ""
		if tally.Records != 4 || tally.LoopEndFromBytes != timed || tally.Untimed == timed || (tally.ByLoopEnd == 3) != timed || (tally.LastNS > 0) != timed || err != nil {
			t.Errorf("%v: %+v, %v", told, tally, err)
		}
	}
}

func TestMistold(t *testing.T) {
	for _, c := range []struct {
		format    string
		told      Told
		why, hint string
	}{
		{"file", Told{"file": {"/tmp/a"}, "lines": {"true"}}, `"/tmp/a" is not in {dir}`, "give the agent {dir}"},
		{"file", Told{"file": {"{dir}/../a"}, "lines": {"true"}}, `is not in {dir}`, ""},
		{"file", Told{"file": {"{dir}/[a"}, "lines": {"true"}}, `not a pattern of files`, ""},
		{"file", Told{"file": {"{dir}/*.log"}, "lines": {"true"}}, `also the name of gc.log`, "narrow the pattern"},
		{"file", Told{"file": {"{dir}/a"}}, "want either lines = true or match", "each line"},
		{"file", Told{"file": {"{dir}/a"}, "lines": {"true"}, "match": {"x"}}, "want either lines = true or match", ""},
		{"file", Told{"file": {"{dir}/a"}, "match": {"("}}, "missing closing )", "backslash"},
		{"log", Told{"log": {"(a)(b)"}}, "has 2 groups", "(?:…)"},
		{"log", Told{"log": {"a*"}}, "found everywhere", ""},
		{"http", Told{"http": {"http://127.0.0.1:{port}/metrics"}}, "want a metric", "agent_records_total"},
		{"http", Told{"http": {"http://example.com/metrics"}, "metric": {"x"}}, `"example.com" is not on this machine`, "127.0.0.1 only"},
		{"http", Told{"http": {"https://127.0.0.1/metrics"}, "metric": {"x"}}, "is not an http URL", ""},
		{"scrape", Told{"scrape": {"http://127.0.0.1:{port}/"}}, "want what an answer of http://127.0.0.1:{port}/ holds", "such as holds"},
		{"scrape", Told{"scrape": {"http://127.0.0.1:{port}/"}, "holds": {"("}}, "missing closing )", "backslash"},
		{"scrape", Told{"scrape": {"http://127.0.0.1:{port}/"}, "holds": {"x"}, "every": {"1ms"}}, `every is "1ms", want a time of at least 10ms`, `every = "1s"`},
		{"scrape", Told{"scrape": {"http://127.0.0.1:{port}/"}, "holds": {"x"}, "every": {"often"}}, `every is "often"`, ""},
		{"scrape", Told{"scrape": {"http://example.com/"}, "holds": {"x"}}, `"example.com" is not on this machine`, "127.0.0.1 only"},
		{"command", Told{"command": {""}}, "want a program", ""},
		{"otlp", nil, "", ""},
		{"http", Told{"http": {"http://localhost:{port}/metrics"}, "metric": {"x"}}, "", ""},
	} {
		f, err := FormatNamed(c.format)
		if err != nil {
			t.Fatal(err)
		}
		err = f.Check(c.told)
		checkError(t, err, c.why)
		if !strings.Contains(refusal.Do(err), c.hint) {
			t.Errorf("%s %v: hint %q, want %q", c.format, c.told, refusal.Do(err), c.hint)
		}
	}
}

func TestScrape(t *testing.T) {
	const text = "# HELP r records\n# TYPE r counter\nr{kind=\"a } b\"} 3 1700000000\nr{kind=\"c\"} 4e1\nr_created 99\nr2 7\nbad x\nneg -1\n"
	for _, c := range []struct {
		metric  string
		records int64
		err     string
	}{
		{"r", 43, ""},
		{`r{kind="c"}`, 40, ""},
		{"r2", 7, ""},
		{"q", 0, "no metric is called q in its answer"},
		{"bad", 0, `"bad x" is not a number of records`},
		{"neg", 0, `"neg -1" is not a number of records`},
	} {
		t.Run(c.metric, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }))
			defer server.Close()
			s, err := Open(t.Context(), "http", "", Told{"http": {server.URL + "/metrics"}, "metric": {c.metric}}, "")
			if err != nil {
				t.Fatal(err)
			}
			err = s.(Asker).Ask(t.Context())
			server.Close() // it is gone when records are counted
			tally := Tally{}
			if err == nil {
				tally, err = s.Finish(t.Context())
			}
			if tally.Records != c.records {
				t.Errorf("%+v, want %d records", tally, c.records)
			}
			checkError(t, err, c.err)
		})
	}
}

// An agent that counts behind is asked until it has counted all.
func TestScrapeWaits(t *testing.T) {
	answers := []int{1, 5, 9, 9, 12}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "r %d\n", answers[0])
		answers = answers[1:]
	}))
	defer server.Close()
	s := &scrape{url: server.URL, metric: "r", records: unnamed}
	if err := s.Ask(t.Context()); err != nil || s.records != 9 {
		t.Errorf("%d records, %v", s.records, err)
	}
}

// Whatever an answer says, nothing is asked of another machine.
func TestScrapeStaysHere(t *testing.T) {
	server := httptest.NewServer(http.RedirectHandler("http://192.0.2.1/metrics", http.StatusFound))
	defer server.Close()
	s := &scrape{url: server.URL, metric: "r"}
	checkError(t, s.Ask(t.Context()), "192.0.2.1:80 is not on this machine")
	missing := httptest.NewServer(http.NotFoundHandler())
	defer missing.Close()
	checkError(t, (&scrape{url: missing.URL, metric: "r"}).Ask(t.Context()), "it answers 404 Not Found")
}

// TestScrapes: what is asked before the agent is there does not count, and what it leaves out later
// is missing.
func TestScrapes(t *testing.T) {
	statuses := []int{500, 200, 404, 200, 200}
	asked := make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- true:
		case <-r.Context().Done(): // the sixth question, which nobody waits for
			return
		}
		w.WriteHeader(statuses[0])
		fmt.Fprint(w, "jvm_memory 1")
		statuses = statuses[1:]
	}))
	defer server.Close()
	s, err := Open(t.Context(), "scrape", "", Told{"scrape": {server.URL}, "every": {"10ms"}, "holds": {`jvm_\w+`}}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range statuses {
		<-asked
	}
	until(t, "the third answer", func() bool { return s.(*scrapes).arrivals.snapshot().Records == 3 })
	s.Mark(proc.MonotonicNS())
	tally, err := s.Finish(t.Context())
	if tally.Records != 3 || tally.ByLoopEnd != 3 || tally.Bytes != 3*int64(len("jvm_memory 1")) || err != nil {
		t.Errorf("%+v, %v", tally, err)
	}
	if want := "1 of 4 questions to " + server.URL + " were not answered: it answers 404 Not Found"; tally.Missing != want {
		t.Errorf("missing: %q, want %q", tally.Missing, want)
	}
}

// TestScrapedAfterTheLoop: in a loop that is over before the agent is there, nothing is answered.
func TestScrapedAfterTheLoop(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "x") }))
	defer server.Close()
	s, err := tellScrapes("", Told{"scrape": {server.URL}, "holds": {"x"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Mark(proc.MonotonicNS())
	for range 2 {
		if err := s.(Asker).Ask(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if tally, err := s.Finish(t.Context()); tally.Records != 1 || tally.ByLoopEnd != 0 || err != nil {
		t.Errorf("%+v, %v", tally, err)
	}
}

// TestNothingScraped: an answer without what it must hold is none.
func TestNothingScraped(t *testing.T) {
	asked := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "not yet")
		select {
		case asked <- struct{}{}:
		default:
		}
	}))
	defer server.Close()
	s, err := Open(t.Context(), "scrape", "", Told{"scrape": {server.URL}, "every": {"10ms"}, "holds": {"jvm"}}, "")
	if err != nil {
		t.Fatal(err)
	}
	<-asked
	<-asked
	tally, err := s.Finish(t.Context())
	if tally.Records != 0 {
		t.Errorf("%+v", tally)
	}
	checkError(t, err, `its answer, "not yet", does not hold "jvm"`)
}

func TestCommand(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a"), []byte("12\n"))
	for _, c := range []struct {
		name    string
		run     []string
		records int64
		err     string
	}{
		{"a number", []string{"cat", "a"}, 12, ""},
		{"no number", []string{"echo", "12 records"}, 0, `echo prints "12 records", want the number of records`},
		{"negative", []string{"echo", "-1"}, 0, `echo prints "-1"`},
		{"status", []string{"sh", "-c", "echo 12; echo no such table >&2; exit 3"}, 0, "run sh: exit status 3: no such table"},
		{"no program", []string{"./nothing"}, 0, "run ./nothing: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Open(t.Context(), "command", dir, Told{"command": c.run}, "")
			if err != nil {
				t.Fatal(err)
			}
			tally, err := s.Finish(t.Context())
			if tally.Records != c.records || !tally.Untimed {
				t.Errorf("%+v, want %d records", tally, c.records)
			}
			checkError(t, err, c.err)
		})
	}
}

// What a command has started ends with the time that the invocation has.
func TestCommandEnds(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Open(ctx, "command", dir, Told{"command": {"sh", "-c", "echo $$ > pid.tmp; mv pid.tmp pid; sleep 600 & wait"}}, "")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer cancel()
		for os.Getppid() > 0 {
			if _, err := os.Stat(filepath.Join(dir, "pid")); err == nil {
				return
			}
		}
	}()
	_, err = s.Finish(ctx)
	checkError(t, err, "killed")
}

func FuzzTexts(f *testing.F) {
	f.Add("recorded 7\nrecorded 8", "r{a=\"}\"} 3\nr 4 5")
	re := regexp.MustCompile(`recorded (\d+)`)
	f.Fuzz(func(t *testing.T, text, metrics string) {
		if n, err := countLines(strings.NewReader(text)); err != nil || n < int64(strings.Count(text, "\n")) || n > int64(len(text)) {
			t.Errorf("%d lines in %q, %v", n, text, err)
		}
		if n, _ := countMatches(re, strings.NewReader(text)); n < 0 {
			t.Errorf("%d in %q", n, text)
		}
		if n, err := valueOf("r", strings.NewReader(metrics)); err == nil && n < unnamed {
			t.Errorf("%d in %q", n, metrics)
		}
	})
}
