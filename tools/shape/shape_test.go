package main

import (
	"slices"
	"sync"
	"testing"
)

func TestTranslated(t *testing.T) {
	for text, want := range map[string]bool{
		"Invocation is what stands in a slot of a block.":               true,
		"row is that of a cell, nil where there is none.":               true,
		"part of what the key metric says":                              true,
		"A folder has none.":                                            true,
		"content is the whole content of an entry's file.":              false,
		"Invocation is one start of a JVM in a slot of a block.":        false,
		"Detectable is nil if the design has no spread.":                false,
		"The kernel reports CPU time in ticks, so that short runs end.": false,
	} {
		if got := translated.MatchString(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	got, err := Read("testdata")
	if err != nil {
		t.Fatal(err)
	}
	want := Tree{Tokens: 74, Lines: 28, Code: 18, Functions: []int{3, 6, 3}, Once: 1, Types: 1, Comments: 3}
	if got.Tokens != want.Tokens || got.Lines != want.Lines || got.Code != want.Code || !slices.Equal(got.Functions, want.Functions) ||
		got.Once != want.Once || got.Types != want.Types || got.Comments != want.Comments {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if len(got.Wide) != 1 || len(got.Translated) != 1 {
		t.Errorf("%d wide lines and %d translated comments, want 1 each", len(got.Wide), len(got.Translated))
	}
}

// translatedMost is the share of comments in the translator's form that the product may have. It is only
// ever lowered.
const translatedMost = 0.05

// wideMost is how many of 1,000 lines may be over 120 columns: a long text that stays whole, a path, an address.
const wideMost = 12

// longest is how many lines a function may have.
const longest = 100

// product is read once.
var product = sync.OnceValues(func() (*Tree, error) { return Read("../..") })

func TestLinesAreForReaders(t *testing.T) {
	tree, err := product()
	if err != nil {
		t.Fatal(err)
	}
	if share := 1000 * float64(len(tree.Wide)) / float64(tree.Lines); share > wideMost {
		t.Errorf("%.1f of 1,000 lines are over %d columns, at most %d may: go run tools/shape/*.go -wide lists them", share, columns, wideMost)
	}
	if n := quantile(tree.Functions, 1); n > longest {
		t.Errorf("a function has %d lines, at most %d may have it", n, longest)
	}
}

func TestCommentsAreWritten(t *testing.T) {
	tree, err := product()
	if err != nil {
		t.Fatal(err)
	}
	if share := float64(len(tree.Translated)) / float64(tree.Comments); share > translatedMost {
		t.Errorf("%.1f %% of the comments have the translator's form, at most %.1f %% may: make shape COMMENTS=-comments lists them",
			100*share, 100*translatedMost)
	}
}
