package peer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// UID is the user that the other end belongs to, -1 when it is gone.
func (p Peer) UID() int {
	if p.IsGone() {
		return -1
	}
	return p.uid
}

// IsHeldBelow says whether a process, or one that descends from it, has the
// other end open. Where it is not found, unseen says that it may be among open files
// that can't be seen: those of a process of the same user.
func (p Peer) IsHeldBelow(root int) (held, unseen bool) {
	for _, pid := range tree(root) {
		if p.IsHeldBy(pid) {
			return true, false
		}
		if f, err := os.Open(fmt.Sprintf("/proc/%d/fd", pid)); err == nil {
			f.Close()
		} else if !errors.Is(err, fs.ErrNotExist) { // else it has ended
			unseen = unseen || p.isLikely(pid)
		}
	}
	return false, unseen
}

// isLikely says whether a process has one of its user IDs in common with the other
// end; everybody may read them, whoever owns its files.
func (p Peer) isLikely(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return true
	}
	for line := range strings.Lines(string(status)) {
		if ids, ok := strings.CutPrefix(line, "Uid:"); ok {
			return slices.Contains(strings.Fields(ids), strconv.Itoa(p.uid))
		}
	}
	return true
}

// tree is a process and all that descend from it.
func tree(root int) []int {
	all := []int{root}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return all
	}
	children := map[int][]int{}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			parent := parentOf(pid)
			children[parent] = append(children[parent], pid)
		}
	}
	for i := 0; i < len(all); i++ {
		for _, child := range children[all[i]] {
			if !slices.Contains(all, child) { // processes come and go while we look
				all = append(all, child)
			}
		}
	}
	return all
}

// parentOf is the parent of a process, -1 when it has ended.
func parentOf(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return -1
	}
	// The name may hold anything, and ends at the last parenthesis; behind it are
	// the state and the parent.
	fields := strings.Fields(string(stat)[strings.LastIndexByte(string(stat), ')')+1:])
	if len(fields) < 2 {
		return -1
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return -1
	}
	return parent
}
