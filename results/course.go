package results

// CourseEvery is a parameter of any scenario: the time in ns between two readings of a subject that is being measured;
// absent: it is not read.
const CourseEvery = "course_every"

// Series with a row at each such time, at most 1,000: their distance doubles where there would be more. The column
// since is the time in ns from the first row; the others are levels, or counters since the subject's start, and -1 if
// unknown.
const (
	// SeriesJVM has counters that the JVM of a fixture keeps: heap_after_gc (B, left in use by its last collection),
	// collections, gc (ns), classes, threads.
	SeriesJVM = "jvm"
	// SeriesProcess has ProcessColumns.
	SeriesProcess = "process"
)

// ProcessColumns describe counters that the kernel keeps of the subject, summed over its processes: resident memory in
// B, CPU time in ns, living threads, and bytes passed to the kernel to be written, to files or elsewhere.
func ProcessColumns() []Column {
	level := func(name, unit string) Column { return Column{Name: name, Unit: unit, Kind: KindCount} }
	return []Column{
		level("since", "ns"), level("rss", "B"), level("cpu", "ns"), count("threads"), level("written", "B"),
	}
}
