package jvm

import (
	"os/exec"
	"testing"
)

func TestToolOptions(t *testing.T) {
	for want, args := range map[string][]string{
		"":                       nil,
		"-a -b=1":                {"-a", "-b=1"},
		`-a "b c" ""`:            {"-a", "b c", ""},
		`"it's"`:                 {"it's"},
		`"say "'"'"hi"'"'" you"`: {`say "hi" you`},
		"\"a\tb\"":               {"a\tb"},
	} {
		if got := ToolOptions(args); got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}

// TestToolOptionsOfAJVM asks a JVM what it understood.
func TestToolOptionsOfAJVM(t *testing.T) {
	java, err := Find("")
	if err != nil {
		t.Skipf("needs a JDK: %v", err)
	}
	const text = "a b\t\"c\" 'd' \\ end"
	cmd := exec.Command(java.Path, "-XshowSettings:properties", "-version")
	cmd.Env = append(environment(), ToolOptionsName+"="+ToolOptions([]string{"-Dfirst=1", "-Dtold=" + text, "-Dlast=2"}))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for key, want := range map[string]string{"first": "1", "last": "2", "told": text} {
		if got := property(out, key); got != want {
			t.Errorf("%s = %s, want %s", key, got, want)
		}
	}
}
