package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

const vulnerabilityDir = cpuDir + "/vulnerabilities"

// mitigations are what the kernel does against faults of the CPU. They are
// chosen when it boots.
type mitigations struct{}

func (mitigations) Name() string { return "mitigations" }

func (mitigations) About() About {
	return About{
		Title: "mitigations of CPU vulnerabilities",
		Does:  "makes system calls, page faults and indirect calls dearer, so that programs can't spy on each other",
		Cost:  "figures of machines that differ in them can't be compared; the boot option mitigations= decides",
		Fixed: "",
	}
}

func (mitigations) Observe(root fs.FS, _ Placement) (State, error) {
	entries, err := fs.ReadDir(root, vulnerabilityDir)
	if err != nil || len(entries) == 0 {
		return State{}, errors.New("/sys does not tell it here")
	}
	mitigated, vulnerable := 0, 0
	for _, e := range entries {
		status := strings.TrimPrefix(line(root, vulnerabilityDir+"/"+e.Name()), "KVM: ")
		switch {
		case strings.HasPrefix(status, "Mitigation"):
			mitigated++
		case strings.HasPrefix(status, "Vulnerable"):
			vulnerable++
		}
	}
	return State{Value: mitigationWords(mitigated, vulnerable)}, nil
}

func mitigationWords(mitigated, vulnerable int) string {
	switch {
	case mitigated+vulnerable == 0:
		return "not needed"
	case vulnerable == 0:
		return "on"
	case mitigated == 0:
		return "off"
	}
	return fmt.Sprintf("%d mitigated, %d vulnerable", mitigated, vulnerable)
}
