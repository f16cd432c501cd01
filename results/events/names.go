package events

import "fmt"

// Limits on the names of a log.
const (
	// mostNames is the limit on their total length in bytes: 400,000 methods with signatures as long as the
	// JDK's.
	mostNames = 64 << 20
	// nameBytes is the memory that a name takes besides its text.
	nameBytes = 64
)

// names keeps the names of a log while there is room.
type names struct {
	left             int // bytes
	methods, threads int // numbers of methods and threads in the log
	beyond           int64
	classes          map[string]string // of objects: many share one class
}

func newNames(most int) names { return names{left: most, classes: map[string]string{}} }

// room takes room for a name of this length, if there is any left.
func (n *names) room(length int) bool {
	if n.left -= length + nameBytes; n.left >= 0 {
		return true
	}
	n.left = 0 // no shorter name is kept later, so that the kept ones are simply the first ones
	n.beyond++
	return false
}

// add keeps a name, which must have the next number.
func (n *names) add(kept *[]string, numbered *int, what string, id uint32, text []byte) error {
	if int(id) != *numbered {
		return fmt.Errorf("%s %d comes after %d others", what, id, *numbered)
	}
	*numbered++
	// The kept names are the first ones, so that numbers are indices: after the first one that does not fit
	// there is no room.
	if n.room(len(text)) {
		*kept = append(*kept, clean(text))
	}
	return nil
}

// object keeps the class of an object. A hash that is named again belongs to another object by then.
func (s *scanner) object(hash uint32) {
	class, known := s.names.classes[string(s.bytes)]
	_, again := s.log.Objects[hash]
	switch {
	case known && again:
	case known:
		known = s.names.room(0)
	case s.names.room(len(s.bytes)):
		class, known = clean(s.bytes), true
		s.names.classes[string(s.bytes)] = class
	}
	if !known {
		delete(s.log.Objects, hash)
		return
	}
	if s.log.Objects == nil {
		s.log.Objects = map[uint32]string{}
	}
	s.log.Objects[hash] = class
}
