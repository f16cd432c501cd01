package cost

import (
	"strings"
	"testing"
)

// The name of the campaign becomes that of a folder: of signs and spaces in the name of an agent, or of two in one
// JVM, hyphens are left.
func TestNameOfTheCampaign(t *testing.T) {
	for variant, want := range map[string]string{
		"kieker/bci/collect":                     `name = "cost-kieker"`,
		"a + b":                                  `name = "cost-a-b"`,
		"opentelemetry@2.20.0/bci/otlp":          `name = "cost-opentelemetry-2.20.0"`,
		"x~":                                     `name = "cost-x"`,
		strings.Repeat("n", 60) + "/bci/collect": `name = "cost-` + strings.Repeat("n", 50) + `"`,
	} {
		text := string((&Question{}).text(subject{variant: variant}, subject{variant: "none"}))
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want+" ") {
			t.Errorf("%s: %s\nwant %s", variant, text, want)
		}
	}
}
