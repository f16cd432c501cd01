package history

import (
	"fmt"
	"path/filepath"
	"testing"
)

// aYear is 300 nights of 50 series; every tenth of them changes once, by 5 %.
func aYear() *History {
	h := &History{}
	for s := range 50 {
		xs := quiet(uint64(s), 300, 0.02)
		if s%10 == 0 {
			xs = stepped(xs, 120, 0.05)
		}
		h.Records = append(h.Records, historyOf(key(fmt.Sprintf("agent/bci/s%02d", s)), xs).Records...)
	}
	return h
}

func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "history.jsonl")
	if _, err := Append(path, aYear().Records...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if h, err := Read(path); err != nil || len(h.Records) != 15_000 {
			b.Fatal(len(h.Records), err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	h := aYear()
	for b.Loop() {
		if f, err := Check(h, 0); err != nil || len(f.Series) != 50 {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheckAllChange is the worst year: all series change twice.
func BenchmarkCheckAllChange(b *testing.B) {
	h := &History{}
	for s := range 50 {
		xs := stepped(stepped(quiet(uint64(s), 300, 0.02), 90+s, 0.06), 200, -0.05)
		h.Records = append(h.Records, historyOf(key(fmt.Sprintf("agent/bci/s%02d", s)), xs).Records...)
	}
	for b.Loop() {
		if _, err := Check(h, 0); err != nil {
			b.Fatal(err)
		}
	}
}
