package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"moobench/analysis/history"
	"moobench/results"
)

// madeUpSeries is a series of so many nights with a standard deviation of 2 %
// between them, and a level that is higher by step from a night on.
func madeUpSeries(cell string, nights, from int, step float64, seed uint64) history.Series {
	rng := rand.New(rand.NewPCG(seed, 20141121))
	s := history.Series{
		Key: history.Key{
			Campaign: "nightly", Scenario: "overhead", Cell: cell, Metric: "duration", Reference: "pinned",
			Machine: "ab12cd34", Runtime: "17.0.15+6",
		},
		Unit: "ns", Noise: 0.02, Floor: 0.004, Detectable: 0.061, Lag1: 0.08,
	}
	begin := time.Date(2026, 1, 1, 2, 17, 0, 0, time.UTC)
	for i := range nights {
		log := 0.02 * rng.NormFloat64()
		if i >= from {
			log += step
		}
		when := begin.AddDate(0, 0, i)
		base := 5000 * math.Exp(0.03*rng.NormFloat64())
		s.Nights = append(s.Nights, history.Night{
			Key: s.Key, ID: when.Format("2006-01-02T1504Z") + "-0a1b2c3d", When: when, Commit: fmt.Sprintf("%08x%032d", 0xabc00000+i, 0),
			Folder: when.Format("2006-01-02T150405Z") + "-nightly", Unit: "ns", Better: results.Lower,
			Log: log, SE: 0.003, DF: 14, N: 15, Raw: base * math.Exp(log), ReferenceRaw: base,
		})
	}
	s.Segments = []history.Segment{{First: 0, Last: nights - 1, Mean: 0, SD: 0.02}}
	if from > 0 && from < nights {
		s.Segments = []history.Segment{{First: 0, Last: from - 1, Mean: 0, SD: 0.02}, {First: from, Last: nights - 1, Mean: step, SD: 0.02}}
	}
	return s
}

// changed adds a change to a made-up series, where its last segment begins.
func changed(s history.Series, state history.State, over string) history.Series {
	last := s.Segments[len(s.Segments)-1]
	c := history.Change{
		State: state, Night: last.First, Log: last.Mean, Share: math.Expm1(last.Mean), Worse: last.Mean > 0, P: 0.001, Over: over,
		Sentence: "a sentence about " + s.Cell + "; settle it with: moobench confirm",
	}
	s.Changes = append(s.Changes, c)
	return s
}

func findingsOf(all ...history.Series) *history.Findings {
	f := &history.Findings{Series: all, Nights: []history.NightID{}}
	for _, s := range all {
		if len(s.Nights) > len(f.Nights) {
			f.Nights = nil
			for _, n := range s.Nights {
				f.Nights = append(f.Nights, history.NightID{ID: n.ID, When: n.When, Commit: n.Commit})
			}
		}
	}
	return f
}

// madeUpFindings have one series in every state.
func madeUpFindings() *history.Findings {
	const nights = 16
	floor := madeUpSeries("none A/A", nights, 0, 0, 8)
	for i := range floor.Nights {
		floor.Nights[i].AA = true
	}
	few := madeUpSeries("kieker/bci/tcp", 3, 0, 0, 9)
	few.Segments, few.Short = nil, 4
	odd := madeUpSeries("mine/bci/default", nights, 11, 0.08, 1)
	odd.Nights[3].Marks = []string{history.MarkAAFailed}
	odd.Nights[4].SE = 0.4 // an interval that must not flatten the others
	f := findingsOf(
		madeUpSeries("quiet/bci/default", nights, 0, 0, 2),
		changed(madeUpSeries("cheaper/bci/default", nights, 8, -0.07, 3), history.StateDetected, ""),
		changed(madeUpSeries("alarmed/bci/default", nights, nights-1, 0.12, 4), history.StateSuspected, ""),
		changed(odd, history.StateConfirmed, ""),
		changed(madeUpSeries("refuted/bci/default", nights, nights-1, 0.09, 5), history.StateRefuted, ""),
		changed(madeUpSeries("accepted/bci/default", nights, 6, 0.05, 6), history.StateAccepted, ""),
		changed(madeUpSeries("over/bci/default", nights, 5, 0.05, 7), history.StateConfirmed, "it went back"),
		floor, few,
	)
	f.Warnings = []string{"results/history.jsonl:7: not counted: unexpected end of JSON input"}
	return f
}

