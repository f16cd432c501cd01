package jvm

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"moobench/harness/proc"
)

// AgentJars are the files of the hotswap agent: the agent's own, and those that it adds
// to a JVM which lacks them.
type AgentJars struct{ Agent, Kernel, Probes string }

// seenBy returns the jars as process pid can open them: where they are, or copies in its
// own /tmp when its files or its user differ from ours. The JVM keeps them open, so the
// copies may be removed once it has them.
func (j AgentJars) seenBy(pid int) (AgentJars, func(), error) {
	uid := proc.Status(pid, "Uid:")
	own := len(uid) > 1 && uid[1] == strconv.Itoa(os.Geteuid())
	if own && sameNamespace(pid, "mnt") && !strings.ContainsAny(j.Agent+j.Kernel+j.Probes, ",=") {
		return j, func() {}, nil
	}
	outside, err := os.MkdirTemp(fmt.Sprintf("/proc/%d/root/tmp", pid), "moobench-")
	if err != nil {
		return AgentJars{}, nil, fmt.Errorf("copying the agent to where process %d can read it: %w", pid, err)
	}
	remove := func() { os.RemoveAll(outside) }
	inside := filepath.Join("/tmp", filepath.Base(outside))
	err = os.Chmod(outside, 0o755) // another user reads it
	for _, jar := range []*string{&j.Agent, &j.Kernel, &j.Probes} {
		if err == nil {
			err = copyFile(*jar, filepath.Join(outside, filepath.Base(*jar)))
		}
		*jar = filepath.Join(inside, filepath.Base(*jar))
	}
	if err != nil {
		remove()
		return AgentJars{}, nil, fmt.Errorf("copying the agent to where process %d can read it: %w", pid, err)
	}
	return j, remove, nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// sameNamespace reports whether a process shares a namespace (mnt, net) with us. What
// can't be read counts as the same: the next step then fails and says why.
func sameNamespace(pid int, kind string) bool {
	ours, err := os.Readlink("/proc/self/ns/" + kind)
	if err != nil {
		return true
	}
	theirs, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", pid, kind))
	return err != nil || ours == theirs
}
