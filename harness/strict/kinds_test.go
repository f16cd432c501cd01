package strict

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestValues: each way of reading takes what fits, and of all else says what is wrong and what to write.
func TestValues(t *testing.T) {
	even := func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n%2 != 0 {
			return 0, errors.New("this is odd")
		}
		return n, nil
	}
	ways := map[string]func(v Value) (any, bool){
		"line":     func(v Value) (any, bool) { return v.Line() },
		"prose":    func(v Value) (any, bool) { return v.Prose() },
		"notempty": func(v Value) (any, bool) { return v.NotEmpty() },
		"any":      func(v Value) (any, bool) { return v.Any() },
		"bool":     func(v Value) (any, bool) { return v.Bool() },
		"oneof":    func(v Value) (any, bool) { return v.OneOf([]string{"left", "right"}) },
		"int":      func(v Value) (any, bool) { return v.Int(2, 5) },
		"least":    func(v Value) (any, bool) { return v.Int(2, math.MaxInt64) },
		"parsed":   func(v Value) (any, bool) { return Parsed(Value.Line, "write 2", even)(v) },
		"percent":  func(v Value) (any, bool) { return v.Percent(50) },
		"exact":    func(v Value) (any, bool) { return v.ExactTime() },
	}
	for _, c := range []struct {
		way, text string
		want      any
		mistake   string // "": none
	}{
		{"line", `"a b"`, "a b", ""},
		{"line", `" \t"`, "", "x is empty (leave it out, or say something)"},
		{"line", `"a\nb"`, "", "x holds a control character"},
		{"line", `7`, "", "x: want a string, got the integer 7 (put it into quotes)"},
		{"prose", `"a\nb"`, "a\nb", ""},
		{"prose", `"\n"`, "", "x is empty (leave it out, or say something)"},
		{"notempty", `" \n"`, " \n", ""},
		{"notempty", `""`, "", "x is empty (leave it out, or say something)"},
		{"notempty", `"a\u0000"`, "", "x holds a NUL character"},
		{"any", `""`, "", ""},
		{"any", `"\u0000"`, "", "x holds a NUL character"},
		{"any", `["a"]`, "", "x: want a string, got a list (put it into quotes)"},
		{"bool", `true`, true, ""},
		{"bool", `"true"`, false, `x: want true or false, got the string "true" (without quotes)`},
		{"oneof", `"left"`, "left", ""},
		{"oneof", `"rihgt"`, "", `x: unknown value "rihgt" (did you mean "right"?)`},
		{"oneof", `"up"`, "", `x: unknown value "up" (known: left, right)`},
		{"int", `2`, int64(2), ""},
		{"int", `5`, int64(5), ""},
		{"int", `1`, int64(0), "x: 1 is out of range (2 to 5)"},
		{"int", `6`, int64(0), "x: 6 is out of range (2 to 5)"},
		{"int", `"4"`, int64(0), `x: want an integer, got the string "4" (without quotes: 4)`},
		{"int", `"four"`, int64(0), `x: want an integer, got the string "four"`},
		{"int", `4.0`, int64(0), "x: want an integer, got the number 4 (write 4)"},
		{"int", `4.5`, int64(0), "x: want an integer, got the number 4.5"},
		{
			"int", `-9007199254740991.0`, int64(0),
			"x: want an integer, got the number -9.007199254740991e+15 (write -9007199254740991)",
		},
		// From 2^53 on it may be another number than was written.
		{"int", `9007199254740993.0`, int64(0), "x: want an integer, got the number 9.007199254740992e+15"},
		{"int", `true`, int64(0), "x: want an integer, got the boolean true"},
		{"int", `2020-01-01`, int64(0), "x: want an integer, got a date or time"},
		{"int", `{}`, int64(0), "x: want an integer, got a table"},
		{"least", `2`, int64(2), ""},
		{"least", `1`, int64(0), "x: 1 is too small (at least 2)"},
		{"parsed", `"8"`, 8, ""},
		{"parsed", `"7"`, 0, "x: this is odd (write 2)"},
		{"parsed", `8`, 0, "x: want a string, got the integer 8 (put it into quotes)"},
		{"percent", `"50%"`, 0.5, ""},
		{"percent", `"51%"`, 0.0, `x: "51%" is out of range: more than 0 and at most 50 % (such as "2%")`},
		{"percent", `2`, 0.0, `x: 2 has no unit (a percentage in quotes, such as "2%")`},
		{"percent", `true`, 0.0, `x: want a percentage in quotes, got the boolean true (such as "2%")`},
		{"exact", `"0.5us"`, 500.0, ""},
		{"exact", `0.5`, 0.0, `x: 0.5 has no unit (write e.g. "0.5us"; units: ns, us, ms, s, min, h)`},
		{"exact", `"0.5"`, 0.0, `x: "0.5" has no unit (such as "38984.74us"; units: ns, us, ms, s, min, h)`},
	} {
		doc, err := Parse("f.toml", []byte("x = "+c.text))
		if err != nil {
			t.Fatal(err)
		}
		got, ok := ways[c.way](doc.Root().Key("x"))
		mistake := ""
		if err := doc.Err(); err != nil {
			mistake = strings.TrimPrefix(err.Error(), "f.toml:1: ")
		}
		if got != c.want || mistake != c.mistake || ok != (mistake == "") {
			t.Errorf("%s of %s: %v, %v, %q, want %v, %q", c.way, c.text, got, ok, mistake, c.want, c.mistake)
		}
	}
}

