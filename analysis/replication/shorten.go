package replication

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// fewestBlocks are the least that an interval can be made of with any sense.
const fewestBlocks = 3

// Shorten makes a paper's benchmarks.toml shorter: its blocks, and what the
// paper names, are multiplied by scale, a number above 0 and below 1. What comes
// out is a benchmarks.toml of its own, to be run and resumed as any other, with
// another plan.
func (p *Paper) Shorten(toml []byte, scale float64) ([]byte, error) {
	if !(scale > 0 && scale <= 1) {
		return nil, fmt.Errorf("a scale of %v: it must be above 0 and at most 1", scale)
	}
	if scale == 1 {
		return toml, nil
	}
	s := shortener{paper: p, scale: scale, used: make([]bool, len(p.Short))}
	lines := strings.Split(string(toml), "\n")
	for i := 0; i < len(lines); {
		end := i + 1
		for end < len(lines) && !tableLine.MatchString(lines[end]) {
			end++
		}
		if section.MatchString(lines[i]) {
			s.section(lines[i:end])
		}
		i = end
	}
	for i, used := range s.used {
		if !used && s.err == nil {
			s.err = fmt.Errorf("shortening: benchmarks.toml does not set %s of scenario %q on a line of its own", p.Short[i].Parameter, p.Short[i].Scenario)
		}
	}
	head := fmt.Sprintf("# Shortened to %v of the paper's experiment: blocks, and what figures.toml names.\n", scale)
	return []byte(head + strings.Join(lines, "\n")), s.err
}

var (
	tableLine = regexp.MustCompile(`^\s*\[`)
	section   = regexp.MustCompile(`^\s*\[\[\s*scenario\s*\]\]`)
	keyLine   = regexp.MustCompile(`^(\s*)([A-Za-z_]+)(\s*=\s*)("[^"]*"|[0-9_]+)(.*)$`)
)

// shortener rewrites lines of [[scenario]] sections.
type shortener struct {
	paper *Paper
	scale float64
	used  []bool // by Paper.Short
	err   error
}

// section rewrites one [[scenario]].
func (s *shortener) section(lines []string) {
	label := ""
	for _, l := range lines {
		if m := keyLine.FindStringSubmatch(l); m != nil && (m[2] == "label" || m[2] == "use" && label == "") {
			label = strings.Trim(m[4], `"`)
		}
	}
	for i, l := range lines {
		m := keyLine.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		least, wanted := strconv.Itoa(fewestBlocks), m[2] == "blocks"
		for j, short := range s.paper.Short {
			if short.Parameter == m[2] && (short.Scenario == "" || short.Scenario == label) {
				least, wanted, s.used[j] = short.Least, true, true
			}
		}
		if !wanted {
			continue
		}
		value, err := shorter(m[4], least, s.scale)
		if err != nil {
			s.err = fmt.Errorf("shortening %s of scenario %q: %w", m[2], label, err)
			return
		}
		lines[i] = m[1] + m[2] + m[3] + value + m[5]
	}
}

// shorter multiplies a value of benchmarks.toml, down to the least one, or to
// itself where it is less already.
func shorter(text, least string, scale float64) (string, error) {
	v, err := parseAmount(strings.Trim(text, `"`))
	low, errLow := parseAmount(least)
	switch err := cmp.Or(err, errLow); {
	case err != nil:
		return "", err
	case v.time != low.time:
		return "", fmt.Errorf("%s and its least, %s: one is a time", text, least)
	}
	x := max(int64(math.Round(float64(v.n)*scale)), min(v.n, low.n))
	if v.time {
		return strconv.Quote(time.Duration(x).Round(time.Millisecond).String()), nil
	}
	return strconv.FormatInt(x, 10), nil
}

// amount is a whole number, or a time in ns.
type amount struct {
	n    int64
	time bool
}

func parseAmount(text string) (amount, error) {
	if n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64); err == nil && n >= 0 {
		return amount{n: n}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return amount{}, fmt.Errorf("%q is no whole number and no time", text)
	}
	return amount{int64(d), true}, nil
}
