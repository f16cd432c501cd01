package trace

import (
	"strings"
	"testing"
	"time"
)

// TestMarks: what was named is marked, by wildcards and by annotations, too.
func TestMarks(t *testing.T) {
	for _, c := range []struct {
		given     given
		are, none string
	}{
		{given{Classes: []string{"a.B"}}, "a.B", "a.C a.B$X"},
		{given{Classes: []string{"a.B*", "c..D"}}, "a.B a.B$X c.x.D", "a.C D"},
		{given{Annotations: []string{"a.Monitored"}}, "a.B x.Y", ""},
		{given{Annotations: []string{"a.Monitored"}, Patterns: []string{"* main.*.*(..)", "- * a.B.get(..)"}}, "a.B", "main.Main"},
		{given{Annotations: []string{"a.Monitored"}, Patterns: []string{"+ * a.C.x(..)"}}, "a.B", "a.C"},
		{given{Classes: []string{"main.Main"}, Annotations: []string{"a.M"}, Patterns: []string{"*"}}, "main.Main", "a.B"},
		{given{Patterns: []string{"*"}}, "", "a.B"},
	} {
		marked := (&Wanted{given: c.given}).marks()
		for _, class := range strings.Fields(c.are) {
			if !marked(class) {
				t.Errorf("%+v doesn't mark %s", c.given, class)
			}
		}
		for _, class := range strings.Fields(c.none) {
			if marked(class) {
				t.Errorf("%+v marks %s", c.given, class)
			}
		}
	}
}

// TestLine: the line that made a report can be given to a shell again.
func TestLine(t *testing.T) {
	w, err := Parse([]string{"java", "-Dname=it's", "a b", ""}, []string{"a.*"}, []string{"a.M"}, []string{"- * a.B.get(..)"})
	if err != nil {
		t.Fatal(err)
	}
	w.Window = [2]time.Duration{300 * time.Millisecond, 301 * time.Millisecond}
	if got, want := w.line(), `moobench trace --class 'a.*' --annotation a.M --pattern '- * a.B.get(..)' --from 300ms --to 301ms -- java '-Dname=it'\''s' 'a b' ''`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	l, err := ParseLocks([]string{"java"}, []string{"- * a.B.x(..)"}, "", []string{"contention", "callers"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := l.line(), `moobench locks --pattern '- * a.B.x(..)' --log contention,callers -- java`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestNotEntered: classes of the JDK are never instrumented, and libraries in packages of the
// same kind of name are.
func TestNotEntered(t *testing.T) {
	for _, c := range []struct {
		classes  []string
		patterns []string
		want     string
		unwanted string
	}{
		{[]string{"java.util.ArrayList"}, nil, "java.util.ArrayList belongs to the JDK, whose classes are never instrumented: name the class of the program that calls it", "look at the name"},
		{[]string{"java.util.*", "javax.swing.JFrame"}, nil, "java.util.*, javax.swing.JFrame belong to the JDK", ""},
		{[]string{"java.util.ArrayList", "a.B"}, nil, "of the others, look at the name", ""},
		{[]string{"java.util.ArrayList"}, []string{"* a.*.*(..)"}, "of the others, look at the name", ""},
		{[]string{"javax.inject.Inject", "java.sql.Timestamp", "javax.servlet.Servlet", "javaxx.B", "java*", "javax.xml.bind.JAXB"}, nil, "look at the name", "of the JDK"},
	} {
		w, err := Parse([]string{"java"}, c.classes, nil, c.patterns)
		if err != nil {
			t.Fatal(err)
		}
		got := w.notEntered()
		if !strings.Contains(got, c.want) || c.unwanted != "" && strings.Contains(got, c.unwanted) {
			t.Errorf("%q: %s", c.classes, got)
		}
	}
}
