package receiver

import (
	"fmt"
	"net/http"

	"moobench/harness/receiver/wire"
)

// appInsights receives what Application Insights sends to its ingestion endpoint.
var appInsights = protocol{name: "appinsights", records: "requests or dependencies", routes: map[string]*route{
	"/v2.1/track":     {bodies: map[string]counter{"": wire.ApplicationInsights}, answer: tookAll},
	"/v2/track":       {bodies: map[string]counter{"": wire.ApplicationInsights}, answer: tookAll},
	"/api/profiles/*": {get: "{}"},
}}

// tookAll answers how many items were taken, of which the agent believes whatever is a number.
func tookAll(w http.ResponseWriter, _ *http.Request, n int64) {
	answerJSON(w, http.StatusOK, fmt.Sprintf(`{"itemsReceived":%d,"itemsAccepted":%d,"errors":[]}`, n, n))
}
