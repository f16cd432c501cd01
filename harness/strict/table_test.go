package strict

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// shop is something to read into.
type shop struct {
	name    string
	seats   int
	kind    string
	open    time.Duration
	tables  []table
	kitchen *kitchen
	staff   map[string]string
}

type (
	table   struct{ legs int }
	kitchen struct{ hot bool }
)

// describe is a table with something of every form.
func describe(s *shop) Table {
	return Table{
		Text: "A shop.",
		Keys: []Key{
			{Name: "name", Kind: String(&s.name), Required: true, Text: "its name"},
			{Name: "seats", Kind: Int(&s.seats, 1, math.MaxInt64), Unit: "seats", Default: 4, Text: "how many can sit"},
			{Name: "kind", Kind: OneOf(&s.kind, "bar", "restaurant"), Default: "bar", Text: "what it is"},
			{Name: "open", Kind: Func("time", &s.open, Value.Duration), Default: "8h", Text: "how long it is open"},
			{Name: "table", Text: "its tables", Kind: Tables(&s.tables, func(t *table, _ Value) Table {
				return Table{Text: "A table.", Keys: []Key{{Name: "legs", Kind: Int(&t.legs, 3, 8), Default: 4, Text: "how many legs"}}}
			})},
			{Name: "kitchen", Text: "its kitchen", Kind: Optional(&s.kitchen, func(k *kitchen) Table {
				return Table{Text: "A kitchen.", Keys: []Key{{Name: "hot", Kind: Bool(&k.hot), Default: true, Text: "with a stove"}}}
			})},
			{Name: "staff", Text: "who works there", Kind: ByName(func(v Value) Table {
				role := ""
				return Table{
					Text: "One of the staff.", Keys: []Key{{Name: "role", Kind: String(&role), Text: "what they do"}},
					check: func(v Value) { s.staff[v.Name()] = role },
				}
			})},
		},
	}
}

func readShop(t *testing.T, text string) (*shop, error) {
	t.Helper()
	doc, err := Parse("shop.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{staff: map[string]string{}}
	doc.Root().Table(describe(s))
	return s, doc.Err()
}

func TestTable(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`name = "a"`, "a 4 bar 8h0m0s [] <nil> map[]"},
		{"name = \"b\"\nseats = 7\nkind = \"restaurant\"\nopen = \"30min\"\n[[table]]\n[[table]]\nlegs = 3\n[kitchen]\n[staff.ann]\nrole = \"cook\"", "b 7 restaurant 30m0s [{4} {3}] &{true} map[ann:cook]"},
		{"name = \"c\"\ntable = [{ legs = 5 }]\nkitchen = { hot = false }", "c 4 bar 8h0m0s [{5}] &{false} map[]"},
	} {
		s, err := readShop(t, c.text)
		if got := fmt.Sprint(s.name, " ", s.seats, " ", s.kind, " ", s.open, " ", s.tables, " ", s.kitchen, " ", s.staff); err != nil || got != c.want {
			t.Errorf("%s\ngot  %s, %v\nwant %s", c.text, got, err, c.want)
		}
	}
}

// TestMistakes: all are told at once, each where it stands and once, and what is wrong
// is the default.
func TestMistakes(t *testing.T) {
	s, err := readShop(t, `seats = 0
kind = "baar"
open = 8
chairs = 3
table = { legs = 2 }
[kitchen]
hot = "yes"
colour = "red"
[staff]
bob = 1
[staff.ann]
roll = "cook"
`)
	want := `shop.toml:1: the key "name" is missing (add name = …)
shop.toml:1: seats: 0 is too small (at least 1)
shop.toml:2: kind: unknown value "baar" (did you mean "bar"?)
shop.toml:3: open: 8 has no unit (write e.g. "8us"; units: ns, us, ms, s, min, h)
shop.toml:4: unknown key "chairs" (known: kind, kitchen, name, open, seats, staff, table)
shop.toml:5: [table] is one table, a campaign has a list of them (write [[table]])
shop.toml:7: hot: want true or false, got the string "yes" (without quotes)
shop.toml:8: unknown key "colour" (known: hot)
shop.toml:10: bob: want a table, got the integer 1
shop.toml:12: unknown key "roll" (did you mean "role"?)`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if s.seats != 4 || s.kind != "bar" || s.open != 8*time.Hour || !s.kitchen.hot {
		t.Errorf("defaults do not hold: %+v", s)
	}
}

// TestFresh: what is found wrong in a copy is not in the document, and is found again.
func TestFresh(t *testing.T) {
	doc, err := Parse("x.toml", []byte("a = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	copied := doc.Fresh()
	v := doc.Root().In(copied)
	v.Key("a").Line()
	v.Key("a").Line()
	if got := copied.Err(); got == nil || got.Error() != "x.toml:1: a: want a string, got the integer 1 (put it into quotes)" || doc.Err() != nil {
		t.Errorf("%v, and in the document %v", got, doc.Err())
	}
	doc.Root().Key("a").Line()
	if doc.Err() == nil || doc.Root().Mistakes() != 1 {
		t.Errorf("%v, %d", doc.Err(), doc.Root().Mistakes())
	}
}

func TestSections(t *testing.T) {
	var got strings.Builder
	for _, s := range describe(&shop{}).Sections("") {
		fmt.Fprintf(&got, "%s: %s", s.Name, s.Text)
		for _, k := range s.Keys {
			fmt.Fprintf(&got, " %s (%s %v %v)", k.Name, k.Kind.Type, k.Kind.Values, k.Default)
		}
		got.WriteString("\n")
	}
	want := `: A shop. name (string [] <nil>) seats (integer [] 4) kind (string [bar restaurant] bar) open (time [] 8h) table (list of tables [] <nil>) kitchen (table [] <nil>) staff (tables by name [] <nil>)
[[table]]: A table. legs (integer [] 4)
[kitchen]: A kitchen. hot (true or false [] true)
[staff.NAME]: One of the staff. role (string [] <nil>)
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
