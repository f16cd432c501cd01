package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	paper "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
)

// axeCore is axe.min.js of axe-core, where $MOOBENCH_AXE or tools/bootstrap.sh
// has put it, or skips the test.
func axeCore(t *testing.T) string {
	t.Helper()
	file := os.Getenv("MOOBENCH_AXE")
	if file == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			t.Skip("needs axe-core: set MOOBENCH_AXE to its axe.min.js")
		}
		file = filepath.Join(cache, "moobench", "axe", "node_modules", "axe-core", "axe.min.js")
	}
	js, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("needs axe-core: run tools/bootstrap.sh test, or set MOOBENCH_AXE to its axe.min.js: %v", err)
	}
	return string(js)
}

// looked are the campaigns whose pages are printed, and looked at with axe.
func looked(t *testing.T) map[string]*analysis.Answers {
	return map[string]*analysis.Answers{
		"whole": whole(t), "small": shared(t, testcampaign.Small), "sized": shared(t, testcampaign.Sized), "swapped": swapped(t), "served": lossy(t), "repeated": shared(t, testcampaign.Repeated),
	}
}

const openAll = `document.querySelectorAll("details").forEach(d => d.open = true)`

// awaited is the value of a promise.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// fewer are two texts of each kind: their elements, and all around these, have the same
// names, classes, colours, opacity and letters, which is all that contrast depends on.
// Rows and items without any of them are hidden, and others shown again.
const fewer = `(() => {
	const kinds = new Map(), known = new Map([[null, 0]]), seen = new Map();
	const kind = e => {
		if (!known.has(e)) {
			const s = getComputedStyle(e);
			const look = [
				kind(e.parentElement), e.tagName, e.getAttribute("class"), s.color, s.fill, s.backgroundColor, s.backgroundImage,
				s.opacity, s.visibility, s.fontSize, s.fontWeight, s.textShadow, s.position, s.mixBlendMode,
			].join("|");
			if (!kinds.has(look)) kinds.set(look, kinds.size + 1);
			known.set(e, kinds.get(look));
		}
		return known.get(e);
	};
	const rows = document.querySelectorAll("tbody tr[data-hidden], li[data-hidden]");
	rows.forEach(r => { r.hidden = false; delete r.dataset.hidden; });
	const chosen = [...document.body.querySelectorAll("*")].filter(e => {
		if (!e.getClientRects().length || ![...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim())) return false;
		const k = kind(e);
		seen.set(k, (seen.get(k) || 0) + 1);
		return seen.get(k) <= 2;
	});
	const needed = new Set();
	for (let e of chosen) for (; e && !needed.has(e); e = e.parentElement) needed.add(e);
	document.querySelectorAll("tbody tr:not([hidden]), li:not([hidden])").forEach(r => {
		if (!needed.has(r)) { r.hidden = true; r.dataset.hidden = ""; }
	});
	return chosen;
})()`

// axeSays are the violations that axe-core finds in a context.
func axeSays(t *testing.T, ctx context.Context, scheme, where, options string) {
	t.Helper()
	var violations []string
	err := chromedp.Run(
		ctx, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		chromedp.Evaluate(`axe.run(`+where+`, Object.assign({resultTypes: ["violations"]}, `+options+`)).then(r => r.violations.map(v => v.id + ": " + v.nodes.length + " × " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.target.join(" ") + " " + n.html.slice(0, 160)).join(" | ")))`, &violations, awaited),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		t.Errorf("%s: %s", scheme, v)
	}
}

// axeRules are all of WCAG 2.1 A and AA that axe-core can check, but for the contrast.
const axeRules = `{runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], rules: {"color-contrast": {enabled: false}}}`

