package framework

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/receiver"
	"moobench/results"
)

// besideMark separates the agents of one JVM, in loading order.
const besideMark = " + "

// mostTogether is the largest number of agents in one JVM.
const mostTogether = 4

// Recorded is an agent that makes records in a JVM, and its proof.
type Recorded struct {
	Name     string
	Receiver string         // format that it sends; "": it sends nothing
	Fault    receiver.Fault // fault that the receiver simulates
	Proof    Proof
	Port     string // placeholder of the port to which it sends, or at which it is asked
}

// Recorded returns all agents that the variant brings into a JVM, in loading order; most
// variants have one.
func (v Variant) Recorded() []Recorded {
	first := Recorded{Name: v.Name, Receiver: v.Receiver, Fault: v.Fault, Proof: v.Proof, Port: "port"}
	if len(v.Beside) > 0 {
		first.Name, _, _ = strings.Cut(v.Name, besideMark)
	}
	return append([]Recorded{first}, v.Beside...)
}

// together returns the variant with several agents in one JVM. It combines their requirements
// in the order in which they are named, and each agent keeps its own proof.
func (s *Set) together(name string) (Variant, error) {
	names := strings.Split(name, besideMark)
	if len(names) > mostTogether {
		return Variant{}, fmt.Errorf("%q: more than %d agents in one JVM", name, mostTogether)
	}
	var all []Variant
	for _, n := range names {
		v, err := s.Variant(strings.TrimSpace(n))
		if err != nil {
			return Variant{}, err
		}
		if v.Name == None {
			return Variant{}, fmt.Errorf("%q: %s is not an agent", name, None)
		}
		if slices.ContainsFunc(all, func(o Variant) bool { return o.Name == v.Name }) {
			return Variant{}, fmt.Errorf("%q: %s is named twice", name, v.Name)
		}
		all = append(all, v)
	}
	named := func(of func(v Variant) string) string { return strings.Join(results.Each(all, of), besideMark) }
	both := all[0]
	both.Path = nil
	both.Change = ""
	both.Usual = false
	for i, v := range all[1:] {
		if err := both.add(v.renamed(i + 2)); err != nil {
			return Variant{}, fmt.Errorf("%q: %w", name, err)
		}
	}
	both.Name = named(func(v Variant) string { return v.Name })
	both.Framework = named(func(v Variant) string { return v.Framework })
	both.Mode = "together"
	both.Stage = "default"
	both.Body = "together"
	both.About = named(func(v Variant) string { return v.About })
	licenses := results.Each(all, func(v Variant) string { return v.License })
	slices.Sort(licenses)
	both.License = strings.Join(slices.Compact(licenses), ", ")
	// A sibling that proves one of them runs next to the same others.
	for i, v := range all {
		if v.Proof.Sibling == "" {
			continue
		}
		proving := results.Each(all, func(v Variant) string { return v.Name })
		proving[i] = v.Proof.Sibling
		if i == 0 {
			both.Proof.Sibling = strings.Join(proving, besideMark)
		} else {
			both.Beside[i-1].Proof.Sibling = strings.Join(proving, besideMark)
		}
	}
	return both, nil
}

// renamed returns the variant as the nth of a JVM: its jars, files and port get unique names.
func (v Variant) renamed(n int) (renamed Variant, port string) {
	suffix := "-" + strconv.Itoa(n)
	names := map[string]string{"{port}": "{port" + suffix + "}"}
	v.Artifacts = slices.Clone(v.Artifacts)
	v.Files = slices.Clone(v.Files)
	for i, a := range v.Artifacts {
		names["{jar."+a.Name+"}"] = "{jar." + a.Name + suffix + "}"
		v.Artifacts[i].Name += suffix
	}
	for i, f := range v.Files { // prefix the number: the extension may indicate the file's type
		names["{file."+f.Name+"}"] = "{file." + strconv.Itoa(n) + "-" + f.Name + "}"
		v.Files[i].Name = strconv.Itoa(n) + "-" + f.Name
	}
	rename := func(text string) string {
		return token.ReplaceAllStringFunc(text, func(t string) string {
			if renamed := names[t]; renamed != "" {
				return renamed
			}
			return t
		})
	}
	for _, texts := range []*[]string{&v.ClassPath, &v.Args, &v.Env, &v.Prepare.Run} {
		*texts = results.Each(*texts, rename)
	}
	for _, text := range []*string{&v.Attach, &v.Activate, &v.Deactivate, &v.Prepare.Of} {
		*text = rename(*text)
	}
	for i, f := range v.Files {
		v.Files[i].Template = rename(f.Template)
	}
	if v.Proof.Told != nil {
		told := receiver.Told{}
		for key, texts := range v.Proof.Told {
			told[key] = results.Each(texts, rename)
		}
		v.Proof.Told = told
	}
	return v, "port" + suffix
}

// add adds another variant to the same JVM, after those already there.
func (v *Variant) add(other Variant, port string) error {
	one := func(what string, a, b string) (string, error) {
		if a != "" && b != "" && a != b {
			return "", fmt.Errorf("both say what is %s, and a JVM has one", what)
		}
		return a + strings.TrimPrefix(b, a), nil
	}
	var err error
	for _, single := range []struct {
		what string
		a    *string
		b    string
	}{
		{"called (target)", &v.Target, other.Target},
		{"prepared", &v.Prepare.Of, other.Prepare.Of},
		{"installed (home)", &v.Home, other.Home},
	} {
		if *single.a, err = one(single.what, *single.a, single.b); err != nil {
			return err
		}
	}
	if len(v.Prepare.Run) == 0 {
		v.Prepare = other.Prepare
	}
	for _, e := range other.Env {
		name, _, _ := strings.Cut(e, "=")
		i := slices.IndexFunc(v.Env, func(own string) bool { return strings.HasPrefix(own, name+"=") })
		if i >= 0 && v.Env[i] != e {
			return fmt.Errorf("both set %s in the environment, to different values", name)
		}
	}
	if v.Activate+v.Attach+other.Activate+other.Attach != "" {
		return errors.New("an agent put into the running JVM can't go with another one")
	}
	v.Env = slices.Compact(slices.Sorted(slices.Values(slices.Concat(v.Env, other.Env))))
	v.Args = slices.Concat(v.Args, other.Args)
	additional := slices.DeleteFunc(slices.Clone(other.ClassPath), func(p string) bool {
		return slices.Contains(v.ClassPath, p)
	})
	v.ClassPath = slices.Concat(v.ClassPath, additional)
	v.Artifacts = slices.Concat(v.Artifacts, other.Artifacts)
	v.Fixtures = slices.Concat(v.Fixtures, other.Fixtures)
	v.Files = slices.Concat(v.Files, other.Files)
	v.narrow(other)
	v.Beside = append(slices.Clone(v.Beside), Recorded{
		Name:     other.Name,
		Receiver: other.Receiver,
		Fault:    other.Fault,
		Proof:    other.Proof,
		Port:     port,
	})
	return nil
}
