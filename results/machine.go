package results

// Machine is machines/<id>.json: the identity of a host and the state of every
// knob. Nothing personal: no serial numbers, no environment.
type Machine struct {
	Format int               `json:"format"`
	ID     string            `json:"id"` // short hash of the identity, the file's name
	Host   string            `json:"host"`
	CPU    string            `json:"cpu"`
	CPUs   int               `json:"cpus"`
	Memory int64             `json:"memory_bytes"`
	Kernel string            `json:"kernel"`
	OS     string            `json:"os"`
	Facts  map[string]string `json:"facts,omitempty"`
	Knobs  []KnobState       `json:"knobs"`
}

// KnobState is one setting of the machine: found, wanted, got.
type KnobState struct {
	Name   string `json:"name"`
	Found  string `json:"found,omitempty"`
	Wanted string `json:"wanted,omitempty"`
	Got    string `json:"got,omitempty"`
	Policy string `json:"policy"`           // require, try, observe
	Reason string `json:"reason,omitempty"` // why it is not known or was not set
}
