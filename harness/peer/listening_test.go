package peer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestListening: of a table of sockets those that listen on a port are found, and lines that are too short are not
// read.
func TestListening(t *testing.T) {
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	line := func(local, state, uid, inode string) string {
		return "   0: " + local + " 00000000:0000 " + state +
			" 00000000:00000000 00:00000000 00000000 " + uid + " 0 " + inode + "\n"
	}
	for _, c := range []struct {
		table string
		want  []Peer
		fails bool
	}{
		{head, nil, false},
		{head + line("0100007F:1F90", "0A", "7", "42"), []Peer{{uid: 7, inode: "42"}}, false},
		{head + line("0100007F:1F90", "01", "7", "42"), nil, false},
		{head + line("0100007F:1F91", "0A", "7", "42"), nil, false},
		{
			line("0:1F90", "0A", "7", "1") + line("1:1F90", "0A", "8", "2"),
			[]Peer{{uid: 7, inode: "1"}, {uid: 8, inode: "2"}},
			false,
		},
		{line("0:1F90", "0A", "x", "1"), nil, true},
		{line("0:1F90", "0A", "7", ""), nil, false},
		{"   0: 0:1F90 0:0 0A\n", nil, false},
	} {
		got, err := listening(strings.NewReader(c.table), 8080)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(Peer{})); diff != "" || (err != nil) != c.fails {
			t.Errorf("%q: %v (-want +got):\n%s", c.table, err, diff)
		}
	}
}
