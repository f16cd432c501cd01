package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/fieldpath"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

// pod is a pod that runs or has ended.
type pod struct {
	object *core.Pod
	told   chan time.Duration // order to end, with the time that it may take

	mu       sync.Mutex
	wasTold  bool
	finished bool
}

// end tells a pod to end, once, and reports whether it was still running.
func (p *pod) end(o *core.Pod) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.finished || p.wasTold {
		return !p.finished
	}
	p.wasTold = true
	grace := time.Duration(0)
	if s := o.DeletionGracePeriodSeconds; s != nil {
		grace = time.Duration(*s) * time.Second
	}
	p.told <- grace
	return true
}

// finish notes that the pod has ended, and reports whether it was told to.
func (p *pod) finish() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finished = true
	return p.wasTold
}

// container is a container as a process of this machine.
type container struct {
	Args     []string
	Env      []string
	Dir      string
	Hostname string
}

// container returns the only container of a pod, with the folders and the environment on its node.
func (k *kubelet) container(ctx context.Context, p *core.Pod) (*container, error) {
	if n := len(p.Spec.Containers) + len(p.Spec.InitContainers); n != 1 {
		return nil, fmt.Errorf("pod %s has %d containers: these nodes run one", p.Name, n)
	}
	c := p.Spec.Containers[0]
	known := map[string]string{}
	out := &container{Hostname: p.Spec.Hostname, Env: os.Environ()}
	own, err := k.environment(p.Spec.NodeName)
	if err != nil {
		return nil, err
	}
	out.Env = append(out.Env, own...)
	for _, e := range c.Env {
		value, err := variable(p, e, known)
		if err != nil {
			return nil, fmt.Errorf("pod %s: %w", p.Name, err)
		}
		known[e.Name] = value
		out.Env = append(out.Env, e.Name+"="+value)
	}
	for _, a := range append(append([]string(nil), c.Command...), c.Args...) {
		out.Args = append(out.Args, expansion.Expand(a, expansion.MappingFuncFor(known)))
	}
	if len(out.Args) == 0 {
		return nil, fmt.Errorf("pod %s says no command: these nodes know no images", p.Name)
	}
	out.Dir, err = k.folder(ctx, p, c)
	return out, err
}

// environment returns the additional environment variables of a node's processes.
func (k *kubelet) environment(node string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(k.dir, "nodes", node, "env"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(text)), err
}

// variable returns the value of a variable of a container.
func variable(p *core.Pod, e core.EnvVar, known map[string]string) (string, error) {
	switch from := e.ValueFrom; {
	case from == nil:
		return expansion.Expand(e.Value, expansion.MappingFuncFor(known)), nil
	case from.FieldRef == nil:
		return "", fmt.Errorf("%s: these nodes know values and fields only", e.Name)
	case from.FieldRef.FieldPath == "spec.nodeName":
		return p.Spec.NodeName, nil
	default:
		return fieldpath.ExtractFieldPathAsString(p, from.FieldRef.FieldPath)
	}
}

// folder returns the working directory of a container, which must be below a volume.
func (k *kubelet) folder(ctx context.Context, p *core.Pod, c core.Container) (string, error) {
	for _, m := range c.VolumeMounts {
		below, err := filepath.Rel(m.MountPath, c.WorkingDir)
		if err != nil || !filepath.IsLocal(below) {
			continue
		}
		for _, v := range p.Spec.Volumes {
			if v.Name == m.Name {
				dir, err := k.volume(ctx, p.Namespace, v)
				return filepath.Join(dir, m.SubPath, below), err
			}
		}
	}
	return "", fmt.Errorf("pod %s works in %q, which is in none of its volumes", p.Name, c.WorkingDir)
}

// volume returns the folder of this machine that a volume claims.
func (k *kubelet) volume(ctx context.Context, namespace string, v core.Volume) (string, error) {
	if v.PersistentVolumeClaim == nil {
		return "", fmt.Errorf("volume %s: these nodes know claims only", v.Name)
	}
	api, name := k.client.CoreV1(), v.PersistentVolumeClaim.ClaimName
	claim, err := api.PersistentVolumeClaims(namespace).Get(ctx, name, meta.GetOptions{})
	if err != nil {
		return "", err
	}
	volume, err := api.PersistentVolumes().Get(ctx, claim.Spec.VolumeName, meta.GetOptions{})
	if err != nil {
		return "", err
	}
	if volume.Spec.HostPath == nil {
		return "", fmt.Errorf("volume %s is in no folder of its node", volume.Name)
	}
	return volume.Spec.HostPath.Path, nil
}

// process is the first process of a pod.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended, and all others of the pod with it
}

// inside is the argument with which this program becomes the first process of a pod, and then the container's
// program.
const inside = "inside"

// start starts a pod's first process, with PID 1 in its namespace: as in a container, it receives only signals
// that it handles, and the other processes end with it. The folder gets its PID on the node, and the pod's
// output.
func (c *container) start(self, dir string) (*process, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(self, inside)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(string(text)+"\n"), log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setsid: true, Pdeathsig: syscall.SIGKILL,
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS,
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting a pod: %w", err)
	}
	p := &process{cmd, make(chan struct{})}
	go func() {
		_ = cmd.Wait() // its state says how it ended
		close(p.done)
	}()
	if err := os.WriteFile(filepath.Join(dir, "pid"), []byte(strconv.Itoa(cmd.Process.Pid)+"\n"), 0o666); err != nil {
		return nil, errors.Join(err, p.kill())
	}
	return p, nil
}

// wait waits for the process to end, and returns its exit status as a container runtime reports it. told
// receives the grace period of an order to end.
func (p *process) wait(ctx context.Context, told <-chan time.Duration) int {
	select {
	case <-p.done:
	case <-ctx.Done():
		_ = p.kill() // it may have ended already
	case grace := <-told:
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.done:
		case <-ctx.Done():
		case <-time.After(grace):
		}
		_ = p.kill()
	}
	status, _ := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

// kill kills the processes of the pod, and waits for them.
func (p *process) kill() error {
	err := p.cmd.Process.Kill()
	<-p.done
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// becomePod makes this process the first one of a pod: it sees only the pod's processes, and then executes the
// container's program.
func becomePod(in io.Reader) error {
	text, err := bufio.NewReader(in).ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("reading what the pod runs: %w", err)
	}
	var c container
	if err := json.Unmarshal(text, &c); err != nil {
		return fmt.Errorf("reading what the pod runs: %w", err)
	}
	if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keeping mounts apart: %w", err)
	}
	if err := syscall.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	if c.Hostname != "" {
		if err := syscall.Sethostname([]byte(c.Hostname)); err != nil {
			return fmt.Errorf("naming the pod: %w", err)
		}
	}
	if err := os.Chdir(c.Dir); err != nil {
		return err
	}
	program, err := exec.LookPath(c.Args[0])
	if err != nil {
		return err
	}
	return fmt.Errorf("starting %s: %w", program, syscall.Exec(program, c.Args, c.Env))
}
