package threads

import "strings"

// How much of a program's stacks is told: every stack is a line with the names of all that is in it, so that
// those of a recursion grow with the square of its depth.
const (
	mostFrames = 500      // of a stack
	mostPaths  = 64 << 20 // bytes of all lines
)

// deepFrame stands for all frames of a stack that are not told.
const deepFrame = ";(more)"

// path is that of a frame in a stack that has so many frames around it.
func (b *stackBuilder) path(outer, name string, around int) string {
	if strings.HasSuffix(outer, deepFrame) {
		return outer
	}
	path := outer + ";" + name
	if _, known := b.ns[path]; known {
		return path
	}
	if around >= mostFrames || b.text+len(path) > mostPaths {
		path = outer + deepFrame
	}
	b.text += len(path)
	b.ns[path] += 0
	return path
}
