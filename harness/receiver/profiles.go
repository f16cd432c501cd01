package receiver

import "moobench/harness/receiver/wire"

// profiles receives uploads of continuous profilers: files posted to /ingest, each of which is one record, or OTLP
// profiles. The number of samples in them depends on the clock, and proves no more than one upload does.
var profiles = protocol{name: "profiles", records: "uploads", routes: map[string]*route{
	"/ingest":                 {bodies: map[string]counter{"": wire.Once}},
	"/v1development/profiles": {bodies: map[string]counter{protobufType: wire.Profiles}, answer: answerOTLP},
	"/v1/profiles":            {bodies: map[string]counter{protobufType: wire.Profiles}, answer: answerOTLP},
	"/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export": {
		bodies: map[string]counter{grpcType: wire.GRPC(wire.Profiles, bodyMost)}, answer: answerGRPC,
	},
}}