func trendOf(t *testing.T, f *history.Findings) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteTrend(&b, "html", f, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTrendFormats(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"trend.html":    func(w io.Writer) error { return WriteTrend(w, "html", madeUpFindings(), Options{}) },
		"trend-80.txt":  func(w io.Writer) error { return WriteTrend(w, "text", madeUpFindings(), Options{Width: 80}) },
		"trend-140.txt": func(w io.Writer) error { return WriteTrend(w, "text", madeUpFindings(), Options{Width: 140}) },
		"check-100.txt": func(w io.Writer) error { return WriteCheck(w, "text", madeUpFindings(), Options{Width: 100}) },
		"check.md":      func(w io.Writer) error { return WriteCheck(w, "markdown", madeUpFindings(), Options{}) },
		"check-none.txt": func(w io.Writer) error {
			return WriteCheck(w, "text", findingsOf(madeUpSeries("quiet/bci/default", 9, 0, 0, 2)), Options{Width: 100})
		},
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(golden(t, name, b.Bytes())), b.String()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// Colours are there where they are wanted, and carry nothing alone.
func TestTrendColours(t *testing.T) {
	var plain, coloured bytes.Buffer
	for w, colour := range map[io.Writer]bool{&plain: false, &coloured: true} {
		if err := WriteCheck(w, "text", madeUpFindings(), Options{Width: 100, Color: colour}); err != nil {
			t.Fatal(err)
		}
	}
	bare := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(coloured.String(), "")
	if bare != plain.String() || coloured.String() == bare {
		t.Errorf("with colours it reads\n%q\nand without\n%q", coloured.String(), plain.String())
	}
}

func TestTrendJSON(t *testing.T) {
	var b bytes.Buffer
	if err := WriteTrend(&b, "json", madeUpFindings(), Options{}); err != nil {
		t.Fatal(err)
	}
	back := new(history.Findings)
	if err := json.Unmarshal(b.Bytes(), back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(madeUpFindings(), back); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// year is a history as large as the nightly of a big project.
func year() *history.Findings {
	var all []history.Series
	for i := range 50 {
		s := madeUpSeries(fmt.Sprintf("framework%02d/bci/collect depth=10", i), 300, 200, 0.05, uint64(i))
		if i%7 == 0 {
			s = changed(s, history.StateConfirmed, "")
		}
		all = append(all, s)
	}
	return findingsOf(all...)
}

func TestTrendOfAYear(t *testing.T) {
	page := trendOf(t, year())
	if len(page) > 3_000_000 {
		t.Errorf("50 series of 300 nights make a page of %d bytes", len(page))
	}
	if !bytes.Equal(page, trendOf(t, year())) {
		t.Error("the same findings give two pages")
	}
	if n := bytes.Count(page, []byte("<tr><th scope=row>")); n != 50*300 {
		t.Errorf("%d nights are in tables, want all %d", n, 50*300)
	}
}

func BenchmarkTrendOfAYear(b *testing.B) {
	f := year()
	for b.Loop() {
		if err := WriteTrend(io.Discard, "html", f, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestTrendNeedsNothing(t *testing.T) {
	page := string(trendOf(t, madeUpFindings()))
	for _, bad := range []string{" src=", "@import", "url(", "<link", "NaN", "Inf", "ZgotmplZ", "%!", "http:", "https:"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
	for _, want := range []string{"default-src 'none'", "prefers-color-scheme", "@media print", "moobench confirm"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// Labels are text wherever they stand.
func TestTrendHostile(t *testing.T) {
	const evil = "\"'><script>alert(1)</script>\x1b[31m\u202e| `x` @all"
	s := changed(madeUpSeries(evil, 9, 5, 0.1, 1), history.StateConfirmed, "")
	s.Campaign, s.Unit, s.Changes[0].Sentence = evil, evil, evil
	s.Nights[8].Commit, s.Nights[7].Marks = evil, []string{evil}
	f := findingsOf(s, madeUpSeries("other", 9, 0, 0, 2))
	f.Warnings = []string{evil}
	var text, check, markdown, table bytes.Buffer
	for _, err := range []error{
		WriteTrend(&text, "text", f, Options{}), WriteCheck(&check, "text", f, Options{}), WriteCheck(&markdown, "markdown", f, Options{}), WriteTrend(&table, "markdown", f, Options{}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	page := string(trendOf(t, f))
	for name, out := range map[string]string{"html": page, "text": text.String(), "check": check.String(), "markdown": markdown.String(), "table": table.String()} {
		if strings.ContainsAny(out, "\x1b\u202e") || name != "text" && name != "check" && strings.Contains(out, "<script>alert") {
			t.Errorf("%s: a label became more than text:\n%s", name, out)
		}
	}
	rows := 0
	for _, line := range strings.Split(table.String(), "\n") {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		if rows++; strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 6 {
			t.Errorf("a label broke a row: %s", line)
		}
	}
	if rows != 2+len(f.Series) {
		t.Errorf("%d rows of %d series", rows, len(f.Series))
	}
}

// Without any series, and with nights that say nothing, there still is a page.
func TestTrendOfLittle(t *testing.T) {
	one := madeUpSeries("one", 1, 0, 0, 1)
	zero := madeUpSeries("zero", 4, 0, 0, 1)
	for i := range zero.Nights {
		zero.Nights[i].Log, zero.Nights[i].SE, zero.Nights[i].DF, zero.Nights[i].Raw, zero.Nights[i].ReferenceRaw = 0, 0, 0, 0, 0
	}
	bare := history.Series{Key: one.Key}
	for _, f := range []*history.Findings{{}, findingsOf(one), findingsOf(zero), findingsOf(bare)} {
		page := string(trendOf(t, f))
		var text bytes.Buffer
		for _, err := range []error{
			WriteTrend(&text, "text", f, Options{}), WriteCheck(&text, "text", f, Options{}), WriteCheck(&text, "markdown", f, Options{}), WriteTrend(&text, "latex", f, Options{}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, bad := range []string{"NaN", "Inf", "-9223"} {
			if strings.Contains(page+text.String(), bad) {
				t.Errorf("%s in what is said of %d series", bad, len(f.Series))
			}
		}
	}
}

func TestByUrgency(t *testing.T) {
	var got []string
	for _, s := range madeUpFindings().ByUrgency() {
		got = append(got, s.Cell+": "+seriesState(s))
	}
	want := []string{
		"mine/bci/default: worse, confirmed", "alarmed/bci/default: worse, suspected", "cheaper/bci/default: better, detected",
		"refuted/bci/default: refuted", "accepted/bci/default: accepted", "kieker/bci/tcp: too few nights",
		"over/bci/default: no change", "quiet/bci/default: no change", "none A/A: noise floor",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What differs between series is in their names, what does not is said once.
func TestSeriesNames(t *testing.T) {
	a, b := madeUpSeries("a", 3, 0, 0, 1), madeUpSeries("a", 3, 0, 0, 1)
	b.Metric, b.Runtime = "cpu", "25+1"
	n := newTrend(findingsOf(a, b))
	if got, want := n.name(&b), "a · cpu · JDK 25+1"; got != want {
		t.Errorf("named %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"nightly", "overhead", "against pinned", "on ab12cd34"}, n.shared); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// The page in a browser: silent, filtered by words and state, a link opens what it
// leads to, and the night below the pointer is read out.
func TestTrendInChromium(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		ctx := browser(t)
		var shown, stated, all, open, reading string
		complaints := visit(
			t, ctx, trendOf(t, madeUpFindings()), scheme,
			chromedp.Evaluate(cellsStatus, &all),
			chromedp.SendKeys(".filter input", "alarm", chromedp.ByQuery),
			chromedp.Poll(cellsStatus+`.startsWith("1 of")`, nil), chromedp.Evaluate(cellsStatus, &shown),
			chromedp.Evaluate(`document.querySelector(".filter input").value = ""; document.querySelector(".filter select").value = "1"; ""`, nil),
			chromedp.SendKeys(".filter input", "no change", chromedp.ByQuery),
			chromedp.Poll(cellsStatus+`.startsWith("2 of")`, nil), chromedp.Evaluate(cellsStatus, &stated),
			chromedp.Evaluate(`document.querySelector("table.cells a[href='#s1']").click()`, nil),
			chromedp.Poll(`document.getElementById("s1").open`, nil),
			chromedp.Evaluate(`String(document.querySelectorAll("section > details[open]").length)`, &open),
			chromedp.ScrollIntoView("#s1 .nightplot", chromedp.ByQuery),
			chromedp.Evaluate(`(function () {
				var svg = document.querySelector("#s1 .nightplot"), box = svg.getBoundingClientRect();
				svg.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: box.right - 1, clientY: box.top + 20 }));
				return document.querySelector("#s1 .reading").textContent;
			})()`, &reading),
		)
		if len(complaints) > 0 {
			t.Errorf("%s: the console says %q", scheme, complaints)
		}
		if all != "9 of 9 series" || shown != "1 of 9 series" || stated != "2 of 9 series" || open != "2" {
			t.Errorf("%s: shown %q, then %q, then %q; %s are open", scheme, all, shown, stated, open)
		}
		if !strings.HasPrefix(reading, "2026-01-16 · ") {
			t.Errorf("%s: the last night reads %q", scheme, reading)
		}
	}
}

// A history that holds no night says that nothing was checked.
func TestNothingChecked(t *testing.T) {
	f := &history.Findings{Warnings: []string{"history.jsonl:1: not counted: what?"}}
	var text, markdown bytes.Buffer
	if err := WriteCheck(&text, "text", f, Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	if err := WriteCheck(&markdown, "markdown", f, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{text.String(), markdown.String()} {
		if !strings.Contains(out, "nothing was checked") || strings.Contains(out, "\npassed") || !strings.Contains(out, "not counted: what?") {
			t.Errorf("it says\n%s", out)
		}
	}
}

// A series that continues on another machine says so with its shift, wherever it is shown; the old one says where.
func TestTrendOfAMove(t *testing.T) {
	for name, night := range map[string]int{"since a night": 9, "without a night yet": 12} {
		old, continued := madeUpSeries("mine/bci/default", 12, 0, 0, 1), madeUpSeries("mine/bci/default", 12, 0, 0, 2)
		continued.Machine, old.MovedTo, old.Segments = "ef56", "ef56", nil
		continued.Shifts = []history.Shift{{Night: night, From: "ab12cd34", Pairs: 6, Log: math.Log(1.05), Low: math.Log(1.04), High: math.Log(1.06)}}
		f := findingsOf(old, continued)
		var text bytes.Buffer
		if err := WriteTrend(&text, "text", f, Options{}); err != nil {
			t.Fatal(err)
		}
		since := "continues that of ab12cd34 since 2026-01-10: shift +5.0 % (95 % CI +4.0 % … +6.0 %), from 6 pairs of nights"
		if night == 12 {
			since = "continues that of ab12cd34: shift +5.0 %"
		}
		said := strings.Join(strings.Fields(text.String()), " ")
		for _, want := range []string{since, "on ab12cd34 continues on ef56", " moved "} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: the text lacks %q:\n%s", name, want, said)
			}
		}
		page := string(trendOf(t, f))
		for _, want := range []string{since[:30], "continues on ef56", ">→<"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page lacks %q", name, want)
			}
		}
	}
}
