// Measure runs a command and prints its name, wall and CPU seconds, and its peak resident
// memory in one line. The command's output is discarded unless it fails.
//
//	go run tools/measure/main.go "what it is" COMMAND ARG…
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "measure: want a name and a command")
		os.Exit(2)
	}
	var out bytes.Buffer
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdout, cmd.Stderr = &out, &out
	begin := time.Now()
	err := cmd.Run()
	wall := time.Since(begin)
	// moobench exits with 4 if a cell has no answer, which is not a failure here.
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 4 {
		fmt.Fprintf(os.Stderr, "measure: %s: %v\n%s", os.Args[1], err, out.Bytes())
		os.Exit(1)
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	// The peak includes the child's memory before exec, which is this small program's.
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	fmt.Printf("%-52s %8.2f s %8.2f CPU s %8.1f MB\n",
		os.Args[1], wall.Seconds(), cpu.Seconds(), float64(usage.Maxrss)*1024/1e6)
}
