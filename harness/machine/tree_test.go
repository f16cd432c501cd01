package machine

import (
	"io/fs"
	"os"
	"testing"
)

// Files of /proc/sys can be read once, whole, and not bit by bit.
func TestSystemReadsWhole(t *testing.T) {
	const file = "proc/sys/kernel/pid_max"
	want, err := os.ReadFile("/" + file)
	if err != nil {
		t.Skipf("needs /%s: %v", file, err)
	}
	got, err := fs.ReadFile(System(), file)
	if err != nil || string(got) != string(want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
