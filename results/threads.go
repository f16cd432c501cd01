package results

// Threads attributes the CPU time of a process in its window to its threads, as counted by the kernel.
type Threads struct {
	ProcessNS float64 `json:"process_ns"` // CPU time of the whole process
	// EndedNS is the CPU time of threads that ended in the window: the rest of the process's time.
	EndedNS float64 `json:"ended_ns"`
	// Names are the threads that were alive at its end, grouped by name, most CPU time first: at most 64, the
	// last of which, without a name, stands for all others.
	Names []ThreadTime `json:"names"`
}

// ThreadTime is the CPU time of the threads of one name.
type ThreadTime struct {
	Name    string      `json:"name"`            // as the kernel keeps it: 15 bytes, with * for each number
	Threads int         `json:"threads"`         // number of threads of this name
	RunNS   float64     `json:"run_ns"`          // CPU time
	Group   ThreadGroup `json:"group,omitempty"` // their owner, if the threads themselves show it
	Class   string      `json:"class,omitempty"` // the class that shows the owner, or the class of its class loader
}

// ThreadGroup is the owner of a thread.
type ThreadGroup string

const (
	ThreadsApplication ThreadGroup = "application" // the monitored program, which also makes the measured calls
	ThreadsAgent       ThreadGroup = "agent"       // started by the variant
	ThreadsCompiler    ThreadGroup = "compiler"    // the JVM's just-in-time compilers
	// ThreadsCollector is the JVM's garbage collector, with the thread that runs the serial collector and stops
	// all others.
	ThreadsCollector ThreadGroup = "collector"
	ThreadsJVM       ThreadGroup = "jvm"   // other threads of the JVM itself
	ThreadsEnded     ThreadGroup = "ended" // threads that ended in the window: their owner is unknown
)

// ThreadGroups returns all groups, in the order of reports.
func ThreadGroups() []ThreadGroup {
	return []ThreadGroup{ThreadsApplication, ThreadsAgent, ThreadsCompiler, ThreadsCollector, ThreadsJVM, ThreadsEnded}
}

// Metric returns the name of the metric of a group's part of the CPU time.
func (g ThreadGroup) Metric() string { return "cpu_of_" + string(g) }
