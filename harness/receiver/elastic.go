package receiver

import "moobench/harness/receiver/wire"

// elastic receives the requests of Elastic's agents to an APM server. They first ask for the server's version.
var elastic = protocol{name: "elastic", records: "transactions or spans", routes: map[string]*route{
	"/": {
		get: `{"build_date":"2024-01-01T00:00:00Z","build_sha":"0","publish_ready":true,"version":"8.15.0"}`,
	},
	"/intake/v2/events": {bodies: map[string]counter{"application/x-ndjson": wire.Elastic}, answer: accepted},
	"/config/v1/agents": {get: "{}"},
}}
