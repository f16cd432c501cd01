package refusal

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestAdd: an error is a mistake, and many mistakes are as many, of which the first twenty are listed.
func TestAdd(t *testing.T) {
	many := func(n int) *Mistakes {
		m := &Mistakes{}
		for i := range n {
			m.At("", 0, "mistake %d", i)
		}
		return m
	}
	for name, c := range map[string]struct {
		have        int
		add         error
		count, list int
	}{
		"nothing":          {1, nil, 1, 1},
		"an error":         {1, errors.New("it is wrong"), 2, 2},
		"mistakes":         {3, many(4), 7, 7},
		"in other words":   {3, fmt.Errorf("reading: %w", many(4)), 7, 7},
		"just as many":     {12, many(8), 20, 20},
		"one more":         {12, many(9), 21, 20},
		"many more":        {12, many(30), 42, 20},
		"after too many":   {25, errors.New("it is wrong"), 26, 20},
		"many to none":     {0, many(21), 21, 20},
		"an error to none": {0, errors.New("it is wrong"), 1, 1},
	} {
		m := many(c.have)
		m.Add(c.add)
		lines := strings.Split(m.Error(), "\n")
		if rest := c.count - c.list; rest > 0 {
			if want := fmt.Sprintf("and %d more", rest); lines[len(lines)-1] != want {
				t.Errorf("%s: ends with %s, want %s", name, lines[len(lines)-1], want)
			}
			lines = lines[:len(lines)-1]
		}
		if m.Count != c.count || len(lines) != c.list {
			t.Errorf("%s: %d mistakes, %d listed, want %d and %d:\n%s", name, m.Count, len(lines), c.count, c.list, m)
		}
	}
	var none Mistakes
	none.Add(nil)
	if none.Err() != nil {
		t.Errorf("nothing is wrong: %v", none.Err())
	}
}

// TestPlaces: a mistake has the place that is known of it.
func TestPlaces(t *testing.T) {
	m := &Mistakes{}
	m.At("a.csv", 1, "one")
	m.At("a.csv", 0, "two")
	m.At("", 0, "three")
	if got := m.Error(); got != "a.csv:1: one\na.csv: two\nthree" {
		t.Error(got)
	}
}

// TestNobody: of no error there is nothing to say or to do.
func TestNobody(t *testing.T) {
	if Lines(nil) != nil || Text(nil) != "" || Do(nil) != "" || NeedOf(nil) != None {
		t.Errorf("%v, %q, %q, %v", Lines(nil), Text(nil), Do(nil), NeedOf(nil))
	}
}
