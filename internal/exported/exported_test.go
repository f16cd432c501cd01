// Package exported_test holds the types of the whole module against two rules. What is
// exported is used by another package: else a small letter says that it may be changed without
// looking elsewhere. And verdicts are read from intervals by inference alone.
//
// Tests of other packages do not count as use. Methods that make a type satisfy an
// interface do, and fields with a tag, which encoders read; so do all values of an
// enumeration of which one is used, and the types of whatever is used.
package exported_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// root is the folder of the module, module its name.
const (
	root   = "../.."
	module = "moobench"
)

// allowed are exported for a reason that can't be seen from here: names, or beginnings
// of names that end with a star.
var allowed = map[string]string{
	"internal/test*":                  "what tests share is used by tests alone",
	"analysis/internal/test*":         "what tests share is used by tests alone",
	"results/importer/internal/test*": "what tests share is used by tests alone",
	"scenarios/internal/test*":        "what tests share is used by tests alone",

	"analysis.AnalyseWith":             "tests hand a solver on, so that they solve each design once",
	"analysis/compare.Options.Solver":  "tests hand one on, so that they solve each design once",
	"analysis/history.MarkAAFailed":    "a value that tests of comparisons set",
	"analysis/history.MarkInvalid":     "a value that tests of comparisons set",
	"analysis/infer.Fieller":           "a value beside the other kinds of test",
	"analysis/numbers.Options.Solver":  "tests hand one on, so that they solve each design once",
	"analysis/numbers.Sample.Lines":    "tests make samples without a file",
	"analysis/stats.ErrUnpaired":       "an error beside the others that callers tell apart",
	"cmd/internal/console.FetchCharts": "the conformance suite fetches the script while it has a network",
	"harness/framework.Artifact.Path":  "tests resolve artifacts without Maven",
	"harness/framework.Variant.*":      "tests compare whole variants",
	"harness/jvm.Kind*":                "values beside those that the halves tell apart",
	"harness/jvm.Message.Line":         "tests of fixtures speak the protocol",
	"harness/machine/knob.Frequency*":  "values that tests of whole machines ask for",
	"harness/machine/knob.Knob.Drifts": "MACHINE.md is checked against it",
	"harness/machine/knob.Knob.Title":  "MACHINE.md is checked against it",
	"harness/plan.Plain.*":             "fakes of scenarios embed it",
	"harness/plan.Refusal.*":           "tests of the program look at what was refused",
	"harness/receiver.Tally":           "what every Source finishes with",
	"results.FormatColumns":            "tests of scenarios write what fixtures announce",
}

func TestExportedIsUsed(t *testing.T) {
	h := check(t)
	needed := map[string]bool{}
	for _, p := range h.own {
		if p.Name() == "main" {
			continue
		}
		for _, o := range exported(p) {
			pattern := allowance(o.name)
			switch {
			case h.used[o.object]:
			case pattern == "":
				t.Errorf("%s is exported, and no other package uses it", o.name)
			default:
				needed[pattern] = true
			}
		}
	}
	for pattern := range allowed {
		if !needed[pattern] {
			t.Errorf("%s is not exported any more, or used: it needs no allowance", pattern)
		}
	}
}

// allowance is the entry of allowed that a name falls under, "" when there is none.
func allowance(name string) string {
	for pattern := range allowed {
		if begin, open := strings.CutSuffix(pattern, "*"); name == pattern || open && strings.HasPrefix(name, begin) {
			return pattern
		}
	}
	return ""
}

// object is an exported one, called package.Name or package.Type.Name.
type object struct {
	name   string
	object types.Object
}

