package run

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// weaving is a Preparer with an empty cache, a plan of one cell whose classes are prepared by a
// shell, and a function that does so.
func weaving(t *testing.T, classes string, run string, holds ...string) (p *plan.Plan, log *strings.Builder, prepare func() (string, error)) {
	t.Helper()
	log = &strings.Builder{}
	w := &Preparer{Cache: filepath.Join(t.TempDir(), "prepared"), Resolver: &framework.Resolver{Offline: true}, Log: log}
	tool := filepath.Join(t.TempDir(), "tool.jar")
	write(t, tool, "a tool")
	p = planOf(framework.Variant{
		Name: "x/build/default", Target: "com.acme.Queue", Artifacts: []framework.Artifact{{Name: "tool", Path: tool}},
		Prepare: framework.Prepare{Of: classes, Run: []string{"sh", "-c", run, "{jar.tool}", "{class}"}, Holds: holds},
	})
	return p, log, func() (string, error) {
		t.Helper()
		all, err := ResolveArtifacts(t.Context(), w.Resolver, p)
		if err != nil {
			t.Fatal(err)
		}
		if err := all.Prepare(t.Context(), p, w, func(plan.Cell) jvm.Java { return jvm.Java{Path: "java", Version: "17"} }); err != nil {
			return "", err
		}
		return all.prepared[preparedFor(&p.Cells[0])].dir, nil
	}
}

const queueFile = "com/acme/Queue.class"

// weave adds the constant Woven to the class.
const weave = `printf '\001\000\005Woven' >> com/acme/Queue.class`

// TestPreparedOnce: a tool works on a copy, once for each content of classes and tool, and its
// result is noted.
func TestPreparedOnce(t *testing.T) {
	classes := t.TempDir()
	write(t, filepath.Join(classes, queueFile), "class")
	p, log, prepare := weaving(t, classes, weave, "Woven")
	dir, err := prepare()
	if err != nil {
		t.Fatal(err)
	}
	woven, err := os.ReadFile(filepath.Join(dir, queueFile))
	if err != nil || !strings.HasSuffix(string(woven), "Woven") {
		t.Errorf("%q, %v", woven, err)
	}
	if original, _ := os.ReadFile(filepath.Join(classes, queueFile)); string(original) != "class" {
		t.Errorf("the original became %q", original)
	}
	noted := func() (digest string) {
		for _, a := range p.Campaign.Cells[0].Launch.Artifacts {
			if a.Name == framework.PreparedName {
				digest += a.SHA256
			}
		}
		return digest
	}
	digest := noted()
	if len(digest) != 64 {
		t.Errorf("noted %q", digest)
	}
	runs := func() int { return strings.Count(log.String(), "preparing the classes of x/build/default") }
	if again, err := prepare(); again != dir || err != nil || runs() != 1 || noted() != digest {
		t.Errorf("again: %s, %v, ran %d times, noted %s", again, err, runs(), noted())
	}
	write(t, filepath.Join(dir, queueFile), "another")
	if again, err := prepare(); again != dir || err != nil || runs() != 2 || noted() != digest {
		t.Errorf("after damage: %s, %v, ran %d times, noted %s", again, err, runs(), noted())
	}
	write(t, filepath.Join(classes, queueFile), "class, changed")
	if _, err := prepare(); err == nil || !strings.Contains(err.Error(), "the campaign was started with another {prepared}") {
		t.Errorf("a campaign that goes on with other classes: %v", err)
	}
	p.Campaign.Cells[0].Launch.Artifacts, p.Cells[0].Launch.Artifacts = nil, nil // a new one
	if other, err := prepare(); other == dir || err != nil || noted() == digest {
		t.Errorf("other classes: %s, %v, noted %s", other, err, noted())
	}
}

// TestPreparedByAScript: what is prepared by a script is prepared anew when the script is another.
func TestPreparedByAScript(t *testing.T) {
	classes, script := t.TempDir(), filepath.Join(t.TempDir(), "tool.sh")
	write(t, filepath.Join(classes, queueFile), "class")
	write(t, script, weave)
	p, log, prepare := weaving(t, classes, ". "+script)
	runs := func() int { return strings.Count(log.String(), "preparing the classes") }
	first, err := prepare()
	if again, err2 := prepare(); err != nil || err2 != nil || again != first || runs() != 1 {
		t.Fatalf("%s, then %s: %v, %v, ran %d times", first, again, err, err2, runs())
	}
	write(t, script, "printf Other >> com/acme/Queue.class")
	p.Campaign.Cells[0].Launch.Artifacts, p.Cells[0].Launch.Artifacts = nil, nil // a new campaign
	second, err := prepare()
	if err != nil || second == first || runs() != 2 {
		t.Fatalf("changed: %s, %v, ran %d times", second, err, runs())
	}
	if woven, err := os.ReadFile(filepath.Join(second, queueFile)); err != nil || !strings.HasSuffix(string(woven), "Other") {
		t.Errorf("%q, %v", woven, err)
	}
}

