// Package rooms has a line of each kind.
package rooms

/*
Room is what a house has. It has the translator's form.
*/
type Room struct {
	name string // a comment behind code is not counted
}

// Door opens a room.
func Door(r Room) string {
	return open(r)
}

func open(r Room) string {
	if r.name == "" {
		return "a line that is so long that it has more than one hundred and twenty columns, of which each tab takes four"
	}
	return twice(r.name) + twice(r.name)
}

func twice(name string) string {
	return name + name
}
