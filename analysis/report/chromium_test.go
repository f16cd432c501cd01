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

// browser starts a headless Chromium that phones nobody, or skips the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped by -short: starts a browser")
	}
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
	// Not t.TempDir: a browser that is just ending may write into it once more.
	t.Cleanup(func() { _ = os.RemoveAll(profile) })
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(profile)}
	for _, flag := range []string{
		"headless", "no-sandbox", "disable-gpu", "disable-background-networking", "disable-component-update",
		"disable-sync", "no-first-run", "disable-quic", "disable-dev-shm-usage",
	} {
		options = append(options, chromedp.Flag(flag, true))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // waits until it has ended
	return ctx
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
