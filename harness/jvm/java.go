package jvm

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/harness/proc"
	"moobench/refusal"
	"moobench/results/safefile"
)

// Java is an installed JDK or JRE.
type Java struct {
	Path    string // its java program
	Home    string
	Version string // exact build, e.g. 17.0.15+6-Debian-1deb12u1
	Major   int    // 8, 17, 25
}

const installHint = `install one, e.g. "apt-get install openjdk-17-jdk-headless" on Debian or Ubuntu, ` +
	`or set home in [jvm] to where one is (moobench cost: --jdk)`

// places lists where to look for Java.
type places struct {
	javaHome string // $JAVA_HOME
	path     string // $PATH
	roots    string // a folder of JDK homes
}

func usualPlaces() places {
	return places{javaHome: os.Getenv("JAVA_HOME"), path: os.Getenv("PATH"), roots: "/usr/lib/jvm"}
}

// Find returns the Java at home. If home is "", it returns that of JAVA_HOME, else the first on PATH, else the
// newest in /usr/lib/jvm.
func Find(home string) (Java, error) {
	return usualPlaces().find(home)
}

// All lists every Java found; the first is the one that Find("") returns.
func All() []Java { return usualPlaces().all() }

func (p places) find(home string) (Java, error) {
	for _, one := range []struct{ home, place, do string }{
		{home, home, "set home in [jvm] to the folder of a JDK, the one that holds bin/java (moobench cost: --jdk)"},
		{p.javaHome, "JAVA_HOME=" + p.javaHome, "correct JAVA_HOME or unset it"},
	} {
		if one.home == "" {
			continue
		}
		j, err := identify(filepath.Join(one.home, "bin", "java"))
		if err != nil {
			return Java{}, refusal.New(fmt.Errorf("looking for Java in %s: %w", one.place, err), one.do)
		}
		return j, nil
	}
	found := p.all()
	if len(found) == 0 {
		return Java{}, refusal.New(
			fmt.Errorf("looking for Java: there is none in JAVA_HOME, on PATH or in %s", p.roots), installHint)
	}
	return found[0], nil
}

func (p places) all() []Java {
	var found []Java
	add := func(elem ...string) {
		j, err := identify(filepath.Join(elem...))
		if err == nil && !slices.Contains(found, j) {
			found = append(found, j)
		}
	}
	if p.javaHome != "" {
		add(p.javaHome, "bin", "java")
	}
	for _, dir := range filepath.SplitList(p.path) {
		add(dir, "java")
	}
	n := len(found)
	homes, _ := filepath.Glob(filepath.Join(p.roots, "*")) // the pattern is well-formed
	for _, home := range homes {
		add(home, "bin", "java")
	}
	slices.SortStableFunc(found[n:], func(a, b Java) int { return cmp.Compare(b.Major, a.Major) })
	return found
}

// identify reads a JDK's release file. Without one, as with a wrapper script or in some distributions, it runs the
// program.
func identify(java string) (Java, error) {
	real, err := filepath.EvalSymlinks(java)
	if err != nil {
		return Java{}, err
	}
	if info, err := os.Stat(real); err != nil {
		return Java{}, err
	} else if !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return Java{}, fmt.Errorf("%s is not a program", real)
	}
	j := Java{Path: real, Home: filepath.Dir(filepath.Dir(real))}
	if filepath.Base(j.Home) == "jre" { // of a JDK 8
		j.Home = filepath.Dir(j.Home)
	}
	release, _ := safefile.Read(filepath.Join(j.Home, "release"), 1<<20) // without one, the program is asked
	j.Version = cmp.Or(property(release, "JAVA_RUNTIME_VERSION"), property(release, "JAVA_VERSION"))
	if j.Version == "" {
		return ask(real)
	}
	j.Major, err = major(j.Version)
	return j, err
}

// ask runs the program to learn its home and version.
func ask(java string) (Java, error) {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, java, "-XshowSettings:properties", "-version")
	cmd.Env = environment()
	out, err := proc.Said(cmd)
	if err != nil {
		return Java{}, fmt.Errorf("running %s -version: %w", java, err)
	}
	home, version := property(out, "java.home"), property(out, "java.runtime.version")
	if home == "" || version == "" {
		return Java{}, fmt.Errorf("%s does not say what Java it is", java)
	}
	j := Java{Path: filepath.Join(home, "bin", "java"), Home: home, Version: version}
	if _, err := os.Stat(j.Path); err != nil {
		return Java{}, err
	}
	j.Major, err = major(version)
	return j, err
}

// property returns the value of a key=value line without its quotes, or "".
func property(text []byte, key string) string {
	for line := range strings.Lines(string(text)) {
		k, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(k) == key {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// major extracts 17 from 17.0.15+6, and 8 from 1.8.0_412.
func major(version string) (int, error) {
	var n int
	if _, err := fmt.Sscanf(strings.TrimPrefix(version, "1."), "%d", &n); err != nil {
		return 0, fmt.Errorf("%q is not a version of Java", version)
	}
	return n, nil
}
