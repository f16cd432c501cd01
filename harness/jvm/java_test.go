package jvm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/refusal"
)

// makeJava makes a folder that looks like a JDK; without a release text its
// java is a script that speaks for another one.
func makeJava(t *testing.T, home, release, script string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(home, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	if release != "" {
		write(t, filepath.Join(home, "release"), release, 0o666)
	}
	write(t, filepath.Join(home, "bin", "java"), "#!/bin/sh\n"+script, 0o777)
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	at := func(elem ...string) string { return filepath.Join(append([]string{root}, elem...)...) }
	makeJava(t, at("jvm", "old"), "JAVA_VERSION=\"1.8.0_412\"\n", "exit 1")
	makeJava(t, at("jvm", "new"), "IMPLEMENTOR=x\nJAVA_RUNTIME_VERSION=\"25.0.3+9-LTS\"\nJAVA_VERSION=\"25.0.3\"\n", "exit 1")
	makeJava(t, at("jdk17"), "JAVA_VERSION=\"17.0.15\"", "exit 1")
	makeJava(t, at("shim"), "", "echo '    java.home = "+at("jdk17")+"'; echo '    java.runtime.version = 17.0.15+6' >&2")
	makeJava(t, at("jdk8", "jre"), "", "exit 1")
	write(t, at("jdk8", "release"), "JAVA_VERSION=\"1.8.0_302\"", 0o666)
	makeJava(t, at("broken"), "", "echo no; exit 1")
	makeJava(t, at("mute"), "", "exit 0")
	if err := os.Symlink(at("jdk17", "bin"), at("link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		places places
		home   string
		want   string // version, or a part of the error
		major  int
	}{
		{"home wins", places{javaHome: at("jdk17"), path: at("link"), roots: at("jvm")}, at("jvm", "new"), "25.0.3+9-LTS", 25},
		{"JAVA_HOME before PATH", places{javaHome: at("jvm", "old"), path: at("link"), roots: at("jvm")}, "", "1.8.0_412", 8},
		{"JAVA_HOME is a JRE", places{javaHome: at("jdk8", "jre"), roots: at("jvm")}, "", "1.8.0_302", 8},
		{"PATH before the rest", places{path: at("nowhere") + ":" + at("link"), roots: at("jvm")}, "", "17.0.15", 17},
		{"newest of the rest", places{roots: at("jvm")}, "", "25.0.3+9-LTS", 25},
		{"a script is asked", places{path: at("shim", "bin")}, "", "17.0.15+6", 17},
		{"wrong home", places{roots: at("jvm")}, at("nowhere"), "set home in [jvm] to the folder of a JDK", 0},
		{"wrong JAVA_HOME", places{javaHome: at("nowhere"), roots: at("jvm")}, "", "correct JAVA_HOME or unset it", 0},
		{"broken java", places{}, at("broken"), "-version: exit status 1", 0},
		{"mute java", places{}, at("mute"), "does not say what Java it is", 0},
		{"nothing", places{path: at("nowhere"), roots: at("nowhere")}, "", "apt-get install openjdk-17-jdk-headless", 0},
	} {
		got, err := c.places.find(c.home)
		if c.major == 0 {
			if err == nil || !strings.Contains(refusal.Text(err), c.want) {
				t.Errorf("%s: got %v, want …%s…", c.name, err, c.want)
			}
			continue
		}
		if err != nil || got.Version != c.want || got.Major != c.major {
			t.Errorf("%s: got %+v, %v, want %s", c.name, got, err, c.want)
		}
	}
}

// TestAllJavas: each is listed once, that of JAVA_HOME first, and those that nobody named by their versions.
func TestAllJavas(t *testing.T) {
	root := t.TempDir()
	at := func(elem ...string) string { return filepath.Join(append([]string{root}, elem...)...) }
	for folder, version := range map[string]string{"a": "11.0.1", "b": "17.0.1", "jvm/c": "21.0.1", "jvm/d": "25.0.1"} {
		makeJava(t, at(folder), "JAVA_VERSION=\""+version+"\"", "exit 1")
	}
	if err := os.Symlink(at("a"), at("jvm", "again")); err != nil {
		t.Fatal(err)
	}
	path := at("b", "bin") + ":" + at("nowhere") + ":" + at("a", "bin")
	for want, p := range map[string]places{
		"11.0.1 17.0.1 25.0.1 21.0.1": {javaHome: at("a"), path: path, roots: at("jvm")},
		"17.0.1 11.0.1 25.0.1 21.0.1": {path: path, roots: at("jvm")},
		"25.0.1 21.0.1 11.0.1":        {roots: at("jvm")},
		"":                            {javaHome: at("nowhere"), roots: at("nowhere")},
	} {
		var got []string
		for _, j := range p.all() {
			got = append(got, j.Version)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%+v: %q, want %s", p, got, want)
		}
	}
}

func TestFailureTail(t *testing.T) {
	log := filepath.Join(t.TempDir(), LogName)
	write(t, log, strings.Repeat("a line of a log that is long\n", 1000)+"\x1b[31mlast\n", 0o666)
	got := strings.Split(Tail(log), "\n")
	if len(got) != tailLines || got[tailLines-1] != ".[31mlast" || got[0] != "a line of a log that is long" {
		t.Errorf("%d lines: %q", len(got), got)
	}
	write(t, log, strings.Repeat("x", 3*tailBytes), 0o666)
	if got := Tail(log); len(got) > tailBytes {
		t.Errorf("%d bytes", len(got))
	}
	if got := Tail(log + ".gone"); got != "" {
		t.Errorf("tail of nothing: %q", got)
	}
}
