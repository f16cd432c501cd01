package results

// CourseEvery is the parameter of any scenario, a time in ns, at whose distance rows are taken of what a subject uses
// while it is measured; absent: none are.
const CourseEvery = "course_every"

// Series with a row at each such time, at most 1,000: their distance doubles where there would be more. The column
// since is the time in ns from the first row; the others are levels, or counters since the subject's start, and -1 if
// unknown.
const (
	// SeriesJVM is what the JVM of a fixture says of itself: heap_after_gc (B, what its last collection left in use),
	// collections, gc (ns), classes, threads.
	SeriesJVM = "jvm"
	// SeriesProcess has ProcessColumns.
	SeriesProcess = "process"
)

// ProcessColumns describe what the kernel says of the subject, summed over its processes: resident memory in B, CPU
// time in ns, living threads, and bytes that it has passed to the kernel to be written, into whatever.
func ProcessColumns() []Column {
	level := func(name, unit string) Column { return Column{Name: name, Unit: unit, Kind: KindCount} }
	return []Column{level("since", "ns"), level("rss", "B"), level("cpu", "ns"), count("threads"), level("written", "B")}
}
