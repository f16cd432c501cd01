package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var (
	flagNamed = regexp.MustCompile(`--([a-z][a-z-]+)`)
	verbNamed = regexp.MustCompile(`moobench ([a-z]+)(?: ([a-z]+)\b)?[^.;)]*$`)
	keyNamed  = regexp.MustCompile(`\b([a-z_]+)(?: or [a-z]+)? (?:in|of) (?:its |this )?(\[+[a-z.]+\]+)`)
)

// ofCost are the flags by which moobench cost sets what a key of a file does.
var ofCost = map[string]string{
	"within [server]": "within", "timeout [[scenario]]": "within", "rate [[scenario]]": "rate", "home [jvm]": "jdk",
	"ready [server]": "ready", "output [command]": "expect", "expect [[server.request]]": "expect", "match [[server.request]]": "expect",
}

// TestAdviceCanBeTaken: a message names no flag that the verb which prints it lacks. What
// harness, scenarios and answers say is printed by run and by cost, among others: a flag that not
// both have stands with its verb, and a key of a benchmarks.toml with its section and, where
// cost has a flag for it, that flag.
func TestAdviceCanBeTaken(t *testing.T) {
	flags := map[string]map[string]bool{}
	verbs := newRoot(&terminal{})
	for _, verb := range verbs.Commands() {
		flags[verb.Name()] = flagsOf(verb)
		for _, below := range verb.Commands() {
			flags[verb.Name()+" "+below.Name()] = flagsOf(below)
		}
	}
	if !flags["cost"]["within"] || flags["cost"]["resume"] {
		t.Fatalf("the flags of cost are %v", flags["cost"])
	}
	said := 0
	for place, text := range messages(t, "../../harness", "../../scenarios", "../../analysis") {
		for _, m := range flagNamed.FindAllStringSubmatchIndex(text, -1) {
			name, before := text[m[2]:m[3]], text[:m[0]]
			said++
			if v := verbNamed.FindStringSubmatch(before); v != nil {
				if !flags[v[1]][name] && !flags[v[1]+" "+v[2]][name] {
					t.Errorf("%s: moobench %s has no --%s: %q", place, v[1], name, text)
				}
			} else if !flags["run"][name] || !flags["cost"][name] {
				t.Errorf("%s: --%s stands without its verb, and not all that print it have it: %q", place, name, text)
			}
		}
		for _, m := range keyNamed.FindAllStringSubmatch(text, -1) {
			flag, has := ofCost[m[1]+" "+m[2]]
			said++
			if has && !strings.Contains(text, "moobench cost: --"+flag) {
				t.Errorf("%s: moobench cost has no %s in %s, and --%s is not named: %q", place, m[1], m[2], flag, text)
			}
		}
	}
	for place, text := range messages(t, "../internal/cost") {
		for _, m := range flagNamed.FindAllStringSubmatch(text, -1) {
			if said++; !flags["cost"][m[1]] {
				t.Errorf("%s: moobench cost has no --%s: %q", place, m[1], text)
			}
		}
	}
	if said < 20 {
		t.Errorf("only %d pieces of advice were found", said)
	}
}

func flagsOf(verb *cobra.Command) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(verb.UsageString()) {
		if name, is := strings.CutPrefix(word, "--"); is {
			all[name] = true
		}
	}
	return all
}

// ofOneVerb are folders whose messages one verb alone prints, which is named where they are
// made; and options of the JVM.
var ofOneVerb = []string{
	"analysis/numbers", "analysis/infer", "analysis/compare", "analysis/chapter/locks", "analysis/replication",
	"analysis/chapter/locks/locked", "analysis/chapter/threads/order", "analysis/report/doc", "analysis/report/page", "analysis/report/comparison.go",
	"harness/plan/options.go", "harness/config", "harness/framework",
}

// messages are the texts in the sources below some folders, by their place.
func messages(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			if slices.ContainsFunc(ofOneVerb, func(part string) bool { return strings.Contains(path, part) }) {
				return nil
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if text, whole := constant(e); whole {
						all[set.Position(e.Pos()).String()] = text
						return false
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// constant is a string that stands in one or several pieces.
func constant(e ast.Expr) (text string, whole bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, is := constant(e.X)
		y, too := constant(e.Y)
		return x + y, is && too && e.Op == token.ADD
	}
	return "", false
}
