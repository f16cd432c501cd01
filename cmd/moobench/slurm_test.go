package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var slurm = flag.Bool("slurm", false, "measure an array on a Slurm cluster of one node, which the test brings up")

// TestSlurm brings up slurmctld, slurmd and munged on loopback, and measures a plan by the scripts that moobench init
// slurm writes. It takes root, and the packages slurmctld, slurmd, slurm-client and munge.
func TestSlurm(t *testing.T) {
	if !*slurm {
		t.Skip("-slurm brings up a cluster")
	}
	if os.Geteuid() != 0 {
		t.Skip("Slurm's daemons take root")
	}
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%v: install slurmctld, slurmd, slurm-client and munge", err)
		}
	}
	testscript.Run(t, testscript.Params{Dir: "testdata/slurm", Setup: func(env *testscript.Env) error {
		env.Defer(func() { endDaemons(t, filepath.Join(env.WorkDir, "c")) })
		return setUpScript(env)
	}})
}

// endDaemons ends what tasks are left, and the daemons that wrote their numbers into a folder.
func endDaemons(t *testing.T, dir string) {
	conf := filepath.Join(dir, "slurm.conf")
	if _, err := os.Stat(conf); err == nil {
		end := exec.Command("sh", "-c", "scancel --me; for i in $(seq 50); do [ -n \"$(squeue -h)\" ] || exit 0; sleep 0.2; done; exit 1")
		end.Env = append(os.Environ(), "SLURM_CONF="+conf)
		if out, err := end.CombinedOutput(); err != nil {
			t.Errorf("tasks are left: %v\n%s", err, out)
		}
	}
	for _, name := range []string{"slurmd.pid", "slurmctld.pid", "munged.pid"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue // it was not started
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && pid > 1 {
			if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
				t.Logf("ending %s: %v", name, err)
			}
		}
	}
}
