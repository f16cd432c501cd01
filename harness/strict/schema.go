package strict

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// plainType is what may stand behind a key, and is no table.
type plainType struct {
	schema  map[string]any // as JSON Schema has it
	example any
}

// percentage is a regular expression of one.
const percentage = `^\s*[0-9.]+\s*%\s*$`

// types are the parts of a Kind.Type that are no tables.
var types = map[string]plainType{
	"string":             {map[string]any{"type": "string"}, "…"},
	"string of options":  {map[string]any{"type": "string"}, "-Xint"},
	"list of CPUs":       {map[string]any{"type": "string"}, "2-3"},
	"regular expression": {map[string]any{"type": "string"}, `\d+`},
	"URL":                {map[string]any{"type": "string", "pattern": "^http://"}, "http://127.0.0.1:{port}/"},
	"time":               {map[string]any{"type": "string", "pattern": `^\s*([0-9.]+\s*(ns|us|µs|μs|ms|s|min|m|h)\s*)+$`}, "10s"},
	"percentage":         {map[string]any{"type": "string", "pattern": percentage}, "2%"},
	`"none"`:             {map[string]any{"const": "none"}, "none"},
	`"auto"`:             {map[string]any{"const": "auto"}, "auto"},
	"integer":            {map[string]any{"type": "integer"}, 1},
	"number":             {map[string]any{"type": "number"}, 0.5},
	"true or false":      {map[string]any{"type": "boolean"}, true},
	"list of strings":    {map[string]any{"type": "array", "items": map[string]any{"type": "string"}}, []string{"…"}},
	"table of strings": {map[string]any{
		"type":                 "object",
		"additionalProperties": map[string]any{"type": "string"},
	}, map[string]any{"NAME": "…"}},
	"table of percentages": {map[string]any{
		"type":                 "object",
		"additionalProperties": map[string]any{"type": "string", "pattern": percentage},
	}, map[string]any{"NAME": "2%"}},
	"tables by name": {map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "object"}}, map[string]any{}},
}

// Schema returns what may stand in a table as JSON Schema, draft 7, with which editors
// complete and check a file. What keys mean together is not in it.
func (t Table) Schema() map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, k := range t.Keys {
		properties[k.Name] = k.schema()
		if k.Required {
			required = append(required, k.Name)
		}
	}
	s := map[string]any{"type": "object", "description": t.Text, "properties": properties, "required": required}
	if len(t.Cases) == 0 {
		s["additionalProperties"] = false
		return s
	}
	var cases []any
	texts := map[string]string{} // of keys that only cases have, for editors that don't look into conditions
	for _, c := range t.Cases {
		then := c.Schema()
		own := then["properties"].(map[string]any)
		for _, k := range c.Keys {
			if _, common := properties[k.Name]; !common {
				texts[k.Name] += fmt.Sprintf("%s = %q: %s\n", c.Key, c.Value, k.Text)
			}
		}
		for name := range properties {
			if own[name] == nil {
				own[name] = true
			}
		}
		cases = append(cases, map[string]any{
			"if":   map[string]any{"properties": map[string]any{c.Key: map[string]any{"const": c.Value}}},
			"then": then,
		})
	}
	for name, text := range texts {
		properties[name] = map[string]any{"description": strings.TrimSuffix(text, "\n")}
	}
	s["allOf"] = cases
	return s
}

// schema is that of a value of the key.
func (k Key) schema() map[string]any {
	s := k.Kind.schema()
	s["description"] = k.Text
	if k.Unit != "" {
		s["description"] = k.Text + " (in " + k.Unit + ")"
	}
	if k.Default != nil {
		s["default"] = k.Default
	}
	if k.Example != nil {
		s["examples"] = []any{k.Example}
	}
	return s
}

// schema is that of a value: any of several, where there are several types.
func (k Kind) schema() map[string]any {
	var all []any
	for part := range strings.SplitSeq(k.Type, ", or ") {
		switch {
		case part == "a list of them":
			all = append(all, map[string]any{"type": "array", "items": all[0]})
		case k.Section == nil || !strings.Contains(part, "table"):
			all = append(all, k.plain(maps.Clone(types[part].schema)))
		case k.Several == Listed:
			all = append(all, map[string]any{"type": "array", "items": k.Section().Schema()})
		case k.Several == Named:
			all = append(all, map[string]any{"type": "object", "additionalProperties": k.Section().Schema()})
		default:
			all = append(all, k.Section().Schema())
		}
	}
	if len(all) == 1 {
		return all[0].(map[string]any)
	}
	return map[string]any{"anyOf": all}
}

// plain adds the values and limits to the schema of a type that is no table.
func (k Kind) plain(s map[string]any) map[string]any {
	_, list := s["items"]
	switch {
	case s["type"] == "integer" && k.Limits != nil:
		s["minimum"] = k.Limits.Least
		if k.Limits.Most < math.MaxInt64 {
			s["maximum"] = k.Limits.Most
		}
	case k.Values == nil:
	case list:
		s["items"] = map[string]any{"enum": k.Values}
	case k.Open && s["type"] == "string":
		return map[string]any{"anyOf": []any{map[string]any{"enum": k.Values}, s}}
	case !k.Open:
		s["enum"] = k.Values
	}
	return s
}

// Instance is a value that may stand behind a key: its example, or else its default, the
// first of the values, or one of its type.
func (k Key) Instance() any {
	first, _, _ := strings.Cut(k.Kind.Type, ", or ")
	switch {
	case k.Example != nil:
		return k.Example
	case k.Default != nil:
		return k.Default
	case len(k.Kind.Values) > 0:
		return k.Kind.Values[0]
	}
	return types[first].example
}

// bareName matches a key that needs no quotes.
var bareName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// literalKey is a name as it is written before a value.
func literalKey(name string) string {
	if bareName.MatchString(name) {
		return name
	}
	return Literal(name)
}

// Literal is a value as it is written behind a key, on one line. TOML knows all escapes of
// JSON; a string whose only escapes are quotes and backslashes stands between single quotes.
func Literal(v any) string {
	switch v := v.(type) {
	case string:
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			panic(err) // a string can be encoded
		}
		text := strings.TrimSuffix(b.String(), "\n")
		if strings.ContainsAny(v, `\"`) && !strings.Contains(v, "'") && strings.Count(text, `\`) == strings.Count(v, `"`)+2*strings.Count(v, `\`) {
			return "'" + v + "'"
		}
		return text
	case []string:
		return literalList(v)
	case []any:
		return literalList(v)
	case []map[string]any:
		return literalList(v)
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".eIN") { // else it would be an integer
			text += ".0"
		}
		return strings.ToLower(strings.TrimPrefix(text, "+"))
	case map[string]any:
		var all []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, literalKey(name)+" = "+Literal(v[name]))
		}
		return "{ " + strings.Join(all, ", ") + " }"
	}
	return fmt.Sprint(v)
}

func literalList[T any](all []T) string {
	texts := make([]string, len(all))
	for i, v := range all {
		texts[i] = Literal(v)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
