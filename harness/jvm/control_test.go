package jvm

import (
	"fmt"
	"net"
	"testing"
)

// TestGreetKnows: a hello with our token is known, also if we can't go on with it.
func TestGreetKnows(t *testing.T) {
	for hello, want := range map[string]bool{
		"hello protocol=1 token=t0ken": true,
		"hello protocol=9 token=t0ken": true,
		"hello protocol=1 token=other": false,
		"ready protocol=1 token=t0ken": false,
	} {
		ours, theirs := net.Pipe()
		go fmt.Fprintln(theirs, hello)
		if _, known, _ := newControl(ours, "the fixture").greet(t.Context(), "t0ken"); known != want {
			t.Errorf("%s: known %t", hello, known)
		}
		ours.Close()
	}
}
