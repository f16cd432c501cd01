package history

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"moobench/results/safefile"
)

// A byte order mark loses no line, wherever files were joined.
func TestByteOrderMark(t *testing.T) {
	a, b := line(t, record(made(key(cell), 0, 0.1))), line(t, record(made(key(cell), 1, 0.1)))
	for _, text := range []string{mark + a + "\n" + b + "\n", a + "\n" + mark + b, mark + a + "\r\n" + mark + b + "\r\n", mark + "\n" + a + "\n" + b} {
		if h := read(t, write(t, text)); len(h.Records) != 2 || h.Warnings != nil {
			t.Errorf("%q: %d records, %q", text, len(h.Records), h.Warnings)
		}
	}
}

// Whoever adds at the same time as others adds what they don't.
func TestAppendAtTheSameTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			// Each night is added by two.
			if _, err := Append(path, record(made(key(cell), i/2, 0.1)), record(made(key("other"), i/2, 0.1))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if h := read(t, path); len(h.Records) != 8 || h.Warnings != nil || strings.Count(string(text), "\n") != 8 {
		t.Errorf("%d records in %d lines, %q", len(h.Records), strings.Count(string(text), "\n"), h.Warnings)
	}
}

// Append waits for another process that holds the file, and adds to what that left.
func TestAppendWaits(t *testing.T) {
	path := write(t, line(t, record(made(key(cell), 0, 0.1)))+"\n")
	f, err := safefile.Hold(path, os.O_RDWR|os.O_APPEND, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		added, err := Append(path, record(made(key(cell), 1, 0.1)), record(made(key(cell), 2, 0.1)))
		if err == nil && added != 1 {
			err = fmt.Errorf("%d added", added)
		}
		done <- err
	}()
	select {
	case err := <-done:
		t.Errorf("it did not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	_, err = f.WriteString(line(t, record(made(key(cell), 1, 0.1))) + "\n")
	if err := errors.Join(err, f.Close(), <-done); err != nil {
		t.Fatal(err)
	}
	if h := read(t, path); len(h.Records) != 3 || h.Warnings != nil {
		t.Errorf("%d records, %q", len(h.Records), h.Warnings)
	}
}

// When a write fails its part is taken back, and what another one has added behind it
// stays.
func TestTakeBack(t *testing.T) {
	for _, theirs := range []string{"", "theirs\n"} {
		path := write(t, "before\n")
		f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		// Another one wrote since the file was opened, too.
		other, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		for _, w := range []struct {
			f    *os.File
			text string
		}{{other, "between\n"}, {f, "ha"}, {other, theirs}} {
			if _, err := w.f.WriteString(w.text); err != nil {
				t.Fatal(err)
			}
		}
		if err := takeBack(f, 2); err != nil {
			t.Fatal(err)
		}
		want := "before\nbetween\n"
		if theirs != "" {
			want += "ha" + theirs
		}
		if got, err := os.ReadFile(path); string(got) != want || err != nil {
			t.Errorf("left is %q, %v; want %q", got, err, want)
		}
	}
}

// On a full disk a history stays as it was.
func TestAppendOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("needs a small disk, and mounting one needs root: " + err.Error())
	}
	defer unix.Unmount(dir, 0)
	path := filepath.Join(dir, "history.jsonl")
	if _, err := Append(path, record(made(key(cell), 0, 0.1))); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var many []Record
	for i := range 1000 {
		many = append(many, record(made(key(cell), i, 0.1)))
	}
	if added, err := Append(path, many...); !errors.Is(err, unix.ENOSPC) || added != 0 {
		t.Fatalf("%d added, %v", added, err)
	}
	if after, err := os.ReadFile(path); string(after) != string(before) || err != nil {
		t.Errorf("%d bytes before, %d after, %v", len(before), len(after), err)
	}
}

// A history that is not a file is said, and not waited for.
func TestHistoryThatIsNoFile(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "history.jsonl")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(pipe); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("reading: %v", err)
	}
	if _, err := Append(pipe, record(made(key(cell), 0, 0.1))); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("adding: %v", err)
	}
}
