package importer

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"moobench/refusal"
	"moobench/results/safefile"
)

// headMost is the number of bytes by which a file is recognised.
const headMost = 64 << 10

// Head returns the beginning of a text file, at most 64 KiB, without its byte order mark. UTF-16 is a mistake,
// and so, unless foreign is set, are files of tools that no format reads; the mistakes give advice.
func Head(path string, foreign bool) (string, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return "", fmt.Errorf("importing: %w", err)
	}
	defer f.Close()
	mistakes, head := &refusal.Mistakes{}, ""
	err = readText(path, f, foreign, mistakes, func(text *bufio.Reader) error {
		start, err := text.Peek(headMost)
		if head = string(start); err == io.EOF {
			err = nil
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("importing %s: %w", path, err)
	}
	return head, mistakes.Err()
}

// FirstLine returns the first line of a text, without its end.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r")
}

// readText calls read with a text. UTF-16 and, unless foreign is set, files of tools that no format reads, are
// added to the mistakes instead.
func readText(
	name string, in io.Reader, foreign bool, mistakes *refusal.Mistakes, read func(text *bufio.Reader) error,
) error {
	b := bufio.NewReaderSize(in, headMost)
	start, _ := b.Peek(headMost) // an error recurs when the text is read
	if isUTF16(start) {
		mistakes.At(name, 0, "it is UTF-16, as PowerShell's > writes it: "+
			"make UTF-8 of it (iconv -f UTF-16 -t UTF-8 FILE, or Out-File -Encoding utf8)")
		return nil
	}
	if bytes.HasPrefix(start, byteOrderMark) {
		b.Discard(len(byteOrderMark)) // Peek has buffered them
	}
	if advice := adviceOn(string(bytes.TrimPrefix(start, byteOrderMark))); advice != "" && !foreign {
		mistakes.At(name, 0, "%s", advice)
		return nil
	}
	return read(b)
}

// byteOrderMark is written by some programs at the start of UTF-8.
var byteOrderMark = []byte("\ufeff")

// isUTF16 reports whether a text starts with a UTF-16 byte order mark or, without one, with two letters that
// have one zero byte each.
func isUTF16(start []byte) bool {
	if bytes.HasPrefix(start, []byte{0xff, 0xfe}) || bytes.HasPrefix(start, []byte{0xfe, 0xff}) {
		return true
	}
	empty := func(i int) bool { return start[i] == 0 }
	return len(start) >= 4 && empty(0) == empty(2) && empty(1) == empty(3) && empty(0) != empty(1)
}
