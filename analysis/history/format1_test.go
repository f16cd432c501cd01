package history

import (
	"strings"
	"testing"

	"moobench/analysis/infer"
)

const night1 = `{"format":1,"kind":"night","night":{"campaign":"c","scenario":"s","cell":"x","metric":"m","reference":"none","machine":"m1","runtime":"17",` +
	`"id":"n1","when":"2026-01-01T02:17:00Z","folder":"f","plan":"p","moobench":"0.1.0","unit":"ns","better":"lower","log":0.125,"se":0.5,"df":3,"n":4,` +
	`"raw":2,"reference_raw":1,"marks":["void","lost 5 %"]}}`

const confirmation1 = `{"format":1,"kind":"confirmation","confirmation":{"campaign":"c","scenario":"s","cell":"x","metric":"m","reference":"none","machine":"m1","runtime":"17",` +
	`"night":"n1","against":"n0","when":"2026-01-02T02:17:00Z","folder":"f","log":0.25,"low":0.125,"high":0.5,"alpha":0.01,"n":4,"se":0.5,"df":3,"alarm":0.75,` +
	`"joint":{"nights":1,"log":0.25,"low":0,"high":0.5,"alpha":0.01,"scatter":{"sd":0.5,"df":3,"within":0.25,"bound":true}},"verdict":"open","distrusted":true,"because":"b"}}`

const acceptance1 = `{"format":1,"kind":"acceptance","acceptance":{"campaign":"c","scenario":"s","cell":"x","metric":"m","reference":"none","machine":"m1","runtime":"17",` +
	`"night":"n1","when":"2026-01-03T02:17:00Z","why":"w"}}`

// Records of format 1 say in format 2 what they said: every value is there.
func TestFormat1(t *testing.T) {
	h := read(t, write(t, strings.Join([]string{night1, confirmation1, acceptance1}, "\n")))
	if len(h.Records) != 3 || h.Warnings != nil {
		t.Fatalf("%d records, %q", len(h.Records), h.Warnings)
	}
	n, c, a := h.Records[0].Night, h.Records[1].Confirmation, h.Records[2].Acceptance
	if n.Log != 0.125 || n.Raw != 2 || n.ReferenceRaw != 1 || n.Judged() || len(n.Marks) != 2 {
		t.Errorf("%+v", n)
	}
	if c.Log != 0.25 || c.Alarm != 0.75 || !c.Distrusted || c.Reason != "b" || c.Verdict != infer.Open || c.Joint.Log != 0.25 || c.Joint.Scatter.Within != 0.25 || !c.Joint.Scatter.Bound {
		t.Errorf("%+v, %+v", c, c.Joint)
	}
	if a.Why != "w" {
		t.Errorf("%+v", a)
	}
	// The same lines in format 2 add nothing, and contradict nothing.
	var both []string
	for _, r := range h.Records {
		both = append(both, line(t, r))
	}
	text := strings.Join(both, "\n")
	for _, old := range []string{`"log":`, `"raw"`, `"marks"`, `"why"`, `"because"`, `"open"`, `"void"`, `"within":`, `"bound"`, `"distrusted"`, `"format":1`} {
		if strings.Contains(text, old) {
			t.Errorf("%s is of format 1:\n%s", old, text)
		}
	}
	for _, order := range [][]string{{night1, confirmation1, acceptance1, text}, {text, acceptance1, confirmation1, night1}} {
		if h := read(t, write(t, strings.Join(order, "\n"))); len(h.Records) != 3 || h.Warnings != nil {
			t.Errorf("%d records, %q", len(h.Records), h.Warnings)
		}
	}
}
