package proc

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// TestSaid: of what a program says the end is kept, and no more.
func TestSaid(t *testing.T) {
	for script, want := range map[string]string{
		"echo a; echo b >&2":                 "a\nb\n",
		"exit 3":                             "",
		"yes | head -c 300000; echo the end": strings.Repeat("y\n", mostSaid/2-4) + "the end\n",
		"printf %070000d 7; echo . >&2":      strings.Repeat("0", mostSaid-3) + "7.\n",
		"head -c 200000000 /dev/zero":        strings.Repeat("\x00", mostSaid),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, _ := Said(exec.Command("sh", "-c", script))
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; string(got) != want || taken > 8<<20 {
			t.Errorf("%s: %d bytes are kept, of which the last are %q; %d bytes were taken", script, len(got), got[max(0, len(got)-20):], taken)
		}
	}
	out, complaint, err := Printed(exec.Command("sh", "-c", "echo 7; echo no >&2; exit 1"))
	if string(out) != "7\n" || string(complaint) != "no\n" || err == nil {
		t.Errorf("%q, %q, %v", out, complaint, err)
	}
}
