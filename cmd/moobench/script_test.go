package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary stand in for moobench, java and mvn, so that
// the scripts need neither a JDK nor Maven nor a network.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "java" {
		runFakeJava()
		return
	}
	testscript.Main(m, map[string]func(){
		"moobench": main,
		"mvn":      fakeMaven,
	})
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
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.Symlink(self, filepath.Join(bin, "java")); err != nil {
		return err
	}
	env.Setenv("JAVA_HOME", filepath.Join(env.WorkDir, "jdk"))
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
	env.Setenv("MOOBENCH_LOCK", filepath.Join(env.WorkDir, "lock"))
	env.Setenv("NO_COLOR", "1")
	return nil
}
