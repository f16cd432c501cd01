package results

// Waited is the time that the measuring threads waited in the timed loop, in ns summed over the threads, by
// cause.
type Waited struct {
	ThreadsNS float64 `json:"threads_ns"` // length of the loop times the number of measuring threads
	// ForeignNS is the time that they waited, runnable, for a CPU that foreign programs had: sessions that
	// existed before moobench, except its own and the subject's. Moobench's ancestors, and processes in a
	// control group of the subject's own, are not foreign.
	ForeignNS float64 `json:"foreign_ns"`
	DoubtNS   float64 `json:"doubt_ns"` // uncertainty of `foreign_ns`, to either side
	// OthersNS is the same for programs of later sessions, related programs and unseen ones: the subject may
	// have caused them.
	OthersNS float64 `json:"others_ns"`
	OwnNS    float64 `json:"own_ns"` // the same for the subject's other threads, for moobench and for the kernel
	// CompilersNS is the part of OwnNS for a JVM's compilers, which work during the warm-up, before the window.
	CompilersNS float64 `json:"compilers_ns"`
	StealNS     float64 `json:"steal_ns"` // time in which the host of this virtual machine had taken their CPU
	// Programs are the foreign programs that took 1 ms or more of the measured CPUs, most time first, at most
	// 20.
	Programs []Program `json:"programs,omitempty"`
}

// Program is a session that existed before moobench, with its processes that may run on the measured CPUs.
type Program struct {
	Name    string  `json:"name"`    // of its process with the most CPU time
	Session int     `json:"session"` // session ID
	RunNS   float64 `json:"run_ns"`  // CPU time that its processes took on the measured CPUs
}
