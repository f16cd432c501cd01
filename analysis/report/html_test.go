package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/page"
)

func htmlOf(t *testing.T, a *analysis.Answers, js []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := writeHTML(&b, a, Options{EChartsJS: js}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// script is the pinned ECharts, or skips the test.
func script(t *testing.T) []byte {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip("needs a home: to look for ECharts in the local Maven repository")
	}
	js, err := page.FindECharts(filepath.Join(home, ".m2", "repository"), "")
	if err != nil {
		t.Skipf("needs the artifact org.webjars:echarts:5.5.0 in the local Maven repository: %v", err)
	}
	return js
}

func TestHTML(t *testing.T) {
	got := htmlOf(t, shared(t, testcampaign.Tiny), nil)
	if diff := cmp.Diff(string(golden(t, "tiny.html", got)), string(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestSameDataSameBytes(t *testing.T) {
	js := script(t)
	a, b := htmlOf(t, shared(t, testcampaign.Troubled), js), htmlOf(t, analyse(t, testcampaign.Troubled()), js)
	if !bytes.Equal(a, b) {
		t.Error("the same data gives two pages")
	}
	if sized := htmlOf(t, shared(t, testcampaign.Sized), js); len(sized) > 2_000_000 {
		t.Errorf("the page of 84 invocations has %d bytes", len(sized))
	}
}

func TestPageNeedsNothing(t *testing.T) {
	html := string(htmlOf(t, shared(t, testcampaign.Troubled), nil))
	if n := strings.Count(html, "<script"); n != 1 {
		t.Errorf("%d scripts, want only the page's own", n)
	}
	for _, bad := range []string{" src=", "@import", "url(", "<link", "NaN", "ZgotmplZ", "%!"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page without script contains %s", bad)
		}
	}
	for _, want := range []string{"default-src 'none'", "lost 95.5 %", "not instrumented", "given up", "1 CPU", "prefers-color-scheme", "@media print", "interactive charts"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// Labels are text wherever they stand.
func TestHostileLabels(t *testing.T) {
	a := shared(t, testcampaign.Hostile)
	html := string(htmlOf(t, a, nil))
	if strings.Count(html, "<script") != 1 || strings.Contains(html, "\x1b") || strings.Contains(html, "\u202e") {
		t.Error("a label became more than text")
	}
	if !strings.Contains(html, "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Error("the label is not there")
	}
	options := chartOptions(t, a)
	if bytes.ContainsAny(options, "<>&") {
		t.Error("chart options hold markup")
	}
	var back []doc.Chart
	if err := json.Unmarshal(options, &back); err != nil || len(back) != 4 {
		t.Errorf("%d charts, %v", len(back), err)
	}
}

func TestWrongScript(t *testing.T) {
	html := htmlOf(t, shared(t, testcampaign.Tiny), []byte("alert(1)"))
	if bytes.Count(html, []byte("<script")) != 1 || !bytes.Contains(html, []byte("is not the one it knows")) {
		t.Error("a script with another digest went into the html, or nothing is said")
	}
}

// explore opens all that is closed, and counts the charts that take the place of their pictures.
func explore(drawn *int) chromedp.Action {
	return chromedp.Evaluate(`new Promise(done => {
		document.querySelectorAll("details").forEach(d => { d.open = true; });
		setTimeout(() => requestAnimationFrame(() => done([...document.querySelectorAll(".chart svg")].filter(
			c => c.getClientRects().length && !c.closest("figure").querySelector(".picture").getClientRects().length).length)), 50);
	})`, drawn, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) })
}

// otherScheme has a page that is open be shown in another scheme, and waits until every
// chart has been drawn again: what was drawn before is marked, and has to go.
func otherScheme(scheme string) chromedp.Tasks {
	return chromedp.Tasks{
		chromedp.Evaluate(`document.querySelectorAll(".chart svg").forEach(s => { s.dataset.before = ""; })`, nil),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		chromedp.Poll(`!document.querySelector(".chart svg[data-before]")`, nil),
	}
}

// explored are the charts of a page in one scheme and in the other one.
type explored struct {
	charts, early, drawn, again, stills, scripts int
	background                                   map[string]*string
}

// unasked counts what is there before anybody asks for more.
func (e *explored) unasked() chromedp.Tasks {
	return chromedp.Tasks{
		chromedp.Evaluate(`document.querySelectorAll(".chart").length`, &e.charts),
		chromedp.Evaluate(`document.querySelectorAll(".chart svg, .live").length`, &e.early),
		chromedp.Evaluate(`document.querySelectorAll(".picture svg").length`, &e.stills),
	}
}

// explore opens all there is, in both schemes.
func (e *explored) explore(first, second string) chromedp.Tasks {
	e.background = map[string]*string{first: new(string), second: new(string)}
	return chromedp.Tasks{
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: first}}),
		explore(&e.drawn),
		chromedp.Evaluate(`document.querySelectorAll("script").length`, &e.scripts),
		chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor`, e.background[first]),
		otherScheme(second), explore(&e.again),
		chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor`, e.background[second]),
	}
}

// check: every chart is drawn once it is asked for, and drawn again in the other scheme.
func (e *explored) check(t *testing.T) {
	if e.charts == 0 || e.early > 0 || e.drawn != e.charts || e.again != e.charts || e.stills == 0 || e.scripts != 4 {
		t.Errorf("%d and then %d of %d charts drawn, %d unasked, %d pictures, %d scripts", e.drawn, e.again, e.charts, e.early, e.stills, e.scripts)
	}
	if light, dark := *e.background["light"], *e.background["dark"]; light != "rgb(255, 255, 255)" || dark == light {
		t.Errorf("background %s in the light, %s in the dark", light, dark)
	}
}

// Each page is opened once, in one scheme, explored, and then shown in the other one. Some
// are printed before, while their charts are closed, and looked over with axe at the end.
func TestInBrowser(t *testing.T) {
	js := script(t)
	pages, more := looked(t), map[string]bool{}
	for name := range pages {
		more[name] = true
	}
	for name, campaign := range map[string]func() *testcampaign.Store{
		"troubled": testcampaign.Troubled, "unordered": testcampaign.Unordered, "hostile": testcampaign.Hostile,
		"single": testcampaign.Single, "factored": testcampaign.Factored,
	} {
		pages[name] = shared(t, campaign)
	}
	for name, a := range pages {
		first, second := "light", "dark"
		if name == "small" {
			first, second = second, first
		}
		t.Run(name, func(t *testing.T) {
			ctx := browser(t)
			var p onPaper
			var e explored
			actions := e.unasked()
			if more[name] {
				actions = append(actions, p.print()...)
			}
			if complaints := visit(t, ctx, htmlOf(t, a, js), first, append(actions, e.explore(first, second)...)...); len(complaints) > 0 {
				t.Errorf("console %q", complaints)
			}
			e.check(t)
			if more[name] {
				p.check(t, a)
				t.Run("axe", func(t *testing.T) { accessible(t, ctx, second, first) })
			}
		})
	}
}
