package console

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis/report"
)

func TestWarn(t *testing.T) {
	for _, tt := range []struct{ text, do, want string }{
		{"it is odd", "", "moobench: warning: it is odd\n"},
		{"it is odd", "mend it", "moobench: warning: it is odd\nmoobench: hint: mend it\n"},
		{"x\nmoobench: hint: y\x1b", "", "moobench: warning: x\ufffdmoobench: hint: y\ufffd\n"},
	} {
		var said bytes.Buffer
		if (Console{Err: &said}).Warn(tt.text, tt.do); said.String() != tt.want {
			t.Errorf("%q, want %q", said.String(), tt.want)
		}
	}
}

func TestVisibleLines(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a\tb\nc\n": "a\tb\nc\n", "\x1b]0;t\a\n\u202e": "\ufffd]0;t\ufffd\n\ufffd", "µ − é": "µ − é", "\xff": "\ufffd",
	} {
		if got := VisibleLines(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

// TestWrite: a document goes to the file that is named, or to results; one that fails
// leaves the file as it was.
func TestWrite(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	file := filepath.Join(t.TempDir(), "out.md")
	for _, output := range []string{"", file} {
		var out bytes.Buffer
		var got report.Options
		err := (Console{Out: &out}).Write(Document{Format: "markdown", Output: output, All: true}, func(w io.Writer, o report.Options) error {
			got = o
			_, err := io.WriteString(w, "whole")
			return err
		})
		if err != nil || !got.All || got.Color || got.Width != widthOfFiles || got.EChartsJS != nil || (out.String() == "whole") != (output == "") {
			t.Errorf("to %q: %v, options %+v, printed %q", output, err, got, out.String())
		}
	}
	failed := errors.New("it failed")
	err := (Console{}).Write(Document{Output: file}, func(io.Writer, report.Options) error { return failed })
	if text, readErr := os.ReadFile(file); !errors.Is(err, failed) || !strings.HasPrefix(err.Error(), "writing the output: ") || readErr != nil || string(text) != "whole" {
		t.Errorf("%v, and the file holds %q, %v", err, text, readErr)
	}
}
