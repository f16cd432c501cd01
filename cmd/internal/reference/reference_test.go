package reference

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"moobench/analysis/report/doc"
	"moobench/cmd/internal/session"
	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/results"
	"moobench/scenarios"
)

func known() config.Known {
	return (&session.Lab{Scenarios: scenarios.All(), Tree: machine.System()}).Known()
}

func whole() *File { return Of(known(), 80) }

// tables are a table, what it may hold besides, and all tables below.
func tables(t strict.Table) []strict.Table {
	all := []strict.Table{t}
	for _, c := range t.Cases {
		all = append(all, tables(c.Table)...)
	}
	for _, k := range t.Keys {
		if k.Kind.Section != nil {
			all = append(all, tables(k.Kind.Section())...)
		}
	}
	return all
}

// TestEveryKeyIsThere: whatever the reader of a benchmarks.toml takes is in the text, on
// the page, and in the schema, with what it is for; so is each word that stands for
// something, such as a mode, a stage or a source of records.
func TestEveryKeyIsThere(t *testing.T) {
	f := whole()
	keys, words := 0, 0
	for _, table := range tables(config.Table(known())) {
		i := slices.IndexFunc(f.sections, func(s strict.Section) bool { return s.Text == table.Text })
		if i < 0 {
			t.Errorf("no section: %s", table.Text)
			continue
		}
		s := f.sections[i]
		if !strings.HasSuffix(s.Text, ".") {
			t.Errorf("%s says %q of itself", s.Name, s.Text)
		}
		part := &File{[]strict.Section{s}, 80}
		text, page := strings.Join(strings.Fields(part.Text()), " "), part.Markdown()
		properties := s.Schema()["properties"].(map[string]any)
		for _, k := range table.Keys {
			keys++
			if k.Text == "" || strings.HasSuffix(k.Text, ".") || k.Kind.Type == "" {
				t.Errorf("%s, key %s: %q, a %q", s.Name, k.Name, k.Text, k.Kind.Type)
			}
			line := strings.Join(strings.Fields("\n"+head(s, k)), " ")
			if !strings.Contains(text, line+" ") || !strings.Contains(page, "| `"+line+"` |") || properties[k.Name] == nil {
				t.Errorf("%s: no key %s", s.Name, line)
			}
			for i, means := range k.Kind.Means {
				words++
				if word := k.Kind.Values[i]; !strings.Contains(text, " "+word+" "+means) || !strings.Contains(page, "<br>`"+word+"`: "+means) {
					t.Errorf("%s, key %s: no %s", s.Name, k.Name, word)
				}
			}
		}
	}
	if keys < 150 || words < 30 {
		t.Errorf("only %d keys, and %d words", keys, words)
	}
	for line := range strings.Lines(f.Text()) {
		if line = strings.TrimSuffix(line, "\n"); doc.Width(line) > 80 && strings.Contains(strings.TrimSpace(line), "  ") {
			t.Errorf("%d columns: %s", doc.Width(line), line)
		}
	}
}

// TestExamplesAreRight: the reader takes what a reference shows for each key.
func TestExamplesAreRight(t *testing.T) {
	for _, s := range whole().sections {
		for _, k := range s.Keys {
			line := head(s, k)
			if strings.HasPrefix(line, "[") {
				continue
			}
			file, err := strict.Parse("x.toml", []byte(line))
			if err != nil {
				t.Errorf("%s: %s: %v", s.Name, line, err)
				continue
			}
			k.Kind.Read(file.Root().Key(k.Name))
			if err := file.Err(); err != nil {
				t.Errorf("%s: %s: %v", s.Name, line, err)
			}
		}
	}
}

