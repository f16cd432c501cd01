package strict

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// TestSchema: a schema says what the reader checks.
func TestSchema(t *testing.T) {
	var number int
	tune := func(t *kitchen) Table { return NewTable("A tune.", NewKey("hot", Bool(&t.hot), "loud")) }
	knob := Sub(new(kitchen), tune)
	knob.Type, knob.Values, knob.Open = "string, or a table", []string{"on"}, true
	list := Kind{Type: "integer, or a list of them", Limits: &Limits{1, 9}}
	words := Strings(new([]string), Value.Line)
	words.Values = []string{"a", "b"}
	shared := NewTable("A song.",
		NewKey("by", OneOf(new(string), "band", "choir"), "who").Must(), NewKey("knob", knob, "how").Or("on"),
		NewKey("often", list, "how often").In("times").Like(3), NewKey("words", words, "which"))
	shared.Cases = []Case{
		{"by", "band", NewTable("Of bands.", NewKey("drums", Int(&number, 0, 5), "how many"))},
		{"by", "choir", NewTable("Of choirs.", NewKey("drums", Bool(new(bool)), "whether"))},
	}
	var got, want any
	text, err := json.Marshal(shared.Schema())
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	common := `"by": true, "knob": true, "often": true, "words": true`
	wanted := `{"type": "object", "description": "A song.", "required": ["by"], "properties": {
		"by": {"type": "string", "enum": ["band", "choir"], "description": "who"},
		"knob": {"description": "how", "default": "on", "anyOf": [{"anyOf": [{"enum": ["on"]}, {"type": "string"}]},
			{"type": "object", "description": "A tune.", "required": [], "additionalProperties": false,
				"properties": {"hot": {"type": "boolean", "description": "loud"}}}]},
		"often": {"description": "how often (in times)", "examples": [3], "anyOf": [{"type": "integer", "minimum": 1, "maximum": 9},
			{"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 9}}]},
		"words": {"type": "array", "items": {"enum": ["a", "b"]}, "description": "which"},
		"drums": {"description": "by = \"band\": how many\nby = \"choir\": whether"}},
		"allOf": [
			{"if": {"properties": {"by": {"const": "band"}}}, "then": {"type": "object", "description": "Of bands.", "required": [],
				"additionalProperties": false, "properties": {"drums": {"type": "integer", "minimum": 0, "maximum": 5, "description": "how many"}, ` + common + `}}},
			{"if": {"properties": {"by": {"const": "choir"}}}, "then": {"type": "object", "description": "Of choirs.", "required": [],
				"additionalProperties": false, "properties": {"drums": {"type": "boolean", "description": "whether"}, ` + common + `}}}]}`
	if err := json.Unmarshal([]byte(wanted), &want); err != nil {
		t.Fatal(err)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%s\nwant\n%s", err, text, wanted)
	}
	whole := describe(&shop{}).Schema()["properties"].(map[string]any)
	for key, form := range map[string]string{"table": "array", "kitchen": "object", "staff": "object"} {
		if got := whole[key].(map[string]any)["type"]; got != form {
			t.Errorf("%s is of type %v, want %s", key, got, form)
		}
	}
}

// TestLiteral: what is written for a value is read as that value.
func TestLiteral(t *testing.T) {
	for _, v := range []any{
		"", "a b", `\d "quoted"`, `it's "both" \`, "two\nlines\twith µ", int64(-3), 0.05, true,
		[]any{"a", `\`},
		[]any{},
		map[string]any{"plain-1": int64(1), "my.conf": "x", `"`: map[string]any{"deep": false}},
	} {
		written := v
		if list, is := v.([]any); is {
			texts := []string{}
			for _, e := range list {
				texts = append(texts, e.(string))
			}
			written = texts
		}
		doc, err := Parse("x.toml", []byte("k = "+Literal(written)))
		if err != nil || strings.Contains(Literal(written), "\n") {
			t.Errorf("%v is written as %s: %v", v, Literal(written), err)
		} else if got := doc.Root().Key("k").Raw; !reflect.DeepEqual(got, v) {
			t.Errorf("%v is written as %s, which is %v", v, Literal(written), got)
		}
	}
}

func TestInstance(t *testing.T) {
	for _, c := range []struct {
		key  Key
		want string
	}{
		{NewKey("k", String(new(string)), "").Or("usual").Like("mine"), `"mine"`},
		{NewKey("k", String(new(string)), "").Or("usual"), `"usual"`},
		{NewKey("k", OneOf(new(string), "a", "b"), ""), `"a"`},
		{NewKey("k", Kind{Type: "time, or a list of them"}, ""), `"10s"`},
		{NewKey("k", Kind{Type: "unheard of"}, ""), "<nil>"},
	} {
		if got := Literal(c.key.Instance()); got != c.want {
			t.Errorf("%+v: %s, want %s", c.key, got, c.want)
		}
	}
}
