package events

import "fmt"

// The most that is kept of a log's names.
const (
	// mostNames is their length in bytes together: what 400,000 methods have, whose signatures are
	// as long as those of the JDK.
	mostNames = 64 << 20
	// nameBytes is what keeping one takes besides its text.
	nameBytes = 64
)

// names keeps the names of a log, as long as there is room for them.
type names struct {
	left             int // bytes
	methods, threads int // that the log names
	beyond           int64
	classes          map[string]string // of objects: many are of one class
}

func newNames(most int) names { return names{left: most, classes: map[string]string{}} }

// room takes room for a name of this length, if there is any left.
func (n *names) room(length int) bool {
	if n.left -= length + nameBytes; n.left >= 0 {
		return true
	}
	n.left = 0 // shorter ones don't follow: which names are kept is easy to tell
	n.beyond++
	return false
}

// add keeps a name that must have the next number.
func (n *names) add(kept *[]string, numbered *int, what string, id uint32, text []byte) error {
	if int(id) != *numbered {
		return fmt.Errorf("%s %d comes after %d others", what, id, *numbered)
	}
	*numbered++
	// Those that are kept are the first ones, so that their numbers are their places: after one that
	// is not, there is no room.
	if n.room(len(text)) {
		*kept = append(*kept, clean(text))
	}
	return nil
}

// object keeps the class of an object. Where a hash is named again, another object has it.
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
