package framework

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/strict"
)

// queueParameter is the parameter that sets the length of the framework's own queue.
const queueParameter = "queue"

// settingName matches valid names of parameters.
var settingName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func checkParameter(name string, v strict.Value) {
	switch {
	case !settingName.MatchString(name):
		v.Fail("", "%q can't be the name of a parameter: want lower-case letters, digits and _", name)
	case slices.Contains(placeholders, name) || name == "port" || name == Prepared:
		v.Fail("choose another", "{%s} is a placeholder of moobench itself", name)
	}
}

// settingsOf reads the settings in a variant's name, such as queue=8192,ratio=0.1.
func settingsOf(text string) (map[string]string, error) {
	all := map[string]string{}
	for one := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(one, "=")
		if _, twice := all[name]; !ok || name == "" || value == "" || twice {
			return nil, fmt.Errorf("%q in %q is not a setting: want NAME=VALUE, each name once", one, settingsMark+text)
		}
		all[name] = value
	}
	return all, nil
}

// withSettings returns a variant of the set with other values of its parameters.
func (s *Set) withSettings(name, text string) (Variant, error) {
	v, err := s.Variant(name)
	if err != nil {
		return Variant{}, err
	}
	settings, err := settingsOf(text)
	if err != nil {
		return Variant{}, fmt.Errorf("%s: %w", v.Name, err)
	}
	for setting := range settings {
		if !slices.Contains(v.Parameters, setting) {
			return Variant{}, fmt.Errorf("%s has no parameter %q (%s)", v.Name, setting, parametersText(v.Parameters))
		}
	}
	d := newDraft()
	d.Variant = Variant{Framework: v.Framework, Mode: v.Mode, Stage: v.Stage, Name: v.Name}
	d.settings = settings
	v = d.read(s.chain(v.Framework)).Variant
	if queue, told := settings[queueParameter]; told && v.Queue == 0 {
		return Variant{}, fmt.Errorf("%s: %s=%s: want a number of records", v.Name, queueParameter, queue)
	}
	v.Name += settingsMark + text
	v.Stage += settingsMark + text
	v.About += ", " + strings.ReplaceAll(text, ",", ", ")
	return v, nil
}

func parametersText(names []string) string {
	if len(names) == 0 {
		return "it has none"
	}
	return "it has " + strings.Join(names, ", ")
}

// fill substitutes the values of parameters in all templates. It sets Parameters to the names
// of the parameters used there, sorted.
func (d *draft) fill() {
	values := map[string]string{}
	for name, v := range d.parameters {
		values[name] = v.Raw.(string)
	}
	maps.Copy(values, d.settings)
	used := map[string]bool{}
	put := func(template string) string {
		return token.ReplaceAllStringFunc(template, func(t string) string {
			name := strings.Trim(t, "{}")
			value, ok := values[name]
			if !ok || t == "{{" || t == "}}" {
				return t
			}
			used[name] = true
			return strings.NewReplacer("{", "{{", "}", "}}").Replace(value)
		})
	}
	all := func(templates []string) {
		for i := range templates {
			templates[i] = put(templates[i])
		}
	}
	all(d.Args)
	all(d.Env)
	all(d.ClassPath)
	for i := range d.Files {
		d.Files[i].Template = put(d.Files[i].Template)
	}
	for _, told := range d.Proof.Told {
		all(told)
	}
	d.Attach = put(d.Attach)
	d.Activate = put(d.Activate)
	d.Deactivate = put(d.Deactivate)
	d.Parameters = slices.Sorted(maps.Keys(used))
	if !used[queueParameter] {
		return
	}
	n, err := strconv.ParseInt(values[queueParameter], 10, 64)
	if at, own := d.parameters[queueParameter]; err != nil || n < 0 {
		if _, told := d.settings[queueParameter]; own && !told {
			at.Fail("", "queue is the length of the framework's own queue: want a number of records, got %q",
				values[queueParameter])
		}
		n = 0
	}
	d.Queue = n
}