// TestLists: of a list every element is read, and every wrong one is told where it stands.
func TestLists(t *testing.T) {
	for _, c := range []struct {
		text     string
		words    []string
		distinct string // what Distinct says
	}{
		{`["a", "b"]`, []string{"a", "b"}, ""},
		{`[]`, nil, "f.toml:1: x is an empty list"},
		{`["a", "b", "a", "a"]`, []string{"a", "b", "a", "a"}, "f.toml:1: entry 3 of x says the same as entry 1\n" +
			"f.toml:1: entry 4 of x says the same as entry 1"},
		{
			"[\n1,\n'a',\n2,\n'a']",
			[]string{"", "a", "", "a"},
			"f.toml:2: entry 1 of x: want a string, got the integer 1 (put it into quotes)\n" +
				"f.toml:4: entry 3 of x: want a string, got the integer 2 (put it into quotes)\n" +
				"f.toml:5: entry 4 of x says the same as entry 2",
		},
		{`"a"`, []string{"usual"}, `f.toml:1: x: want a list, got the string "a" (put it into brackets: [ … ])`},
	} {
		doc, err := Parse("f.toml", []byte("x = "+c.text))
		if err != nil {
			t.Fatal(err)
		}
		words, alike := []string{"usual"}, []string{"usual"}
		Distinct(&words, Value.Line).Read(doc.Root().Key("x"))
		said := ""
		if err := doc.Err(); err != nil {
			said = err.Error()
		}
		Strings(&alike, Value.Line).Read(doc.Root().Key("x").In(doc.Fresh()))
		if diff := cmp.Diff(c.distinct, said); diff != "" || !slices.Equal(words, c.words) || !slices.Equal(alike, c.words) {
			t.Errorf("%s: %q and %q, want %q; -want +got:\n%s", c.text, words, alike, c.words, diff)
		}
	}
}

// TestAmong: a name that is not known is a mistake of its noun. It is kept, for who tells more of it.
func TestAmong(t *testing.T) {
	for text, want := range map[string]string{
		`"red"`: "red", `"rde"`: `rde f.toml:1: unknown colour "rde" (did you mean "red"?)`,
		`1`: "usual f.toml:1: x: want a string, got the integer 1 (put it into quotes)",
	} {
		doc, err := Parse("f.toml", []byte("x = "+text))
		if err != nil {
			t.Fatal(err)
		}
		got := "usual"
		Among(&got, "colour", []string{"red", "blue"}, Value.Line).Read(doc.Root().Key("x"))
		if err := doc.Err(); err != nil {
			got += " " + err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestSingleTable: who writes one table where a list is wanted is told how, by the whole name of the table.
func TestSingleTable(t *testing.T) {
	type leaf struct{ n int }
	type branch struct{ leaves []leaf }
	var branches []branch
	describe := NewTable("A tree.", NewKey("branch", Tables(&branches, func(b *branch, _ Value) Table {
		return NewTable("A branch.", NewKey("leaf", Tables(&b.leaves, func(l *leaf, _ Value) Table {
			return NewTable("A leaf.", NewKey("n", Int(&l.n, 0, 9), "its number"))
		}), "its leaves"))
	}), "its branches"))
	for text, want := range map[string]string{
		"[branch]": "[] f.toml:1: [branch] is one table, a campaign has a list of them (write [[branch]])",
		"[[branch]]\n[branch.leaf]": "[{[]}] f.toml:2: [branch.leaf] is one table, " +
			"a branch has a list of them (write [[branch.leaf]])",
		"branch = 1":   "[] f.toml:1: branch: want a list, got the integer 1 (put it into brackets: [ … ])",
		"branch = [1]": "[{[]}] f.toml:1: entry 1 of branch: want a table, got the integer 1",
		"[[branch]]\n[[branch.leaf]]\nn = 3\n[[branch.leaf]]": "[{[{3} {0}]}]",
	} {
		doc, err := Parse("f.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		branches = nil
		doc.Root().Table(describe)
		got := fmt.Sprint(branches)
		if err := doc.Err(); err != nil {
			got += " " + err.Error()
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}
