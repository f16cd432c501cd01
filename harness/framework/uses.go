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

// PerRequest is what a proof says in per_call whose records are counted by
// request: its variant monitors what an application does with requests, and no
// method of ours. It is the name of a parameter, of the scenarios that send some.
const PerRequest = "records_per_request"

// ByRequest says whether a variant, or the one that proves it, is counted by
// request.
func (s *Set) ByRequest(name string) bool {
	p := s.variants[name].Proof
	return p.PerCall == PerRequest || s.variants[p.Sibling].Proof.PerCall == PerRequest
}
