package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"moobench/cmd/internal/swap"
	"moobench/harness/jvm"
)

// acmeSource is a program of somebody else's, which knows nothing of moobench.
const acmeSource = `
package com.acme;

public class Shop {
    public static void main(String[] args) throws Exception {
        System.out.println("open");
        for (Shop shop = new Shop(); ; Thread.sleep(1)) {
            shop.order(10);
        }
    }

    public long order(int n) {
        return n * getPrice();
    }

    public long getPrice() {
        return 7;
    }
}
`

// someProgram runs a program as java -jar, until the test ends, and returns its
// process.
func someProgram(t *testing.T, java string) int {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "com", "acme", "Shop.java")
	if err := os.MkdirAll(filepath.Dir(source), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, []byte(acmeSource), 0o666); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Dir(java) // "." where java is looked for on PATH
	for _, command := range [][]string{
		{"javac", "com/acme/Shop.java"}, {"jar", "cfe", "shop.jar", "com.acme.Shop", "com"},
	} {
		cmd := exec.Command(strings.TrimPrefix(bin+"/"+command[0], "./"), command[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("needs a JDK with %s: %v\n%s", command[0], err, out)
		}
	}
	program := exec.Command(java, "-Xmx64m", "-jar", filepath.Join(dir, "shop.jar"))
	program.Dir = dir
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		program.Process.Kill()
		program.Wait()
	})
	if _, err := out.Read(make([]byte, 100)); err != nil { // it is open
		t.Fatal(err)
	}
	return program.Process.Pid
}

// TestSwapIntoRealJVMs puts probes into a program of somebody else's on every
// JDK, and takes them out again.
func TestSwapIntoRealJVMs(t *testing.T) {
	needReal(t)
	ran := false
	for _, java := range jvm.All() {
		if java.Major < 17 {
			continue
		}
		ran = true
		t.Run(strconv.Itoa(java.Major), func(t *testing.T) {
			swapReal(t, strconv.Itoa(someProgram(t, java.Path)))
			keepsReal(t, strconv.Itoa(someProgram(t, java.Path)))
		})
	}
	if !ran {
		t.Skip("needs a JDK of version 17 or later: none was found")
	}
}

func swapReal(t *testing.T, pid string) {
	steps := []struct {
		args             []string
		classes, methods int64 // changed
		count            int64 // monitored after it
	}{
		{nil, 0, 0, 0},
		{[]string{"+ public * com.acme..*.*(..)"}, 1, 2, 2}, // main declares an exception,
		{[]string{"- * com.acme..*.get*()"}, 1, 1, 1},
		{[]string{"+ * com.acme.Nowhere.*(..)"}, 0, 0, 1},
		{[]string{"--remove", "* com.acme..*.get*()", "--remove", "* com.acme.Nowhere.*(..)"}, 1, 1, 2},
		{[]string{"--remove", "public * com.acme..*.*(..)"}, 1, 2, 0},
	}
	var before map[string]int64
	for _, step := range steps {
		s := swapOnce(t, append([]string{"swap", pid, "--json"}, step.args...))
		if c := s.Change; c != nil && (c.Classes != step.classes || c.Methods != step.methods || c.Failed != 0 || c.TookNS <= 0) || s.Count != step.count {
			t.Errorf("%q: %+v, %d monitored, want %+v", step.args, s.Change, s.Count, step)
		}
		if s.Probe != "moobench" || s.Records["recorded"] < before["recorded"] {
			t.Errorf("%q: probe %s, records %v after %v", step.args, s.Probe, s.Records, before)
		}
		before = s.Records
	}
	if after := swapOnce(t, []string{"swap", pid, "--json"}).Records; before["recorded"] == 0 || after["recorded"] != before["recorded"] || after["entered"] != after["exited"] {
		t.Errorf("records %v when the probes were out, and then %v: want some, and no more", before, after)
	}
	out, status := real(t, t.TempDir(), "swap", pid, "+ no pattern")
	if status != exitUsage || !strings.Contains(out, `pattern "no pattern": want [modifiers] [type] package.Class.method(parameters)`) {
		t.Errorf("no pattern: exit status %d\n%s", status, out)
	}
}

// keepsReal keeps what is called in a running JVM, and looks at it while that runs.
func keepsReal(t *testing.T, pid string) {
	dir := t.TempDir()
	swap := func(want int, args ...string) string {
		t.Helper()
		out, status := real(t, dir, append([]string{"swap", pid}, args...)...)
		if status != want {
			t.Errorf("%q: exit status %d, want %d:\n%s", args, status, want, out)
		}
		return out
	}
	says(t, swap(exitFine, "+ com.acme..*.*(..)", "--keep", "kept"), "changed 4 methods in 1 exchanged class", "kept in "+filepath.Join(dir, "kept")+": moobench trace --kept")
	for range 100 {
		out, status := real(t, dir, "trace", "--log", "kept")
		if status == exitFine && strings.Contains(out, "com.acme.Shop → itself") {
			says(t, out, "the JVM still runs", "may be several")
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	out, status := real(t, dir, "trace", "--log", "kept")
	if status != exitFine {
		t.Errorf("exit status %d", status)
	}
	says(t, out, "com.acme.Shop → itself", "main ")
	says(t, swap(exitFine, "--list"), "records by events")
	says(t, swap(exitError, "--list", "--keep", "kept"), "holds the logs of another run")
	says(t, swap(exitError, "--list", "--keep", "other"), "process "+pid+" has had its agent before, which keeps events in", "leave --keep out")
}

func swapOnce(t *testing.T, args []string) swap.Result {
	t.Helper()
	out, status := real(t, t.TempDir(), args...)
	var s swap.Result
	begin := strings.Index(out, "{") // a hint may come before it, or after
	if begin < 0 || status != exitFine {
		t.Fatalf("%q: exit status %d\n%s", args, status, out)
	}
	if err := json.NewDecoder(strings.NewReader(out[begin:])).Decode(&s); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return s
}
