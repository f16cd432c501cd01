package nightly

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/analysis/history"
	"moobench/results"
)

// TestPruneSays: each campaign, kept file and half of a campaign that goes is named with its size, what stays for a
// reason with that, and a dry run removes nothing.
func TestPruneSays(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("MOOBENCH_LOCK", "lock")
	const half = "runs/" + prunedPrefix + "c9"
	err := errors.Join(
		os.MkdirAll(half+"/below", 0o777), os.WriteFile(half+"/below/x", make([]byte, 1234), 0o666),
		os.Symlink("x", half+"/below/link"),
		os.MkdirAll("runs/odd", 0o777), os.WriteFile("runs/file", nil, 0o666), os.WriteFile("h.jsonl", nil, 0o666),
	)
	for name, day := range map[string]int{"c1": 1, "c2": 2, "c3": 3} {
		err = errors.Join(err, completeOne("runs/"+name, "a", time.Date(2026, 11, day, 3, 0, 0, 0, time.UTC), "0"))
	}
	if err != nil {
		t.Fatal(err)
	}
	here := func() string {
		all, err := filepath.Glob("runs/*")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(all, " ")
	}
	const before = half + " runs/c1 runs/c2 runs/c3 runs/file runs/odd"
	for _, c := range []struct {
		dry  bool
		left string
	}{{true, before}, {false, "runs/c3 runs/file runs/odd"}} {
		var out strings.Builder
		o := Prune{Keep: 1, Runs: "runs", Artifacts: "kept", History: "h.jsonl", Dry: c.dry}
		if err := o.Run(&out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		for _, want := range []string{"remove   1.205 KiB  " + half, "left                runs/odd: "} {
			if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, want) }) {
				t.Errorf("no line %q in\n%s", want, out.String())
			}
		}
		const sum = "\n2 campaigns and 0 kept files, 2." // KiB: 1.2 of the half, and 0.5 of each campaign
		for _, text := range []string{"  runs/c1\n", "  runs/c2\n", sum} {
			if !strings.Contains(out.String(), text) {
				t.Errorf("no %q in\n%s", text, out.String())
			}
		}
		if got := here(); got != c.left || strings.Contains(out.String(), "\nnothing was removed\n") != c.dry {
			t.Errorf("dry: %t, left are %s\n%s", c.dry, got, out.String())
		}
	}
	err = Prune{Runs: "none"}.Run(new(strings.Builder))
	if err == nil || err.Error() != "pruning: there is no folder none" {
		t.Errorf("no folder: %v", err)
	}
	err = Prune{Runs: "runs/c3"}.remove("runs/none")
	if err == nil || !strings.HasPrefix(err.Error(), "removing runs/none: ") {
		t.Errorf("no campaign: %v", err)
	}
}

// TestMoveSays: a series with enough pairs of nights goes on on another machine, once and for all; one without stays.
func TestMoveSays(t *testing.T) {
	here, there := nightsOf("a", 0, 0), nightsOf("a", 0, 0)
	stays := nightsOf("b", 0, 0)
	for i, r := range there {
		files := []results.Artifact{{Name: "agent.jar", SHA256: strings.Repeat(string(rune('a'+i%6)), 64)}}
		here[i].Night.Artifacts, r.Night.Artifacts = files, files
		r.Night.Key.Machine, r.Night.ID, r.Night.Folder = "m2", "o"+r.Night.ID, "o"+r.Night.Folder
	}
	file := written(t, slices.Concat(here, there, stays)...)
	var out strings.Builder
	m := Moving{History: file, From: "m1", To: "m2"}
	if err := m.Move(&out, firstNight.AddDate(0, 2, 0)); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "s/m/a continues on m2: shift ") ||
		!strings.HasPrefix(lines[1], "stays: s/m/b has 0 pairs of nights ") ||
		lines[2] != "next: moobench history check --history "+file+"; keep that file where your nights read it" {
		t.Errorf("%s", out.String())
	}
	h, err := history.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	moves := 0
	for _, r := range h.Records {
		if r.Kind == history.KindMove {
			moves++
			if r.Move.From.ID != "m1" || r.Move.Key.Machine != "m2" || r.Move.Key.Cell != "a" {
				t.Errorf("%+v", r.Move)
			}
		}
	}
	if moves != 1 {
		t.Errorf("%d moves are written down", moves)
	}
	err = Moving{History: written(t, stays...), From: "m1", To: "m1"}.Move(&out, firstNight)
	if err == nil || err.Error() != "--from and --to name the same machine, m1" {
		t.Errorf("to itself: %v", err)
	}
}
