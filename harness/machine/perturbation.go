package machine

import (
	"io/fs"
	"math"

	"golang.org/x/sys/unix"
)

// Own is what moobench itself did, receivers included; NaN is not known.
type Own struct {
	// Wakeups are the context switches of all its threads: each is one that
	// slept and was woken, or was made to wait.
	Wakeups float64
	// WrittenBytes went to a disk, or will.
	WrittenBytes float64
}

// readOwn counts threads that have ended too, which /proc/self/task would
// forget.
func readOwn(root fs.FS) Own {
	own := Own{Wakeups: math.NaN(), WrittenBytes: number(value(text(root, "proc/self/io"), "write_bytes"))}
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err == nil {
		own.Wakeups = float64(u.Nvcsw + u.Nivcsw)
	}
	return own
}

func (o Own) until(end Own) Own {
	return Own{Wakeups: end.Wakeups - o.Wakeups, WrittenBytes: end.WrittenBytes - o.WrittenBytes}
}
