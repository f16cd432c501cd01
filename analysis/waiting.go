package analysis

import (
	"slices"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/results"
)

const (
	// saidFrom is the share of waiting time from which it is reported: the share from which programs count as
	// disturbing.
	saidFrom = 0.02
	// turnsFrom is the share of time waiting for other threads of the JVM that compilers alone don't explain.
	turnsFrom = 0.2
)

// waitingMarks are the caveats about waiting calls.
func (r *reader) waitingMarks(c *Cell) (ms caveat.List) {
	w := r.Waiting(c.ID)
	if w == nil || !w.Told {
		return nil
	}
	ms.Add(w.Refused != "", caveat.NoResult, "waited", "waited "+figure.Percent(w.Foreign+w.Steal), "%s", w.Refused)
	ms.Add(w.Refused == "" && w.Taken > 0, caveat.Remark, "waited", "waited "+figure.Percent(w.Taken),
		"its calls waited %s of their time for others%s: taken out of the mean",
		figure.Percent(w.Taken), among(w.Names))
	ms.Add(w.Others >= saidFrom, caveat.Misleading, "waited for some", "waited "+figure.Percent(w.Others)+" for some",
		"its calls waited %s of their time for programs that started after moobench, or beside it, "+
			"or that moobench can't see: it may have caused them, so the time stays in the mean; "+
			"end them, or read p50 and CPU, which hardly depend on it",
		figure.Percent(w.Others))
	ms.Add(w.Refused == "" && w.KeptShare >= saidFrom && w.Few, caveat.Misleading, "waited",
		"waited "+figure.Percent(w.KeptShare),
		"its calls waited %s of their time for others%s: so few blocks can't show that it did not cause "+
			"this, so the time stays in the mean; make five or more, or end them",
		figure.Percent(w.KeptShare), among(w.Kept))
	ms.Add(w.KeptShare >= saidFrom && !w.Few, caveat.Misleading, "ran more beside it", "others ran more beside it",
		"its calls waited %s of their time for others that ran more beside a variant than beside its baseline%s: "+
			"it seems to cause this, so the time stays in the mean",
		figure.Percent(w.KeptShare), among(w.Kept))
	ms.Add(w.Taken >= saidFrom && w.Own >= turnsFrom && c.Role == results.RoleVariant, caveat.Misleading,
		"took turns", "took turns",
		"its calls also waited %s of their time for other threads on the same CPU, mostly of its own: "+
			"how these take turns depends on what else runs, so the mean may differ on a quiet machine; "+
			"measure there, or give the JVM one more CPU",
		figure.Percent(w.Own))
	return ms
}

// among lists programs in parentheses.
func among(names []string) string {
	return prose.If(len(names) > 0, " (%s)", strings.Join(names, "; "))
}

// disturbedText says what became of the time that other programs took from a cell.
func (r *reader) disturbedText(cell string) string {
	switch w := r.Waiting(cell); {
	case w == nil:
		return "kept: expect numbers that are too high; quieten the machine"
	case !w.Told:
		return "they stay in, and their means are too high by the time that calls waited for these: " +
			"an unrecorded part of the " + figure.Percent(w.Delay) + " of their time " +
			"that they waited for any CPU; read p50 and CPU, or quieten the machine and measure again"
	case w.Refused != "":
		return "they waited for these too long"
	case w.Taken > 0:
		return "waiting for these is taken out of the mean if they ran before the campaign; " +
			"quieten the machine for a narrower interval"
	}
	return "they stay in; calls hardly waited for them"
}

// taken says once which time the means exclude.
func (r *reader) taken() []string {
	takenOut := func(c *results.Cell) bool {
		w := r.Waiting(c.ID)
		return w != nil && w.Taken > 0 && w.Refused == ""
	}
	if !slices.ContainsFunc(r.Cells, takenOut) {
		return nil
	}
	return []string{"means exclude waiting for programs that ran before the campaign; " +
		"p50, p99 and other quantiles are as measured"}
}
