// Package testdoc finds parts of documents and of drawings.
package testdoc

import (
	"strings"

	"moobench/analysis/report/doc"
)

// Blocks are all blocks of a type below others, in the order of a page.
func Blocks[T doc.Block](blocks []doc.Block) []T {
	var all []T
	for _, b := range blocks {
		if x, ok := b.(T); ok {
			all = append(all, x)
		}
		if s, ok := b.(*doc.Section); ok {
			all = append(all, Blocks[T](s.Blocks)...)
		}
	}
	return all
}

// Points are the first points that an element of a drawing has.
func Points(element string) []string {
	_, points, _ := strings.Cut(element, ` points="`)
	points, _, _ = strings.Cut(points, `"`)
	return strings.Fields(points)
}
