package proc

import (
	"os"
	"slices"
	"strconv"
	"testing"
)

func TestOwn(t *testing.T) {
	pid := os.Getpid()
	if got := parentOf(pid); got != os.Getppid() {
		t.Errorf("the parent is %d, want %d", got, os.Getppid())
	}
	if got := User(pid); got != os.Geteuid() {
		t.Errorf("the user is %d, want %d", got, os.Geteuid())
	}
	if got := Status(pid, "Tgid:"); !slices.Equal(got, []string{strconv.Itoa(pid)}) {
		t.Errorf("the thread group is %q, want %d", got, pid)
	}
	if got := Status(pid, "Nothing:"); got != nil {
		t.Errorf("a key that is not there says %q", got)
	}
	if f := statOf("/proc/self"); len(f) <= startField || f[stateField] == "" || f[parentField] != strconv.Itoa(os.Getppid()) {
		t.Errorf("stat is %q", f)
	}
	if there, start := Running(pid); !there || start != statOf("/proc/self")[startField] {
		t.Errorf("running: %v, since %q", there, start)
	}
}

func TestGone(t *testing.T) {
	const never = 1 << 30 // over the kernel's limit of PIDs
	if there, _ := Running(never); there || statOf(folder(never)) != nil || Status(never, "Uid:") != nil || User(never) != -1 || parentOf(never) != -1 {
		t.Error("a process that never was has figures")
	}
}

// TestWords: a key stands at the beginning of a line, and what follows it there is its words.
func TestWords(t *testing.T) {
	text := []byte("Name:\ta b\nUid:\t1 2\n x Gid: 7\nNone:\n")
	for key, want := range map[string][]string{
		"Name:": {"a", "b"}, "Uid:": {"1", "2"}, "Gid:": nil, "None:": {}, "id:": nil,
	} {
		if got := Words(text, key); !slices.Equal(got, want) {
			t.Errorf("%s %q, want %q", key, got, want)
		}
	}
}

// A process can name itself as it likes.
func TestNameWithParentheses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/stat", []byte("7 (a) S 1 (b)) R 42 7 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f := statOf(dir); !slices.Equal(f, []string{"R", "42", "7", "7"}) {
		t.Errorf("got %q", f)
	}
}
