package receiver

import (
	"net/http"
	"strings"

	"moobench/harness/receiver/wire"
)

// datadog receives what Datadog's tracers send to Datadog's agent. They ask first what it can,
// and are told which share of the traces to keep.
var datadog = protocol{name: "datadog", records: "spans", at: func(path string) *route {
	const msgpack = "application/msgpack"
	keepAll := func(w http.ResponseWriter, _ *http.Request, _ int64) {
		answerJSON(w, http.StatusOK, `{"rate_by_service":{"service:,env:":1}}`)
	}
	switch path {
	case "/info":
		return &route{get: `{"version":"7.60.0","endpoints":["/v0.4/traces","/v0.5/traces"],"client_drop_p0s":false}`}
	case "/v0.3/traces", "/v0.4/traces":
		return &route{bodies: map[string]counter{msgpack: wire.Datadog04}, answer: keepAll}
	case "/v0.5/traces":
		return &route{bodies: map[string]counter{msgpack: wire.Datadog05}, answer: keepAll}
	}
	// Telemetry, statistics, remote configuration and what the debugger finds.
	for _, other := range []string{"/telemetry/", "/v0.6/stats", "/v0.7/config", "/debugger/", "/evp_proxy/", "/profiling/"} {
		if strings.HasPrefix(path, other) {
			return &route{}
		}
	}
	return nil
}}
