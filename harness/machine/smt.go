package machine

import "io/fs"

// smt lets two logical CPUs share a core.
type smt struct{}

func (smt) Name() string { return "smt" }

func (smt) Observe(root fs.FS) (State, error) {
	v, err := read(root, cpuDir+"/smt/control", "/sys does not tell it here")
	return named(v, map[string]string{"notsupported": "not supported", "notimplemented": "not implemented"}), err
}
