package exported_test

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// TestVerdictsAreOfInference: whether an interval excludes 0 decides a verdict, which has one
// home. Elsewhere no code compares the end of an interval with 0 or 1: it takes the verdict of the
// answer, or asks the interval for its side where a number is only to be written.
func TestVerdictsAreOfInference(t *testing.T) {
	for _, place := range check(t).judges {
		t.Errorf("%s: the end of an interval is compared with a neutral value: take the verdict of analysis/infer, or Interval.Side", place)
	}
}

// judge takes down where a package compares the end of an interval with a neutral value.
func (h *house) judge(p *types.Package, files []*ast.File, info *types.Info) {
	path := strings.TrimPrefix(p.Path(), module+"/")
	if path == "analysis/infer" || path == "analysis/stats" || !strings.HasPrefix(path, "analysis") && !strings.HasPrefix(path, "cmd") {
		return // the first two make verdicts and intervals, and others have none
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.BinaryExpr)
			if ok && comparing(c.Op) && (isEnd(c.X, info) && isNeutral(c.Y, info) || isEnd(c.Y, info) && isNeutral(c.X, info)) {
				h.judges = append(h.judges, h.files.Position(c.Pos()).String())
			}
			return true
		})
	}
}

func comparing(op token.Token) bool {
	return slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ}, op)
}

// isEnd says whether an expression is Low or High of an interval.
func isEnd(e ast.Expr, info *types.Info) bool {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Low" && s.Sel.Name != "High" {
		return false
	}
	field, ok := info.Uses[s.Sel].(*types.Var)
	return ok && field.Pkg() != nil && strings.HasSuffix(field.Pkg().Path(), "/analysis/stats")
}

func isNeutral(e ast.Expr, info *types.Info) bool {
	v := info.Types[e].Value
	if v == nil || v.Kind() != constant.Int && v.Kind() != constant.Float {
		return false
	}
	return constant.Compare(v, token.EQL, constant.MakeInt64(0)) || constant.Compare(v, token.EQL, constant.MakeInt64(1))
}
