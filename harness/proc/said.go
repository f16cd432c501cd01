package proc

import (
	"os/exec"
	"slices"
)

// mostSaid bounds how much of each output of a program is kept, in bytes: its end.
const mostSaid = 64 << 10

// end keeps the end of the bytes written to it.
type end struct{ bytes []byte }

// Write implements io.Writer.
func (e *end) Write(p []byte) (int, error) {
	e.bytes = append(e.bytes, p[max(0, len(p)-mostSaid):]...)
	if len(e.bytes) > 2*mostSaid {
		e.bytes = append(e.bytes[:0], e.bytes[len(e.bytes)-mostSaid:]...)
	}
	return len(p), nil
}

func (e *end) kept() []byte { return slices.Clip(e.bytes[max(0, len(e.bytes)-mostSaid):]) }

// Said runs a program and returns the end of its combined output. A foreign program may print more than fits into
// memory, and exec.Cmd's CombinedOutput would keep it all.
func Said(cmd *exec.Cmd) ([]byte, error) {
	var both end
	cmd.Stdout, cmd.Stderr = &both, &both
	err := cmd.Run()
	return both.kept(), err
}

// Printed is like Said, but keeps the two outputs apart.
func Printed(cmd *exec.Cmd) (out, complaint []byte, err error) {
	var standard, other end
	cmd.Stdout, cmd.Stderr = &standard, &other
	err = cmd.Run()
	return standard.kept(), other.kept(), err
}
