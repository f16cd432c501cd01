package proc

import (
	"os/exec"
	"slices"
)

// mostSaid bounds what is kept of each output of a program, in bytes: its end.
const mostSaid = 64 << 10

// end keeps the end of what is written to it.
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

// Said runs a program, and returns the end of what it says on both of its outputs. A program
// that is not ours may say more than there is memory for: exec.Cmd's own CombinedOutput keeps it all.
func Said(cmd *exec.Cmd) ([]byte, error) {
	var both end
	cmd.Stdout, cmd.Stderr = &both, &both
	err := cmd.Run()
	return both.kept(), err
}

// Printed is Said with the outputs apart.
func Printed(cmd *exec.Cmd) (out, complaint []byte, err error) {
	var standard, other end
	cmd.Stdout, cmd.Stderr = &standard, &other
	err = cmd.Run()
	return standard.kept(), other.kept(), err
}
