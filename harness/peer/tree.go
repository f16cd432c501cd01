package peer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"moobench/harness/proc"
)

// UID is the user that the other end belongs to, -1 when it is gone.
func (p Peer) UID() int {
	if p.IsGone() {
		return -1
	}
	return p.uid
}

// IsHeldBelow reports whether a process, or one that descends from it, has the other end
// open. Where none is found, unseen means that it may be among open files that can't be
// seen: those of a process of the same user.
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

// isLikely reports whether a process shares a user ID with the other end; everybody may
// read those, whoever owns its files.
func (p Peer) isLikely(pid int) bool {
	ids := proc.Status(pid, "Uid:")
	return ids == nil || slices.Contains(ids, strconv.Itoa(p.uid))
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
			parent := proc.ParentOf(pid)
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
