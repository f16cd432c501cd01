package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"moobench/analysis"
)

// JSON prints the answers as they are, indented. JSON.md documents them.
func JSON(w io.Writer, a *analysis.Answers) error { return WriteJSON(w, a) }

// WriteJSON prints a value indented, with a line end. What does not print stands in
// it as an escape: a reader gets the same texts, and a terminal nothing that it obeys.
func WriteJSON(w io.Writer, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	_, err = w.Write(printable(append(data, '\n')))
	return err
}

// printable writes as escapes what encoding/json leaves as it is and what does not
// print: control characters beyond the first 32, and marks that turn the direction of
// writing. In what it is given they stand in texts only.
func printable(data []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(data))
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		switch high, low := utf16.EncodeRune(r); {
		case r == '\n' || unicode.IsPrint(r):
			b.Write(data[:n])
		case high == utf8.RuneError: // needs no two
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
		data = data[n:]
	}
	return b.Bytes()
}
