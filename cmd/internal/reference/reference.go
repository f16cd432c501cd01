// Package reference prints which keys a benchmarks.toml can have, from the tables that parse it:
// for a terminal, as Markdown, and as JSON Schema for editors.
package reference

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/report/doc"
	"moobench/cmd/internal/outcome"
	"moobench/harness/config"
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/results"
)

// Formats lists the formats of a reference.
func Formats() []string { return []string{"text", "markdown", "json-schema"} }

// File is the reference of the whole file, or of a part.
type File struct {
	sections []strict.Section
	width    int
}

// Of returns the reference of a benchmarks.toml, for the given number of columns.
func Of(known config.Known, width int) *File {
	return &File{config.Table(known).Sections(""), width}
}

// Schema returns the file's JSON Schema.
func (f *File) Schema() map[string]any {
	s := f.sections[0].Schema()
	s["$schema"], s["title"] = "http://json-schema.org/draft-07/schema#", "benchmarks.toml"
	return s
}

// Names returns the names of all sections and keys, sorted.
func (f *File) Names() []string {
	var all []string
	for _, s := range f.sections {
		if path := pathOf(s.Name); len(path) > 0 {
			all = append(all, strings.Join(path, "."))
		}
		all = append(all, results.Each(s.Keys, func(k strict.Key) string { return k.Name })...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// About returns the part of the reference for a name: a section with its subsections, such as
// machine or [framework.mine.proof]; a scenario; a key, in all sections or in one, such as
// gate.alpha; or a value that a key explains, such as otlp.
func (f *File) About(name string) (*File, error) {
	path := pathOf(name)
	found := &File{width: f.width}
	for _, s := range f.sections {
		own := pathOf(s.Name)
		ends := fits(path, own) || len(own) > 1 && own[len(own)-1] == anyName && fits(path, own[:len(own)-1])
		if len(path) > 0 && ends {
			found.sections = append(found.sections, s.Sections(s.Name)...)
		}
	}
	if len(found.sections) > 0 {
		return found, nil
	}
	last := len(path) - 1
	for _, s := range f.sections {
		s.Keys = slices.DeleteFunc(slices.Clone(s.Keys), func(k strict.Key) bool {
			return last < 0 || k.Name != path[last] &&
				(last > 0 || !slices.Contains(k.Kind.Values, name) || k.Kind.Means == nil)
		})
		if len(s.Keys) > 0 && fits(path[:last], pathOf(s.Name)) {
			found.sections = append(found.sections, s)
		}
	}
	if len(found.sections) == 0 {
		return nil, outcome.Usage(refusal.New(fmt.Errorf("no section and no key of benchmarks.toml is called %q", name),
			strict.Suggest(name, f.Names(), "moobench help file names them all")))
	}
	return found, nil
}

// pathOf splits a section's name, such as [framework.NAME.proof], into its parts. The keys that a
// scenario adds to its section go by the scenario's name.
func pathOf(name string) []string {
	if _, use, is := strings.Cut(name, `use = `); is {
		return []string{"scenario", strings.Trim(use, `"`)}
	}
	name = strings.Trim(name, "[]")
	if name == "" {
		return nil
	}
	return strings.Split(name, ".")
}

// anyName is the placeholder for a user's name.
const anyName = "NAME"

// fits reports whether path ends with name. A placeholder in path matches any part except the first
// one of name.
func fits(name, path []string) bool {
	if len(name) > len(path) {
		return false
	}
	tail := path[len(path)-len(name):]
	for i, part := range name {
		if part != tail[i] && (tail[i] != anyName || i == 0) {
			return false
		}
	}
	return true
}

// Text returns the reference for a terminal.
func (f *File) Text() string {
	var b strings.Builder
	indented := func(text, indent string) {
		for _, line := range doc.Wrap(text, f.width-len(indent)) {
			b.WriteString(indent + line + "\n")
		}
	}
	for i, s := range f.sections {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(title(s) + "\n")
		indented(s.Text, "")
		b.WriteString("\n")
		for _, k := range s.Keys {
			if line := fmt.Sprintf("  %-28s  %s", head(s, k), f.facts(s, k)); doc.Width(line) <= f.width {
				b.WriteString(line + "\n")
			} else {
				fmt.Fprintf(&b, "  %s\n", head(s, k))
				indented(f.facts(s, k), "      ")
			}
			indented(k.Text, "      ")
			for v, means := range k.Kind.Means {
				fmt.Fprintf(&b, "        %-15s", k.Kind.Values[v])
				b.WriteString(" " + strings.Join(doc.Wrap(means, f.width-24), "\n"+strings.Repeat(" ", 24)) + "\n")
			}
		}
	}
	return b.String()
}

// Markdown returns the reference as a Markdown page, with a table for each section.
func (f *File) Markdown() string {
	var b strings.Builder
	cell := strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ")
	for i, s := range f.sections {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "## %s\n\n%s\n\n| for example | type | meaning |\n|---|---|---|\n",
			title(s), cell.Replace(s.Text))
		for _, k := range s.Keys {
			text := cell.Replace(k.Text)
			for v, means := range k.Kind.Means {
				text += fmt.Sprintf("<br>`%s`: %s", k.Kind.Values[v], cell.Replace(means))
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n",
				strings.ReplaceAll(head(s, k), "|", `\|`), cell.Replace(f.facts(s, k)), text)
		}
	}
	return b.String()
}

// title returns a section's name; the top of the file has no name of its own.
func title(s strict.Section) string {
	if s.Name == "" {
		return "Top of the file"
	}
	return s.Name
}

// head returns a line that may appear in a file: the key with a value, or the name of the key's own
// section.
func head(s strict.Section, k strict.Key) string {
	section := k.Kind.Section != nil && strings.HasPrefix(k.Kind.Type, "table")
	if section || strings.HasPrefix(k.Kind.Type, "list of tables") {
		return s.Below(k)
	}
	return k.Name + " = " + strict.Literal(k.Instance())
}

// facts returns a key's type, unit, allowed values, and default.
func (f *File) facts(s strict.Section, k strict.Key) string {
	text := k.Kind.Type
	if k.Kind.Section != nil {
		about := k.Kind.Section().Text
		same := func(o strict.Section) bool { return o.Text == about }
		if i := slices.IndexFunc(f.sections, same); i >= 0 && f.sections[i].Name != s.Below(k) {
			text += ", as " + f.sections[i].Name
		} else if k.Kind.Section().Shared == "" && head(s, k) != s.Below(k) {
			text += ", " + s.Below(k)
		}
	}
	if k.Unit != "" {
		text += " (" + k.Unit + ")"
	}
	switch l := k.Kind.Limits; {
	case l == nil || l.Least == 0 && l.Most == math.MaxInt64:
	case l.Most == math.MaxInt64:
		text += fmt.Sprintf(", at least %d", l.Least)
	default:
		text += fmt.Sprintf(", %d to %d", l.Least, l.Most)
	}
	if k.Kind.Means == nil && k.Kind.Values != nil {
		text += map[bool]string{true: ", such as ", false: ": "}[k.Kind.Open] + strings.Join(k.Kind.Values, ", ")
	}
	switch _, table := k.Default.(map[string]any); {
	case k.Required:
		text += "; required"
	case table || k.Default == nil:
	case k.Example == nil:
		text += "; the default"
	default:
		text += "; by default " + strict.Literal(k.Default)
	}
	if k.Since != "" {
		text += "; since " + k.Since
	}
	return text
}
