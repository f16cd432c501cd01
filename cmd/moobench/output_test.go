package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/results"
)

// full is an output that takes nothing, as /dev/full.
type full struct{ err error }

// Write fails with another error each time, as a file does.
func (f full) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: f.err}
}

// TestNothingCouldBeWritten: a verb whose results did not arrive has not ended well.
func TestNothingCouldBeWritten(t *testing.T) {
	fakeHome(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	file := filepath.Join(dir, "benchmarks.toml")
	if err := os.WriteFile(file, []byte(killCampaign), 0o666); err != nil {
		t.Fatal(err)
	}
	runs := filepath.Join(dir, "runs")
	if err := os.Mkdir(runs, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"list"}, {"list", "campaigns"}, {"doctor"}, {"doctor", "--json"}, {"run", "-n", file}, {"prune", "-n", "--runs", runs}, {"version"}, {"--help"},
	} {
		var said bytes.Buffer
		if status := Main(context.Background(), args, full{unix.ENOSPC}, &said); status != exitError || !strings.Contains(said.String(), "no space left on device") {
			t.Errorf("%v: exit status %d\n%s", args, status, said.String())
		}
		said.Reset()
		status := Main(context.Background(), args, full{syscall.EPIPE}, &said)
		if status != exitError || strings.Contains(said.String(), "error") {
			t.Errorf("%v, to nobody: exit status %d\n%s", args, status, said.String())
		}
	}
}

// TestJudge: what a verb ends with by itself stays, but for good ends.
func TestJudge(t *testing.T) {
	other := errors.New("other")
	first, second := &os.PathError{Op: "write", Err: syscall.EPIPE}, &os.PathError{Op: "write", Err: syscall.EPIPE}
	for _, c := range []struct{ failed, err, want error }{
		{nil, nil, nil},
		{nil, outcome.ErrWorse, outcome.ErrWorse},
		{unix.ENOSPC, nil, unix.ENOSPC},
		{unix.ENOSPC, outcome.ErrWorse, unix.ENOSPC},
		{unix.ENOSPC, fmt.Errorf("x: %w", outcome.ErrIncomplete), unix.ENOSPC},
		{unix.ENOSPC, other, other},
		{unix.ENOSPC, fmt.Errorf("x: %w", unix.ENOSPC), unix.ENOSPC},
		{first, second, first}, // a closed pipe fails twice
	} {
		if got := (&stream{failed: c.failed}).judge(c.err); !errors.Is(got, c.want) {
			t.Errorf("%v after %v: %v, want %v", c.err, c.failed, got, c.want)
		}
	}
}

// sealedCampaign is a campaign's folder that can be reported.
func sealedCampaign(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "campaign")
	store, err := results.Create(dir, &results.Campaign{
		Name: "c", Source: "moobench",
		Scenarios: []results.Scenario{{Label: "overhead", Use: "overhead", Metrics: []results.Metric{{Name: "duration", Unit: "ns", Primary: true}}}},
		Cells:     []results.Cell{{ID: "c00", Scenario: "overhead", Variant: "none"}},
	}, []byte("name = \"c\"\n"))
	if err == nil {
		err = store.Seal()
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestOutputIsWhatTheUserNamed: a link, a file beside it of the user's own, and a
// device stay what they are.
func TestOutputIsWhatTheUserNamed(t *testing.T) {
	campaign, dir := sealedCampaign(t), t.TempDir()
	file, link := filepath.Join(dir, "out.csv"), filepath.Join(dir, "link.csv")
	victim := filepath.Join(t.TempDir(), "victim")
	for path, text := range map[string]string{file: "old", victim: "whole"} {
		if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink(file, link), os.Symlink(victim, file+".tmp")); err != nil {
		t.Fatal(err)
	}
	report := func(output string) string {
		t.Helper()
		var out, said bytes.Buffer
		if status := Main(context.Background(), []string{"report", campaign, "--format", "csv", "-o", output}, &out, &said); status == exitError || out.Len() > 0 {
			t.Errorf("-o %s: exit status %d\n%s%s", output, status, out.String(), said.String())
		}
		return said.String()
	}
	for _, output := range []string{file, link} {
		report(output)
		if text, err := os.ReadFile(file); err != nil || string(text) == "old" {
			t.Errorf("-o %s: nothing was written: %q, %v", output, text, err)
		}
		if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link: %v, %v", info, err)
	}
	if text, err := os.ReadFile(victim); string(text) != "whole" || err != nil {
		t.Errorf("what the file beside it leads to: %q, %v", text, err)
	}
	if to, err := os.Readlink(file + ".tmp"); to != victim || err != nil {
		t.Errorf("the user's own file beside it: %q, %v", to, err)
	}
	null := filepath.Join(dir, "null")
	if err := unix.Mknod(null, unix.S_IFCHR|0o600, int(unix.Mkdev(1, 3))); err != nil {
		t.Skip("no device can be made here:", err)
	}
	report(null)
	if info, err := os.Lstat(null); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Errorf("the device: %v, %v", info, err)
	}
}

// TestPageFollowsNoLink: the folder of a campaign may be a stranger's.
func TestPageFollowsNoLink(t *testing.T) {
	victim, page := filepath.Join(t.TempDir(), "victim"), filepath.Join(t.TempDir(), "report.html")
	if err := errors.Join(os.WriteFile(victim, []byte("whole"), 0o666), os.Symlink(victim, page)); err != nil {
		t.Fatal(err)
	}
	answers, err := reanalyse(context.Background(), sealedCampaign(t), false, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir()) // no Maven: the page goes without its charts
	if _, err := (console.Console{Out: io.Discard, Err: io.Discard}).Page(answers, filepath.Dir(page)); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(victim); string(text) != "whole" || err != nil {
		t.Errorf("the victim: %.40q, %v", text, err)
	}
	if info, err := os.Lstat(page); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
}

// TestOutputIntoAPipe: what reads a pipe gets the report, and the pipe stays.
func TestOutputIntoAPipe(t *testing.T) {
	campaign, pipe := sealedCampaign(t), filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		f, err := os.Open(pipe)
		if err != nil {
			read <- err.Error()
			return
		}
		defer f.Close()
		text, err := io.ReadAll(f)
		read <- fmt.Sprint(string(text), err)
	}()
	var out, said bytes.Buffer
	Main(context.Background(), []string{"report", campaign, "--format", "json", "-o", pipe}, &out, &said)
	if f, err := os.OpenFile(pipe, os.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
		f.Close() // who reads does not wait for a report that did not come
	}
	if text := <-read; !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "<nil>") {
		t.Errorf("%s\n%s", text, said.String())
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe: %v, %v", info, err)
	}
}
