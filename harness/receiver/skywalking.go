package receiver

import "moobench/harness/receiver/wire"

// skyWalking receives the segments that SkyWalking's agents stream by gRPC, and counts their spans. Other calls of
// an agent are answered with an empty message: we have no commands for it.
var skyWalking = protocol{name: "skywalking", records: "spans", routes: map[string]*route{
	"/skywalking.v3.TraceSegmentReportService/collect": {
		bodies: map[string]counter{grpcType: wire.GRPC(wire.Segment, bodyMost)}, answer: answerGRPC,
	},
	"/skywalking.v3.*": {answer: answerGRPC},
}}
