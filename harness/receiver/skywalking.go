package receiver

import "moobench/harness/receiver/wire"

// skyWalking receives the segments that SkyWalking's agents stream by gRPC, and counts their spans.
// What else an agent asks or tells is answered by an empty message: there are no orders for it.
var skyWalking = protocol{name: "skywalking", records: "spans", routes: map[string]*route{
	"/skywalking.v3.TraceSegmentReportService/collect": {
		bodies: map[string]counter{grpcType: wire.GRPC(wire.Segment, bodyMost)}, answer: answerGRPC,
	},
	"/skywalking.v3.*": {answer: answerGRPC},
}}
