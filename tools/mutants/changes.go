package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// change is one thing that is changed in a file: some of its bytes.
type change struct {
	file     string // from the root
	line     int
	from, to int    // the bytes
	text     string // in their place
	was, is  string // what is shown of it
}

func (c change) String() string { return fmt.Sprintf("%s:%d: %s → %s", c.file, c.line, c.was, c.is) }

// made is the file with the change.
func (c change) made(text []byte) []byte {
	return bytes.Join([][]byte{text[:c.from], text[c.to:]}, []byte(c.text))
}

// swapped are the operators that take each other's place.
var swapped = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

// kinds of changes; each is drawn as often as the others.
const (
	negated = iota // a condition
	compared
	computed
	joined   // conditions
	numbered // a whole number is one more
	dropped  // a statement
	returned // true, or false
	kinds
)

// finder collects the changes that a file has room for.
type finder struct {
	name  string
	text  []byte
	files *token.FileSet
	found *[kinds][]change
	above []ast.Node // the nodes around this one
}

// changesOf adds the changes that a file has room for.
func changesOf(name string, text []byte, found *[kinds][]change) error {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	find := finder{name: name, text: text, files: files, found: found}
	ast.Inspect(f, find.visit)
	return nil
}

// visit looks at a node; of what isn't compiled into a program, such as imports, it looks at nothing.
func (f *finder) visit(n ast.Node) bool {
	if n == nil {
		f.above = f.above[:len(f.above)-1]
		return true
	}
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.ArrayType:
		return false
	case *ast.IfStmt:
		f.negate(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.negate(n.Cond)
		}
	case *ast.SwitchStmt:
		f.cases(n)
	case *ast.BinaryExpr:
		f.operator(n)
	case *ast.AssignStmt:
		f.assignment(n)
	case *ast.ExprStmt:
		if _, is := n.X.(*ast.CallExpr); is {
			f.replace(dropped, n, n, "")
		}
	case *ast.BasicLit:
		if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil && n.Kind == token.INT && !f.unseen() {
			f.replace(numbered, n, f.around(n), strconv.FormatInt(v+1, 10))
		}
	case *ast.ReturnStmt:
		f.answers(n)
	}
	f.above = append(f.above, n)
	return true
}

func (f *finder) negate(condition ast.Expr) {
	f.replace(negated, condition, condition, "!("+f.source(condition)+")")
}

// cases negates the conditions of a switch that has no value to compare with.
func (f *finder) cases(n *ast.SwitchStmt) {
	if n.Tag != nil {
		return
	}
	for _, clause := range n.Body.List {
		for _, condition := range clause.(*ast.CaseClause).List {
			f.negate(condition)
		}
	}
}

func (f *finder) operator(n *ast.BinaryExpr) {
	other, ok := swapped[n.Op]
	if !ok {
		return
	}
	kind := computed
	switch n.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		kind = compared
	case token.LAND, token.LOR:
		kind = joined
	}
	f.span(kind, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), n, other.String())
}

// assignment drops one, and turns its sign: += is -=.
func (f *finder) assignment(n *ast.AssignStmt) {
	if n.Tok == token.DEFINE {
		return
	}
	f.replace(dropped, n, n, "")
	if op := strings.TrimSuffix(n.Tok.String(), "="); len(op) == 1 {
		for from, to := range swapped {
			if from.String() == op {
				f.span(computed, n.TokPos, n.TokPos+1, n, to.String())
			}
		}
	}
}

func (f *finder) answers(n *ast.ReturnStmt) {
	if f.failing(n) {
		return
	}
	other := map[string]string{"true": "false", "false": "true"}
	for _, result := range n.Results {
		if name, is := result.(*ast.Ident); is && other[name.Name] != "" {
			f.replace(returned, name, n, other[name.Name])
		}
	}
}

// unseen reports whether nobody can see how large a number is that is visited now: it is returned beside an error, or
// is the sign of an infinity. No test can hold it, and none should.
func (f *finder) unseen() bool {
	above := f.above
	if n := len(above); n > 0 {
		if _, is := above[n-1].(*ast.UnaryExpr); is {
			above = above[:n-1]
		}
	}
	if len(above) == 0 {
		return false
	}
	switch n := above[len(above)-1].(type) {
	case *ast.ReturnStmt:
		f := *f
		f.above = above[:len(above)-1]
		return f.failing(n)
	case *ast.CallExpr:
		return f.source(n.Fun) == "math.Inf"
	}
	return false
}

// failing reports whether a return has other results beside an error that is made there, or that the condition
// around it has found.
func (f *finder) failing(n *ast.ReturnStmt) bool {
	if len(n.Results) < 2 {
		return false
	}
	last := n.Results[len(n.Results)-1]
	if call, is := last.(*ast.CallExpr); is {
		switch f.source(call.Fun) {
		case "fmt.Errorf", "errors.New", "refusal.New", "refusal.Mistake":
			return true
		}
		return false
	}
	if f.source(last) != "err" || len(f.above) < 2 {
		return false
	}
	around, is := f.above[len(f.above)-2].(*ast.IfStmt)
	return is && f.source(around.Cond) == "err != nil" && around.Body == f.above[len(f.above)-1]
}

// around is the smallest part around a node that says what it is, if that is short.
func (f *finder) around(n ast.Node) ast.Node {
	if len(f.above) == 0 {
		return n
	}
	if _, is := f.above[len(f.above)-1].(ast.Decl); is || len(f.source(f.above[len(f.above)-1])) > shownMost {
		return n
	}
	return f.above[len(f.above)-1]
}

func (f *finder) at(p token.Pos) int { return f.files.Position(p).Offset }

func (f *finder) source(n ast.Node) string { return string(f.text[f.at(n.Pos()):f.at(n.End())]) }

func (f *finder) replace(kind int, n, shown ast.Node, text string) {
	f.span(kind, n.Pos(), n.End(), shown, text)
}

// span is a change of some bytes, of which a node around them is shown.
func (f *finder) span(kind int, from, to token.Pos, shown ast.Node, text string) {
	c := change{file: f.name, line: f.files.Position(from).Line, from: f.at(from), to: f.at(to), text: text}
	begin, end := f.at(shown.Pos()), f.at(shown.End())
	c.was = short(string(f.text[begin:end]))
	c.is = short(string(f.text[begin:c.from]) + text + string(f.text[c.to:end]))
	if c.is == "" {
		c.is = "(dropped)"
	}
	f.found[kind] = append(f.found[kind], c)
}

// shownMost is how many letters are shown of a change.
const shownMost = 70

// short is a text on one line.
func short(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > shownMost {
		line = append(line[:shownMost-1], '…')
	}
	return string(line)
}
