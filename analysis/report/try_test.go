package report

import (
	"bytes"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"moobench/analysis"
	"moobench/analysis/madeup"
)

func TestTry(t *testing.T) {
	js, err := FindECharts("/root/.m2/repository", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx := browser(t)
	for name, s := range map[string]*madeup.Store{"small": madeup.Small(), "troubled": madeup.Troubled(), "unordered": madeup.Unordered(), "hostile": madeup.Hostile()} {
		a, err := analysis.Analyse(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []HTMLOptions{{js}, {}} {
			var b bytes.Buffer
			if err := HTML(&b, a, o); err != nil {
				t.Fatal(name, err)
			}
			for _, scheme := range []string{"light", "dark"} {
				var png []byte
				c := visit(t, ctx, b.Bytes(), scheme, chromedp.FullScreenshot(&png, 90))
				t.Log(name, scheme, len(o.EChartsJS), c)
				x := name + "-" + scheme
				if o.EChartsJS == nil {
					x += "-nojs"
				}
				os.WriteFile("/tmp/ana/"+x+".jpg", png, 0o644)
			}
		}
	}
}
