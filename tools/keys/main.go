// Command keys writes the tables of JSON keys in the documents from the comments of the structs, so that a key
// is described once. Run it at the root of the repository. With -check it writes nothing, and fails if a
// document differs from the comments.
//
// A document marks the place of a table:
//
//	<!-- keys: analysis.Answer -->
//	<!-- end of keys -->
//
// The text between the marks is generated: a row for each key, with its type and the first paragraph of the
// field's comment. In it, names of fields become keys and names of string constants their values. A field
// without a comment shares the comment above the previous field. These marks enclose the output of one of our
// programs, the reference of benchmarks.toml:
//
//	<!-- output: ./cmd/moobench help file --format markdown -->
//	<!-- end of keys -->
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// documents are the files with tables, from the root of the repository.
var documents = []string{
	"results/FORMAT.md", "analysis/report/JSON.md", "analysis/report/COMPARISON.md", "docs/file.md", "docs/agents.md",
}

func main() {
	check := flag.Bool("check", false, "write nothing, and fail where a document is out of date")
	flag.Parse()
	if err := run(".", *check); err != nil {
		fmt.Fprintln(os.Stderr, "keys:", err)
		os.Exit(1)
	}
}

// run writes all documents below root, or checks them.
func run(root string, check bool) error {
	s := newSources(root)
	for _, name := range documents {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		s.findTables(name, string(text))
	}
	var errs []error
	for _, name := range documents {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		made, err := s.document(name, string(text))
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		case made == string(text):
		case check:
			errs = append(errs, fmt.Errorf(
				"%s is not what the comments of the structs say: run go run tools/keys/main.go", name))
		default:
			errs = append(errs, os.WriteFile(filepath.Join(root, name), []byte(made), 0o666))
		}
	}
	return errors.Join(errs...)
}

// typeName is a type by the folder of its package and its name: analysis, Answer.
type typeName struct{ dir, name string }

// declared is a type with the file that declares it, for its imports.
type declared struct {
	spec *ast.TypeSpec
	file *ast.File
}

// sources are the parsed packages, and the tables of the documents.
type sources struct {
	root   string
	read   map[string]bool // folders of the parsed packages
	types  map[typeName]declared
	values map[typeName]string   // string constants
	enums  map[typeName][]string // constants of a type, in their order
	tables map[typeName][]place
}

// place is the position of the table of a type.
type place struct{ document, anchor string }

func newSources(root string) *sources {
	return &sources{
		root: root, read: map[string]bool{}, types: map[typeName]declared{},
		values: map[typeName]string{}, enums: map[typeName][]string{}, tables: map[typeName][]place{},
	}
}

var (
	beginMark = regexp.MustCompile(`^<!-- (keys|output): (\S+?)(?:\.([A-Z]\w*)| (.*)) -->$`)
	heading   = regexp.MustCompile(`^#+ (.*)$`)
)

const endMark = "<!-- end of keys -->"

// findTables adds the places of a document's tables.
func (s *sources) findTables(document, text string) {
	anchor := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := heading.FindStringSubmatch(line); m != nil {
			anchor = strings.Map(func(c rune) rune {
				switch {
				case c == ' ':
					return '-'
				case c == '-', c == '_', unicode.IsLetter(c), unicode.IsDigit(c):
					return unicode.ToLower(c)
				}
				return -1
			}, m[1])
		}
		if m := beginMark.FindStringSubmatch(line); m != nil {
			t := typeName{m[2], m[3]}
			s.tables[t] = append(s.tables[t], place{document, anchor})
		}
	}
}

// document returns a document with its tables regenerated.
func (s *sources) document(name, text string) (string, error) {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		bare := strings.TrimSuffix(line, "\n")
		m := beginMark.FindStringSubmatch(bare)
		switch {
		case m != nil && inside:
			return "", fmt.Errorf("the table before %s has no end", bare)
		case m != nil:
			made, err := s.made(m, name)
			if err != nil {
				return "", err
			}
			b.WriteString(line + made)
			inside = true
		case bare == endMark:
			inside = false
			b.WriteString(line)
		case !inside:
			b.WriteString(line)
		}
	}
	if inside {
		return "", errors.New("the last table has no end")
	}
	return b.String(), nil
}

// made returns the text below a mark: a table, or the output of a program.
func (s *sources) made(mark []string, document string) (string, error) {
	if mark[1] == "keys" {
		return s.table(typeName{mark[2], mark[3]}, document)
	}
	cmd := exec.Command("go", slices.Concat([]string{"run", mark[2]}, strings.Fields(mark[4]))...)
	cmd.Dir, cmd.Stderr = s.root, os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", mark[0], err)
	}
	return "\n" + string(text) + "\n", nil
}

