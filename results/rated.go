package results

// SeriesRated has RatedColumns, one row for each window in which calls were made at a rate, in order of time.
const SeriesRated = "rated"

// BorneShare is the share of a rate's calls that must be made, and of their records that must be delivered, for
// the rate to be borne.
const BorneShare = 0.99

// Rated is one window of calls at a rate.
type Rated struct {
	Asked     int64 // requested calls per second
	Calls     int64 // calls that were made
	SpanNS    int64 // length of the window
	BusyNS    int64 // time in calls, each from its start, summed
	LateNS    int64 // delay of the calls' starts after they were due, summed
	CPUNS     int64 // CPU time of the process until the records had come or the wait ended; -1: unknown
	Made      int64 // records that the calls made; 0: none, or unknown
	Delivered int64 // records delivered before the wait ended; -1: not counted while it ran
	WaitedNS  int64 // wait for records after the end of the window
	Searched  int64 // 1: chosen by the search; 0: on the curve, which all JVMs share
}

// RatedColumns describe a Rated, in the order of its fields.
func RatedColumns() []Column {
	rate := func(name string) Column { return Column{Name: name, Unit: "1/s", Kind: KindCount} }
	return []Column{
		rate("asked"), count("calls"), durationNS("span"), durationNS("busy"), durationNS("late"), durationNS("cpu"),
		count("made"), count("delivered"), durationNS("waited"), count("searched"),
	}
}

// fields returns pointers to the values, in the order of RatedColumns.
func (r *Rated) fields() []*int64 {
	return []*int64{
		&r.Asked, &r.Calls, &r.SpanNS, &r.BusyNS, &r.LateNS, &r.CPUNS,
		&r.Made, &r.Delivered, &r.WaitedNS, &r.Searched,
	}
}

// RatedRows converts windows to columns.
func RatedRows(all []Rated) [][]int64 {
	columns := make([][]int64, len(RatedColumns()))
	for i := range all {
		for k, field := range all[i].fields() {
			columns[k] = append(columns[k], *field)
		}
	}
	return columns
}

// RatedOf makes a window of its values, in the order of RatedColumns.
func RatedOf(row []float64) Rated {
	var r Rated
	for k, field := range r.fields() {
		*field = int64(row[k])
	}
	return r
}

// Offered returns the calls per second that were really made.
func (r Rated) Offered() float64 { return float64(r.Calls) / (float64(r.SpanNS) / 1e9) }

// Counted reports whether the fate of the records is known.
func (r Rated) Counted() bool { return r.Made > 0 && r.Delivered >= 0 }

// Borne is the outcome of a rate.
type Borne string

// RateLost takes precedence: it holds even if too few calls were made.
const (
	RateBorne  Borne = "borne"  // at least BorneShare of the calls were made, and of their records delivered
	RateLost   Borne = "lost"   // too few records were delivered
	RateSlowed Borne = "slowed" // too few calls were made: they took too long, or waited
)

// Outcome returns the outcome of the rate in this window.
func (r Rated) Outcome() Borne {
	switch {
	case r.Counted() && float64(r.Delivered) < BorneShare*float64(r.Made):
		return RateLost
	case r.Offered() < BorneShare*float64(r.Asked):
		return RateSlowed
	}
	return RateBorne
}

// Knee finds the highest rate that one JVM bore, and the lowest rate above it that it did not bear; of each it
// returns the first window with that outcome, or nil. The majority of a rate's windows decides.
func Knee(all []Rated) (borne, refused *Rated) {
	most := map[int64]int{} // windows in which a rate was borne, less the others
	for _, r := range all {
		if most[r.Asked]--; r.Outcome() == RateBorne {
			most[r.Asked] += 2
		}
	}
	for i := range all {
		r := &all[i]
		if r.Outcome() == RateBorne && most[r.Asked] > 0 && (borne == nil || r.Asked > borne.Asked) {
			borne = r
		}
	}
	for i := range all {
		r := &all[i]
		above := borne == nil || r.Asked > borne.Asked
		if above && r.Outcome() != RateBorne && most[r.Asked] <= 0 && (refused == nil || r.Asked < refused.Asked) {
			refused = r
		}
	}
	return borne, refused
}
