package receiver

import (
	"math"
	"sync"
)

// exactNS is the time in ns for which single arrivals are kept.
const exactNS = 10_000_000_000

// arrivalsMost bounds the number kept: 16 MiB. If a subject causes more reads within exactNS, neighbours are
// merged earlier.
const arrivalsMost = 1 << 20

// arrival is the number of records that came with one read of a socket.
type arrival struct{ atNS, records int64 }

// arrivals counts records with time stamps, and how many of them came before a time that becomes known only later.
// It is safe for concurrent use.
type arrivals struct {
	mu     sync.Mutex
	recent []arrival // until the mark, mostly in order of time
	marked bool
	endNS  int64
	tally  Tally // without Bytes
}

func newArrivals() *arrivals { return &arrivals{recent: make([]arrival, 0, 1<<14)} }

// add counts n records that arrived at atNS.
func (a *arrivals) add(atNS, n int64) {
	if n == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	t := &a.tally
	t.LastNS = max(t.LastNS, atNS)
	t.Records += n
	if a.marked {
		// Read before the end of the loop, counted after the mark.
		if atNS <= a.endNS {
			t.ByLoopEnd += n
		}
		return
	}
	if len(a.recent) == cap(a.recent) {
		a.thin(atNS - exactNS)
	}
	a.recent = append(a.recent, arrival{atNS, n})
}

// thin merges neighbours that are both older than oldNS. The sum gets the later time stamp, so that a mark between
// them counts too few, never too many. If that frees little, the buffer grows.
func (a *arrivals) thin(oldNS int64) {
	kept := a.recent[:0]
	for i := 0; i < len(a.recent); i++ {
		x := a.recent[i]
		if i+1 < len(a.recent) && max(x.atNS, a.recent[i+1].atNS) < oldNS {
			i++
			x = arrival{max(x.atNS, a.recent[i].atNS), x.records + a.recent[i].records}
		}
		kept = append(kept, x)
	}
	a.recent = kept
	switch {
	case len(kept) <= cap(kept)*3/4:
	case cap(kept) >= arrivalsMost:
		a.thin(math.MaxInt64)
	default:
		a.recent = append(make([]arrival, 0, 2*cap(kept)), kept...)
	}
}

// Mark sets the end of the loop; later calls are ignored.
func (a *arrivals) Mark(endNS int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.marked {
		return
	}
	a.marked, a.endNS = true, endNS
	for _, x := range a.recent {
		if x.atNS <= endNS {
			a.tally.ByLoopEnd += x.records
		}
	}
	a.recent = nil
}

// Arrived implements Live.
func (a *arrivals) Arrived() int64 { return a.snapshot().Records }

func (a *arrivals) snapshot() Tally {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tally
}
