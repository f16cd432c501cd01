package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"moobench/analysis"
	"moobench/analysis/proof"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// writeGoBench prints the answers in the format of Go benchmarks, which benchstat reads: one line for each
// invocation, with the number of calls behind its value as iterations. Invalid cells, and invocations that no
// number uses, have no line. Metrics are the primary and key ones, or all.
func writeGoBench(w io.Writer, a *analysis.Answers, o Options) error {
	b := &goBench{config: map[string]string{}}
	b.remark(each(provenance(a), fact.String)...)
	b.remark(behind("! ", headTexts(a))...)
	said := map[string]bool{}
	for _, s := range a.Scenarios {
		if !o.All {
			s.Metrics = slices.DeleteFunc(slices.Clone(s.Metrics), func(m results.Metric) bool {
				return !m.Key && !m.Primary && m.Name != s.Primary
			})
		}
		b.remark(behind("! "+s.Label+": ", s.Notes)...)
		// Units are ns/op for a primary metric in ns, else the metric's own name with its unit, alloc-B.
		units, taken := map[string]string{}, map[string]bool{referenceUnit: true, unadjustedUnit: true}
		for _, m := range s.Metrics {
			inName := strings.Join(strings.Fields(doc.Clean(m.Unit)), "-")
			unit := goWord(bareName(m.Name, m.Unit)) + textIf(m.Unit != "1", prefixed("-", inName))
			if m.Name == s.Primary && m.Unit == "ns" {
				unit = "ns/op"
			}
			if taken[unit] {
				unit = goWord(m.Name) + "-" + inName
			}
			units[m.Name], taken[unit] = unit, true
			if !said[unit] && (m.Better == results.Lower || m.Better == results.Higher) { // once for each unit
				said[unit] = true
				fmt.Fprintf(&b.text, "Unit %s better=%s\n", unit, m.Better)
			}
		}
		for _, c := range s.Cells {
			if c.Invalid != "" {
				b.remark("! " + c.Label + ": " + c.Invalid)
				continue
			}
			b.remark(each(c.Marks, func(m analysis.Mark) string {
				return "! " + c.Label + ": " + m.Show + ": " + m.Text
			})...)
			// Caveats that come and go from night to night must not separate old from new. These are the
			// variant's own, every night, and no number may be read without them.
			lasting := slices.DeleteFunc(slices.Clone(c.Marks), func(m analysis.Mark) bool {
				return m.Kind != string(proof.Lost) && m.Kind != string(proof.NotProven)
			})
			b.set("caveats", kindsOf(lasting))
			b.cell(a, &s, &c, units)
		}
		for _, r := range a.OwnRows(&s, nil) {
			if r.Estimate != nil {
				b.set("caveats", kindsOf(r.Alone))
				b.own(r)
			}
		}
	}
	_, err := io.WriteString(w, b.text.String())
	return err
}

// goBench is a file being written.
type goBench struct {
	text   strings.Builder
	config map[string]string // current values
}

// remark writes lines that readers of the format ignore.
func (b *goBench) remark(texts ...string) {
	for _, text := range texts {
		fmt.Fprintln(&b.text, "#", doc.Clean(text))
	}
}

// set changes a key of the configuration for all lines below it; "" removes it. benchstat puts lines that
// differ in one into separate tables.
func (b *goBench) set(key, value string) {
	value = strings.TrimSpace(doc.Clean(value))
	if b.config[key] == value {
		return
	}
	b.config[key] = value
	fmt.Fprintln(&b.text, strings.TrimSpace(key+": "+value))
}

// cell writes a line for each invocation behind the numbers: its values with their units, in the order of the
// scenario's metrics, below the place where it ran.
func (b *goBench) cell(a *analysis.Answers, s *analysis.Scenario, c *analysis.Cell, units map[string]string) {
	for _, inv := range a.Invocations {
		counts := inv.Profile == results.ProfileTiming || inv.Profile == results.ProfileResources
		if inv.Cell != c.ID || !counts || inv.Status != results.StatusOK || inv.Invalid != "" {
			continue
		}
		values := ""
		for _, m := range s.Metrics {
			x, ok := inv.Observed[m.Name]
			if m.Name == s.Primary && inv.Value != nil {
				x, ok = *inv.Value, true
			}
			if ok {
				values += goValue(x, units[m.Name])
			}
		}
		if inv.AtNS > 0 && values != "" {
			values += goValue(inv.ReferenceNS, referenceUnit) + goValue(*inv.Unadjusted, unadjustedUnit)
		}
		if values == "" {
			continue
		}
		if at := slices.IndexFunc(a.Machines, func(m *results.Machine) bool { return m.ID == inv.Machine }); at >= 0 {
			b.set("host", a.Machines[at].Host)
			b.set("cpu", a.Machines[at].CPU)
		}
		b.set("jvm", inv.Runtime)
		fmt.Fprintf(&b.text, "%s\t%d%s\n", goName(s, c), max(1, inv.Calls), values)
	}
}

// own writes the line of a number that a chapter has of its own, which rests on no single invocation.
func (b *goBench) own(r rows.Row) {
	b.remark(r.Label + ": " + r.Name() + ": " + r.About)
	unit := goWord(r.Name()) + prefixed("-", strings.Join(strings.Fields(doc.Clean(r.Unit)), "-"))
	name := "BenchmarkMooBench/scenario=" + goWord(r.Scenario) + "/variant=" + goVariant(r.Variant)
	name += prefixed("/level=", textIf(r.Level != "", goWord(r.Level)))
	fmt.Fprintf(&b.text, "%s\t1%s\n", name, goValue(r.Estimate.Value, unit))
}

// referenceUnit and unadjustedUnit are the units of the reference's time beside a value at one speed of the
// CPU, and of that value as measured.
const referenceUnit, unadjustedUnit = "reference-ns", "unadjusted-ns"

// goValue formats a value with its unit.
func goValue(x float64, unit string) string {
	return "\t" + strconv.FormatFloat(x, 'g', -1, 64) + " " + unit
}

// goName is the name of a cell's lines: BenchmarkMooBench/scenario=overhead/
// variant=kieker:bci:collect/depth=10.
func goName(s *analysis.Scenario, c *analysis.Cell) string {
	name := "BenchmarkMooBench/scenario=" + goWord(s.Label) + "/variant=" + goVariant(c.Variant)
	for _, f := range c.Factors {
		name += "/" + goWord(f.Name) + "=" + goWord(f.Value)
	}
	return name + textIf(c.Role == results.RoleAA, "/role=aa")
}

// goVariant is a variant with colons in place of slashes, which would split a name.
func goVariant(variant string) string {
	return strings.Join(each(strings.Split(variant, "/"), goWord), ":")
}

// goWord makes a text a part of a name: letters, digits and a few signs stay, every other byte becomes %XX, so
// that different texts stay different.
func goWord(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		plain := unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.+@~", r)
		if r == '-' { // before a digit it could begin a number of CPUs
			plain = i+1 < len(s) && !unicode.IsDigit(rune(s[i+1]))
		}
		for _, c := range []byte(s[i : i+n]) {
			if plain {
				b.WriteByte(c)
			} else {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
		i += n
	}
	return b.String()
}
