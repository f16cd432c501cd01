package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// house is where the repository begins.
const house = "../.."

// sources are the files below some rooms of the repository, without tests. They are
// parsed here, so that a cached test knows them all.
func sources(t *testing.T, rooms ...string) map[string]*ast.File {
	t.Helper()
	all := map[string]*ast.File{}
	for _, room := range rooms {
		err := filepath.WalkDir(filepath.Join(house, room), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			name, _ := filepath.Rel(house, path)
			all[filepath.ToSlash(name)] = f
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// called is the name of what a call calls: strings.Fields, len.
func called(n ast.Node) string {
	c, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
		return "." + f.Sel.Name
	}
	return ""
}

// holds says whether a node, or one below it, is as wanted.
func holds(n ast.Node, wanted func(ast.Node) bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		found = found || n != nil && wanted(n)
		return !found
	})
	return found
}

// One function breaks texts between words: what goes through words, measures them, and
// compares that with the room there is.
func TestOneFunctionWrapsWords(t *testing.T) {
	words := []string{"strings.Fields", "strings.FieldsSeq", "strings.Split", "strings.SplitSeq"}
	lengths := []string{"len", "utf8.RuneCountInString", "Width", "doc.Width"}
	order := []token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ}
	var found []string
	for name, f := range sources(t, "analysis", "cmd", "harness", "results", "scenarios") {
		for _, d := range f.Decls {
			function, ok := d.(*ast.FuncDecl)
			if !ok || function.Body == nil {
				continue
			}
			if holds(function.Body, func(n ast.Node) bool {
				loop, ok := n.(*ast.RangeStmt)
				if !ok || !slices.Contains(words, called(loop.X)) || loop.Value == nil && loop.Key == nil {
					return false
				}
				if c := loop.X.(*ast.CallExpr); strings.HasPrefix(called(c), "strings.Split") {
					if sep, ok := c.Args[1].(*ast.BasicLit); !ok || sep.Value != `" "` {
						return false
					}
				}
				measured := holds(loop.Body, func(n ast.Node) bool { return slices.Contains(lengths, called(n)) })
				compared := holds(loop.Body, func(n ast.Node) bool {
					b, ok := n.(*ast.BinaryExpr)
					return ok && slices.Contains(order, b.Op)
				})
				written := holds(loop.Body, func(n ast.Node) bool {
					b, ok := n.(*ast.BinaryExpr)
					if !ok || b.Op != token.ADD {
						return false
					}
					return holds(b, func(n ast.Node) bool {
						l, ok := n.(*ast.BasicLit)
						return ok && l.Kind == token.STRING && strings.HasPrefix(l.Value, `" `)
					})
				})
				return measured && compared && written
			}) {
				found = append(found, name+": "+function.Name.Name)
			}
		}
	}
	if len(found) != 1 || found[0] != "analysis/report/doc/wrap.go: Wrap" {
		t.Errorf("%q break texts between words; Wrap of package doc does it for all", found)
	}
}

// padded are verbs of fmt that fill a text up to a width.
var padded = regexp.MustCompile(`%-?[0-9]*\*?[0-9]*\*?[svq]`)

// Columns of tables are filled up in package doc alone, where labels in other letters
// have their width.
func TestOneRoomPadsColumns(t *testing.T) {
	for name, f := range sources(t, "analysis", "cmd/internal/doctor") {
		if strings.HasPrefix(name, "analysis/report/doc/") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				if n.Path.Value == `"text/tabwriter"` {
					t.Errorf("%s: imports text/tabwriter", name)
				}
			case *ast.CallExpr:
				if blank, ok := firstText(n); called(n) == "strings.Repeat" && ok && blank == `" "` {
					t.Errorf("%s: pads with strings.Repeat", name)
				}
			case *ast.BasicLit:
				for _, verb := range padded.FindAllString(n.Value, -1) {
					if n.Kind == token.STRING && len(verb) > 2 {
						t.Errorf("%s: %s pads a text", name, verb)
					}
				}
			}
			return true
		})
	}
}

// firstText is the first argument of a call when it is a literal.
func firstText(c *ast.CallExpr) (string, bool) {
	if len(c.Args) == 0 {
		return "", false
	}
	l, ok := c.Args[0].(*ast.BasicLit)
	if !ok {
		return "", false
	}
	return l.Value, true
}

// cutting are functions that take a text apart, or look for something in it.
var cutting = []string{
	"strings.Cut", "strings.CutPrefix", "strings.CutSuffix", "strings.TrimPrefix", "strings.TrimSuffix", "strings.Trim", "strings.TrimLeft", "strings.TrimRight",
	"strings.Split", "strings.SplitN", "strings.SplitAfter", "strings.SplitSeq", "strings.Fields", "strings.FieldsSeq", "strings.Index", "strings.LastIndex",
	"strings.HasPrefix", "strings.HasSuffix", "strings.Contains", "strings.Replace", "strings.ReplaceAll",
}

// proseFields are fields that hold sentences and verdicts.
var proseFields = []string{"Sentence", "Verdict", "Opening", "Rest", "Reason"}

// Whoever says something says it in parts where a reader of it needs parts: nothing
// cuts sentences and verdicts apart again.
func TestSentencesAreNotCut(t *testing.T) {
	for name, f := range sources(t, "analysis", "cmd") {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && slices.Contains(cutting, called(c)) && len(c.Args) > 0 && holds(c.Args[0], func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				return ok && slices.Contains(proseFields, s.Sel.Name)
			}) {
				t.Errorf("%s: %s takes a sentence or a verdict apart", name, called(c))
			}
			return true
		})
	}
}
