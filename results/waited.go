package results

// Waited is what the measuring threads waited for in the timed loop, in ns of their time:
// the length of the loop for each of them.
type Waited struct {
	ThreadsNS float64 `json:"threads_ns"` // length of the loop times the number of measuring threads
	// ForeignNS is how long they waited, runnable, for a CPU that foreign programs had: those of
	// sessions that were there before moobench, which are not its own or the subject's; its
	// ancestors, and what shares a control group of the subject's own, are not foreign.
	ForeignNS float64 `json:"foreign_ns"`
	DoubtNS   float64 `json:"doubt_ns"` // how far `foreign_ns` may be off to either side
	// OthersNS is the same for programs of later sessions, related ones, and those that are not
	// seen: nothing shows that they are not the subject's doing.
	OthersNS float64 `json:"others_ns"`
	OwnNS    float64 `json:"own_ns"` // the same for the subject's other threads, for moobench and for the kernel
	// CompilersNS is the part of OwnNS for a JVM's compilers, which work before the window.
	CompilersNS float64 `json:"compilers_ns"`
	StealNS     float64 `json:"steal_ns"` // time in which the host of this virtual machine had taken their CPU
	// Programs are the foreign ones that took 1 ms or more of the measured CPUs, those that
	// took most first, and at most 20 of them.
	Programs []Program `json:"programs,omitempty"`
}

// Program is a session that was there before moobench, with the processes of it that may run
// on the measured CPUs.
type Program struct {
	Name    string  `json:"name"`    // of the process of it that took most CPU time
	Session int     `json:"session"` // session ID
	RunNS   float64 `json:"run_ns"`  // CPU time that they took on the measured CPUs
}
