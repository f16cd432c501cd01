package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary stand in for moobench, java and mvn, so that
// the scripts need neither a JDK nor Maven nor a network.
func TestMain(m *testing.M) {
	if os.Getenv(fakeVar) != "" {
		runFakeJava()
		return
	}
	testscript.Main(m, map[string]func(){
		"moobench": main,
		"mvn":      fakeMaven,
	})
}

// fakeVar tells the test binary that it is to be a JVM.
const fakeVar = "MOOBENCH_FAKE_JAVA"

// installFakeJava puts a java into bin that becomes this test binary. A link
// would be followed, and run as what it leads to.
func installFakeJava(bin string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return err
	}
	release := []byte("JAVA_RUNTIME_VERSION=\"17.0.99+1-fake\"\n")
	if err := os.WriteFile(filepath.Join(filepath.Dir(bin), "release"), release, 0o666); err != nil {
		return err
	}
	script := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", fakeVar, self)
	return os.WriteFile(filepath.Join(bin, "java"), []byte(script), 0o755)
}

// fakeMaven "builds" the fixtures: the fake JVM needs no jars.
func fakeMaven() {}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: setUpScript,
	})
}

func setUpScript(env *testscript.Env) error {
	bin := filepath.Join(env.WorkDir, "jdk", "bin")
	if err := installFakeJava(bin); err != nil {
		return err
	}
	env.Setenv("JAVA_HOME", filepath.Join(env.WorkDir, "jdk"))
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
	env.Setenv("MOOBENCH_LOCK", filepath.Join(env.WorkDir, "lock"))
	env.Setenv("NO_COLOR", "1")
	return nil
}
