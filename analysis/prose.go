package analysis

import "encoding"

// Sentence is an answer in words: the opening, which says the verdict in a word or
// two, "" where the rest says it by itself, and the rest. As text it is one sentence.
type Sentence struct{ Opening, Rest string }

var _ encoding.TextMarshaler = Sentence{}

// noAnswer says why there is no answer.
func noAnswer(why string) Sentence { return Sentence{"no answer", why} }

// String is the whole sentence.
func (s Sentence) String() string {
	if s.Opening == "" {
		return s.Rest
	}
	return s.Opening + ": " + s.Rest
}

// MarshalText writes the whole sentence.
func (s Sentence) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
