package locks

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"moobench/results/events"
)

// WriteCSV writes every execution, in the order of their ends: times in ns, from the JVM's
// clock.
func WriteCSV(r io.Reader, w io.Writer) error {
	out := csv.NewWriter(w)
	index := map[int]int64{}
	var err error
	write := func(fields ...string) {
		if failed := out.Write(fields); err == nil && failed != nil {
			err = failed
		}
	}
	write("section", "execution", "lock", "class", "thread", "acquired_ns", "held_ns", "slept_ns", "waited_ns", "thrown")
	var f *follower
	f = newFollower(func(e ended) {
		s, _ := parse(f.log.Methods[e.section])
		name := s.Method
		if s.Line > 0 {
			name += ":" + strconv.Itoa(s.Line)
		}
		number := func(v int64) string { return strconv.FormatInt(v, 10) }
		write(name, number(index[e.section]), fmt.Sprintf("%x", e.object), f.log.Objects[e.object], f.log.Threads[e.thread],
			number(e.since), number(e.heldNS()), number(e.slept), number(e.waited), strconv.FormatBool(e.thrown))
		index[e.section]++
	}, func(uint32, *lock) {})
	if _, failed := events.InOrder(r, f.event); failed != nil {
		return failed
	}
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}