// exported are the objects that a package exports.
func exported(p *types.Package) []object {
	var all []object
	path := strings.TrimPrefix(p.Path(), module+"/")
	add := func(name string, o types.Object) {
		if o.Exported() {
			all = append(all, object{path + "." + name, o})
		}
	}
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		add(name, o)
		t, ok := o.(*types.TypeName)
		if !ok || !o.Exported() || t.IsAlias() {
			continue
		}
		if named, ok := t.Type().(*types.Named); ok {
			for m := range named.Methods() {
				add(name+"."+m.Name(), m)
			}
		}
		s, ok := t.Type().Underlying().(*types.Struct)
		for i := 0; ok && i < s.NumFields(); i++ {
			if f := s.Field(i); !f.Anonymous() && reflect.StructTag(s.Tag(i)) == "" {
				add(name+"."+f.Name(), f)
			}
		}
	}
	return all
}

// origin is what a field or method of a type with parameters was declared as.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Var:
		return o.Origin()
	case *types.Func:
		return o.Origin()
	}
	return o
}

// house is all packages of the module, and of its tools, with what they use of each
// other.
type house struct {
	files   *token.FileSet
	exports map[string]string // files with what other packages export
	others  types.Importer
	checked map[string]*types.Package
	own     []*types.Package
	used    map[types.Object]bool
	judges  []string // comparisons of an interval's end with a neutral value

	named      []*types.Named
	interfaces []*types.Interface
}

// Import implements types.Importer.
func (h *house) Import(path string) (*types.Package, error) {
	if p := h.checked[path]; p != nil {
		return p, nil
	}
	return h.others.Import(path)
}

var (
	once   sync.Once
	shared *house
)

// check returns everything with its types, which are checked once for all tests.
func check(t *testing.T) *house {
	t.Helper()
	once.Do(func() { shared = load(t) })
	if shared == nil {
		t.Fatal("the packages could not be checked: an earlier test says why")
	}
	return shared
}

// load checks the types of everything.
func load(t *testing.T) *house {
	t.Helper()
	h := &house{files: token.NewFileSet(), exports: map[string]string{}, checked: map[string]*types.Package{}, used: map[types.Object]bool{}}
	h.others = importer.ForCompiler(h.files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(h.exports[path]) })
	h.add(t, "./...")
	tools, err := filepath.Glob(filepath.Join(root, "tools/*/main.go"))
	if err != nil || len(tools) == 0 {
		t.Fatal("there are no tools", err)
	}
	for _, main := range tools { // which have a go.mod of their own, and import moobench
		files, err := filepath.Glob(filepath.Join(filepath.Dir(main), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				names = append(names, strings.TrimPrefix(f, root+"/"))
			}
		}
		h.add(t, names...)
	}
	h.satisfied()
	h.enumerated()
	h.mentioned()
	return h
}

// add checks the packages that go list names, each after those that it imports.
func (h *house) add(t *testing.T, names ...string) {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.Command("go", append([]string{"list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles"}, names...)...)
	cmd.Dir, cmd.Stderr = root, &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	for list := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir, Export string
			GoFiles                 []string
		}
		if err := list.Decode(&p); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		h.exports[p.ImportPath] = p.Export
		isOwn := strings.HasPrefix(p.ImportPath, module+"/") || p.ImportPath == "command-line-arguments"
		if !isOwn || len(p.GoFiles) == 0 || h.checked[p.ImportPath] != nil {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(h.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
		checked, err := (&types.Config{Importer: h}).Check(p.ImportPath, h.files, files, info)
		if err != nil {
			t.Fatal(err)
		}
		h.own = append(h.own, checked)
		if p.ImportPath != "command-line-arguments" {
			h.checked[p.ImportPath] = checked
		}
		h.look(checked, info)
		h.judge(checked, files, info)
	}
}

// look takes down what a package uses of others, and its types.
func (h *house) look(p *types.Package, info *types.Info) {
	for _, o := range info.Uses {
		if o.Pkg() != nil && o.Pkg() != p {
			h.used[origin(o)] = true
		}
	}
	for _, o := range info.Defs {
		if t, ok := o.(*types.TypeName); ok && !t.IsAlias() {
			if named, ok := t.Type().(*types.Named); ok && named.TypeParams().Len() == 0 {
				h.named = append(h.named, named)
			}
		}
	}
	for e, tv := range info.Types {
		if _, ok := e.(*ast.InterfaceType); ok {
			h.interfaces = append(h.interfaces, tv.Type.Underlying().(*types.Interface))
		}
	}
}

