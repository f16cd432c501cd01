package locks

import (
	"bytes"
	"io"
	"testing"

	"moobench/analysis/internal/testevents"
)

// FuzzRead: whatever a log of locks says, it is read to its end or refused.
func FuzzRead(f *testing.F) {
	for _, lines := range []string{
		"0 - o a.Store 7\n10 t r put#method 7\n11 t + put#method 7\n12 t c Main.run 7\n20 t - put#method 7\n21 - g 30 3\n40 - e 26000 4",
		"10 t + put#block=7,size=3 7\n11 u r put#block=7,size=3 7\n30 t - put#block=7,size=3 7\n31 u + put#block=7,size=3 7\n35 u ! put#block=7,size=3 7",
		"9223372036854775807 t + put#method 7\n0 t - put#method 7",
	} {
		text, err := io.ReadAll(testevents.File(f, lines))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(bytes.NewReader(text))
		if err == nil && r == nil {
			t.Error("it is neither read nor refused")
		}
		_ = WriteCSV(bytes.NewReader(text), io.Discard)
	})
}