// row is a line of a table: keys that share a comment.
type row struct {
	keys, types []string
	text        string
	open        bool // the next field shares the comment, if it has none
}

// table returns the table of a type.
func (s *sources) table(t typeName, document string) (string, error) {
	rows, names, err := s.rows(t, document)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\n| key | type | meaning |\n|---|---|---|\n")
	for _, r := range rows {
		keys := make([]string, len(r.keys))
		for i, k := range r.keys {
			keys[i] = "`" + k + "`"
		}
		text := s.inWordsOfTheFile(r.text, t.dir, names)
		if len(keys) == 1 {
			for _, verb := range []string{" is ", " are "} {
				text = strings.TrimPrefix(text, keys[0]+verb)
			}
		}
		if !strings.Contains(text, ". ") {
			text = strings.TrimSuffix(text, ".")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n",
			strings.Join(keys, ", "), strings.Join(slices.Compact(r.types), "; "), strings.ReplaceAll(text, "|", `\|`))
	}
	b.WriteString("\n")
	return b.String(), nil
}

// rows returns the rows of a struct and of its embedded structs; names are the keys by field name.
func (s *sources) rows(t typeName, document string) (rows []row, names map[string]string, err error) {
	d, err := s.find(t)
	if err != nil {
		return nil, nil, err
	}
	if d.spec.Assign.IsValid() {
		return s.rows(s.named(d.spec.Type, t.dir, d.file), document)
	}
	body, ok := d.spec.Type.(*ast.StructType)
	if !ok {
		return nil, nil, fmt.Errorf("%s.%s is not a struct", t.dir, t.name)
	}
	names = map[string]string{}
	for _, f := range body.Fields.List {
		key, options, _ := strings.Cut(jsonTag(f), ",")
		switch {
		case key == "-":
			continue
		case len(f.Names) == 0 && key == "":
			inner, keys, err := s.rows(s.named(f.Type, t.dir, d.file), document)
			if err != nil {
				return nil, nil, err
			}
			rows = append(rows, inner...)
			for name, key := range keys {
				names[name] = key
			}
			continue
		case key == "" && !f.Names[0].IsExported():
			continue
		case key == "":
			return nil, nil, fmt.Errorf("%s.%s.%s has no key", t.dir, t.name, f.Names[0].Name)
		}
		names[f.Names[0].Name] = key
		kind, err := s.kind(f.Type, t.dir, d.file, document)
		if err != nil {
			return nil, nil, err
		}
		for option := range strings.SplitSeq(options, ",") {
			switch option {
			case "string":
				kind = "text"
			case "omitempty":
				kind += ", optional"
			}
		}
		above, beside := firstParagraph(f.Doc), firstParagraph(f.Comment)
		if strings.Contains(above+beside, "<") {
			return nil, nil, fmt.Errorf("%s.%s.%s has a comment with <, which Markdown takes for a tag",
				t.dir, t.name, f.Names[0].Name)
		}
		switch last := len(rows) - 1; {
		case above == "" && beside == "" && (last < 0 || !rows[last].open):
			return nil, nil, fmt.Errorf("%s.%s.%s has no comment", t.dir, t.name, f.Names[0].Name)
		case above == "" && beside == "":
			rows[last].keys, rows[last].types = append(rows[last].keys, key), append(rows[last].types, kind)
		default:
			rows = append(rows, row{
				keys: []string{key}, types: []string{kind},
				text: strings.TrimSpace(above + " " + beside), open: above != "" && beside == "",
			})
		}
	}
	return rows, names, nil
}

// jsonTag returns the JSON tag of a field.
func jsonTag(f *ast.Field) string {
	if f.Tag == nil {
		return ""
	}
	tag, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return ""
	}
	return reflect.StructTag(tag).Get("json")
}

// firstParagraph returns the first paragraph of a comment on one line.
func firstParagraph(c *ast.CommentGroup) string {
	text, _, _ := strings.Cut(c.Text(), "\n\n")
	return strings.Join(strings.Fields(text), " ")
}

// basic has the words for Go's types.
var basic = map[string]string{
	"string": "text", "bool": "true or false",
	"int": "number", "int64": "number", "uint64": "number", "float64": "number",
	"Sentence": "text", // which is a struct that writes itself
}