func TestAbout(t *testing.T) {
	for name, want := range map[string]string{
		"machine":                "[machine] [machine.pin] [machine.KNOB]",
		"[machine.pin]":          "[machine.pin]",
		"pin":                    "[machine.pin]",
		"build":                  "[build.NAME] [build.NAME.artifact.NAME]",
		"framework.mine.proof":   "[framework.NAME.proof]",
		"[framework.NAME.proof]": "[framework.NAME.proof]",
		"proof":                  "[framework.NAME.proof]",
		"[[server.request]]":     "[[server.request]]",
		"overhead":               `[[scenario]] use = "overhead"`,
		"scenario.overhead":      `[[scenario]] use = "overhead"`,
		"gate.alpha":             "[gate]: alpha",
		"alpha":                  "[[question]]: alpha [gate]: alpha",
		"name":                   ": name [[server.request]]: name",
		"server.request.url":     "[[server.request]]: url",
		"kieker-tcp":             "[framework.NAME.proof]: count",
		"hotswap":                "[framework.NAME]: mode",
	} {
		found, err := whole().About(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := results.Each(found.sections, func(s strict.Section) string {
			if len(s.Keys) == 1 {
				return s.Name + ": " + s.Keys[0].Name
			}
			return s.Name
		})
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"machin": `did you mean "machine"?`, "mine": "", "": "", "[]": "", "gate.metod": "", "x.gate": "", "machine.alpha": "", "nosuchthing": "moobench help file names them all",
	} {
		if found, err := whole().About(name); err == nil || !strings.Contains(err.Error(), `is called "`+name+`"`) {
			t.Errorf("%q: %v, %v", name, found, err)
		} else if do := refusal.Do(err); want != "" && do != want {
			t.Errorf("%q: %s", name, do)
		}
	}
}

// schema is the schema as an editor reads it.
func schema(t *testing.T) map[string]any {
	t.Helper()
	text, err := json.Marshal(whole().Schema())
	var s map[string]any
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	if err != nil || s["$schema"] != "http://json-schema.org/draft-07/schema#" {
		t.Fatalf("%v, %v", s["$schema"], err)
	}
	return s
}

// wrong tells whether a value is not what a schema says, by as much of draft 7 as ours use.
func wrong(t *testing.T, schema, v any) bool {
	s, is := schema.(map[string]any)
	if !is {
		return schema == false
	}
	for keyword, says := range s {
		list, _ := says.([]any)
		object, _ := v.(map[string]any)
		elements, _ := v.([]any)
		number, isNumber := v.(float64)
		bad := false
		switch keyword {
		case "$schema", "title", "description", "default", "examples", "then", "additionalProperties":
		case "type":
			bad = says != map[bool]string{true: "integer", false: typeOf(v)}[says == "integer" && isNumber && number == float64(int64(number))]
		case "enum":
			bad = !slices.Contains(list, v)
		case "const":
			bad = says != v
		case "pattern":
			text, isText := v.(string)
			bad = isText && !regexp.MustCompile(says.(string)).MatchString(text)
		case "minimum":
			bad = isNumber && number < says.(float64)
		case "maximum":
			bad = isNumber && number > says.(float64)
		case "required":
			bad = object != nil && slices.ContainsFunc(list, func(name any) bool { _, has := object[name.(string)]; return !has })
		case "items":
			bad = slices.ContainsFunc(elements, func(e any) bool { return wrong(t, says, e) })
		case "anyOf":
			bad = !slices.ContainsFunc(list, func(one any) bool { return !wrong(t, one, v) })
		case "allOf":
			bad = slices.ContainsFunc(list, func(one any) bool { return wrong(t, one, v) })
		case "if":
			bad = !wrong(t, says, v) && wrong(t, s["then"], v)
		case "properties":
			for name, value := range object {
				property, known := says.(map[string]any)[name]
				if other, bounded := s["additionalProperties"]; !known && bounded {
					property = other
				}
				bad = bad || property != nil && wrong(t, property, value)
			}
		default:
			t.Errorf("unknown keyword %s", keyword)
		}
		if bad {
			return true
		}
	}
	if _, has := s["properties"]; !has && s["additionalProperties"] != nil {
		object, _ := v.(map[string]any)
		for _, value := range object {
			if wrong(t, s["additionalProperties"], value) {
				return true
			}
		}
	}
	return false
}

func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "null"
}

const (
	good = "name = \"x\"\n[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\", \"mine\"]\ndepth = [1, 10]\n" +
		"[machine]\nturbo = { set = \"off\", policy = \"require\" }\ngovernor = \"performance\"\nnice = -5\n" +
		"[framework.mine]\nagent = \"x.jar\"\nproof = \"none\"\n[framework.mine.mode.bci.stage.fast]\nargs = [\"-Dx={class}\"]\npath = [\"collect\"]\n"
)

