package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/proc"
)

// TestMain makes the test a keeper where one is started.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == keeper {
		os.Exit(keep(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// TestChanges: each kind of change is found where it belongs, and says what it does.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		body string
		kind int
		want []string
	}{
		{"if x { y() }", negated, []string{"x → !(x)"}},
		{"for a && b {}", negated, []string{"a && b → !(a && b)"}},
		{"switch { case x, y: case z: default: }", negated, []string{"x → !(x)", "y → !(y)", "z → !(z)"}},
		{"switch a { case b: }", negated, nil},
		{"for {}", negated, nil},
		{"_ = a < b == (c >= d)", compared, []string{"a < b → a <= b", "c >= d → c > d"}},
		{"_ = a == b", compared, nil},
		{"_ = a + b*c - d", computed, []string{"a + b*c - d → a + b*c + d", "a + b*c → a - b*c", "b*c → b/c"}},
		{"a += b; c /= d", computed, []string{"a += b → a -= b", "c /= d → c *= d"}},
		{"a <<= b; c %= d", computed, nil},
		{"_ = a && b || c", joined, []string{"a && b || c → a && b && c", "a && b → a || b"}},
		{"a[0x0f] = 7", numbered, []string{"a[0x0f] → a[16]", "a[0x0f] = 7 → a[0x0f] = 8"}},
		{"_ = 1.5; _ = \"1\"; var _ [3]int", numbered, nil},
		{"a = b; a := b; a++; f(a)", dropped, []string{"a = b → (dropped)", "f(a) → (dropped)"}},
		{"return 0, -1, fmt.Errorf(\"%d\", 2)", numbered, []string{"fmt.Errorf(\"%d\", 2) → fmt.Errorf(\"%d\", 3)"}},
		{"return 0, errors.Join(a)", numbered, []string{"return 0, errors.Join(a) → return 1, errors.Join(a)"}},
		{"return 0, err", numbered, []string{"return 0, err → return 1, err"}},
		{"if err != nil { return 0, err }", numbered, nil},
		{"if err == nil { return 0, err }", numbered, []string{"return 0, err → return 1, err"}},
		{"if err != nil { if x { return 0, err } }", numbered, []string{"return 0, err → return 1, err"}},
		{"return errors.New(x)", numbered, nil},
		{"_ = math.Inf(1) + math.Inf(-1) + f(8)", numbered, []string{"f(8) → f(9)"}},
		{"return true, errors.New(x)", returned, nil},
		{"if err != nil { return false, err }", returned, nil},
		{"return true, f(), false", returned, []string{"return true, f(), false → return false, f(), false", "return true, f(), false → return true, f(), true"}},
	} {
		const head, foot = "package p\n\nimport \"q\"\n\nfunc _() {\n", "\n}\n"
		text := head + c.body + foot
		var found [kinds][]change
		if err := changesOf("p.go", []byte(text), &found); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range found[c.kind] {
			what, _ := strings.CutPrefix(one.String(), "p.go:6: ")
			got = append(got, what)
			before, after, _ := strings.Cut(what, " → ")
			if want := head + strings.Replace(c.body, before, strings.TrimPrefix(after, "(dropped)"), 1) + foot; string(one.made([]byte(text))) != want {
				t.Errorf("%s makes\n%s", one, one.made([]byte(text)))
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.body, diff)
		}
	}
}

