package nightly

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/history"
	"moobench/cmd/internal/outcome"
)

func TestCommitFor(t *testing.T) {
	nowhere := t.TempDir()
	for _, c := range []struct {
		said           string
		campaigns      int
		github, gitlab string
		want           string
		wrong          bool
	}{
		{said: "4f2a9c1", campaigns: 1, github: "aaa", want: "4f2a9c1"},
		{said: "4f2a9c1", campaigns: 3, want: "4f2a9c1"},
		{campaigns: 1, github: "aaa", gitlab: "bbb", want: "aaa"},
		{campaigns: 1, gitlab: "bbb", want: "bbb"},
		{campaigns: 2, github: "aaa"},
		{campaigns: 1},
		{said: "two words", campaigns: 1, wrong: true},
		{said: "a\x1b[1m", campaigns: 1, wrong: true},
		{said: strings.Repeat("a", 201), campaigns: 1, wrong: true},
	} {
		t.Setenv("GITHUB_SHA", c.github)
		t.Setenv("CI_COMMIT_SHA", c.gitlab)
		t.Chdir(nowhere)
		t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(nowhere))
		got, err := CommitFor(t.Context(), c.said, c.campaigns)
		if got != c.want || (err != nil) != c.wrong {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

func TestCommitOfTheWorkingDirectory(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	t.Setenv("GITHUB_SHA", "")
	t.Setenv("CI_COMMIT_SHA", "")
	t.Chdir(t.TempDir())
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@localhost"}, args...)...).Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	if got, err := CommitFor(t.Context(), "", 1); got != "" || err != nil {
		t.Errorf("a repository without a commit is at %q, %v", got, err)
	}
	git("commit", "-q", "--allow-empty", "-m", "first")
	want := git("rev-parse", "HEAD")
	if got, err := CommitFor(t.Context(), "", 1); got != want || err != nil {
		t.Errorf("commit %q, %v; want %s", got, err, want)
	}
	t.Setenv("PATH", t.TempDir())
	if got, err := CommitFor(t.Context(), "", 1); got != "" || err != nil {
		t.Errorf("without git it is %q, %v", got, err)
	}
}

func TestSeriesAreNamed(t *testing.T) {
	f := &history.Findings{Series: []history.Series{{Key: history.Key{Scenario: "overhead", Metric: "duration", Cell: "mine/bci/default depth=10"}}}}
	for pattern, want := range map[string]bool{
		"mine/bci/default depth=10":                   true,
		"overhead/duration/mine/bci/default depth=10": true,
		"*":           true,
		"mine*":       true,
		"*/mine*":     true,
		"*depth=10":   true,
		"mine":        false,
		"m.*":         false,
		"*depth=1":    false,
		"overhead":    false,
		"mine[/]bci*": false,
		"duration":    false,
		"":            false,
		"*/duration":  false,
	} {
		if got, err := Choose(f, []string{pattern}); (err == nil) != want || (len(got) == 1) != want {
			t.Errorf("%q names %d series, %v; want %v", pattern, len(got), err, want)
		}
	}
}

func TestGrouped(t *testing.T) {
	of := func(cell, metric, older string) history.Remeasurement {
		return history.Remeasurement{
			Unsettled: history.Unsettled{Series: &history.Series{Key: history.Key{Scenario: "s", Cell: cell, Metric: metric}}},
			Old:       history.Night{ID: older}, New: history.Night{ID: "n"},
		}
	}
	gone := of("a", "m3", "1")
	gone.Why = "gone"
	var got []string
	for _, g := range grouped([]history.Remeasurement{of("a", "m1", "1"), of("b", "m1", "1"), of("a", "m2", "1"), of("a", "m4", "2"), gone}) {
		var metrics []string
		for _, a := range g {
			metrics = append(metrics, a.Series.Cell+a.Series.Metric)
		}
		got = append(got, strings.Join(metrics, "+"))
	}
	if diff := cmp.Diff([]string{"am1+am2", "bm1", "am4", "am3"}, got); diff != "" {
		t.Error(diff)
	}
}

// A change for the worse decides the exit status, then what stays open.
func TestOutcomes(t *testing.T) {
	open, regressed := outcome.ErrIncomplete, outcome.ErrWorse
	for _, c := range []struct{ a, b, want error }{
		{nil, nil, nil}, {open, nil, open}, {nil, open, open}, {open, regressed, regressed}, {regressed, open, regressed}, {regressed, nil, regressed},
	} {
		if got := outcome.Worst(c.a, c.b); !errors.Is(got, c.want) {
			t.Errorf("of %v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
