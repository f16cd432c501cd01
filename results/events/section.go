package events

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SectionKind says which piece of a method a name is.
type SectionKind string

// The kinds of sections.
const (
	SectionMethod   SectionKind = "method" // synchronized
	SectionBlock    SectionKind = "block"  // synchronized
	SectionExplicit SectionKind = "lock"   // of java.util.concurrent.locks, anywhere in the method
	SectionWait     SectionKind = "wait"   // a wait in one, in which the lock is given back
	// SectionPlain is a method that is logged like a section but holds no lock.
	SectionPlain SectionKind = "plain"
)

// sectionKinds are the kinds by their numbers in a file, from 1 on.
var sectionKinds = []SectionKind{SectionMethod, SectionBlock, SectionExplicit, SectionWait, SectionPlain}

// Section describes a name in a log of locks.
type Section struct {
	Kind SectionKind
	Line int // of a block or a wait; 0: unknown
	Code Code
}

// Code describes the section's own code, as seen by the agent, without the code it calls. It is 0
// for explicit locks.
type Code struct {
	Size        int // instructions
	Branches    int
	Allocations int
	Calls       int
	// The first platform call of each kind: waiting for a device or the network, adding to a
	// collection, reading one, sorting.
	IO, Grows, Reads, Sorts string
}

// IsSection reports whether a number is a section that holds a lock, not a wait in one nor a plain section.
func (l *Log) IsSection(number int) bool { return l.Sections[number].holds() }

// OfLocks reports whether the log names a section that holds a lock.
func (l *Log) OfLocks() bool {
	for _, s := range l.Sections {
		if s.holds() {
			return true
		}
	}
	return false
}

func (s Section) holds() bool {
	return s.Kind == SectionMethod || s.Kind == SectionBlock || s.Kind == SectionExplicit
}

// section reads the section that the name with this number has.
func (s *scanner) section(id uint32) error {
	const numbers = 6
	texts := bytes.Split(s.bytes[min(len(s.bytes), 4*numbers):], []byte{0})
	if len(texts) != 5 || int(id) >= s.names.methods {
		return fmt.Errorf("a section of %d bytes of name %d", len(s.bytes), id)
	}
	var n [numbers]int
	for i := range n {
		n[i] = int(binary.LittleEndian.Uint32(s.bytes[4*i:]))
	}
	if n[0] < 1 || n[0] > len(sectionKinds) {
		return fmt.Errorf("a section of kind %d", n[0])
	}
	s.keep(id, len(s.bytes), Section{sectionKinds[n[0]-1], n[1], Code{
		n[2], n[3], n[4], n[5], clean(texts[0]), clean(texts[1]), clean(texts[2]), clean(texts[3]),
	}})
	return nil
}

// keep keeps a section if its name is kept and there is room.
func (s *scanner) keep(id uint32, length int, section Section) {
	if int(id) >= len(s.log.Methods) || !s.names.room(length) {
		return
	}
	if s.log.Sections == nil {
		s.log.Sections = map[int]Section{}
	}
	s.log.Sections[int(id)] = section
}

// oldMark separated the signature of a method, the kind of its section and the section's facts before files had
// blocks of sections.
const oldMark = "\t"

// oldSection reads a section from the fields behind a name in an older file.
func oldSection(fields []string) (s Section, known bool) {
	for i, field := range fields {
		key, value, _ := strings.Cut(field, "=")
		n, _ := strconv.Atoi(value) // "" of a block without line numbers
		if i == 0 {
			s.Kind, s.Line = SectionKind(key), n
			continue
		}
		switch key {
		case "size":
			s.Code.Size = n
		case "branches":
			s.Code.Branches = n
		case "allocations":
			s.Code.Allocations = n
		case "calls":
			s.Code.Calls = n
		case "io":
			s.Code.IO = value
		case "grows":
			s.Code.Grows = value
		case "reads":
			s.Code.Reads = value
		case "sorts":
			s.Code.Sorts = value
		}
	}
	return s, slices.Contains(sectionKinds, s.Kind)
}

// method reads the name of a method; older files have the section behind it.
func (s *scanner) method(id uint32) error {
	name, old, is := bytes.Cut(s.bytes, []byte(oldMark))
	if err := s.names.add(&s.log.Methods, &s.names.methods, "method", id, name); err != nil || !is {
		return err
	}
	fields := strings.Split(string(old), oldMark)
	for i, field := range fields {
		fields[i] = clean([]byte(field))
	}
	if section, known := oldSection(fields); known {
		s.keep(id, len(old), section)
	}
	return nil
}
