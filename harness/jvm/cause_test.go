package jvm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCause(t *testing.T) {
	for name, c := range map[string]struct{ log, want string }{
		"nothing": {"Picked up JAVA_TOOL_OPTIONS: -Dx\nbegun\n", ""},
		"an agent that fails": {`Exception in thread "main" java.lang.reflect.InvocationTargetException
	at java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)
	at java.instrument/sun.instrument.InstrumentationImpl.loadClassAndCallPremain(InstrumentationImpl.java:525)
Caused by: java.lang.StringIndexOutOfBoundsException: begin 0, end -1, length 0
	at java.base/java.lang.String.checkBoundsBeginEnd(String.java:4606)
	at MyAgent.premain(MyAgent.java:10)
	at Other.last(Other.java:1)
	... 6 more
FATAL ERROR in native method: processing of -javaagent failed, processJavaStart failed
	at Nobody.here(Nobody.java:1)
`, "java.lang.StringIndexOutOfBoundsException: begin 0, end -1, length 0\n\tat MyAgent.premain(MyAgent.java:10)"},
		"an address in use": {`INFO starting
[ERROR] something about an error
Exception in thread "main" java.net.BindException: Address already in use
	at java.base/sun.nio.ch.Net.bind0(Native Method)
	at app//com.acme.Shop.<init>(Shop.java:7)
`, "java.net.BindException: Address already in use\n\tat com.acme.Shop.<init>(Shop.java:7)"},
		"the frame is above the last cause": {`java.lang.IllegalStateException: a
message of two lines
	at shop@1.0/com.acme.Shop.main(Shop.java:3)
Caused by: java.io.IOException
	at java.base/java.io.X.y(X.java:1)
`, "java.io.IOException\n\tat com.acme.Shop.main(Shop.java:3)"},
		"the JVM's own log":    {"[0.087s][info][gc] Using Serial\n[0.087s][error][jfr,startup] Could not parse settings file 'x'\nError occurred during initialization of VM\n", "[0.087s][error][jfr,startup] Could not parse settings file 'x'"},
		"no agent":             {"Error occurred during initialization of VM\nagent library failed Agent_OnLoad: instrument\nFailed to find Premain-Class manifest attribute in x.jar\n", "Failed to find Premain-Class manifest attribute in x.jar"},
		"no trace":             {"\x1b[31mError: Could not find or load main class X\x1b[0m\nCaused by: java.lang.ClassNotFoundException: X\n", "Error: Could not find or load main class X"},
		"the JDK's own alone":  {"java.lang.Error: a\tb\x07\n\tat java.base/java.lang.X.y(X.java)\n", "java.lang.Error: a\tb."},
		"a very long line":     {"Error " + strings.Repeat("x", 1000), "Error " + strings.Repeat("x", 294)},
		"words that hold them": {"ErrorPages: none\n-XX:+CrashOnOutOfMemoryErrors\n", ""},
	} {
		dir := t.TempDir()
		log := filepath.Join(dir, LogName)
		if err := os.WriteFile(log, []byte(c.log), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := Cause(filepath.Join(dir, "none"), log); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestComplaint(t *testing.T) {
	const usual = "10:31:00 ERROR no licence, trial of 30 days\nINFO started in 1.5 s\n"
	for name, c := range map[string]struct{ log, want string }{
		"nothing":               {"INFO begun\nerror pages: none\n", ""},
		"what the others say":   {usual, ""},
		"the same an hour on":   {strings.ReplaceAll(usual, "10:31:00", "11:32:01"), ""},
		"the agent's own":       {usual + "[otel] ERROR io.Exporter - can't reach 127.0.0.1:4317\nERROR again\n", "[otel] ERROR io.Exporter - can't reach 127.0.0.1:4317"},
		"an exception":          {"at once\njava.lang.IllegalStateException: no classes\n", "java.lang.IllegalStateException: no classes"},
		"java.util.logging":     {"SEVERE: giving up\n", "SEVERE: giving up"},
		"coloured, and its end": {"\x1b[31mFATAL\x1b[0m out of luck  \n", "FATAL out of luck"},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{"a": c.log, "b": usual} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got := Complaint([]string{filepath.Join(dir, "none"), filepath.Join(dir, "a")}, []string{filepath.Join(dir, "b")}); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Alike are lines of one program that did the same.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"done in 950 ms", "done in 1.2 s", true},
		{"12:30:01.5 port 8080", "09:00:59.25 port 18080", true},
		{"a.B@1f2e3d4c ready", "a.B@5a7b9c1d ready", true},
		{"1,204 rows", "3 rows", true},
		{"3 rows", "3 columns", false},
		{"done", "", false},
	} {
		if got := Alike(c.a) == Alike(c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
