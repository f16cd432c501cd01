package report

import (
	"html/template"
	"strings"

	"moobench/analysis"
)

// foot stands on every printed page. Only letters, digits and a few marks get
// into the style sheet: a name can't become more than a name.
func foot(a *analysis.Answers) template.CSS {
	text := "moobench · " + a.Campaign.Name + " · " + a.Campaign.Created.UTC().Format("2006-01-02 15:04 UTC")
	if a.Campaign.PlanHash != "" {
		text += " · plan " + a.Campaign.PlanHash
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(" .:_-·", r):
			return r
		}
		return '_'
	}, text)
	return template.CSS(`@page { @bottom-left { content: "` + text + `"; font: 8pt sans-serif; } @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }`)
}
