package machine

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
)

// ReadSettings reads how the machine's knobs stand: name → value. Those that
// can't be read are absent, and so are those of the subject's own process.
func ReadSettings(root fs.FS, on Placement) map[string]string {
	settings := map[string]string{}
	root = lookAt(root)
	for _, k := range Knobs() {
		if _, own := k.(Personal); own {
			continue
		}
		if s, err := k.Observe(root, on); err == nil && s.Value != "" {
			settings[k.Name()] = s.Value
		}
	}
	return settings
}

// unknown stands for a value that nothing tells.
const unknown = "unknown"

// SettingsChanged names the knobs that differ, in the order of Knobs, each with
// both values in words. Knobs that drift by themselves count only when they
// were wished for.
func SettingsChanged(before, after map[string]string, wishes []Wish) (names, words []string) {
	for _, k := range Knobs() {
		name := k.Name()
		wished := slices.ContainsFunc(wishes, func(w Wish) bool { return w.Knob == name && w.Value != "" })
		if before[name] == after[name] || k.About().Drifts && !wished {
			continue
		}
		names = append(names, name)
		words = append(words, fmt.Sprintf("%s was changed from %s to %s", name, cmp.Or(before[name], unknown), cmp.Or(after[name], unknown)))
	}
	return names, words
}
