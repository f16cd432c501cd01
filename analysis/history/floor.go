package history

import (
	"strings"

	"moobench/analysis/stats"
)

// floors tells the series of a scenario by how much two equal baselines differ
// from night to night.
func floors(tracks []*track) {
	of := map[Key]*track{}
	for _, t := range tracks {
		of[t.Key] = t
	}
	floor := map[Key]float64{}
	for _, t := range tracks {
		if t.last().AA {
			k := t.Key
			k.Cell = levelOf(k.Cell)
			floor[k] = t.floor(of)
		}
	}
	for _, t := range tracks {
		k := t.Key
		k.Cell = levelOf(k.Cell)
		t.Floor = floor[k]
	}
}

// levelOf is the factor level of a cell's name: what follows the variant.
func levelOf(cell string) string {
	_, level, _ := strings.Cut(cell, " ")
	return level
}

// floor is the standard deviation of the second baseline's ratio to the first one,
// over the last nights. Where both are pinned to another variant, it is that of
// the difference of their logarithms; 0 when there is no first one.
func (t *track) floor(of map[Key]*track) float64 {
	variant, level, _ := strings.Cut(t.Cell, " ")
	first := t.Key
	first.Cell = strings.TrimSpace(strings.TrimSuffix(variant, "#aa") + " " + level)
	var ratios []float64
	switch baseline := of[first]; {
	case strings.TrimSuffix(variant, "#aa") == t.Reference:
		ratios = t.x
	case baseline != nil:
		value := map[string]float64{}
		for i := range baseline.x {
			value[baseline.night(i).ID] = baseline.x[i]
		}
		for i, x := range t.x {
			if y, ok := value[t.night(i).ID]; ok {
				ratios = append(ratios, x-y)
			}
		}
	}
	sd, err := stats.SD(ratios[max(0, len(ratios)-defaultWindow):])
	if err != nil {
		return 0
	}
	return sd
}
