// Package caveat has what distorts a number: the caveats that are printed beside it.
package caveat

import "fmt"

// Mark is a caveat: something that distorts a number, printed beside it.
type Mark struct {
	Kind string `json:"kind"` // without amounts
	Show string `json:"show"` // as printed at the number, lost 95.5 %
	Text string `json:"text"` // cause, consequence, what to do
	// Rank is the caveat's severity.
	Rank Rank `json:"rank"`
	// Count and Of say how many invocations are affected; 0 if all are.
	Count int `json:"count,omitempty"`
	Of    int `json:"of,omitempty"`
}

// Rank is the severity of a caveat.
type Rank string

// The ranks of caveats.
const (
	NoResult   Rank = "no result"  // replaces the number
	Misleading Rank = "misleading" // printed in the number's row: without it, the number misleads
	Remark     Rank = "remark"     // printed once for all affected cells
)

// List collects caveats.
type List []Mark

// Add adds a caveat if so is true.
func (ms *List) Add(so bool, rank Rank, kind, show, format string, args ...any) {
	if so {
		*ms = append(*ms, Mark{Kind: kind, Show: show, Text: fmt.Sprintf(format, args...), Rank: rank})
	}
}

// Counted adds a caveat about n of the invocations, if n > 0. From half of them on it is misleading.
func (ms *List) Counted(n, of int, kind, name, format string, args ...any) {
	if n == 0 {
		return
	}
	m := Mark{
		Kind:  kind,
		Show:  fmt.Sprintf("%s %d of %d", name, n, of),
		Text:  fmt.Sprintf(format, args...),
		Rank:  Remark,
		Count: n,
		Of:    of,
	}
	if 2*n >= of {
		m.Rank = Misleading
	}
	*ms = append(*ms, m)
}
