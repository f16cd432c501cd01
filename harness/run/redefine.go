package run

import (
	"bufio"
	"path/filepath"
	"strings"

	"moobench/results/safefile"
)

// redefineLog is where the JVM logs each class that it redefines. It writes only then; no
// counter of the JVM shows it from outside.
const redefineLog = "redefine.log"

// redefinitions counts the redefined and retransformed classes; -1 is unknown.
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
