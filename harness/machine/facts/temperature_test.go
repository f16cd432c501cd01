package facts

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestTemperature(t *testing.T) {
	const hwmon, zone = "sys/class/hwmon/hwmon", "sys/class/thermal/thermal_zone"
	for _, c := range []struct {
		files map[string]string
		want  float64
	}{
		{nil, math.NaN()},
		{map[string]string{hwmon + "0/name": "k10temp", hwmon + "0/temp1_input": "45250", hwmon + "0/temp3_input": "47000"}, 47},
		{map[string]string{hwmon + "0/name": "nvme", hwmon + "0/temp1_input": "45250"}, math.NaN()},
		{map[string]string{zone + "0/type": "acpitz", zone + "0/temp": "27800"}, 27.8},
		{map[string]string{zone + "0/type": "acpitz", zone + "0/temp": "90000", zone + "3/type": "x86_pkg_temp", zone + "3/temp": "41000"}, 41},
		{map[string]string{zone + "0/type": "cpu-thermal", zone + "0/temp": "51000", zone + "1/type": "gpu-thermal", zone + "1/temp": "70000"}, 51},
		{map[string]string{hwmon + "0/name": "coretemp", hwmon + "0/temp1_input": "0", zone + "1/type": "x86_pkg_temp", zone + "1/temp": "nonsense"}, math.NaN()},
	} {
		if got := Temperature(files(c.files)); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v: %v °C, want %v", c.files, got, c.want)
		}
	}
}

func files(contents map[string]string) fstest.MapFS {
	root := fstest.MapFS{}
	for path, content := range contents {
		root[path] = &fstest.MapFile{Data: []byte(content + "\n")}
	}
	return root
}
