package strict

import "testing"

func TestNearest(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"metod_time", "method_time"},
		{"abuot", "about"},
		{"Depth", "depth"},
		{"dpeth", "depth"},
		{"xyz", ""},
		{"", ""},
	} {
		if got := Nearest(c.word, []string{"about", "depth", "method_time"}); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}
