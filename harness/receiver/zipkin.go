package receiver

import "moobench/harness/receiver/wire"

// zipkin receives spans in the JSON format of Zipkin, version 2.
var zipkin = protocol{name: "zipkin", records: "spans", routes: map[string]*route{
	"/api/v2/spans": {bodies: map[string]counter{jsonType: wire.Elements()}, answer: accepted},
}}
