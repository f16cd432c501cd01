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

// readOwn is for the end of a window: it counts the wake-ups first, because
// reading a file may cause some.
func readOwn(root fs.FS) Own {
	return Own{Wakeups: ownWakeups(), WrittenBytes: number(value(text(root, "proc/self/io"), "write_bytes"))}
}

// beginOwn is readOwn for the beginning of a window.
func beginOwn(root fs.FS) Own {
	own := readOwn(root)
	own.Wakeups = ownWakeups()
	return own
}

// ownWakeups counts those of threads that have ended too, which /proc/self/task
// would forget.
func ownWakeups() float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Nvcsw + u.Nivcsw)
}

func (o Own) until(end Own) Own {
	return Own{Wakeups: end.Wakeups - o.Wakeups, WrittenBytes: end.WrittenBytes - o.WrittenBytes}
}
