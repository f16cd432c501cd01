// Package testevents writes event files for tests.
package testevents

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// kinds maps the codes in lines to event kinds: + entry of a method, - return, ! end by an
// exception, w start of a wait, a end of it, r request for a lock, c caller, ? missing events.
var kinds = map[string]uint64{"+": 0, "-": 1, "!": 2, "w": 3, "a": 4, "r": 5, "c": 6, "?": 14}

// File writes an event file from lines of time, thread, code, method and object, such as "10 t0 +
// run 7". Methods are of class a.B, or of the class before a dot; after a # come the properties of
// a section of locks, such as put#block=7,size=20. A line "0 - o a.B 7" names the class of an
// object, and "10 - g 20 3" is a garbage collection from 10 to 20 that took 3 ns. A line "90 - e
// 26000 12" ends the log at 90: an event took 26,000 ps, and there were 12.
func File(t testing.TB, lines string) *bytes.Reader {
	t.Helper()
	f := file{methods: map[string]int{}, threads: map[string]int{}, begun: map[int]bool{}}
	f.out.WriteString("moobench-events 1 event=16\n")
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		var time, object uint64
		var thread, what, method string
		if _, err := fmt.Sscan(line, &time, &thread, &what, &method, &object); err != nil {
			t.Fatal(line, err)
		}
		switch what {
		case "o":
			f.block(5, int(object), []byte(method))
		case "g":
			var to uint64
			if _, err := fmt.Sscan(method, &to); err != nil {
				t.Fatal(line, err)
			}
			f.block(6, 0, longs(time, to, object))
		case "e":
			var price uint64
			if _, err := fmt.Sscan(method, &price); err != nil {
				t.Fatal(line, err)
			}
			f.block(4, 0, longs(object, 0, 0, 0, time, price))
		default:
			f.event(time, f.number(f.threads, 2, thread, thread), kinds[what], method, object)
		}
	}
	return bytes.NewReader(f.out.Bytes())
}

type file struct {
	out              bytes.Buffer
	methods, threads map[string]int
	begun            map[int]bool
}

func (f *file) block(kind, id int, content []byte) {
	for _, v := range []int{kind, id, len(content)} {
		f.out.Write(binary.LittleEndian.AppendUint32(nil, uint32(v)))
	}
	f.out.Write(content)
}

func (f *file) number(all map[string]int, kind int, name, text string) int {
	id, known := all[name]
	if !known {
		id = len(all)
		all[name] = id
		f.block(kind, id, []byte(text))
	}
	return id
}

func (f *file) event(time uint64, thread int, kind uint64, method string, object uint64) {
	what := kind<<60 | object // for missing events, object is their number
	if kind < 14 {
		known := len(f.methods)
		id := f.number(f.methods, 1, method, signature(method))
		if _, section, is := strings.Cut(method, "#"); is && id == known {
			f.block(9, id, content(section))
		}
		what |= uint64(id) << 32
	}
	var all []byte
	if !f.begun[thread] {
		f.begun[thread] = true
		all = longs(time, 15<<60|uint64(thread))
	}
	f.block(3, thread, append(all, longs(time, what)...))
}

func signature(method string) string {
	name, _, _ := strings.Cut(method, "#")
	if class, of, dotted := strings.Cut(name, "."); dotted {
		name = class + "." + of
	} else {
		name = "B." + name
	}
	return "public void a." + name + "(int, a.C)"
}

// content encodes the description of a section, such as block=7,size=20.
func content(section string) []byte {
	kinds, numbers, texts := []string{"", "method", "block", "lock", "wait", "plain"}, map[string]uint64{}, map[string]string{}
	for i, field := range strings.Split(section, ",") {
		key, value, _ := strings.Cut(field, "=")
		n, _ := strconv.ParseUint(value, 10, 32)
		if i == 0 {
			numbers["kind"], key = uint64(slices.Index(kinds, key)), "line"
		}
		numbers[key], texts[key] = n, value
	}
	var b []byte
	for _, key := range []string{"kind", "line", "size", "branches", "allocations", "calls"} {
		b = binary.LittleEndian.AppendUint32(b, uint32(numbers[key]))
	}
	for _, key := range []string{"io", "grows", "reads", "sorts"} {
		b = append(append(b, texts[key]...), 0)
	}
	return b
}

func longs(values ...uint64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}
