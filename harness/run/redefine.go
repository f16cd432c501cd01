package run

import (
	"bufio"
	"path/filepath"
	"strings"

	"moobench/results/safefile"
)

// redefineLog is where the JVM notes each class that it redefines. It writes
// only when that happens: no counter of the JVM tells it from outside.
const redefineLog = "redefine.log"

// redefinitions counts the classes that were redefined or retransformed, and
// returns -1 when that is not known.
func redefinitions(dir string) int {
	f, err := safefile.Open(filepath.Join(dir, redefineLog))
	if err != nil {
		return -1
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.Contains(lines.Text(), "redefined name=") {
			n++
		}
	}
	return n
}