// bad are texts after which a good file is one no more.
var bad = map[string]string{
	"unknown key":             "[jvm]\nhoem = \"x\"\n",
	"unknown section":         "[jmv]\nhome = \"x\"\n",
	"of another scenario":     "[[scenario]]\nuse = \"command\"\nvariants = [\"none\"]\ndepth = 3\n",
	"unknown scenario":        "[[scenario]]\nuse = \"overhed\"\nvariants = [\"none\"]\n",
	"required":                "[[scenario]]\nuse = \"overhead\"\n",
	"out of range":            "[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\nblocks = 0\n",
	"no whole number":         "[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\ncalls = 1000.5\n",
	"no unit":                 "[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\ntimeout = \"5\"\n",
	"no time":                 "[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\nmethod_time = 5\n",
	"unknown value":           "[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\nwindow = \"stedy\"\n",
	"unknown value in a list": "[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\ngc = [\"g1\", \"zz\"]\n",
	"no percentage":           "[gate]\nworse_by = 3\n",
	"one table of a list":     "[question]\ntext = \"?\"\na = \"none\"\nb = \"mine\"\n",
	"source of records":       "[framework.other]\nproof = { count = \"otpl\", per_call = 1 }\n",
	"key of a stage":          "[framework.other.mode.bci.stage.x]\nagnt = \"x\"\n",
	"step of a path":          "[framework.other]\npath = [\"colect\"]\n",
	"key of a jar":            "[command]\nrun = \"x\"\nartifact = { shop = { path = \"x.jar\" } }\n",
}

// TestSchemaIsTheReader: the schema takes what ships, and refuses what the reader refuses.
func TestSchemaIsTheReader(t *testing.T) {
	s := schema(t)
	for path, text := range shipped(t) {
		if wrong(t, s, decoded(t, text)) {
			t.Errorf("%s is refused", path)
		}
	}
	for name, text := range bad {
		if !wrong(t, s, decoded(t, good+text)) {
			t.Errorf("%s is taken", name)
		}
	}
}

// decoded is a file as JSON has it.
func decoded(t *testing.T, text string) any {
	t.Helper()
	var values map[string]any
	if err := toml.Unmarshal([]byte(text), &values); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	data, err := json.Marshal(values)
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// shipped are the texts of campaigns of this project by their paths, and a good one.
func shipped(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	all := map[string]string{"good.toml": good}
	for _, dir := range []string{"benchmarks.toml", "examples", "results/published", "cmd/internal/doctor/calibrate.toml"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".toml" || filepath.Base(path) == "figures.toml" {
				return err
			}
			text, err := os.ReadFile(path)
			all[path] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(all) < 10 {
		t.Fatalf("only %d campaigns ship", len(all))
	}
	return all
}

// TestTypesAreKnown: the schema says of each value what may stand there, and only of keys
// that are of several scenarios where these are told apart.
func TestTypesAreKnown(t *testing.T) {
	var look func(at string, s any)
	look = func(at string, s any) {
		object, is := s.(map[string]any)
		if !is {
			return
		}
		properties, _ := object["properties"].(map[string]any)
		for name, p := range properties {
			says, is := p.(map[string]any)
			if is && says["type"] == nil && says["anyOf"] == nil && says["const"] == nil && object["allOf"] == nil {
				t.Errorf("%s.%s may be anything: %v", at, name, says)
			}
		}
		for name, below := range object {
			look(at+"."+name, below)
			if list, is := below.([]any); is && !reflect.DeepEqual(list, object["examples"]) {
				for _, e := range list {
					look(at+"."+name, e)
				}
			}
		}
	}
	look("", schema(t))
}

// TestTaplo: the editors' own reader of schemas takes ours, and says of it what we say.
func TestTaplo(t *testing.T) {
	taplo, err := exec.LookPath("taplo")
	if err != nil {
		t.Skip("taplo is not installed: npm install -g @taplo/cli")
	}
	text, err := json.Marshal(whole().Schema())
	if err != nil {
		t.Fatal(err)
	}
	check := func(texts map[string]string) string {
		dir := t.TempDir()
		args := []string{"check", "--schema", "file://" + filepath.Join(dir, "schema.json")}
		texts[""] = good
		for name, text := range texts {
			args = append(args, strings.NewReplacer("/", "-", " ", "-").Replace(name)+".toml")
			if err := os.WriteFile(filepath.Join(dir, args[len(args)-1]), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "schema.json"), text, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), taplo, args...)
		cmd.Dir = dir
		said, _ := cmd.CombinedOutput() // which says what the exit status does
		return string(said)
	}
	if said := check(shipped(t)); strings.Contains(said, "error") || !strings.Contains(said, "found files") {
		t.Errorf("what ships is refused: %s", said)
	}
	wrong := map[string]string{}
	for name, text := range bad {
		wrong[name] = good + text
	}
	said := check(wrong)
	for name := range bad {
		if path := "/" + strings.ReplaceAll(name, " ", "-") + ".toml"; !regexp.MustCompile(`invalid file error=schema validation failed path="[^"]*` + path).MatchString(said) {
			t.Errorf("%s is taken", path)
		}
	}
	if strings.Contains(said, `/.toml`) {
		t.Error("a good file is refused")
	}
}
