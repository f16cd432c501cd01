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
