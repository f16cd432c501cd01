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

// plainType describes a type of value other than a table.
type plainType struct {
	schema  map[string]any // in JSON Schema
	example any
}

// percentage is a regular expression that matches a percentage.
const percentage = `^\s*[0-9.]+\s*%\s*$`

// types maps the parts of a Kind.Type, other than tables, to their descriptions.
var types = map[string]plainType{
	"string":             {map[string]any{"type": "string"}, "…"},
	"string of options":  {map[string]any{"type": "string"}, "-Xint"},
	"list of CPUs":       {map[string]any{"type": "string"}, "2-3"},
	"regular expression": {map[string]any{"type": "string"}, `\d+`},
	"URL":                {map[string]any{"type": "string", "pattern": "^http://"}, "http://127.0.0.1:{port}/"},
	"time": {map[string]any{
		"type":    "string",
		"pattern": `^\s*([0-9.]+\s*(ns|us|µs|μs|ms|s|min|m|h)\s*)+$`,
	}, "10s"},
	"percentage":      {map[string]any{"type": "string", "pattern": percentage}, "2%"},
	`"none"`:          {map[string]any{"const": "none"}, "none"},
	`"auto"`:          {map[string]any{"const": "auto"}, "auto"},
	"integer":         {map[string]any{"type": "integer"}, 1},
	"number":          {map[string]any{"type": "number"}, 0.5},
	"true or false":   {map[string]any{"type": "boolean"}, true},
	"list of strings": {map[string]any{"type": "array", "items": map[string]any{"type": "string"}}, []string{"…"}},
	"table of strings": {map[string]any{
		"type":                 "object",
		"additionalProperties": map[string]any{"type": "string"},
	}, map[string]any{"NAME": "…"}},
	"table of percentages": {map[string]any{
		"type":                 "object",
		"additionalProperties": map[string]any{"type": "string", "pattern": percentage},
	}, map[string]any{"NAME": "2%"}},
	"tables by name": {map[string]any{
		"type":                 "object",
		"additionalProperties": map[string]any{"type": "object"},
	}, map[string]any{}},
}

// Schema returns the table as JSON Schema, draft 7, which editors use to complete and check a
// file. It does not cover constraints between keys.
func (t Table) Schema() map[string]any {
	properties := map[string]any{}
	required := []string{}
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
	texts := map[string]string{} // descriptions of keys that only cases have, for editors that ignore conditions
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

// schema returns the JSON Schema of the key's value.
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

// schema returns the JSON Schema of a value of the kind: anyOf if there are several types.
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

// plain adds the allowed values and limits to the schema of a type that is not a table.
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

// Instance returns a value for use in an example: the key's example, default, first allowed
// value, or a generic value of its type, whichever comes first.
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

// Literal returns a value as TOML, on one line. Strings are encoded as JSON, since TOML accepts all of
// its escapes. A string whose only escapes would be quotes and backslashes goes between single quotes.
func Literal(v any) string {
	switch v := v.(type) {
	case string:
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			panic(err) // a string can always be encoded
		}
		text := strings.TrimSuffix(b.String(), "\n")
		quotable := strings.ContainsAny(v, `\"`) && !strings.Contains(v, "'")
		escapes := strings.Count(v, `"`) + 2*strings.Count(v, `\`)
		if quotable && strings.Count(text, `\`) == escapes {
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
