package session

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/run"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/fleet"
)

// fakeJDK makes a folder that looks like a JDK of a version, and returns its absolute path.
func fakeJDK(t *testing.T, home, version string) string {
	t.Helper()
	err := errors.Join(
		os.MkdirAll(filepath.Join(home, "bin"), 0o777),
		os.WriteFile(filepath.Join(home, "release"), []byte("JAVA_VERSION=\""+version+"\"\n"), 0o666),
		os.WriteFile(filepath.Join(home, "bin", "java"), []byte("#!/bin/sh\nexit 1\n"), 0o777),
	)
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.EvalSymlinks(home)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// jdkTOML is a campaign with these lines in [jvm].
func jdkTOML(lines string) string {
	return strings.Replace(previewed["watched"], "[[scenario]]", "[jvm]\n"+lines+"\n[[scenario]]", 1)
}

// TestSeveralJDKs: each is found in its folder, which a file may name by the way from its own; the first one builds
// the fixtures, and a plan of several names all of them.
func TestSeveralJDKs(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	newer, older := fakeJDK(t, "newer", "21.0.1"), fakeJDK(t, "older", "17.0.2")
	s, err := s.lab.Parse(Options{}, "benchmarks.toml", []byte(jdkTOML(`homes = ["newer", "older"]`)))
	if err != nil {
		t.Fatal(err)
	}
	if java, err := s.chooseJava(); err != nil || java.Home != newer || java.Version != "21.0.1" {
		t.Errorf("%+v, %v", java, err)
	}
	if got, err := s.jdkVersions(); err != nil || got != "17.0.2, 21.0.1" {
		t.Errorf("%s, %v", got, err)
	}
	m := &measuring{Session: s}
	if _, err := m.java(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := m.runner; len(r.Javas) != 2 || r.Javas[older].Version != "17.0.2" || r.Java.Home != newer {
		t.Errorf("%+v", r.Javas)
	}
	var out strings.Builder
	s.writeFactors(&out)
	want := "  JDK 21.0.1 in " + newer + "\n  JDK 17.0.2 in " + older + "\n"
	if !strings.HasPrefix(out.String(), want) || strings.Count(out.String(), " in ") != 2 {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
	one, err := s.lab.Parse(Options{}, "benchmarks.toml", []byte(jdkTOML(`homes = ["older"]`)))
	if err != nil {
		t.Fatal(err)
	}
	if java, err := one.chooseJava(); err != nil || java.Home != older {
		t.Errorf("%+v, %v", java, err)
	}
	_, err = s.lab.Parse(Options{}, "benchmarks.toml", []byte(jdkTOML(`homes = ["newer", "gone", "away"]`)))
	if err == nil || strings.Count(refusal.Text(err), "looking for Java in ") != 2 {
		t.Errorf("two that there are not: %v", err)
	}
}

// TestOneJDK: the one that a file names is the campaign's, wherever moobench is started, and a variant that can't run
// on it is refused, by the phase that would measure with it as well.
func TestOneJDK(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	at := fakeJDK(t, "sub/jdk", "1.8.0_402")
	parse := func(home string) *Session {
		t.Helper()
		s, err := s.lab.Parse(Options{}, "sub/benchmarks.toml", []byte(jdkTOML("home = \""+home+"\"")))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, home := range []string{"jdk", at} {
		s := parse(home)
		java, err := s.chooseJava()
		if err != nil || java.Home != at || java.Major != 8 {
			t.Errorf("%s: %+v, %v", home, java, err)
		}
		if got, err := s.jdkVersions(); err != nil || got != "1.8.0_402" {
			t.Errorf("%s: %s, %v", home, got, err)
		}
		s.Plan.Cells[2].Recipe.JavaMin, s.Plan.Cells[2].Recipe.Name = 11, "mine"
		const why = "mine needs Java 11 or newer, "
		if _, err := s.suited(); err == nil || strings.Count(err.Error(), why) != 1 {
			t.Errorf("%s: %v", home, err)
		} else if !strings.Contains(refusal.Text(err), "name another JDK") {
			t.Error(refusal.Text(err))
		}
		m := &measuring{Session: s}
		_, suit := m.suit(t.Context())
		_, java2 := m.java(t.Context())
		if suit == nil || java2 == nil {
			t.Errorf("%s: it goes on with %v, %v", home, suit, java2)
		}
		var out strings.Builder
		s.writeUnsuited(&out)
		if strings.Count(out.String(), why) != 1 || !strings.HasPrefix(out.String(), "  !    mine") {
			t.Error(out.String())
		}
		for i := range s.Plan.Cells {
			s.Plan.Cells[i].Recipe.JavaMin = 8
		}
		if java, err := s.suited(); err != nil || java.Home != at {
			t.Errorf("%s: %+v, %v", home, java, err)
		}
	}
	for _, home := range []string{"gone", filepath.Join(filepath.Dir(at), "gone")} {
		s := parse(home)
		if _, err := s.suited(); err == nil || !strings.Contains(err.Error(), filepath.Join(filepath.Dir(at), "gone")) {
			t.Errorf("%s: %v", home, err)
		}
		if _, err := s.jdkVersions(); err == nil {
			t.Errorf("%s has a version", home)
		}
		var out strings.Builder
		if s.writeUnsuited(&out); out.Len() > 0 {
			t.Error(out.String())
		}
	}
}

// TestBundleFits: what was bundled for one JDK is not measured with another, and a bundle finds its files.
func TestBundleFits(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	m := &measuring{Session: s, runner: &run.Runner{Java: jvm.Java{Version: "21"}}}
	if err := m.fits(); err != nil || s.brought() != nil {
		t.Errorf("there is no bundle: %v", err)
	}
	s.bundle, s.bundleFolder = &fleet.Bundle{JDK: "21"}, "b"
	if err := m.fits(); err != nil {
		t.Error(err)
	}
	s.bundle.JDK = "17"
	if err := m.fits(); err == nil || err.Error() != "the bundle was made with JDK 17, and this is 21" {
		t.Errorf("another JDK: %v", err)
	}
	if got := s.brought()("org.example:tool:1.0"); got != "" {
		t.Errorf("it has %s", got)
	}
}

// TestMissingFiles: jars of the user's that there are not are mistakes at the places that name them, once each; with
// anything else wrong, nothing of it is lost.
func TestMissingFiles(t *testing.T) {
	const own = "variants  = [\"none\", \"mine\"]\ndepth = [1, 10]\n[framework.mine]\nagent = \"mine.jar\"\n"
	s, _, _ := planned(t, "name = \"a\"\n[[scenario]]\nuse = \"overhead\"\ncalls = 100\nblocks = 1\n"+own, Options{})
	m := &measuring{Session: s, runner: &run.Runner{}, resolver: &framework.Resolver{Log: io.Discard}}
	_, err := m.artifacts(t.Context())
	const at = "benchmarks.toml:9: "
	if err == nil || !strings.HasPrefix(err.Error(), at) || strings.Count(err.Error(), "mine.jar") != 1 {
		t.Errorf("two cells need it: %v", err)
	}
	if err := os.WriteFile("mine.jar", []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := m.artifacts(t.Context()); err != nil || m.runner.Artifacts == nil {
		t.Error(err)
	}
	other := errors.New("it failed")
	missing := &framework.MissingError{Artifact: framework.Artifact{Key: []any{"framework", "mine", "agent"}}}
	for _, err := range []error{other, errors.Join(missing, other), nil} {
		if got := missingFiles(s.File, err); !errors.Is(got, err) || (got == nil) != (err == nil) {
			t.Errorf("%v becomes %v", err, got)
		}
	}
}

// TestResumable: what was imported is not gone on with, and what was measured brings its file.
func TestResumable(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	if _, _, err := Resumable("gone"); err == nil {
		t.Error("there is none")
	}
	imported := *s.Plan.Campaign
	imported.Source = "JMH"
	for dir, c := range map[string]*results.Campaign{"ours": s.Plan.Campaign, "theirs": &imported} {
		if _, err := results.Create(dir, c, []byte(previewed["watched"])); err != nil {
			t.Fatal(err)
		}
	}
	c, text, err := Resumable("ours")
	if err != nil || string(text) != previewed["watched"] || c.Seed != 5 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, _, err := Resumable("theirs"); err == nil || !strings.Contains(err.Error(), "it was imported from JMH") {
		t.Error(err)
	}
	opened, err := s.lab.Open(Options{Resume: "ours"})
	if err != nil || opened.Plan.Campaign.Seed != 5 || opened.File.Name != "watched" {
		t.Errorf("%v", err)
	}
	changed := strings.Replace(previewed["watched"], "1000", "1001", 1)
	if err := os.WriteFile("changed.toml", []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = s.lab.Open(Options{Resume: "ours"}, "changed.toml")
	if err == nil || !strings.HasPrefix(err.Error(), "resuming ours: ") || !strings.HasPrefix(refusal.Do(err), "undo") {
		t.Errorf("another plan: %v", err)
	}
}
