package load

import "cmp"

// chunk is how many samples a client has room for at a time.
const chunk = 1024

// log records samples without ever copying those that it has.
type log struct {
	full [][]Sample
	last []Sample
}

func (l *log) add(s Sample) {
	if len(l.last) == cap(l.last) {
		l.full = append(l.full, l.last)
		l.last = make([]Sample, 0, chunk)
	}
	l.last = append(l.last, s)
}

func (l *log) appendTo(all []Sample) []Sample {
	for _, c := range l.full {
		all = append(all, c...)
	}
	return append(all, l.last...)
}

// byDue orders by when a request was due.
func byDue(a, b Sample) int { return cmp.Compare(a.IntendedNS, b.IntendedNS) }
