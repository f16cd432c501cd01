package machine

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
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

// TestFirstNamespace has the mark of a container, with and without the
// namespace of one.
func TestFirstNamespace(t *testing.T) {
	for link, want := range map[string]string{"": "docker", "pid:[4026532100]": "docker", "pid:[4026531836]": ""} {
		root := fstest.MapFS{".dockerenv": &fstest.MapFile{}}
		if link != "" {
			root["proc/self/ns/pid"] = &fstest.MapFile{Data: []byte(link), Mode: fs.ModeSymlink}
		}
		if got := container(root); got != want {
			t.Errorf("with %q in %q, want %q", link, got, want)
		}
	}
}
