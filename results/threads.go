package results

// Threads are who took the CPU time of a process in its window, as the kernel counts it by thread.
type Threads struct {
	ProcessNS float64 `json:"process_ns"` // CPU time of the whole process
	// EndedNS is what threads took that ended in the window: what is left of the process's time.
	EndedNS float64 `json:"ended_ns"`
	// Names are the threads that were alive at its end, those of one name together, the most CPU
	// time first: at most 64, the last of which, without a name, stands for all others.
	Names []ThreadTime `json:"names"`
}

// ThreadTime is the CPU time of the threads of one name.
type ThreadTime struct {
	Name    string      `json:"name"`            // as the kernel keeps it, 15 bytes, with * for each number
	Threads int         `json:"threads"`         // how many have the name
	RunNS   float64     `json:"run_ns"`          // CPU time
	Group   ThreadGroup `json:"group,omitempty"` // whose they are, where that is known of them by themselves
	Class   string      `json:"class,omitempty"` // the class that tells, or that of the class loader that does
}

// ThreadGroup says whose a thread is.
type ThreadGroup string

const (
	ThreadsApplication ThreadGroup = "application" // what is monitored; calls that are measured are made here
	ThreadsAgent       ThreadGroup = "agent"       // what the variant has started
	ThreadsCompiler    ThreadGroup = "compiler"    // the JVM's just-in-time compilers
	// ThreadsCollector is the JVM's garbage collector, with the thread that collects for the serial
	// one and stops all others.
	ThreadsCollector ThreadGroup = "collector"
	ThreadsJVM       ThreadGroup = "jvm"   // other threads of the JVM itself
	ThreadsEnded     ThreadGroup = "ended" // threads that ended in the window: nobody knows whose they were
)

// ThreadGroups are all groups, in the order in which reports have them.
func ThreadGroups() []ThreadGroup {
	return []ThreadGroup{ThreadsApplication, ThreadsAgent, ThreadsCompiler, ThreadsCollector, ThreadsJVM, ThreadsEnded}
}

// Metric is the name of the metric of a group's part of the CPU time.
func (g ThreadGroup) Metric() string { return "cpu_of_" + string(g) }
