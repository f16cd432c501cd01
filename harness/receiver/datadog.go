package receiver

import (
	"net/http"

	"moobench/harness/receiver/wire"
)

const msgpackType = "application/msgpack"

// datadog receives the requests of Datadog's tracers to Datadog's agent. A tracer first asks for its features, and
// is told which share of the traces to keep. It also sends telemetry, statistics and debugger data, and asks for
// its configuration.
var datadog = protocol{name: "datadog", records: "spans", routes: map[string]*route{
	"/info":        {get: `{"version":"7.60.0","endpoints":["/v0.4/traces","/v0.5/traces"],"client_drop_p0s":false}`},
	"/v0.3/traces": {bodies: map[string]counter{msgpackType: wire.Datadog04}, answer: keepAll},
	"/v0.4/traces": {bodies: map[string]counter{msgpackType: wire.Datadog04}, answer: keepAll},
	"/v0.5/traces": {bodies: map[string]counter{msgpackType: wire.Datadog05}, answer: keepAll},

	"/telemetry/*": {}, "/v0.6/stats*": {}, "/v0.7/config*": {},
	"/debugger/*": {}, "/evp_proxy/*": {}, "/profiling/*": {},
}}

// keepAll answers that all traces shall be kept.
func keepAll(w http.ResponseWriter, _ *http.Request, _ int64) {
	answerJSON(w, http.StatusOK, `{"rate_by_service":{"service:,env:":1}}`)
}
