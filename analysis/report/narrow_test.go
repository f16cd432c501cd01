package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/chapter/locks/locked"
	"moobench/analysis/chapter/threads"
	"moobench/analysis/chapter/threads/order"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testevents"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/page"
	"moobench/results"
)

// outOfSight are the texts of a page that its reader doesn't see although their part is open: the page
// itself, sentences, names and numbers of charts that are wider than the window, and rows of tables
// whose first number is.
const outOfSight = `(() => {
	const most = window.innerWidth + 1, found = [];
	const shown = e => e.getClientRects().length > 0;
	const right = e => e.getBoundingClientRect().right;
	const say = (what, e) => found.push(what + " ends at " + Math.round(right(e)) + ": " + e.textContent.trim().slice(0, 60));
	if (document.documentElement.scrollWidth > most) found.push("the page is " + document.documentElement.scrollWidth + " wide");
	document.querySelectorAll("p, main li, figcaption, summary, .says, h1, h2, h3, caption > *").forEach(e => { if (shown(e) && right(e) > most) say("a sentence", e); });
	document.querySelectorAll(".narrow text").forEach(e => { if (shown(e) && (right(e) > most || e.getBoundingClientRect().left < -1)) say("a chart", e); });
	document.querySelectorAll("[aria-labelledby=gate] td .badge").forEach(e => { if (right(e) > most) say("a verdict", e); });
	document.querySelectorAll("tbody tr").forEach(row => {
		if (!shown(row)) return;
		const number = [...row.querySelectorAll("td.num, .figured td, .cells td:not(.t)")].find(c => c.colSpan === 1 && /^[<≥+−\-]?\s*\d/.test(c.textContent.trim()));
		if (number && right(number) > most) say("a number", row);
	});
	return found.slice(0, 8);
})()`

// documentPage is a document as a page.
func documentPage(t *testing.T, d *doc.Document) []byte {
	t.Helper()
	text, _, err := page.Render(d, page.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// aProgram are the pages of trace and of locks on a program whose classes and threads have long
// names: one lock is fought for, and calls crowd at the end.
func aProgram(t *testing.T) (traced, locked []byte) {
	t.Helper()
	const class, thread = "mvstore.cache.CacheLongKeyLIRS$Segment", "MVStore-background-writer-of-a-database"
	var calls, held strings.Builder
	fmt.Fprintf(&calls, "0 main + Main.run 0\n10 main - Main.run 0\n")
	fmt.Fprintf(&held, "0 - o a.%s 7\n0 - o a.Other 8\n", class)
	for i := range 10 {
		at := 1_000_000 + 20*i
		fmt.Fprintf(&calls, "%d %s + %s.put 7\n%d %s - %s.put 7\n", at, thread, "CacheLongKeyLIRS$Segment", at+10, thread, "CacheLongKeyLIRS$Segment")
		fmt.Fprintf(&held, "%d t + CacheLongKeyLIRS$Segment.put#method,size=9 7\n%d %s r put#method,size=9 7\n", at, at+1, thread)
		fmt.Fprintf(&held, "%d t - CacheLongKeyLIRS$Segment.put#method,size=9 7\n%d %s + put#method,size=9 7\n%d %s - put#method,size=9 7\n", at+10, at+11, thread, at+15, thread)
		fmt.Fprintf(&held, "%d t + put#method,size=9 8\n%d t - put#method,size=9 8\n", at+16, at+17)
	}
	o, g, err := threads.Follow(testevents.File(t, calls.String()), threads.Closely())
	if err != nil {
		t.Fatal(err)
	}
	d := &doc.Document{Title: "java -jar app.jar"}
	for _, s := range order.Sections(o, g, order.View{}) {
		d.Add(s)
	}
	return documentPage(t, d), lockPage(t, held.String())
}

func lockPage(t *testing.T, log string) []byte {
	t.Helper()
	r, err := locks.Read(testevents.File(t, log))
	if err != nil {
		t.Fatal(err)
	}
	options := threads.Closely()
	options.Of = []uint32{7}
	o, err := threads.Read(testevents.File(t, log), options)
	if err != nil {
		t.Fatal(err)
	}
	d := &doc.Document{Title: "java -jar app.jar", Facts: locked.Facts([]*locks.Report{r})}
	for _, s := range locked.Sections(r, o, locked.Drawn, order.View{}) {
		d.Add(s)
	}
	return documentPage(t, d)
}

// TestNarrowPages: on a telephone every sentence, each chart's names and numbers, and the first number
// of each row are in sight.
func TestNarrowPages(t *testing.T) {
	traced, held := aProgram(t)
	for name, page := range map[string][]byte{
		"report": htmlOf(t, whole(t), nil), "gate": htmlOf(t, gatedBy(t, testcampaign.Troubled, results.Gate{WorseBy: 5, Reference: "none"}), nil),
		"compare": printedComparison(t, "html", comparisons(t)["nightly"], Options{}), "history": trendOf(t, madeUpFindings()), "trace": traced, "locks": held,
	} {
		t.Run(name, func(t *testing.T) {
			var found []string
			complaints := visit(t, browser(t), page, "light", chromedp.EmulateViewport(400, 800), chromedp.Evaluate(outOfSight, &found))
			if len(found)+len(complaints) > 0 {
				t.Errorf("%s, console %q", strings.Join(found, "\n"), complaints)
			}
		})
	}
}

// TestCloser: a closer look goes to where calls are, and not to the middle; the wide drawing and the
// narrow one show the same then.
func TestCloser(t *testing.T) {
	traced, _ := aProgram(t)
	var wide int
	closer := []chromedp.Action{}
	for range 12 {
		closer = append(closer, chromedp.Click(".wide .closer button", chromedp.ByQuery))
	}
	actions := append(closer, chromedp.Evaluate(`document.querySelectorAll("figure")[0].querySelectorAll(".wide svg.lanes > g:last-of-type .block").length`, &wide))
	complaints := visit(t, browser(t), traced, "light", actions...)
	if wide != 10 || len(complaints) > 0 {
		t.Errorf("%d of ten calls are drawn by themselves; console %q", wide, complaints)
	}
	if !bytes.Contains(traced, []byte("data-layout")) {
		t.Error("no drawing")
	}
}

// TestProgramPagesAreAccessible: the pages of trace and of locks break no rule of axe-core's.
func TestProgramPagesAreAccessible(t *testing.T) {
	traced, held := aProgram(t)
	for name, page := range map[string][]byte{"trace": traced, "locks": held} {
		t.Run(name, func(t *testing.T) {
			ctx := browser(t)
			visit(t, ctx, page, "light")
			accessible(t, ctx, "light", "dark")
		})
	}
}
