package machine

import "io/fs"

// smt lets two logical CPUs share a core.
type smt struct{}

func (smt) Name() string { return "smt" }

func (smt) About() About {
	return About{
		Title: "simultaneous multithreading",
		Does:  "lets two logical CPUs share a core",
		Cost:  "what runs on the sibling slows the measured CPU by up to a half",
		Fixed: "off",
	}
}

func (smt) Observe(root fs.FS, _ Placement) (State, error) {
	v, err := read(root, cpuDir+"/smt/control", "/sys does not tell it here")
	return named(v, map[string]string{"notsupported": "not supported", "notimplemented": "not implemented"}), err
}
