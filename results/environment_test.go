package results

import "testing"

func TestSameEnvironment(t *testing.T) {
	in := func(name, value string) *Cell { return &Cell{Parameters: []Value{{Name: name, Value: value}}} }
	for _, c := range []struct {
		a, b *Cell
		want bool
	}{
		{&Cell{}, &Cell{}, true},
		{in(FactorJDK, "17"), in(FactorJDK, "17"), true},
		{in(FactorJDK, "17"), in(FactorJDK, "25"), false},
		{in(FactorCPUs, "2"), &Cell{}, true},
		{in("depth", "1"), in("depth", "10"), true},
		{in(FactorJVM, "-Xint"), in(FactorJVM, "-Xint"), true},
		{in(FactorJVM, "-Xint"), in(FactorJVM, NoOptions), false},
		{in(FactorJVM, NoOptions), &Cell{}, true},
		{in(FactorJVM, "-Xint"), &Cell{}, false},
	} {
		if SameEnvironment(c.a, c.b) != c.want || SameEnvironment(c.b, c.a) != c.want {
			t.Errorf("%v and %v: want %v", c.a.Parameters, c.b.Parameters, c.want)
		}
	}
}
