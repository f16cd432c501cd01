package report

import (
	"encoding/json"
	"reflect"
	"strings"
	"unicode"
)

// Clean makes what does not print visible: control characters, escape
// sequences, marks that turn the direction of writing and with it the digits
// of the numbers that follow.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// cleanLines is Clean for texts of several lines.
func cleanLines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\t", "    "), "\n")
	for i, l := range lines {
		lines[i] = Clean(l)
	}
	return strings.Join(lines, "\n")
}

// cleanCopy copies answers, or a comparison, with every text in them clean.
func cleanCopy[T any](a *T) (*T, error) {
	data, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	c := new(T)
	if err := json.Unmarshal(data, c); err != nil {
		return nil, err
	}
	cleanValue(reflect.ValueOf(c))
	return c, nil
}

func cleanValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			cleanValue(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				cleanValue(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			cleanValue(v.Index(i))
		}
	case reflect.String:
		v.SetString(cleanLines(v.String()))
	case reflect.Map:
		cleanMap(v)
	}
}

// cleanMap cleans a map of texts.
func cleanMap(v reflect.Value) {
	m, ok := v.Interface().(map[string]string)
	if !ok {
		return
	}
	fresh := make(map[string]string, len(m))
	for k, text := range m {
		fresh[Clean(k)] = cleanLines(text)
	}
	v.Set(reflect.ValueOf(fresh))
}
