package threads

import (
	"bytes"
	"io"
	"testing"

	"moobench/analysis/internal/testevents"
)

// FuzzFollow: whatever a log says, it is read to its end or refused. A program may write what it
// likes into it, and a disk may lose a part.
func FuzzFollow(f *testing.F) {
	for _, lines := range []string{
		"10 t + run 7\n20 t + put 7\n30 u + put 7\n31 u - put 7\n40 t - put 7\n50 t - run 7",
		"5 t + run 7\n6 t w run 7\n9 t a run 7\n12 t ! run 7\n0 t ? run 3",
		"9223372036854775807 t + run 7\n0 t - run 7",
	} {
		text, err := io.ReadAll(testevents.File(f, lines))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		order, graph, err := Follow(bytes.NewReader(text), Closely())
		if err == nil && (order == nil || graph == nil) {
			t.Error("it is neither read nor refused")
		}
		_ = WriteChrome(bytes.NewReader(text), io.Discard, 1)
		_ = Stacks(bytes.NewReader(text), io.Discard)
	})
}
