package main

import (
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/session"
)

var update = flag.Bool("update", false, "draw the README's picture anew")

// blocks returns the fenced blocks of a Markdown text in a language.
func blocks(text, language string) []string {
	var found []string
	var block strings.Builder
	open, wanted := false, false
	for _, line := range strings.SplitAfter(text, "\n") {
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && !open:
			open, wanted = true, fence == language
		case isFence && wanted:
			found = append(found, block.String())
			fallthrough
		case isFence:
			open, wanted = false, false
			block.Reset()
		case wanted:
			block.WriteString(line)
		}
	}
	return found
}

// documents returns the README and its chapters, in the order in which they are read.
func documents(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{"README.md", "docs/agent.md", "docs/applications.md", "docs/swap.md", "docs/trace.md", "docs/locks.md", "docs/jfr.md", "docs/nightly.md", "docs/why-changed.md", "docs/papers.md", "docs/method.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// commands returns the lines of the documents' blocks that start with a program.
func commands(t *testing.T, program string) []string {
	t.Helper()
	var found []string
	for _, block := range blocks(documents(t), "") {
		for _, line := range strings.Split(block, "\n") {
			if command, _, _ := strings.Cut(line, "#"); strings.HasPrefix(command, program+" ") {
				found = append(found, strings.TrimSpace(command))
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("the documents have no command of %s", program)
	}
	return found
}

// TestReadmeMake looks for the README's two commands in the Makefile; make test
// is what runs this test.
func TestReadmeMake(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range commands(t, "make") {
		target := strings.Fields(command)[1]
		if !regexp.MustCompile(`(?m)^` + target + `:`).Match(makefile) {
			t.Errorf("README says %q, and the Makefile has no %s", command, target)
		}
	}
}

// TestReadmeCommands runs every moobench command of the README and its chapters, in
// their order, on real JVMs, with the README's own benchmarks.toml made shorter.
func TestReadmeCommands(t *testing.T) {
	needReal(t)
	dir, snippets := t.TempDir(), blocks(documents(t), "toml")
	// A test changes no setting of the machine that it runs on.
	parts := slices.DeleteFunc(snippets[1:], func(b string) bool { return wholeCampaign(b) || strings.Contains(b, "[machine]") })
	toml := strings.Replace(snippets[0], `use      = "overhead"`, "use = \"overhead\"\ncalls = 2000\nblocks = 2\nresources = 1", 1) + strings.Join(parts, "\n")
	if !strings.Contains(toml, "calls = 2000") {
		t.Fatal("the README's benchmarks.toml has changed its shape")
	}
	if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(toml), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, jar := range []string{"target/my-agent.jar", "my-agent.jar", "my-agent-1.2.jar"} {
		someAgent(t, filepath.Join(dir, jar))
	}
	// What is measured beside other programs may have no value for a history: an earlier campaign has.
	earlier := t.TempDir()
	extract(t, filepath.Join("testdata", "first-look.tar.gz"), earlier)
	acme := strconv.Itoa(someProgram(t, "java"))
	someJar(t, dir)
	for _, command := range commands(t, "moobench") {
		args := words(command)[1:]
		if slices.Contains(args, "--calibrate") {
			continue // TestCalibrateOnRealJVMs does, and doesn't keep what a busy machine says
		}
		if args[0] == "replicate" && slices.Contains(args, "--report") {
			continue // what is measured is a paper at length; TestReplicate asks for reports
		}
		if args[0] == "cost" || args[0] == "replicate" && slices.Contains(args, "-o") {
			args = slices.Insert(args, 1, "-n") // TestCost and TestReplicate measure
		}
		for i := range args {
			switch args[i] {
			case "DIR", "OLD", "NEW":
				args[i] = campaignIn(t, dir)
				if args[0] == "history" {
					args[i] = filepath.Join(earlier, "first-look")
				}
			case "PID":
				args[i] = acme
			}
		}
		// The agent of the example records nothing: its cell has no result, and says so.
		if out, status := real(t, dir, args...); status != exitFine && status != exitIncomplete {
			t.Errorf("%s: exit status %d\n%s", command, status, out)
		}
	}
}

// wholeCampaign says whether a snippet is a campaign by itself.
func wholeCampaign(toml string) bool { return strings.Contains(toml, "[[scenario]]") }

// TestSnippets plans every snippet of the documents as it is pasted: into a file of its own,
// or, where it is a part of one, to the end of the README's first.
func TestSnippets(t *testing.T) {
	root := filepath.Join("..", "..")
	p := newPlace(t)
	if err := os.MkdirAll(filepath.Join(p.dir, "target"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "target", "my-agent.jar"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	whole, planned := "", 0
	plan := func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" || strings.Contains(path, "testdata") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, toml := range blocks(string(text), "toml") {
			if whole == "" {
				whole = toml
			}
			if !wholeCampaign(toml) {
				toml = whole + toml
			}
			if err := os.WriteFile(filepath.Join(p.dir, "benchmarks.toml"), []byte(toml), 0o666); err != nil {
				return err
			}
			planned++
			if out, err := p.moobench("run", "-n").CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s\n%s", path, err, out, toml)
			}
		}
		return nil
	}
	for _, dir := range []string{"README.md", "docs", "examples", "harness", "results", "analysis", "jvm-fixtures"} {
		if err := filepath.WalkDir(filepath.Join(root, dir), plan); err != nil {
			t.Fatal(err)
		}
	}
	if planned < 7 {
		t.Errorf("only %d snippets", planned)
	}
}

// words parts a command as a shell does, which needs no more than single quotes.
func words(command string) []string {
	all := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(command, -1)
	for i := range all {
		all[i] = strings.Trim(all[i], "'")
	}
	return all
}

// someAgent puts a harmless agent where the README has one's own.
func someAgent(t *testing.T, path string) {
	t.Helper()
	fixtures, err := (&terminal{session.Lab{Console: console.Console{Err: os.Stderr}}}).Fixtures("")
	if err != nil {
		t.Fatal(err)
	}
	built, err := fixtures.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	jar, err := os.ReadFile(built.Jar("hotswap"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, jar, 0o666); err != nil {
		t.Fatal(err)
	}
}

// someJar makes app.jar, a program with a class that is annotated.
func someJar(t *testing.T, dir string) {
	t.Helper()
	const java = `package com.acme;

@Monitored
class Queue {
	synchronized int size() { return 1; }

	public static void main(String[] args) { new Queue().size(); }
}

@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
@interface Monitored {}
`
	javac(t, dir, "Queue.java", java)
	if out, err := exec.Command("jar", "cfe", filepath.Join(dir, "app.jar"), "com.acme.Queue", "-C", dir, "com").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func campaignIn(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "results", "runs", "*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("campaigns %v, %v: want one", found, err)
	}
	return found[0]
}

// TestLinks follows every link of the README and its chapters.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, dir := range []string{"README.md", "CONTRIBUTING.md", "docs"} {
		follow := func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".md" {
				return err
			}
			text, err := os.ReadFile(path)
			for _, link := range regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`).FindAllStringSubmatch(string(text), -1) {
				if _, err := os.Stat(filepath.Join(filepath.Dir(path), link[1])); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			return err
		}
		if err := filepath.WalkDir(filepath.Join(root, dir), follow); err != nil {
			t.Fatal(err)
		}
	}
}

// The README's picture and its answer are those of a campaign that make run measured, of
// which the summaries are kept in testdata: moobench draws and prints the same again.
func TestReadmePicture(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	picture, err := filepath.Abs("../../docs/first-look.svg")
	if err != nil {
		t.Fatal(err)
	}
	fakeHome(t)
	unpack(t, filepath.Join("testdata", "first-look.tar.gz"))
	t.Setenv("COLUMNS", "100")
	svg, _ := said(t, "report", "first-look", "--format", "svg")
	if *update {
		if err := os.WriteFile(picture, []byte(svg), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if drawn, err := os.ReadFile(picture); err != nil || string(drawn) != svg {
		t.Errorf("docs/first-look.svg is not what is drawn (%v): go test -run TestReadmePicture -update draws it again", err)
	}
	text, _ := said(t, "report", "first-look")
	_, answer, _ := strings.Cut(text, "\n\n")
	answer, _, _ = strings.Cut(answer, "\nnot calibrated")
	if sample := blocks(string(readme), "")[0]; strings.TrimSpace(sample) != strings.TrimSpace(answer) {
		t.Errorf("the README's first answer is not what is printed:\n%s", answer)
	}
}
