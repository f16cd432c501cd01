package receiver

import "strings"

// Key is something that a source can be told.
type Key struct {
	Name, About string
	Type        KeyType
}

// KeyType is what may be said of a Key.
type KeyType int

// The types of keys. Placeholders are filled in those of a template.
const (
	Text      KeyType = iota
	Flag              // "true", or nothing
	Template          // one text
	Templates         // a list of texts
)

// Told is what a source was told, by the names of its keys.
type Told map[string][]string

// the returns what a key says that is no list, "" where it says nothing.
func (t Told) the(key string) string { return strings.Join(t[key], "") }

// Check returns why the format can't be told this, nothing of which is filled in yet, or
// nil.
func (f Format) Check(t Told) error {
	switch {
	case f.check != nil:
		return f.check(t)
	case f.told == nil:
		return nil
	}
	_, err := f.told("{dir}", t)
	return err
}
