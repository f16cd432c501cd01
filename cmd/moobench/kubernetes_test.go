package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var kubernetes = flag.Bool("kubernetes", false,
	"measure a Job with a Kubernetes control plane, which the test builds and brings up")

// TestKubernetes builds etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kubectl, brings them up on
// loopback with nodes of its own (tools/kubernetes), and measures a plan by the manifest that moobench init kubernetes
// writes. It takes root.
func TestKubernetes(t *testing.T) {
	if !*kubernetes {
		t.Skip("-kubernetes builds a control plane, and brings it up")
	}
	if os.Geteuid() != 0 {
		t.Skip("pods with process numbers of their own take root")
	}
	bin := controlPlane(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/kubernetes",
		Setup: func(env *testscript.Env) error {
			if err := setUpScript(env); err != nil {
				return err
			}
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("KUBECONFIG", filepath.Join(env.WorkDir, "c", "kubeconfig"))
			env.Setenv("KUBECACHEDIR", filepath.Join(env.WorkDir, ".kube"))
			return startCluster(t, env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"machine": machineCommand},
	})
}

// controlPlane builds the programs, if they are not there as the sources say, and tests what is ours of them.
func controlPlane(t *testing.T) (bin string) {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	bin = filepath.Join(cache, "moobench", "kubernetes")
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir = filepath.Join("..", "..", "tools", "kubernetes")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		return cmd.CombinedOutput()
	}
	if out, err := run("list", "-deps", "tool", "./..."); err != nil {
		t.Skipf("the sources of Kubernetes can't be had here: %v\n%s", err, out)
	}
	for _, args := range [][]string{
		{"vet", "./..."},
		{"test", "-vet=off", "-ldflags=-w", "./..."},
		{"build", "-trimpath", "-ldflags=-s -w", "-o", bin + "/", "tool", "./cluster"},
	} {
		if out, err := run(args...); err != nil {
			t.Fatalf("go %s: %v\n%s", args, err, out)
		}
	}
	return bin
}

// startCluster brings a cluster up in $WORK/c. It ends with the script, and with this process.
func startCluster(t *testing.T, env *testscript.Env) error {
	const patience = 2 * time.Minute
	log, err := os.Create(filepath.Join(env.WorkDir, "cluster.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	dir, bin := filepath.Join(env.WorkDir, "c"), filepath.SplitList(env.Getenv("PATH"))[0]
	cmd := exec.Command(filepath.Join(bin, "cluster"), "up", bin, dir, "node-1", "node-2", "node-3", "node-4")
	cmd.Env, cmd.Stdout, cmd.Stderr = env.Vars, log, log
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	env.Defer(func() {
		in.Close()
		if err := <-ended; err != nil {
			t.Errorf("the cluster: %v\n%s", err, textOf(t, env.WorkDir, "cluster.log"))
		}
	})
	for late := time.After(patience); ; {
		if _, err := os.Stat(env.Getenv("KUBECONFIG")); err == nil {
			return nil
		}
		select {
		case err := <-ended:
			ended <- nil
			return fmt.Errorf("the cluster has ended: %w\n%s", err, textOf(t, env.WorkDir, "cluster.log"))
		case <-late:
			return fmt.Errorf("the cluster is not up after %v\n%s", patience, textOf(t, env.WorkDir, "cluster.log"))
		case <-time.After(100 * time.Millisecond):
		}
	}
}