// accessible runs axe-core on a page that is open, with everything open in it: no rule is
// broken. The contrast, in both schemes, is looked at element by element, which takes
// minutes of large pages: there two texts of each kind stand for all.
func accessible(t *testing.T, ctx context.Context, schemes ...string) {
	t.Helper()
	axe := axeCore(t)
	if err := chromedp.Run(ctx, chromedp.Evaluate(openAll, nil), chromedp.Evaluate(axe, nil)); err != nil {
		t.Fatal(err)
	}
	axeSays(t, ctx, schemes[0], "document", axeRules)
	for _, scheme := range schemes {
		axeSays(t, ctx, scheme, "{include: "+fewer+"}", `{runOnly: ["color-contrast"]}`)
	}
}

// The page asks the network for nothing.
func TestPageIsAlone(t *testing.T) {
	js := script(t)
	ctx := browser(t)
	var asked []string
	chromedp.ListenTarget(ctx, func(ev any) {
		if ev, ok := ev.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(ev.Request.URL, "file://") {
			asked = append(asked, ev.Request.URL)
		}
	})
	if err := chromedp.Run(ctx, network.Enable()); err != nil {
		t.Fatal(err)
	}
	complaints := visit(t, ctx, htmlOf(t, shared(t, testcampaign.Hostile), js), "light", chromedp.Evaluate(openAll, nil))
	if len(asked) > 0 || len(complaints) > 0 {
		t.Errorf("asked for %q, console %q", asked, complaints)
	}
}

// tabUntil presses Tab until the expression about the focused element is true.
func tabUntil(t *testing.T, expression string) chromedp.Action {
	t.Helper()
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for range 200 {
			if err := chromedp.KeyEvent(kb.Tab).Do(ctx); err != nil {
				return err
			}
			var found bool
			if err := chromedp.Evaluate(`(e => !!(`+expression+`))(document.activeElement)`, &found).Do(ctx); err != nil || found {
				return err
			}
		}
		return fmt.Errorf("200 tabs do not reach where %s", expression)
	})
}

const (
	firstCells  = `[...document.querySelectorAll("table.cells")][0]`
	cellLabels  = `[...` + firstCells + `.tBodies[0].rows].filter(r => !r.hidden).map(r => r.cells[0].textContent)`
	cellsStatus = `document.querySelector(".filter output").textContent`
)

// The first Tab is the skip link; the heads of the table and the filter can be
// reached, sort and filter, and say what they did.
func TestKeyboard(t *testing.T) {
	js := script(t)
	ctx := browser(t)
	var skip, sorted, told, none string
	var before, up, down, again, few []string
	complaints := visit(
		t, ctx, htmlOf(t, shared(t, testcampaign.Small), js), "light",
		chromedp.Evaluate(firstCells+`.closest("details").open = true`, nil),
		chromedp.Evaluate(cellLabels, &before),
		chromedp.KeyEvent(kb.Tab), chromedp.Evaluate(`document.activeElement.className`, &skip),
		tabUntil(t, `e.textContent === "ratio" && e.closest("th")`),
		chromedp.KeyEvent(kb.Enter), chromedp.Evaluate(cellLabels, &up),
		chromedp.Evaluate(`document.activeElement.closest("th").getAttribute("aria-sort")`, &sorted),
		chromedp.KeyEvent(kb.Enter), chromedp.Evaluate(cellLabels, &down),
		chromedp.KeyEvent(kb.Enter), chromedp.Evaluate(cellLabels, &again),
		chromedp.Focus(".filter input"), chromedp.KeyEvent("BCI tcp"),
		chromedp.Poll(cellsStatus+`.startsWith("1 of")`, nil),
		chromedp.Evaluate(cellLabels, &few), chromedp.Evaluate(cellsStatus, &told),
		chromedp.KeyEvent("nothing is called so"), chromedp.Poll(cellsStatus+`.startsWith("0 of")`, nil), chromedp.Evaluate(cellsStatus, &none),
	)
	if skip != "skip" || sorted != "ascending" || len(complaints) > 0 {
		t.Errorf("first Tab %q, sorted %q, console %q", skip, sorted, complaints)
	}
	// The baseline has no ratio: it stays at the end, whichever way is sorted.
	last := len(before) - 1
	if len(before) != 5 || up[last] != before[0] || down[last] != before[0] || up[0] != down[last-1] || up[0] == down[0] || strings.Join(again, "|") != strings.Join(before, "|") {
		t.Errorf("before %q, up %q, down %q, again %q", before, up, down, again)
	}
	if len(few) != 1 || few[0] != "kieker/bci/tcp" || told != "1 of 5 cells" || none != "0 of 5 cells" {
		t.Errorf("filtered %q: %q, %q", few, told, none)
	}
}

