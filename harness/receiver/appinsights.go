package receiver

import (
	"fmt"
	"net/http"

	"moobench/harness/receiver/wire"
)

// appInsights receives Application Insights' requests to its ingestion endpoint.
var appInsights = protocol{name: "appinsights", records: "requests or dependencies", routes: map[string]*route{
	"/v2.1/track":     {bodies: map[string]counter{"": wire.ApplicationInsights}, answer: tookAll},
	"/v2/track":       {bodies: map[string]counter{"": wire.ApplicationInsights}, answer: tookAll},
	"/api/profiles/*": {get: "{}"},
}}

// tookAll answers that all items were accepted. The agent believes any number.
func tookAll(w http.ResponseWriter, _ *http.Request, n int64) {
	answerJSON(w, http.StatusOK, fmt.Sprintf(`{"itemsReceived":%d,"itemsAccepted":%d,"errors":[]}`, n, n))
}
