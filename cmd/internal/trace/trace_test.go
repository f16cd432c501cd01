package trace

import (
	"strings"
	"testing"
)

func TestShort(t *testing.T) {
	for _, c := range []struct {
		command []string
		want    string
	}{
		{[]string{"java", "-jar", "app.jar"}, "java -jar app.jar"},
		{[]string{"/usr/bin/java", "-cp", "/home/u/lib/h2.jar", "org.h2.Main"}, "java -cp h2.jar org.h2.Main"},
		{[]string{"java", strings.Repeat("ä", 100)}, "java " + strings.Repeat("ä", 64) + "…"},
	} {
		if got := short(c.command); got != c.want {
			t.Errorf("%q is %q, want %q", c.command, got, c.want)
		}
	}
}

// TestParse: what is monitored becomes patterns with their signs.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		classes, annotations, patterns []string
		want                           string // patterns, or the error
	}{
		{[]string{"com.acme.Queue"}, nil, nil, "+ * com.acme.Queue.*(..) throws ..; + new com.acme.Queue.<init>(..) throws .."},
		{nil, []string{"com.acme.Monitored"}, nil, "+ @com.acme.Monitored *.*(..)"},
		{nil, nil, []string{"* com.acme..*.*(..)", "- * com.acme..*.get*()"}, "+ * com.acme..*.*(..); - * com.acme..*.get*()"},
		{nil, nil, nil, "nothing is monitored"},
		{[]string{"com acme"}, []string{"2x"}, []string{"+ odd"}, `--class "com acme" is no name`},
	} {
		w, err := Parse([]string{"java"}, c.classes, c.annotations, c.patterns)
		got := strings.Join(w.patterns, "; ")
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%q %q %q: %s, want %s", c.classes, c.annotations, c.patterns, got, c.want)
		}
	}
}
