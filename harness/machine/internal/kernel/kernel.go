// Package kernel reads the files in which Linux describes a machine: those of /proc, /sys and the control groups,
// in a tree rooted at /. Missing or unreadable files read as empty: few of them exist everywhere.
package kernel

import (
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"moobench/harness/proc"
)

// Root returns this machine's tree.
func Root() Files { return Files{os.DirFS("/").(folder)} }

// Files reads this machine through os.DirFS, except for file contents.
type Files struct{ folder }

// folder has the methods that os.DirFS promises, except ReadFile: Files has its own.
type folder interface {
	fs.StatFS
	fs.ReadDirFS
	fs.ReadLinkFS
}

// ReadFile implements fs.ReadFileFS. Without it, fs.ReadFile would read files of /proc, whose size is given as 0,
// one byte at a time, and files of /proc/sys end after the first read.
func (Files) ReadFile(path string) ([]byte, error) {
	if !fs.ValidPath(path) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	return proc.ReadFile("/" + path)
}

// Text returns the content of a file, or "".
func Text(root fs.FS, path string) string {
	b, err := fs.ReadFile(root, path)
	if err != nil {
		return ""
	}
	return string(b)
}

// Line returns the trimmed content of a file of one line.
func Line(root fs.FS, path string) string { return strings.TrimSpace(Text(root, path)) }

// Exists reports whether a file or folder exists.
func Exists(root fs.FS, path string) bool {
	_, err := fs.Stat(root, path)
	return err == nil
}

// Glob is fs.Glob for a pattern known to be well-formed.
func Glob(root fs.FS, pattern string) []string {
	paths, _ := fs.Glob(root, pattern)
	return paths
}

// Value returns the text after "key:" on the first line that begins with it, or "".
func Value(text, key string) string {
	for l := range strings.Lines(text) {
		if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// After returns the text after a prefix on the first line that begins with it, or "".
func After(text, prefix string) string {
	for l := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(l, prefix); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// Has reports whether a word is among words separated by spaces.
func Has(words, word string) bool { return slices.Contains(strings.Fields(words), word) }

// Int parses s, or returns otherwise.
func Int(s string, otherwise int) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return otherwise
	}
	return n
}

// Number parses s, or returns NaN.
func Number(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// Printable makes a text one printable line: names of processes and files may contain anything.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '.'
	}, text)
}
