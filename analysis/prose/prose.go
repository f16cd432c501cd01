// Package prose has the vocabulary of the answers: sentences about inferences on two cells, and the phrases
// that other sentences are made of.
package prose

import (
	"encoding"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
)

// Sentence is an answer in words. Opening is the verdict in a word or two, or "" if Rest says it all. As text
// it is one sentence.
type Sentence struct{ Opening, Rest string }

var _ encoding.TextMarshaler = Sentence{}

// Say makes a sentence of an opening and a rest.
func Say(opening, rest string) Sentence { return Sentence{opening, rest} }

// NoAnswer makes a sentence that says why there is no answer.
func NoAnswer(why string) Sentence { return Sentence{"no answer", why} }

// String returns the whole sentence.
func (s Sentence) String() string {
	if s.Opening == "" {
		return s.Rest
	}
	return s.Opening + ": " + s.Rest
}

// MarshalText writes the whole sentence.
func (s Sentence) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// First joins the first of many texts; more is the format for the number of the others, given as text: 1,200.
func First(texts []string, most int, separator, more string) string {
	left := len(texts) - most
	return strings.Join(texts[:min(most, len(texts))], separator) + If(left > 0, more, figure.Count(int64(left)))
}

// If formats a clause if so is true, and returns "" otherwise.
func If(so bool, format string, args ...any) string {
	if !so {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// Caveats formats the caveats that end a sentence.
func Caveats(caveats []string) string {
	return If(len(caveats) > 0, "; caveats: %s", strings.Join(caveats, ", "))
}

// Number formats a statistic with four significant digits.
func Number(x float64) string { return strings.Replace(fmt.Sprintf("%.4g", x), "-", "−", 1) }

// Spaced returns a metric's name in words.
func Spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Seen formats the count of an arm: 11 of 1,320,030.
func Seen(a infer.Arm) string {
	exposure := figure.Ratio(a.Exposure)
	if a.Exposure < 1e15 && a.Exposure >= 1 {
		exposure = figure.Count(int64(math.Round(a.Exposure)))
	}
	return figure.Count(a.Events) + " of " + exposure
}

// Signed formats a value with its sign and unit.
func Signed(v float64, unit string) string {
	s := figure.Fit(unit, v)
	return s.WithUnit(s.Signed(v))
}

// Needed says how many blocks of a new campaign decide about a limit, with an interval of that half-width.
func Needed(blocks int, limit float64) string {
	return fmt.Sprintf("a new campaign of %s makes ± %s, and adding blocks to this one until it decides would say worse too often",
		figure.Plural(blocks, "block", "blocks"), figure.Level(limit))
}

// Worsening formats a ratio above 1 as a worsening: 5.1 % worse.
func Worsening(ratio float64) string {
	return figure.Percent(math.Abs(ratio-1)) + map[bool]string{true: " better", false: " worse"}[ratio < 1]
}

// WithInterval formats an estimate with its interval: +2.016 µs (1.981 … 2.052).
func WithInterval(e *infer.Estimate, unit string) string {
	if e == nil || e.Interval == nil {
		return "not known"
	}
	s := figure.Fit(unit, e.Value, e.Interval.Low, e.Interval.High)
	return fmt.Sprintf("%s (%s … %s)", s.WithUnit(s.Signed(e.Value)), s.Number(e.Interval.Low), s.Number(e.Interval.High))
}

// Unseen puts the widest of the caveats about unseen modes into words: the modes that a claim from few JVMs may
// have missed. It is "" without such a caveat.
func Unseen(all []infer.Caveat) string {
	unseen := slices.DeleteFunc(slices.Clone(all), func(c infer.Caveat) bool { return c.Kind != infer.CaveatUnseen })
	if len(unseen) == 0 {
		return ""
	}
	fewest := slices.MinFunc(unseen, func(a, b infer.Caveat) int { return a.N - b.N })
	return fmt.Sprintf("%s: a mode that fewer than one in %.0f falls into may have gone unseen", figure.Plural(fewest.N, "JVM", "JVMs"), 1/fewest.Value)
}

// level formats an interval's level, to follow the interval.
func level(i infer.Interval) string { return " (" + figure.Level(i.Level) + " CI)" }

// WithoutFigures replaces each number of a text by 0: texts that differ only in figures become equal.
func WithoutFigures(text string) string { return digits.ReplaceAllString(text, "0") }

var digits = regexp.MustCompile(`[0-9]+([.,][0-9]+)*`)

// Unique returns the texts, each once.
func Unique(texts []string) []string {
	var all []string
	for _, text := range texts {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// NonEmpty drops empty texts.
func NonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// Few is the caveat of a number from n invocations, to follow a sentence; "" if they are not few.
func Few(n int) string {
	if n <= 0 || n >= infer.FewInvocations {
		return ""
	}
	return fmt.Sprintf("; from %s only, so it assumes normal values", figure.Plural(n, "invocation", "invocations"))
}