// A thousand cells, once their table is opened, are sorted by number and by name, and
// filtered in a column.
func TestThousandCellsInBrowser(t *testing.T) {
	js := script(t)
	ctx := browser(t)
	var shown, all int
	var rising, natural bool
	var told string
	complaints := visit(
		t, ctx, htmlOf(t, large(t), js), "light",
		chromedp.Evaluate(firstCells+`.closest("details").open = true`, nil),
		chromedp.Evaluate(`[...document.querySelectorAll("table.cells th button")].find(b => b.textContent === "ratio").click()`, nil),
		chromedp.Evaluate(`(k => k.every((v, i) => i === 0 || k[i - 1] <= v))([...`+firstCells+`.tBodies[0].rows].map(r => r.dataset.v.split(",")[2]).filter(Boolean).map(Number))`, &rising),
		chromedp.Evaluate(`document.querySelector("table.cells th button").click()`, nil),
		chromedp.Evaluate(`(k => k.findIndex(v => v.includes("depth=2 ")) < k.findIndex(v => v.includes("depth=10 ")))(`+cellLabels+`)`, &natural),
		chromedp.Evaluate(`document.querySelector(".filter select").value = "0"`, nil),
		chromedp.Focus(".filter input"), chromedp.KeyEvent("bci depth=10"),
		chromedp.Poll(cellsStatus+`.startsWith("30 of")`, nil),
		chromedp.Evaluate(cellLabels+`.length`, &shown), chromedp.Evaluate(firstCells+`.tBodies[0].rows.length`, &all), chromedp.Evaluate(cellsStatus, &told),
	)
	if len(complaints) > 0 || !rising || !natural || shown != 30 || all != 1000 || !strings.HasPrefix(told, "30 of 1,000 cells") {
		t.Errorf("console %q, rising %v, natural %v, %d of %d shown, told %q", complaints, rising, natural, shown, all, told)
	}
}

// A command line is copied as this invocation had it.
func TestCommandsAreCopied(t *testing.T) {
	js := script(t)
	ctx := browser(t)
	s := testcampaign.Small()
	for i, inv := range s.Runs {
		inv.Command = []string{"java", fmt.Sprintf("-Dport=%d", 40000+i), "-Dof=it's", "Main"}
	}
	a := analyse(t, s)
	want := ""
	for _, inv := range a.Invocations {
		if c := a.Scenarios[0].Cells[0].ID; inv.Cell == c {
			want = strings.Join(inv.Command, " ") // of the last one of the baseline
		}
	}
	want = strings.Replace(want, "-Dof=it's", `'-Dof=it'\''s'`, 1)
	var copied string
	visit(
		t, ctx, htmlOf(t, a, js), "light",
		chromedp.Evaluate(`Object.defineProperty(navigator, "clipboard", {value: {writeText: text => { window.copied = text; return Promise.resolve(); }}, configurable: true})`, nil),
		chromedp.Evaluate(openAll, nil),
		chromedp.Poll(`document.querySelectorAll("table.runs tbody tr").length === document.querySelectorAll("table.runs tbody button.copy").length`, nil),
		chromedp.Evaluate(`(id => [...document.querySelectorAll("table.runs tbody tr")].find(r => r.cells[0].textContent.startsWith(id)).querySelector("button.copy").click())("`+lastOf(a)+`")`, nil),
		chromedp.Evaluate(`window.copied || ""`, &copied),
	)
	if copied != want {
		t.Errorf("copied %q, want %q", copied, want)
	}
}

