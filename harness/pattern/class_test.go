package pattern

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestClass: wildcards in names of classes mean what the agents' patterns mean by them.
func TestClass(t *testing.T) {
	for _, c := range []struct {
		name   string
		below  bool
		is, no string
	}{
		{"a.B", false, "a.B", "a.B.C a.Bx x.a.B a.B$C"},
		{"a.B", true, "a.B a.B.C a.B.c.D", "a.B$C a.Bx"},
		{"a.B$*", false, "a.B$C a.B$ a.B$1", "a.B a.B$C.D"},
		{"a.*", false, "a.B a.b.C a.B$C", "a b.A"},
		{"a.*Queue", false, "a.Queue a.MyQueue a.b.Queue", "a.Queues b.Queue"},
		{"a.My*Queue", false, "a.MyQueue a.MyBigQueue", "a.My.Queue"},
		{"a..B", false, "a.B a.b.B a.b.c.B", "a.bB aB x.a.B"},
		{"..B", false, "B a.B a.b.B", "bB a.bB"},
		{"*", false, "B a.B a.b.C", ""},
		{`a.é\u0028+\u0029\u002a`, false, "a.é(+)*", "a.é a.é(+)x"},
	} {
		matches := Class(c.name, c.below)
		for _, class := range strings.Fields(c.is) {
			if !matches(class) {
				t.Errorf("%s (below: %v) doesn't match %s", c.name, c.below, class)
			}
		}
		for _, class := range strings.Fields(c.no) {
			if matches(class) {
				t.Errorf("%s (below: %v) matches %s", c.name, c.below, class)
			}
		}
	}
}

// TestReaches: of a pattern, the class part decides, and whether it is of all methods.
func TestReaches(t *testing.T) {
	for _, c := range []struct {
		text, class string
		want        bool
	}{
		{"*", "a.B", true},
		{"* a.B.*(..) throws ..", "a.B", true},
		{"* a.B.*(..)", "a.B.C", true},
		{"* a.B.get*()", "a.B.C", false},
		{"public static int a..B.x(int, a.C)", "a.b.B", true},
		{"@a.M *.*(..)", "x.Y", true},
		{"new a.B.<init>(..)", "a.B", true},
		{"new a.B.<init>(..)", "a.C", false},
		{"odd", "odd", false},
		{"a.B.*(..)", "a.B.C", true},
		{`a.B\ b.get(..)`, "a.B b", true},
	} {
		if got := Reaches(c.text)(c.class); got != c.want {
			t.Errorf("%s reaches %s: %v", c.text, c.class, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) { // whatever it is, it is not a panic
		Reaches(rapid.String().Draw(t, "pattern"))(rapid.String().Draw(t, "class"))
		Class(rapid.String().Draw(t, "name"), true)("a.B")
	})
}
