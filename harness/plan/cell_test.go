package plan

import (
	"testing"
	"time"

	"moobench/results"
)

func TestAllowance(t *testing.T) {
	for _, c := range []struct {
		parameters map[string]string
		want       time.Duration
	}{
		{nil, 120 * time.Second},
		{map[string]string{"calls": "1000000"}, 140 * time.Second},
		{map[string]string{"calls": "1000000", "depth": "10", "threads": "2"}, 520 * time.Second},
		{map[string]string{"calls": "1000000", "method_time": "1000000"}, 2140 * time.Second},
		{map[string]string{"samples": "500", "loaded": "10000"}, 240 * time.Second},
		{map[string]string{"ramp": "5000000000", "hold": "20000000000", "p99_limit": "0"}, 145 * time.Second},
		{map[string]string{"ramp": "5000000000", "hold": "20000000000", "p99_limit": "50000000"}, 745 * time.Second},
		{map[string]string{"samples": "3", "at_once": "10000"}, 6120 * time.Second},
		{map[string]string{"calls": "9223372036854775807", "depth": "9223372036854775807"}, 30 * 24 * time.Hour},
	} {
		var cell Cell
		for name, value := range c.parameters {
			cell.Parameters = append(cell.Parameters, results.Value{Name: name, Value: value})
		}
		if got := allowance(&cell); got != c.want {
			t.Errorf("%v: %v, want %v", c.parameters, got, c.want)
		}
	}
}
