package receiver

import (
	"fmt"
	"net/http"
	"strings"

	"moobench/harness/receiver/wire"
)

// appInsights receives what Application Insights sends to its ingestion endpoint. The answer
// says how many items were taken, of which it believes whatever is a number.
var appInsights = protocol{name: "appinsights", records: "requests or dependencies", at: func(path string) *route {
	switch {
	case path == "/v2.1/track" || path == "/v2/track":
		return &route{
			bodies: map[string]counter{"": wire.ApplicationInsights},
			answer: func(w http.ResponseWriter, _ *http.Request, n int64) {
				answerJSON(w, http.StatusOK, fmt.Sprintf(`{"itemsReceived":%d,"itemsAccepted":%d,"errors":[]}`, n, n))
			},
		}
	case strings.HasPrefix(path, "/api/profiles/"):
		return &route{get: "{}"}
	}
	return nil
}}
