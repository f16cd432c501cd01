package locks

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"moobench/analysis/figure"
	"moobench/results/events"
)

// WriteCSV writes every execution, in the order of their ends: times in ns, from the JVM's clock.
func WriteCSV(r io.Reader, w io.Writer) error {
	out := csv.NewWriter(w)
	write := func(fields ...string) { out.Write(fields) } // errors: the writer keeps its first one
	index, names := map[int]int64{}, map[int]string{}     // by section
	write("section", "execution", "lock", "class", "thread",
		"acquired_ns", "held_ns", "slept_ns", "waited_ns", "thrown")
	var f *follower
	f = newFollower(func(e ended) {
		name, known := names[e.section]
		if !known {
			s := sectionOf(f.log, e.section)
			if name = s.Method; s.Line > 0 {
				name += ":" + strconv.Itoa(s.Line)
			}
			names[e.section] = name
		}
		number := func(v int64) string { return strconv.FormatInt(v, 10) }
		class, thread := figure.Cell(f.log.Objects[e.object]), figure.Cell(f.log.Threads[e.thread])
		write(figure.Cell(name), number(index[e.section]), fmt.Sprintf("%x", e.object), class, thread,
			number(e.since), number(e.heldNS()), number(e.slept), number(e.waited), strconv.FormatBool(e.thrown))
		index[e.section]++
	}, nil)
	if _, err := events.InOrder(r, f.event); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}
