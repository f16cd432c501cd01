package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// renamed is the change of a key from one format to the next.
type renamed struct {
	To     string            // new name; "" if only values were renamed
	Values map[string]string // new texts by old ones, also for elements of a list
}

// Renames are the renamed keys of an older format by their paths in it: the keys of the enclosing objects and
// its own, joined by dots. The elements of a list have the list's path. All other keys kept their names.
type Renames map[string]renamed

// format1 has the keys of campaign.json and invocation.json that were renamed in format 2. The keys of machines
// and summaries are the same in both.
var format1 = Renames{
	"blocks.because":                    {To: "reason"},
	"given_up.because":                  {To: "reason"},
	"scenarios.metrics.once":            {To: "one_time"},
	"scenarios.metrics.of":              {To: "exposure_scalar"},
	"scenarios.questions.asked":         {To: "configured"},
	"scenarios.sizing.decision.cut":     {To: "limited_by"},
	"scenarios.sizing.decision.because": {To: "reason"},
	"control.wishes":                    {To: "requested"},
	"control.repeat":                    {To: "repeat_disturbed"},
	"confirm.least":                     {To: "min_change"},
	"confirm.alarms.log":                {To: "log_ratio"},
	"confirm.alarms.before.log":         {To: "log_ratio"},
	"confirm.alarms.scatter.within":     {To: "within_sd"},
	"confirm.alarms.scatter.bound":      {To: "upper_bound"},
	"sitting":                           {To: "session"},
	"env_pad":                           {To: "env_pad_bytes"},
	"void":                              {To: "invalid"},
	"disturbed":                         {To: "disturbance"},
	"disturbed.others_ns":               {To: "other_processes_ns"},
	"disturbed.because":                 {To: "reason"},
	"proof.by_loop_end":                 {To: "received_by_loop_end"},
	"proof.by_exit":                     {To: "received"},
}

// Upgrade returns a JSON document of an older format with the keys of the next one. Unknown keys stay as they
// are; numbers keep their digits.
func (rs Renames) Upgrade(data []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(rs.upgrade(nil, v))
}

// upgrade returns the value at a path with the keys of the next format.
func (rs Renames) upgrade(path []string, v any) any {
	switch v := v.(type) {
	case string:
		if now, ok := rs[strings.Join(path, ".")].Values[v]; ok {
			return now
		}
	case []any:
		for i := range v {
			v[i] = rs.upgrade(path, v[i])
		}
	case map[string]any:
		object := make(map[string]any, len(v))
		for _, renames := range []bool{false, true} { // new names come last, and win: the older format had none
			for _, key := range slices.Sorted(maps.Keys(v)) {
				at := append(slices.Clip(path), key)
				if to := rs[strings.Join(at, ".")].To; (to != "") == renames {
					object[cmp.Or(to, key)] = rs.upgrade(at, v[key])
				}
			}
		}
		return object
	}
	return v
}
