package report

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// chromium is the one browser of all tests, once one of them has asked for it.
var chromium struct {
	ctx     context.Context
	profile string
}

func TestMain(m *testing.M) {
	status := m.Run()
	if chromium.ctx != nil {
		_ = chromedp.Cancel(chromium.ctx) // waits until it has ended
		_ = os.RemoveAll(chromium.profile)
	}
	os.Exit(status)
}

// browser opens a tab of a headless Chromium that phones nobody, or skips the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped by -short: starts a browser")
	}
	if chromium.ctx == nil {
		startChromium(t)
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // waits until the tab is closed
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal(err)
	}
	bounded, cancel := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	return bounded
}

func startChromium(t *testing.T) {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "google-chrome", "chromium-browser"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("needs chromium or google-chrome: to look at the page")
	}
	profile, err := os.MkdirTemp("", "moobench-browser-")
	if err != nil {
		t.Fatal(err)
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.WSURLReadTimeout(time.Minute)}
	for _, flag := range []string{
		"headless", "no-sandbox", "disable-gpu", "disable-background-networking", "disable-component-update",
		"disable-sync", "no-first-run", "disable-quic", "disable-dev-shm-usage",
	} {
		options = append(options, chromedp.Flag(flag, true))
	}
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ = chromedp.NewContext(ctx)
	chromium.profile = profile
	if err := chromedp.Run(ctx); err != nil {
		_ = os.RemoveAll(profile)
		t.Fatal(err)
	}
	chromium.ctx = ctx
}

// visit opens a page and collects what its console says.
func visit(t *testing.T, ctx context.Context, page []byte, scheme string, then ...chromedp.Action) (complaints []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, page, 0o666); err != nil {
		t.Fatal(err)
	}
	chromedp.ListenTarget(ctx, func(ev any) {
		switch ev := ev.(type) {
		case *runtime.EventConsoleAPICalled:
			for _, arg := range ev.Args {
				complaints = append(complaints, string(arg.Value))
			}
		case *runtime.EventExceptionThrown:
			complaints = append(complaints, ev.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			complaints = append(complaints, ev.Entry.Text)
		}
	})
	actions := append([]chromedp.Action{
		log.Enable(),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		chromedp.EmulateViewport(1280, 900),
		chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()),
		chromedp.WaitReady("footer"),
	}, then...)
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
	return complaints
}
