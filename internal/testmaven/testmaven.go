// Package testmaven puts a script in the place of Maven.
package testmaven

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Fake installs a Maven into a folder that runs a script, and has it found where a test starts mvn.
func Fake(t testing.TB, home, script string) {
	t.Helper()
	bin := filepath.Join(home, "bin")
	err := errors.Join(os.MkdirAll(bin, 0o777), os.WriteFile(filepath.Join(bin, "mvn"), []byte("#!/bin/sh\n"+script), 0o755))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
}
