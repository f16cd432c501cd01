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

// TestNearestIsNear: up to a third of the letters may be wrong, of a short word two or half of them, and the
// nearest of several wins.
func TestNearestIsNear(t *testing.T) {
	for _, c := range []struct {
		word, known string
		want        bool
	}{
		{"abcdefghi", "xyzdefghi", true},
		{"abcdefghi", "xyzwefghi", false},
		{"abcdefgh", "xycdefgh", true},
		{"abcdefgh", "xyzdefgh", false},
		{"abcd", "xycd", true},
		{"abcd", "xyzd", false},
		{"abc", "xbc", true},
		{"abc", "xyc", false},
		{"a", "b", true},
		{"ab", "abc", true},
		{"abc", "ab", true},
		{"abcd", "badc", true}, // two swaps
		{"abc", "bca", false},
	} {
		if got := Nearest(c.word, []string{c.known}); (got != "") != c.want {
			t.Errorf("Nearest(%q, %q) = %q", c.word, c.known, got)
		}
	}
	if got := Nearest("blocs", []string{"black", "blocks", "blobs", "block"}); got != "blocks" {
		t.Errorf("the nearest is %q", got)
	}
}
