package doctor

import (
	"bytes"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/report"
	"moobench/results"
)

// TestCalibrationInWords has the verdicts that no fake JVM can bring about.
func TestCalibrationInWords(t *testing.T) {
	for _, tt := range []struct {
		low, measured, high float64
		aa                  analysis.AAState
		ok                  bool
		want                string
	}{
		{1990, 2001, 2012, analysis.AAResolves, true, "recovered: the known cost lies in the interval"},
		{1990, 2001, 2012, analysis.AATooFew, true, "recovered: the known cost lies in the interval"},
		{2040, 2050, 2060, analysis.AAResolves, false, "not recovered: the known cost lies outside the interval; costs that are measured here now come out about 2.5 % too high"},
		{1940, 1950, 1960, analysis.AAFailed, false, "not recovered: the known cost lies outside the interval; costs that are measured here now come out about 2.5 % too low"},
		{1990, 2001, 2012, analysis.AAFailed, false, "the A/A failed: two equal baselines differ, although the known cost lies in the interval"},
		{1000, 2500, 4000, analysis.AAResolves, false, "too noisy to say: the known cost lies in the interval, but that reaches 75 % of it to either side"},
	} {
		c := &results.Calibration{KnownNS: 2000, LowNS: tt.low, MeasuredNS: tt.measured, HighNS: tt.high, Level: 0.99, AA: string(tt.aa)}
		c.Recovered = c.LowNS <= c.KnownNS && c.KnownNS <= c.HighNS
		v := Calibration{Calibration: c, Folder: "x"}
		v.judge()
		if v.OK != tt.ok || v.Verdict != tt.want {
			t.Errorf("%v: %s", v.OK, v.Verdict)
		}
		var out bytes.Buffer
		if err := v.Write(&out, "text", report.Options{}); err != nil || !strings.Contains(out.String(), "2 µs a call") || strings.Contains(out.String(), "→") == tt.ok {
			t.Errorf("%s", out.String())
		}
		if f := lastCalibration(c, nil); (f.State == fine) != tt.ok || !strings.HasSuffix(f.Text, tt.want) {
			t.Errorf("%+v", f)
		}
	}
}
