package receiver

import "moobench/harness/receiver/wire"

// zipkin receives spans as Zipkin's version 2 takes them in JSON.
var zipkin = protocol{name: "zipkin", records: "spans", at: func(path string) *route {
	if path != "/api/v2/spans" {
		return nil
	}
	return &route{
		bodies: map[string]counter{jsonType: wire.Elements()},
		answer: accepted,
	}
}}
