package config

import "path/filepath"

// jvm reads the section [jvm]. A list of one JDK is that JDK: it is no factor.
func (r *reader) jvm(v any, at []any) JVM {
	var j JVM
	given := r.table(v, at, fields{
		"home":  func(v any, at []any) { j.Home = r.text(v, at) },
		"homes": func(v any, at []any) { j.Homes = r.folders(v, at) },
		"args":  func(v any, at []any) { j.Args = r.texts(v, at) },
	})
	_, one := given["home"]
	_, several := given["homes"]
	if one && several {
		r.fail(under(at, "homes"), "take one of them out: homes are several JDKs, each of which is measured", "home and homes contradict each other")
	}
	if len(j.Homes) == 1 {
		j.Home, j.Homes = j.Homes[0], nil
	}
	return j
}

// folders is a list of different folders.
func (r *reader) folders(v any, at []any) []string {
	all := r.texts(v, at)
	for i, folder := range all {
		if folder != "" {
			all[i] = filepath.Clean(folder)
		}
	}
	r.distinct(v, all, at)
	return all
}
