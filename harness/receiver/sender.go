package receiver

import (
	"net"

	"moobench/harness/peer"
)

// sender is who is at the other end of a connection.
type sender int

const (
	// measured is a process that descends from moobench, as all measured ones do.
	measured sender = iota
	// stranger is any other process.
	stranger
	// gone is a sender that had closed its end before it could be looked up.
	gone
	// hidden has the user of a measured process whose open files can't be seen.
	hidden
)

// senderOf finds out who is at the other end of a connection, and which user's it is.
// What a port receives is believed, and any process of the machine can connect to it.
//
// It is asked once per connection, when that is accepted: agents connect while their
// program starts, and later their end of it may be gone.
func senderOf(c net.Conn, root int) (sender, int) {
	from, err := peer.LookUp(c)
	switch {
	case err != nil:
		return hidden, -1
	case from.IsGone():
		return gone, -1
	}
	held, unseen := from.IsHeldBelow(root)
	switch {
	case held:
		return measured, from.UID()
	case unseen:
		return hidden, from.UID()
	}
	return stranger, from.UID()
}
