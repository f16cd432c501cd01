package results

// Waited is what the measuring threads waited for in the timed loop, in ns of their time:
// the length of the loop for each of them.
type Waited struct {
	ThreadsNS float64 `json:"threads_ns"` // length of the loop times the number of measuring threads
	// ForeignNS is how long they waited, runnable, for a CPU that foreign programs had: those
	// that were there before moobench, and are of no session, control group or ancestry of its
	// own or of the subject's.
	ForeignNS float64 `json:"foreign_ns"`
	DoubtNS   float64 `json:"doubt_ns"` // how far `foreign_ns` may be off to either side
	// OthersNS is the same for programs that began later, that are related, or that are not
	// seen: nothing shows that they are not the subject's doing.
	OthersNS float64 `json:"others_ns"`
	OwnNS    float64 `json:"own_ns"`   // the same for the subject's other threads, for moobench and for the kernel
	StealNS  float64 `json:"steal_ns"` // time in which the host of this virtual machine had taken their CPU
	// Programs are the foreign ones that took 1 ms or more of the measured CPUs, those that
	// took most first, and at most 20 of them.
	Programs []Program `json:"programs,omitempty"`
}

// Program is a process that was there before moobench, and may run on the measured CPUs.
type Program struct {
	Name  string  `json:"name"`   // as the kernel has it
	PID   int     `json:"pid"`    // process ID
	Start string  `json:"start"`  // when it began, in ticks since the machine did
	RunNS float64 `json:"run_ns"` // CPU time that it took on the measured CPUs
}
