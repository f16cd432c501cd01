package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// columns is the largest width of a line; a tab counts as many columns as the text of tab.
const columns, tab = 120, "    "

// Tree holds the counts of the product's Go files; tests, their support and tools are left out.
type Tree struct {
	Tokens     int // without comments and the semicolons that line ends imply
	Lines      int
	Code       int     // lines that are neither blank nor only a comment
	Wide       []Place // lines over 120 columns
	Functions  []int   // lines of each function
	Once       int     // unexported functions whose name their package uses once
	Types      int     // named types between inference and document
	Comments   int     // comment groups that begin a line
	Translated []Place // comments in the translator's form
}

// Place is a line of a file, and the text that was found there.
type Place struct {
	File string
	Line int
	Text string
}

func (p Place) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text) }

// skipped are folders without product code.
var skipped = []string{"testdata", "target", ".git", "runs", "tools", "bin"}

// settled are the folders below analysis whose types are not counted: the inference and its foundations, the
// document, the words, and the followers of events.
var settled = []string{
	"stats", "evidence", "steady", "infer", "derive", "divergent", "figure", "prose", "proof", "chapter/locks", "chapter/threads",
	"report/doc", "report/plot", "report/page",
}

// Read counts the files below root.
func Read(root string) (*Tree, error) {
	t, rooms, files := &Tree{}, map[string]*room{}, token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && slices.Contains(skipped, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		if strings.Contains("/"+relative, "/internal/test") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(files, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		folder := path.Dir(relative)
		if rooms[folder] == nil {
			rooms[folder] = &room{uses: map[string]int{}, functions: map[string]bool{}}
		}
		t.text(relative, string(text))
		t.comments(relative, string(text), files, f)
		t.syntax(folder, files, f, rooms[folder])
		return nil
	})
	for _, r := range rooms {
		t.Once += r.once()
	}
	return t, err
}

// text counts tokens and lines.
func (t *Tree) text(name, text string) {
	t.Tokens += tokens([]byte(text))
	block, n := false, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(strings.ReplaceAll(line, "\t", tab)) > columns {
			t.Wide = append(t.Wide, Place{name, n, strings.TrimSpace(line)})
		}
		switch line = strings.TrimSpace(line); {
		case block:
			block = !strings.Contains(line, "*/")
		case line == "" || strings.HasPrefix(line, "//"):
		case strings.HasPrefix(line, "/*"):
			block = !strings.Contains(line, "*/")
		default:
			t.Code++
		}
	}
	t.Lines += n
}

// comments counts the comments that begin a line.
func (t *Tree) comments(name, text string, files *token.FileSet, f *ast.File) {
	lines := strings.Split(text, "\n")
	for _, c := range f.Comments {
		p := files.Position(c.Pos())
		if strings.TrimSpace(lines[p.Line-1][:p.Column-1]) != "" {
			continue
		}
		t.Comments++
		if all := strings.Join(strings.Fields(c.Text()), " "); translated.MatchString(all) {
			t.Translated = append(t.Translated, Place{name, p.Line, all})
		}
	}
}

// room counts the uses of names in a package.
type room struct {
	uses      map[string]int
	functions map[string]bool // unexported ones
}

// once counts the functions with a single use.
func (r *room) once() int {
	n := 0
	for name := range r.functions {
		if r.uses[name] == 1 {
			n++
		}
	}
	return n
}

// syntax counts functions and types.
func (t *Tree) syntax(folder string, files *token.FileSet, f *ast.File, r *room) {
	below, analysis := strings.CutPrefix(folder, "analysis/")
	typed := (analysis || folder == "analysis") && !slices.Contains(settled, below)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			t.Functions = append(t.Functions, files.Position(n.End()).Line-files.Position(n.Pos()).Line+1)
			if name := n.Name.Name; !n.Name.IsExported() && name != "main" && name != "init" {
				r.functions[name] = true
				r.uses[name]-- // its declaration
			}
		case *ast.TypeSpec:
			if typed {
				t.Types++
			}
		case *ast.Ident:
			r.uses[n.Name]++
		}
		return true
	})
}

// tokens counts the tokens in the source text.
func tokens(text []byte) int {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(text)), text, nil, 0)
	n := 0
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return n
		}
		if tok != token.SEMICOLON || literal != "\n" {
			n++
		}
	}
}
