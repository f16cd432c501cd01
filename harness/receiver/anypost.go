package receiver

import (
	"errors"
	"fmt"
	"strings"

	"moobench/harness/receiver/wire"
	"moobench/refusal"
)

// wholeBody as the value of items means that the body itself is the array.
const wholeBody = "."

var postKeys = []Key{
	{
		Name: "to", Type: Text,
		About: "path of the requests that are counted, such as /v1/events; by default all. " +
			"Others are answered and not counted",
	},
	{
		Name: "items", Type: Text,
		About: `where the records are in the JSON of a request: the keys that lead to an array, with dots between, ` +
			`such as batch.events; "." is the body itself, or each of its lines. ` +
			`By default a request is a record`,
	},
}

// anyPost receives posts of an unknown protocol.
func anyPost(t Told) (protocol, error) {
	to, items := t.the("to"), t.the("items")
	count := counter(wire.Once)
	switch keys := strings.Split(items, "."); {
	case items == wholeBody:
		count = wire.Elements()
	case items != "" && strings.Contains("."+items+".", ".."):
		return protocol{}, refusal.New(fmt.Errorf("items %q has a key that is empty", items),
			`such as items = "batch.events", or "." for the body itself`)
	case items != "":
		count = wire.Elements(keys...)
	}
	if to != "" && !strings.HasPrefix(to, "/") {
		return protocol{}, refusal.New(errors.New("to is not a path"), `such as to = "/v1/events"`)
	}
	counted := &route{bodies: map[string]counter{"": count}, get: "{}", answer: answerOK}
	routes := map[string]*route{"*": counted}
	if to != "" {
		routes = map[string]*route{to: counted, "*": {get: "{}", answer: answerOK}}
	}
	return protocol{name: "posts", records: "requests", routes: routes}, nil
}
