package receiver

import "moobench/harness/receiver/wire"

// profiles receives what continuous profilers upload: files to /ingest, of which each is one
// record, or OTLP's profiles. How many samples are in them hangs on the clock, and proves
// nothing more than one upload does.
var profiles = protocol{name: "profiles", records: "uploads", at: func(path string) *route {
	switch path {
	case "/ingest":
		return &route{bodies: map[string]counter{"": wire.Once}}
	case "/v1development/profiles", "/v1/profiles":
		return &route{bodies: map[string]counter{protobufType: wire.Profiles}, answer: answerOTLP}
	case "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export":
		return &route{bodies: map[string]counter{grpcType: wire.GRPC(wire.Profiles, bodyMost)}, answer: answerGRPC}
	}
	return nil
}}