// kind returns the JSON name of a type, with a link to its table.
func (s *sources) kind(e ast.Expr, dir string, file *ast.File, document string) (string, error) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return s.kind(e.X, dir, file, document)
	case *ast.ArrayType:
		element, err := s.kind(e.Elt, dir, file, document)
		return "list of " + element, err
	case *ast.MapType:
		value, err := s.kind(e.Value, dir, file, document)
		return value + " by name", err
	}
	t := s.named(e, dir, file)
	if t == (typeName{"time", "Time"}) {
		return "time", nil
	}
	if word := basic[t.name]; word != "" {
		return word, nil
	}
	d, err := s.find(t)
	if err != nil {
		return "", err
	}
	if d.spec.Assign.IsValid() {
		return s.kind(d.spec.Type, t.dir, d.file, document)
	}
	if _, ok := d.spec.Type.(*ast.InterfaceType); ok {
		return "object", nil
	}
	if _, ok := d.spec.Type.(*ast.StructType); !ok {
		if values := s.enums[t]; len(values) > 0 {
			return "`" + strings.Join(values, "`, `") + "`", nil
		}
		return s.kind(d.spec.Type, t.dir, d.file, document)
	}
	places := s.tables[t]
	if len(places) == 0 {
		return "", fmt.Errorf("no document has a table of %s.%s", t.dir, t.name)
	}
	at := places[max(0, slices.IndexFunc(places, func(p place) bool { return p.document == document }))]
	target := "#" + at.anchor
	if at.document != document {
		rel, err := filepath.Rel(path.Dir(document), at.document)
		if err != nil {
			return "", err
		}
		target = filepath.ToSlash(rel) + target
	}
	return "[" + t.name + "](" + target + ")", nil
}

// named returns the name of a type with the folder of its package.
func (s *sources) named(e ast.Expr, dir string, file *ast.File) typeName {
	switch e := e.(type) {
	case *ast.StarExpr:
		return s.named(e.X, dir, file)
	case *ast.Ident:
		return typeName{dir, e.Name}
	case *ast.SelectorExpr:
		pkg, _ := e.X.(*ast.Ident)
		for _, i := range file.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			if pkg != nil && path.Base(name) == pkg.Name {
				return typeName{strings.TrimPrefix(name, "moobench/"), e.Sel.Name}
			}
		}
	}
	return typeName{}
}

// find returns the declaration of a type, and reads its package if necessary.
func (s *sources) find(t typeName) (declared, error) {
	if !s.read[t.dir] {
		if err := s.readPackage(t.dir); err != nil {
			return declared{}, err
		}
	}
	d, ok := s.types[t]
	if !ok {
		return declared{}, fmt.Errorf("there is no type %s.%s", t.dir, t.name)
	}
	return d, nil
}

// readPackage adds the types and string constants of a package.
func (s *sources) readPackage(dir string) error {
	s.read[dir] = true
	files, err := filepath.Glob(filepath.Join(s.root, dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					s.types[typeName{dir, spec.Name.Name}] = declared{spec, f}
				case *ast.ValueSpec:
					if g.Tok == token.CONST {
						s.addConstants(dir, spec)
					}
				}
			}
		}
	}
	return nil
}

// addConstants adds the string constants of a declaration.
func (s *sources) addConstants(dir string, spec *ast.ValueSpec) {
	for i, v := range spec.Values {
		literal, ok := v.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			continue
		}
		value, err := strconv.Unquote(literal.Value)
		if err != nil || value == "" {
			continue
		}
		s.values[typeName{dir, spec.Names[i].Name}] = value
		if enum, ok := spec.Type.(*ast.Ident); ok {
			t := typeName{dir, enum.Name}
			s.enums[t] = append(s.enums[t], value)
		}
	}
}

var (
	goName       = regexp.MustCompile(`\b(?:[a-z]+\.)?[A-Z]\w*\b`)
	innerCapital = regexp.MustCompile(`^[A-Z][a-z0-9]+[A-Z]`)
	goNil        = regexp.MustCompile(`\bnil\b`)
)

// inWordsOfTheFile returns a comment with keys for fields, values for constants, and
// absent for nil.
func (s *sources) inWordsOfTheFile(text, dir string, names map[string]string) string {
	text = goName.ReplaceAllStringFunc(text, func(word string) string {
		pkg, name, qualified := strings.Cut(word, ".")
		if !qualified {
			pkg, name = dir, word
		}
		if key := names[name]; key != "" && !qualified && name != "ID" { // ID is a word, too
			return "`" + key + "`"
		}
		// Constants of one word are too similar to words: Lower, No.
		if value := s.values[typeName{pkg, name}]; value != "" && innerCapital.MatchString(name) {
			return "`" + value + "`"
		}
		return word
	})
	return goNil.ReplaceAllString(text, "absent")
}
