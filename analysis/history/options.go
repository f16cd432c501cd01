package history

import (
	"cmp"
	"fmt"
	"strings"
)

// Options are what a check may be asked to do otherwise; zero values are those of
// the method.
type Options struct {
	// Least is the least change worth a word, as a share: 0.03 is 3 %. By default
	// LeastChange. No change is reported that is smaller, or smaller than what one
	// night's own blocks would find four times in five.
	Least float64
	// Alpha is the level of change points, adjusted over all series. By default
	// 0.01. (Alarms of the last nights have their own, see METHOD.md.)
	Alpha float64
	// Permutations of each candidate, by default 999; more are drawn where the
	// adjustment over many series could not be passed with so few.
	Permutations int
	// Seed of the permutations, by default 20140901.
	Seed uint64
	// Window is the number of nights among which a change point is looked for at
	// once, by default 50.
	Window int
}

// LeastChange is the least change worth a word unless a check is told otherwise, as a
// share: 0.03 is 3 %.
const LeastChange = 0.03

const (
	defaultWindow = 50

	// leastNights before a series is judged.
	leastNights = 7
	// leastSide is how many nights a change point needs on each side. A level of
	// fewer is not told from outliers.
	leastSide = 3
	// detectedFrom so many nights after it a change point is detected.
	detectedFrom = 5
	// slack is by how many nights a change point may move as nights are added, and
	// still be the one that was confirmed, refuted or accepted.
	slack = leastSide - 1
	// confidence of the intervals of changes.
	confidence = 0.95
	// power with which a change is called detectable.
	power = 0.8
	// nightAlpha is the chance that an alarm for the worse is raised in a night
	// without change, over all its series, were nights independent. It is generous:
	// an alarm fails nothing, and costs some minutes of measuring. What it would
	// miss is missed for good.
	nightAlpha = 0.4
)

// filled are the options with the defaults in place.
func (o Options) filled() (Options, error) {
	o.Least, o.Alpha, o.Permutations = cmp.Or(o.Least, LeastChange), cmp.Or(o.Alpha, 0.01), cmp.Or(o.Permutations, 999)
	o.Seed, o.Window = cmp.Or(o.Seed, 20140901), cmp.Or(o.Window, defaultWindow)
	var wrong []string
	if !(o.Least > 0 && o.Least < 1) {
		wrong = append(wrong, fmt.Sprintf("the least change worth a word must lie between 0 and 100 %%, and is %v", o.Least))
	}
	if !(o.Alpha > 0 && o.Alpha <= 0.5) {
		wrong = append(wrong, fmt.Sprintf("alpha must lie between 0 and 0.5, and is %v", o.Alpha))
	}
	if o.Window < 2*leastNights {
		wrong = append(wrong, fmt.Sprintf("the window must have at least %d nights, and has %d", 2*leastNights, o.Window))
	}
	if float64(o.Permutations+1)*o.Alpha < 1 {
		wrong = append(wrong, fmt.Sprintf("%d permutations are too few for a p of %v", o.Permutations, o.Alpha))
	}
	if wrong != nil {
		return o, fmt.Errorf("check a history: %s", strings.Join(wrong, "; "))
	}
	return o, nil
}
