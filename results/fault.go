package results

import "slices"

// Fault is a deliberate fault of a receiver, to show how an agent copes with it.
type Fault struct {
	Name string // as in opentelemetry/bci/otlp~hang, and in ProofPlan
	Does string // what the receiver does, as a predicate
}

// Faults returns all faults.
func Faults() []Fault {
	return []Fault{
		{"refuse", "refuses connections"},
		{"hang", "accepts connections, and neither reads nor answers"},
		{"slow", "reads 64 KiB each 20 ms"},
		{"reset", "resets connections at the first byte"},
		{"status", "answers each HTTP request with status 503"},
	}
}

// FaultNamed returns the fault of this name; ok is false for an unknown name.
func FaultNamed(name string) (f Fault, ok bool) {
	all := Faults()
	i := slices.IndexFunc(all, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		return Fault{}, false
	}
	return all[i], true
}
