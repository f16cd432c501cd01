package receiver

import (
	"net/http"

	"moobench/harness/receiver/wire"
)

const (
	protobufType = "application/x-protobuf"
	jsonType     = "application/json"
	grpcType     = "application/grpc"
)

// otlp receives spans by OTLP: over HTTP as protobuf or JSON, or by unencrypted gRPC.
var otlp = protocol{name: "otlp", records: "spans", routes: map[string]*route{
	"/v1/traces":  {bodies: map[string]counter{protobufType: wire.Spans, jsonType: wire.SpansJSON}, answer: answerOTLP},
	"/v1/metrics": {answer: answerOTLP},
	"/v1/logs":    {answer: answerOTLP},
	"/opentelemetry.proto.collector.trace.v1.TraceService/Export": {
		bodies: map[string]counter{grpcType: wire.GRPC(wire.Spans, bodyMost)}, answer: answerGRPC,
	},
	"/opentelemetry.proto.collector.metrics.v1.MetricsService/Export": {answer: answerGRPC},
	"/opentelemetry.proto.collector.logs.v1.LogsService/Export":       {answer: answerGRPC},
}}

// answerOTLP answers that everything was accepted, in the format of the request.
func answerOTLP(w http.ResponseWriter, r *http.Request, _ int64) {
	if mediaType(r.Header.Get("Content-Type")) == jsonType {
		answerJSON(w, http.StatusOK, "{}")
		return
	}
	w.Header().Set("Content-Type", protobufType)
	w.Header().Set("Content-Length", "0") // an empty message
}

// answerGRPC answers with an empty message and the OK status after it.
func answerGRPC(w http.ResponseWriter, _ *http.Request, _ int64) {
	w.Header().Set("Content-Type", grpcType)
	w.Header().Set("Trailer", "Grpc-Status")
	_, _ = w.Write(make([]byte, 5))
	w.Header().Set("Grpc-Status", "0")
}
