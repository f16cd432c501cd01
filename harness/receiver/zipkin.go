package receiver

import "moobench/harness/receiver/wire"

// zipkin receives spans as Zipkin's version 2 takes them in JSON.
var zipkin = protocol{name: "zipkin", records: "spans", routes: map[string]*route{
	"/api/v2/spans": {bodies: map[string]counter{jsonType: wire.Elements()}, answer: accepted},
}}
