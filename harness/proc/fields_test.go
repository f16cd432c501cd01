package proc

import (
	"bytes"
	"testing"
)

// TestFields: a field that is not there, or is not a number, is -1.
func TestFields(t *testing.T) {
	fields := []string{"0", "x", "7"}
	for i, want := range []int{0, -1, 7, -1, -1} {
		if got := number(fields, i); got != want {
			t.Errorf("field %d: %d, want %d", i, got, want)
		}
	}
	if got := number(nil, 0); got != -1 {
		t.Errorf("of nothing: %d", got)
	}
}

// TestEnd: of what a program says the end is kept, and never more than twice as much in memory.
func TestEnd(t *testing.T) {
	for _, c := range []struct{ writes, size int }{
		{1, 10}, {1, mostSaid}, {1, mostSaid + 1}, {2, mostSaid}, {3, mostSaid}, {100, 1000}, {5, mostSaid - 1},
	} {
		var e end
		var all []byte
		for i := range c.writes {
			part := bytes.Repeat([]byte{byte('a' + i)}, c.size)
			all = append(all, part...)
			if n, err := e.Write(part); n != c.size || err != nil {
				t.Errorf("%d, %v", n, err)
			}
			if len(e.bytes) > 2*mostSaid {
				t.Errorf("%d times %d: %d bytes are kept", c.writes, c.size, len(e.bytes))
			}
		}
		if want := all[max(0, len(all)-mostSaid):]; !bytes.Equal(e.kept(), want) {
			t.Errorf("%d times %d: %d bytes, want %d", c.writes, c.size, len(e.kept()), len(want))
		}
	}
	var e end
	e.Write(bytes.Repeat([]byte("a"), mostSaid))
	e.Write(bytes.Repeat([]byte("b"), mostSaid))
	if len(e.bytes) != 2*mostSaid { // nothing is moved before it must be
		t.Errorf("%d bytes", len(e.bytes))
	}
}
