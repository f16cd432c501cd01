package history

import (
	"strings"

	"moobench/analysis/stats"
)

// floors tells the series of a scenario by how much two equal baselines differ
// from night to night: the standard deviation of the second baseline's ratio to the
// first one, over the last nights. Where both are pinned to another variant, it is
// that of the difference of their logarithms; 0 when there is no first one.
func floors(tracks []*track) {
	byKey := map[Key]*track{}
	for _, t := range tracks {
		byKey[t.Key] = t
	}
	// level is the key of all series of a factor level, whose cells are called
	// variant and level.
	level := func(t *track) Key {
		k := t.Key
		_, k.Cell, _ = strings.Cut(k.Cell, " ")
		return k
	}
	floor := map[Key]float64{}
	for _, t := range tracks {
		if !t.last().AA {
			continue
		}
		variant, _, _ := strings.Cut(t.Cell, " ")
		variant = strings.TrimSuffix(variant, "#aa")
		first := level(t)
		first.Cell = strings.TrimSpace(variant + " " + first.Cell)
		ratios := t.x
		if variant != t.Reference {
			ratios = t.over(byKey[first])
		}
		// Too few nights have no standard deviation.
		floor[level(t)], _ = stats.SD(ratios[max(0, len(ratios)-defaultWindow):])
	}
	for _, t := range tracks {
		t.Floor = floor[level(t)]
	}
}

// over are the logarithms of the ratio of two series with the same reference, of the
// nights that both have.
func (t *track) over(other *track) []float64 {
	if other == nil {
		return nil
	}
	value := map[string]float64{}
	for i, x := range other.x {
		value[other.night(i).ID] = x
	}
	var ratios []float64
	for i, x := range t.x {
		if y, ok := value[t.night(i).ID]; ok {
			ratios = append(ratios, x-y)
		}
	}
	return ratios
}
