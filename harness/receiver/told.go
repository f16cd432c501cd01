package receiver

import "strings"

// Key is a setting of a source.
type Key struct {
	Name, About string
	Type        KeyType
}

// KeyType is the type of a Key's value.
type KeyType int

// The types of keys. Placeholders are replaced in Template and Templates.
const (
	Text      KeyType = iota
	Flag              // "true", or empty
	Template          // one text
	Templates         // a list of texts
)

// Told holds the settings of a source, by key.
type Told map[string][]string

// the returns the value of a key that is not a list, or "".
func (t Told) the(key string) string { return strings.Join(t[key], "") }

// Check returns the error in these settings, whose placeholders are not filled in yet, or nil.
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
