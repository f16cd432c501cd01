package machine

import (
	"io/fs"
	"os"
	"strings"
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

func TestReadLink(t *testing.T) {
	link, err := fs.ReadLink(System(), "proc/self/ns/pid")
	if err != nil || !strings.HasPrefix(link, "pid:[") {
		t.Errorf("%q, %v", link, err)
	}
}