// TestNamed: a tool's files are its program and what its words name, also within one word.
func TestNamed(t *testing.T) {
	dir := t.TempDir()
	tool, jar, list := filepath.Join(dir, "tool"), filepath.Join(dir, "a.jar"), filepath.Join(dir, "list")
	for _, path := range []string{tool, jar, list} {
		write(t, path, "x")
	}
	if err := os.Chmod(tool, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for _, test := range []struct{ run, want []string }{
		{[]string{"tool"}, []string{tool}},
		{[]string{"tool", "-cp=" + jar + ":" + list, jar}, []string{jar, list, tool}},
		{[]string{"no-such-tool", "tool", dir, "@" + list}, []string{list}},
		{[]string{tool, "a.jar", "/no/such/file"}, []string{tool}},
	} {
		if got := named(test.run); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.run, got, test.want)
		}
	}
}

// TestPreparingFails: a tool that ends well proves nothing.
func TestPreparingFails(t *testing.T) {
	for _, test := range []struct{ name, run, want string }{
		{"nothing done", "echo Enhanced 0 classes", "left the class com.acme.Queue as it was; it said:\n  Enhanced 0 classes"},
		{"something else done", "echo x >> com/acme/Queue.class", `does not hold "Woven"`},
		{"a longer constant", `printf '\001\000\006Woven2' >> com/acme/Queue.class`, `does not hold "Woven"`},
		{"failed", "echo out of luck >&2; exit 3", "exit status 3; it said:\n  out of luck"},
		{"class removed", "rm com/acme/Queue.class", "removed the class com.acme.Queue"},
	} {
		t.Run(test.name, func(t *testing.T) {
			classes := t.TempDir()
			write(t, filepath.Join(classes, queueFile), "class")
			_, _, prepare := weaving(t, classes, test.run, "Woven")
			for range 2 { // nothing of it is kept
				if _, err := prepare(); err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "preparing the classes of x/build/default") {
					t.Errorf("%v, want %s", err, test.want)
				}
			}
		})
	}
	_, _, prepare := weaving(t, t.TempDir(), weave)
	if _, err := prepare(); err == nil || !strings.Contains(err.Error(), "has no class com.acme.Queue") {
		t.Errorf("without the class: %v", err)
	}
}

// TestPreparedJar: a jar is unpacked, but not to where its entries may want to.
func TestPreparedJar(t *testing.T) {
	jar := func(names ...string) string {
		path := filepath.Join(t.TempDir(), "app.jar")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z := zip.NewWriter(f)
		for _, name := range names {
			if w, err := z.Create(name); err != nil {
				t.Fatal(err)
			} else if _, err := w.Write([]byte("class")); err != nil && !strings.HasSuffix(name, "/") {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	_, _, prepare := weaving(t, jar("com/", queueFile), weave, "Woven")
	dir, err := prepare()
	if err != nil {
		t.Fatal(err)
	}
	if woven, err := os.ReadFile(filepath.Join(dir, queueFile)); err != nil || !strings.HasSuffix(string(woven), "Woven") {
		t.Errorf("%q, %v", woven, err)
	}
	_, _, prepare = weaving(t, jar(queueFile, "../../evil.class"), weave)
	if _, err := prepare(); err == nil || !strings.Contains(err.Error(), `"../../evil.class" is not a name of a file in a folder`) {
		t.Errorf("an entry that leads out: %v", err)
	}
}

// TestPreparedPlaceholder: an invocation gets the folder that was prepared for its cell.
func TestPreparedPlaceholder(t *testing.T) {
	r := &Runner{Artifacts: &Artifacts{prepared: map[[3]string]prepared{{"x/build/default", "", "com.acme.Queue"}: {dir: "/there"}}}}
	c := plan.Cell{Cell: results.Cell{Variant: "x/build/default", Launch: results.Launch{Target: "com.acme.Queue"}}}
	if got := r.vars(plan.Invocation{Cell: c}, "", nil)[framework.Prepared]; got != "/there" {
		t.Errorf("{prepared} is %q", got)
	}
}
