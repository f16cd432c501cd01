package framework

import "slices"

// Uses says whether something of the variant is filled in by a placeholder,
// named without its braces.
func (v Variant) Uses(placeholder string) bool {
	templates := slices.Concat(v.ClassPath, v.Args, v.Env, []string{v.Attach, v.Activate, v.Deactivate})
	for _, f := range v.Files {
		templates = append(templates, f.Template)
	}
	for _, t := range templates {
		if slices.Contains(token.FindAllString(t, -1), "{"+placeholder+"}") {
			return true
		}
	}
	return false
}
