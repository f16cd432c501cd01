package testmachine

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	cpuDir     = "sys/devices/system/cpu"
	smtControl = cpuDir + "/smt/control"
)

// switchSMT removes all CPUs of a core but the first, with their settings, or brings them back with fresh ones.
func (k *Kernel) switchSMT(to string) error {
	b, err := fs.ReadFile(k.files, smtControl)
	if err == nil {
		err = k.rules.refuses("open", smtControl)
	}
	now := strings.TrimSpace(string(b))
	switch {
	case err != nil:
		return err
	case now != "on" && now != "off":
		return &fs.PathError{Op: "write", Path: smtControl, Err: unix.ENODEV}
	case to != "on" && to != "off" || k.rules.has("rejects", smtControl):
		return &fs.PathError{Op: "write", Path: smtControl, Err: unix.EINVAL}
	case to == now || k.rules.has("ignores", smtControl):
		return nil
	case to == "off":
		k.takeAway()
	default:
		k.bringBack()
	}
	k.put(smtControl, to+"\n")
	return nil
}

func (k *Kernel) takeAway() {
	var gone, online []string
	lists := k.paths(cpuDir + "/cpu[0-9]*/topology/core_cpus_list")
	if len(lists) == 0 {
		lists = k.paths(cpuDir + "/cpu[0-9]*/topology/thread_siblings_list")
	}
	for _, list := range lists {
		cpu := strings.TrimPrefix(path.Dir(path.Dir(list)), cpuDir+"/cpu")
		first := strings.FieldsFunc(string(k.files[list].Data), func(r rune) bool { return r < '0' || r > '9' })[0]
		if cpu == first {
			online = append(online, cpu)
		} else {
			gone = append(gone, cpu)
		}
	}
	for _, cpu := range gone {
		settings := append(k.paths(cpuDir+"/cpu"+cpu+"/cpufreq/*"), k.paths(cpuDir+"/cpu"+cpu+"/topology/*")...)
		for _, name := range settings {
			k.away[name] = string(k.files[name].Data)
			delete(k.files, name)
		}
		k.swap(cpuDir+"/cpu"+cpu+"/online", "0\n")
	}
	slices.SortFunc(online, func(a, b string) int { return number(a) - number(b) })
	k.swap(cpuDir+"/online", strings.Join(online, ",")+"\n")
	k.swap(cpuDir+"/smt/active", "0\n")
	for _, cpu := range online {
		k.swap(cpuDir+"/cpu"+cpu+"/topology/core_cpus_list", cpu+"\n")
		k.swap(cpuDir+"/cpu"+cpu+"/topology/thread_siblings_list", cpu+"\n")
	}
}

// swap saves the content of a file until the CPUs come back, and replaces it.
func (k *Kernel) swap(name, content string) {
	if f, ok := k.files[name]; ok {
		k.away[name] = string(f.Data)
		k.put(name, content)
	}
}

func (k *Kernel) bringBack() {
	for name, content := range k.away {
		for _, r := range k.rules.list {
			if r.verb == "fresh" && matches(r.args[0], name) {
				content = r.args[1] + "\n"
			}
		}
		k.put(name, content)
	}
	clear(k.away)
}

func (k *Kernel) paths(pattern string) []string {
	paths, err := fs.Glob(k.files, pattern)
	if err != nil {
		return nil
	}
	return paths
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}
