package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary stand in for moobench and for java, so that the
// scripts need neither a JDK nor Maven nor a network.
func TestMain(m *testing.M) {
	if os.Getenv(fakeVar) != "" {
		runFakeJava()
		return
	}
	if os.Getenv(alone) != "" {
		runAlone()
	}
	testscript.Main(m, map[string]func(){
		"moobench": mainOnTree,
	})
}

// fakeMaven "builds" the fixtures: the fake JVM needs no jars but their names.
const fakeMaven = `#!/bin/sh
for pom in */pom.xml; do
	[ -e "$pom" ] || continue
	module=${pom%/pom.xml}
	mkdir -p "$module/target" && : >"$module/target/$module.jar"
done
`

// fakeVar tells the test binary that it is to be a JVM.
const fakeVar = "MOOBENCH_FAKE_JAVA"

// installFakeJDK puts a java into bin that becomes this test binary, and a mvn
// beside it. A link would be followed, and run as what it leads to.
func installFakeJDK(bin string) error {
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
	if err := os.WriteFile(filepath.Join(bin, "mvn"), []byte(fakeMaven), 0o755); err != nil {
		return err
	}
	script := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", fakeVar, self)
	return os.WriteFile(filepath.Join(bin, "java"), []byte(script), 0o755)
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: setUpScript,
		Cmds:  map[string]func(*testscript.TestScript, bool, []string){"machine": machineCommand, "nights": nightsCommand, "madeup": madeUpCommand},
		Condition: func(name string) (bool, error) {
			if name != "two-cores" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return runtime.NumCPU() > 1, nil
		},
	})
}

func setUpScript(env *testscript.Env) error {
	bin := filepath.Join(env.WorkDir, "jdk", "bin")
	if err := installFakeJDK(bin); err != nil {
		return err
	}
	env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
	env.Setenv("JAVA_HOME", filepath.Join(env.WorkDir, "jdk"))
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
	env.Setenv("MOOBENCH_LOCK", filepath.Join(env.WorkDir, "lock"))
	env.Setenv("MOOBENCH_JOURNAL", filepath.Join(env.WorkDir, "journal"))
	env.Setenv("NO_COLOR", "1")
	env.Setenv("GOGC", "400")                 // its heaps are small: a sixth of the time went into collecting them
	env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command ends a second later
	return nil
}
