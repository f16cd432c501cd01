package main

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/numbers"
)

// TestJSONKeysAreInHelp: whoever reads --json finds every key in the help.
func TestJSONKeysAreInHelp(t *testing.T) {
	help, _, err := newRoot(&terminal{}).Find([]string{"test"})
	if err != nil {
		t.Fatal(err)
	}
	var missing func(reflect.Type)
	missing = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return
		}
		for i := range typ.NumField() {
			key, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if key != "" && !mentions(help.Long, key) {
				t.Errorf("the help does not name the key %q of %s", key, typ.Name())
			}
			missing(typ.Field(i).Type)
		}
	}
	missing(reflect.TypeFor[numbers.Report]())
}

func mentions(text, word string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return slices.Contains(words, word)
}

// TestKindsAreInHelp: every kind stands in the help, and in that of --kind.
func TestKindsAreInHelp(t *testing.T) {
	var out, errOut bytes.Buffer
	if status := Main(t.Context(), []string{"test", "--help"}, &out, &errOut); status != exitFine {
		t.Fatalf("exit status %d\n%s", status, errOut.String())
	}
	for _, k := range numbers.Kinds() {
		if n := strings.Count(out.String(), string(k)); n < 2 {
			t.Errorf("the help names %s %d times", k, n)
		}
	}
}
