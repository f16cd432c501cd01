package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"moobench/analysis/history"
)

// What does not print reaches no terminal by way of JSON, and is the same text for
// who reads it.
func TestJSONEscapesWhatDoesNotPrint(t *testing.T) {
	const evil = "a\u009b31m\u202eb\x7f\ufeff\u2066\U000e0001 ä € 𝄞\n"
	s := madeUpSeries(evil, 9, 0, 0, 1)
	f := findingsOf(s)
	f.Warnings = []string{evil}
	var b bytes.Buffer
	if err := WriteTrend(&b, "json", f, Options{}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\u009b\u202e\x7f\ufeff\u2066\U000e0001") {
		t.Errorf("raw marks in\n%.300q", b.String())
	}
	if !strings.Contains(b.String(), "ä € 𝄞") {
		t.Error("letters are escaped, too")
	}
	back := new(history.Findings)
	if err := json.Unmarshal(b.Bytes(), back); err != nil {
		t.Fatal(err)
	}
	if back.Warnings[0] != evil || back.Series[0].Cell != evil {
		t.Errorf("got back %q", back.Warnings)
	}
}
