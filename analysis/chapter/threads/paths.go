package threads

import "strings"

// Limits on the output of stacks: every stack is a line with all its names, so the lines of a
// recursion grow with the square of its depth.
const (
	mostFrames = 500      // frames of a stack
	mostPaths  = 64 << 20 // bytes of all lines
)

// deepFrame stands for all omitted frames of a stack.
const deepFrame = ";(more)"

// path returns the path of a frame in a stack with the given number of frames around it.
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
