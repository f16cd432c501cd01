package results

// SeriesRated has RatedColumns, one row for each window in which calls were made at a rate, in the
// order in which that was.
const SeriesRated = "rated"

// BorneShare is the share of the calls of a rate that must have been made, and of their records
// that must have been delivered, for the rate to be borne.
const BorneShare = 0.99

// Rated is one window of calls at a rate.
type Rated struct {
	Asked     int64 // calls per second that were to be made
	Calls     int64 // that were made
	SpanNS    int64 // length of the window
	BusyNS    int64 // of all calls, each from its begin
	LateNS    int64 // by how much all calls began after they were due
	CPUNS     int64 // of the whole process, until the records had come or were waited for no longer; -1: not known
	Made      int64 // records of the calls; 0: none, or it is not known how many
	Delivered int64 // of them, until they were waited for no longer; -1: nobody counted while it ran
	WaitedNS  int64 // from the end of the window until then
	Searched  int64 // 1: the rate was chosen by the search; 0: it is of the curve, which all JVMs share
}

// RatedColumns describe a Rated, in the order of its fields.
func RatedColumns() []Column {
	rate := func(name string) Column { return Column{Name: name, Unit: "1/s", Kind: KindCount} }
	return []Column{
		rate("asked"), count("calls"), durationNS("span"), durationNS("busy"), durationNS("late"), durationNS("cpu"),
		count("made"), count("delivered"), durationNS("waited"), count("searched"),
	}
}

// fields are its values in the order of RatedColumns.
func (r *Rated) fields() []*int64 {
	return []*int64{&r.Asked, &r.Calls, &r.SpanNS, &r.BusyNS, &r.LateNS, &r.CPUNS, &r.Made, &r.Delivered, &r.WaitedNS, &r.Searched}
}

// RatedRows are windows as columns.
func RatedRows(all []Rated) [][]int64 {
	columns := make([][]int64, len(RatedColumns()))
	for i := range all {
		for k, field := range all[i].fields() {
			columns[k] = append(columns[k], *field)
		}
	}
	return columns
}

// RatedOf is a window by its values, in the order of RatedColumns.
func RatedOf(row []float64) Rated {
	var r Rated
	for k, field := range r.fields() {
		*field = int64(row[k])
	}
	return r
}

// Offered is how many calls per second were really made.
func (r Rated) Offered() float64 { return float64(r.Calls) / (float64(r.SpanNS) / 1e9) }

// Counted says whether it is known what became of the records.
func (r Rated) Counted() bool { return r.Made > 0 && r.Delivered >= 0 }

// Borne is what became of a rate.
type Borne string

// A rate whose records are lost is that, also where its calls are too few.
const (
	RateBorne  Borne = "borne"  // at least BorneShare of the calls were made, and of their records delivered
	RateLost   Borne = "lost"   // too few records were delivered
	RateSlowed Borne = "slowed" // too few calls were made: they took too long, or waited
)

// Outcome is what became of the rate.
func (r Rated) Outcome() Borne {
	switch {
	case r.Counted() && float64(r.Delivered) < BorneShare*float64(r.Made):
		return RateLost
	case r.Offered() < BorneShare*float64(r.Asked):
		return RateSlowed
	}
	return RateBorne
}

// Knee finds the highest rate that one JVM bore, and the lowest one above it that it did not bear: of
// each the first window that tells so; nil where there is none. What most windows of a rate say is
// believed.
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
