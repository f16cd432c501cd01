package names

import "testing"

// TestReadable: what prints is shown as it is, all else stays written.
func TestReadable(t *testing.T) {
	for written, want := range map[string]string{
		"com.acme.Queue":           "com.acme.Queue",
		`a.two\u0020blanks`:        "a.two blanks",
		`a.\u003cx\u003e\u002a`:    "a.<x>*",
		`a.b\u005cc`:               `a.b\c`,
		`a.\u001b[31m\u202e\u00e9`: `a.\u001b[31m\u202eé`,
		`a.\u000a\ud800`:           `a.\u000a\ud800`,
		`größe.𝒜\u0020`:            "größe.𝒜 ",
		`cut\u00`:                  `cutu00`,
		`\`:                        `\`,
		`a.\𝒜`:                     `a.\𝒜`,
	} {
		if got := Readable(written); got != want {
			t.Errorf("%s is %q, want %q", written, got, want)
		}
	}
}