// satisfied takes every method as used that makes a type satisfy an interface, of the
// module or of a package that it imports.
func (h *house) satisfied() {
	seen := map[*types.Package]bool{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, name := range p.Scope().Names() {
			if t, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
				if i, ok := t.Type().Underlying().(*types.Interface); ok {
					h.interfaces = append(h.interfaces, i)
				}
			}
		}
		for _, imported := range p.Imports() {
			visit(imported)
		}
	}
	for _, p := range h.own {
		visit(p)
	}
	h.interfaces = append(h.interfaces, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
	for _, n := range h.named {
		if types.IsInterface(n) {
			continue
		}
		pointer := types.NewPointer(n)
		set := types.NewMethodSet(pointer)
		if set.Len() == 0 {
			continue
		}
		for _, name := range []string{"Unwrap", "Is", "As"} { // which package errors looks for
			if m := set.Lookup(nil, name); m != nil {
				h.used[origin(m.Obj())] = true
			}
		}
		for _, i := range h.interfaces {
			if i.NumMethods() == 0 || !i.IsMethodSet() || set.Lookup(i.Method(0).Pkg(), i.Method(0).Name()) == nil || !types.Implements(pointer, i) {
				continue
			}
			for m := range i.Methods() {
				h.used[origin(set.Lookup(m.Pkg(), m.Name()).Obj())] = true
			}
		}
	}
}

// mentioned takes the types as used that the declaration of something used names, such
// as those of fields and results.
func (h *house) mentioned() {
	for changed := true; changed; {
		changed = false
		seen := map[types.Type]bool{}
		var take func(t types.Type)
		take = func(t types.Type) {
			if seen[t] {
				return
			}
			seen[t] = true
			switch t := t.(type) {
			case *types.Named:
				if o := t.Obj(); !h.used[o] {
					h.used[o], changed = true, true
				}
				for a := range t.TypeArgs().Types() {
					take(a)
				}
				if list, ok := t.Underlying().(*types.Slice); ok {
					take(list.Elem())
				}
			case *types.Alias:
				if o := t.Obj(); !h.used[o] {
					h.used[o], changed = true, true
				}
				take(types.Unalias(t))
			case *types.Map:
				take(t.Key())
				take(t.Elem())
			case interface{ Elem() types.Type }:
				take(t.Elem())
			case *types.Signature:
				for v := range t.Params().Variables() {
					take(v.Type())
				}
				for v := range t.Results().Variables() {
					take(v.Type())
				}
			}
		}
		for _, p := range h.own {
			for _, o := range exported(p) {
				if _, isType := o.object.(*types.TypeName); h.used[o.object] && !isType {
					take(o.object.Type())
				}
			}
			for _, name := range p.Scope().Names() {
				o := p.Scope().Lookup(name)
				s, ok := o.Type().Underlying().(*types.Struct)
				for i := 0; ok && h.used[o] && i < s.NumFields(); i++ {
					if f := s.Field(i); f.Exported() && (f.Anonymous() || s.Tag(i) != "") {
						take(f.Type())
					}
				}
			}
		}
	}
}

// enumerated takes all constants of a type as used where one of them is.
func (h *house) enumerated() {
	for _, p := range h.own {
		constants := map[types.Type][]types.Object{}
		for _, name := range p.Scope().Names() {
			if c, ok := p.Scope().Lookup(name).(*types.Const); ok {
				if n, ok := c.Type().(*types.Named); ok && n.Obj().Pkg() == p {
					constants[n] = append(constants[n], c)
				}
			}
		}
		for _, all := range constants {
			if slices.ContainsFunc(all, func(c types.Object) bool { return h.used[c] }) {
				for _, c := range all {
					h.used[c] = true
				}
			}
		}
	}
}