// module is a tree with two packages that are large enough, one of which has tests, and what is no
// product.
func module(t *testing.T) string {
	t.Helper()
	root, long := t.TempDir(), strings.Repeat("//\n", least)
	for name, text := range map[string]string{
		"a/a.go": "package a\n\nfunc Less(a, b int) bool { return a < b }\n\nfunc Sum(a, b int) int { return a + b }\n" + long, "a/a_test.go": "package a\n",
		"b/b.go": "package b\n\nfunc Is() bool { return true }\n" + long, "small/s.go": "package small\n\nfunc Is() bool { return true }\n",
		"a/testdata/t.go": "package t\n\nfunc Is() bool { return true }\n" + long, "cmd/main.go": "package main\n\nfunc is() bool { return true }\n" + long,
		"internal/testb/b.go": "package testb\n\nfunc Is() bool { return true }\n" + long, "b/internal/testb/b.go": "package testb\n" + long,
		"tools/t.go": "package t\n" + long, "go.mod": "module m\n", "bin/old": "old", ".git/config": "",
	} {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// fakeGo puts a go in the way of the real one: what it builds passes while the tree holds that a is below b, and
// where something is taken away instead of added, it builds nothing.
func fakeGo(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	script := `#!/bin/sh
if grep -q 'a - b' a/a.go; then exit 1; fi
while [ $# -gt 1 ] && [ "$1" != -o ]; do shift; done
[ "$1" = -o ] || exit 0
mkdir -p "$(dirname "$2")"
printf '#!/bin/sh\nexec grep -q "a < b }" a.go\n' >"$2"
chmod +x "$2"
`
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// TestMutate: who has tests that notice a change has no survivor, who has none has, what doesn't compile is no
// change; the tree stays as it was, and each run says the same.
func TestMutate(t *testing.T) {
	fakeGo(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	root := module(t)
	before := files(t, root)
	var first string
	for _, jobs := range []int{1, 2} {
		var b bytes.Buffer
		if err := mutate(t.Context(), &b, root, options{seed: 7, n: 6, packages: 5, jobs: jobs}); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = b.String()
		}
		for _, want := range []string{
			"seed 7: 6 changes in 2 packages\n", "a                                0 of 1 survive\n",
			"b                                1 of 1 survive\n  b/b.go:3: return true → return false\n", "1 of 2 survive (50 %)\n",
		} {
			if got := b.String(); got != first || !strings.Contains(got, want) {
				t.Errorf("%d at once: no %q in\n%s", jobs, want, got)
			}
		}
	}
	var b bytes.Buffer
	if err := mutate(t.Context(), &b, root, options{seed: 7, n: 6, packages: 5, only: []string{"b"}}); err != nil || !strings.Contains(b.String(), "6 changes in 1 packages") {
		t.Errorf("one package alone: %v\n%s", err, b.String())
	}
	if diff := cmp.Diff(before, files(t, root)); diff != "" {
		t.Errorf("the tree has changed:\n%s", diff)
	}
	if left := files(t, temp); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// TestFailsAlready: tests that fail without a change say nothing.
func TestFailsAlready(t *testing.T) {
	fakeGo(t)
	root := module(t)
	if err := os.WriteFile(filepath.Join(root, "a", "a.go"), []byte("package a\n"+strings.Repeat("//\n", least)), 0o666); err != nil {
		t.Fatal(err)
	}
	err := mutate(t.Context(), &bytes.Buffer{}, root, options{seed: 7, n: 6, packages: 5})
	if err == nil || !strings.Contains(err.Error(), "a without a change: its tests fail") {
		t.Errorf("got %v", err)
	}
	if err := mutate(t.Context(), &bytes.Buffer{}, t.TempDir(), options{}); err == nil {
		t.Error("an empty folder has packages")
	}
}

// files are the contents of files below a folder, by their names.
func files(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDraw: the seed alone decides, and all of the changes that are wanted are given out.
func TestDraw(t *testing.T) {
	root := module(t)
	drawn := func(seed uint64) (all []string) {
		packages, err := packagesOf(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range draw(packages, options{seed: seed, n: 7, packages: 2}) {
			all = append(all, p.folder, strconv.Itoa(p.wanted))
			for c, ok := p.next(); ok; c, ok = p.next() {
				all = append(all, c.String())
			}
		}
		return all
	}
	seen := map[string]bool{}
	for seed := range uint64(20) {
		got := drawn(seed)
		if again := drawn(seed); !slices.Equal(got, again) {
			t.Errorf("seed %d: %q, and then %q", seed, got, again)
		}
		if len(got) != 2*2+3 || !slices.Contains(got, "4") || !slices.Contains(got, "3") {
			t.Errorf("seed %d: %q", seed, got)
		}
		seen[fmt.Sprint(got)] = true
	}
	if len(seen) < 2 {
		t.Error("all seeds draw the same")
	}
}

// TestKeeper: what a command leaves running ends, also where it belongs to nobody any more; a command that takes
// too long ends with all of it.
func TestKeeper(t *testing.T) {
	const leaves = "setsid sh -c 'sleep 1000 & echo $! >new; mv new pid; wait' & while [ ! -e pid ]; do sleep 0.01; done; "
	for name, c := range map[string]struct {
		then string
		code int
	}{"it fails": {"exit 3", 3}, "it passes": {"exit 0", 0}, "it is endless": {"touch endless; wait", 1}} {
		dir := t.TempDir()
		b := bench{temp: dir, log: filepath.Join(dir, "log")}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for ctx.Err() == nil {
				if _, err := os.Stat(filepath.Join(dir, "endless")); err == nil {
					cancel()
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		err := b.run(ctx, time.Hour, dir, "/bin/sh", "-c", leaves+c.then)
		cancel()
		code := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			code, err = exit.ExitCode(), nil
		}
		if c.code == 1 && errors.Is(err, context.Canceled) {
			code, err = 1, nil
		}
		if err != nil || code != c.code {
			t.Errorf("%s: %v, status %d, want %d", name, err, code, c.code)
		}
		text, err := os.ReadFile(filepath.Join(dir, "pid"))
		pid, errPID := strconv.Atoi(strings.TrimSpace(string(text)))
		if err := errors.Join(err, errPID); err != nil {
			t.Fatal(err)
		}
		if there, _ := proc.Running(pid); there {
			t.Errorf("%s: process %d is left", name, pid)
		}
	}
}
