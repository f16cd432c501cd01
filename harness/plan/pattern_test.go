package plan

import "testing"

func TestClassesOfAPattern(t *testing.T) {
	for pattern, want := range map[string]string{
		"public * org.h2.jdbc..*.*(..)":                "org.h2.jdbc.*",
		"* org.h2.Driver.connect(java.lang.String,..)": "org.h2.Driver",
		"new org.h2.jdbc.Jdbc*.<init>(..) throws a.B":  "org.h2.jdbc.Jdbc*",
		"static * a..b.Type.*(..)":                     "a.*b.Type",
		"* ..Type.*()":                                 "*Type",
		"* .m(..)":                                     "m",
		"* a.m(..)":                                    "a",
		"m":                                            "m",
		"*":                                            "*",
		"":                                             "*",
	} {
		if got := classes(pattern); got != want {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
	}
}