// lastOf is the last invocation of the first cell.
func lastOf(a *analysis.Answers) (id string) {
	for _, inv := range a.Invocations {
		if inv.Cell == a.Scenarios[0].Cells[0].ID {
			id = inv.ID
		}
	}
	return id
}

// onPaper is what a page of A4 shows.
type onPaper struct {
	controls, closed, hidden int
	cut                      []string
	printed                  string
	pdf                      []byte
}

// print prints a page that is open, and then opens all its parts, but for the charts.
func (p *onPaper) print() chromedp.Tasks {
	return chromedp.Tasks{
		emulation.SetEmulatedMedia().WithMedia("print"), chromedp.EmulateViewport(703, 1000), // A4 less its margins
		chromedp.Evaluate(`[...document.querySelectorAll("details:not([open])")].filter(e => e.getClientRects().length).length`, &p.closed),
		chromedp.Evaluate(`document.querySelector("nav button").click()`, nil),
		chromedp.Evaluate(`[...document.querySelectorAll("button.copy, .filter, nav, .explore")].filter(e => getComputedStyle(e).display !== "none").length`, &p.controls),
		chromedp.Evaluate(`document.querySelectorAll("details:not([open]):not(.explore)").length`, &p.hidden),
		chromedp.Evaluate(`[...document.querySelectorAll("table, svg, pre")].filter(e => e.getClientRects().length && !e.closest(".chart") && e.getBoundingClientRect().right > 703 + 1).map(e => e.tagName + " " + (e.caption ? e.caption.textContent : e.getAttribute("aria-label")) + " " + Math.round(e.getBoundingClientRect().right))`, &p.cut),
		chromedp.Evaluate(`getComputedStyle(document.querySelector(".printed")).display === "none" ? "" : document.querySelector(".printed").textContent`, &p.printed),
		chromedp.ActionFunc(func(ctx context.Context) (err error) {
			p.pdf, _, err = paper.PrintToPDF().WithPaperWidth(8.27).WithPaperHeight(11.69).WithPreferCSSPageSize(true).Do(ctx)
			return err
		}),
		emulation.SetEmulatedMedia().WithMedia(""), chromedp.EmulateViewport(1280, 900),
	}
}

// check: on paper is what is open, no control is left, no table is cut off, and the page
// says where it comes from. Once all parts are opened, all of them are printed.
func (p *onPaper) check(t *testing.T, a *analysis.Answers) {
	if p.controls > 0 || p.closed+p.hidden > 0 || len(p.cut) > 0 || !strings.Contains(p.printed, "campaign "+a.Campaign.Name) || len(p.pdf) == 0 {
		t.Errorf("%d controls, %d closed, %d not opened, cut off %q, provenance %q, %d bytes of PDF", p.controls, p.closed, p.hidden, p.cut, p.printed, len(p.pdf))
	}
}

// Screenshots of all pages, light and dark, for eyes; they are written where
// $MOOBENCH_SCREENSHOTS says.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("MOOBENCH_SCREENSHOTS")
	if dir == "" {
		t.Skip("writes screenshots where MOOBENCH_SCREENSHOTS says")
	}
	js := script(t)
	ctx := browser(t)
	all := looked(t)
	all["large"], all["factored"] = large(t), shared(t, testcampaign.Factored)
	for name, a := range all {
		html := htmlOf(t, a, js)
		save(t, filepath.Join(dir, name+".html"), html)
		for _, scheme := range []string{"light", "dark"} {
			var shot []byte
			visit(t, ctx, html, scheme, chromedp.FullScreenshot(&shot, 100))
			save(t, filepath.Join(dir, name+"-"+scheme+".png"), shot)
		}
		var p onPaper
		visit(t, ctx, html, "light", p.print())
		save(t, filepath.Join(dir, name+".pdf"), p.pdf)
	}
}

func save(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
