package wire

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tinylib/msgp/msgp"
	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"
)

func message(field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, field, protowire.BytesType), v)
}

// spans is an ExportTraceServiceRequest with so many spans.
func spans(n int) []byte {
	var scope []byte
	for range n {
		scope = append(scope, message(2, []byte("\x2a\x01m"))...)
	}
	return message(1, append(message(1, nil), message(2, scope)...))
}

// nested are arrays, the innermost with a number.
func nested(deep int) string { return strings.Repeat("[", deep) + "1" + strings.Repeat("]", deep) }

var longest = strings.Repeat("k", longestKey)

// fields are a number, 4 bytes, 8 bytes and a text in a field that nobody looks for.
func fields(number protowire.Number) []byte {
	b := protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), 1<<63)
	b = protowire.AppendFixed32(protowire.AppendTag(b, number, protowire.Fixed32Type), 1<<31)
	b = protowire.AppendFixed64(protowire.AppendTag(b, number, protowire.Fixed64Type), 1<<63)
	return append(b, message(number, []byte("text"))...)
}

// call is a message of gRPC, packed or not.
func call(body []byte, pack bool) []byte {
	kind := byte(0)
	if pack {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		z.Write(body)
		z.Close()
		kind, body = 1, out.Bytes()
	}
	return append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(body))), body...)
}

// datadogs are traces of so many spans each.
func datadogs(v05 bool, spans ...int) []byte {
	var b []byte
	if v05 {
		b = msgp.AppendString(msgp.AppendArrayHeader(msgp.AppendArrayHeader(b, 2), 1), "GET /")
	}
	b = msgp.AppendArrayHeader(b, uint32(len(spans)))
	for _, n := range spans {
		b = msgp.AppendArrayHeader(b, uint32(n))
		for i := range n {
			if v05 {
				b = msgp.AppendInt(msgp.AppendInt(msgp.AppendArrayHeader(b, 2), 0), i)
				continue
			}
			b = msgp.AppendString(msgp.AppendMapHeader(b, 2), "name")
			b = msgp.AppendString(b, "m")
			b = msgp.AppendInt(msgp.AppendString(b, "id"), i)
		}
	}
	return b
}

const otlpJSON = `{"resourceSpans":[{"resource":{"spans":[1,2]},"scopeSpans":[{"spans":[{"name":"a\"]"},{"name":"b"}]},{"spans":[]}]},
	{"scopeSpans":[{"scope":{},"spans":[{"attributes":[{"value":{"arrayValue":{"values":[1,2,3]}}}]}]}]}]}`

const elasticLines = `{"metadata":{"service":{"name":"x"}}}
{"transaction":{"id":"1","span_count":{"started":2}}}
{"span":{"id":"2"}}
{"metricset":{"samples":{}}}
{"span":{"id":"3","context":{"span":"no"}}}
`

const insights = `{"ver":1,"name":"Request","tags":{"data":"x"},"data":{"baseType":"RequestData","baseData":{"id":"1"}}}
{"ver":1,"name":"Message","data":{"baseData":{"baseType":"RequestData"},"baseType":"MessageData"}}
{"ver":1,"data":{"baseType":"RemoteDependencyData","baseData":{}}}`

var cases = []struct {
	name  string
	count func(*bufio.Reader) (int64, error)
	in    string
	want  int64
	err   string
}{
	{"spans", Spans, string(spans(512)), 512, ""},
	{"no span", Spans, "", 0, ""},
	{"two resources", Spans, string(append(spans(3), spans(4)...)), 7, ""},
	{"unknown fields", Spans, string(append(message(77, []byte("later")), spans(2)...)), 2, ""},
	{"truncated", Spans, string(spans(5)[:20]), 0, "unexpected EOF"},
	{"wrong type", Spans, string(protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 3)), 0, "want a message"},
	{"text for protobuf", Spans, otlpJSON, 0, "not an ExportTraceServiceRequest"},
	{"fields of each kind", Spans, string(slices.Concat(fields(77), spans(2), fields(78))), 2, ""},
	{"fields of each kind, inside", Spans, string(message(1, slices.Concat(fields(7), message(2, fields(7))))), 0, ""},
	{"half a field of 4 bytes", Spans, string(spans(1)) + "\x3d\x01\x02\x03", 1, "after 1 spans): unexpected EOF"},
	{"half a field of 8 bytes", Spans, string(spans(1)) + "\x39\x01\x02\x03\x04\x05\x06\x07", 1, "unexpected EOF"},
	{"4 bytes too many for their message", Spans, "\x0a\x04\x3d\x01\x02\x03\x04", 0, "unexpected EOF"},
	{"4 bytes in their message", Spans, "\x0a\x05\x3d\x01\x02\x03\x04", 0, ""},
	{"8 bytes too many for their message", Spans, "\x0a\x08\x39\x01\x02\x03\x04\x05\x06\x07\x08", 0, "unexpected EOF"},
	{"8 bytes in their message", Spans, "\x0a\x09\x39\x01\x02\x03\x04\x05\x06\x07\x08", 0, ""},
	{"a number that leaves its message", Spans, "\x0a\x02\x38\x80\x01", 0, "unexpected EOF"},
	{"a number in its message", Spans, "\x0a\x03\x38\x80\x01", 0, ""},
	{"a number of 65 bits", Spans, "\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 0, "more than 64 bits"},
	{"a number of 64 bits", Spans, "\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 0, ""},
	{"field 0", Spans, "\x00\x00", 0, "without a valid number"},
	{"a group", Spans, "\x3b\x3c", 0, "wire type 3, which nobody writes"},
	{"a length of 2^63", Spans, "\x3a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 0, "unexpected EOF"},
	{"profiles", Profiles, string(spans(2)), 2, ""},
	{"OTLP in JSON", SpansJSON, otlpJSON, 3, ""},
	{"half of it", SpansJSON, otlpJSON[:len(otlpJSON)-3], 3, "unexpected EOF"},
	{"Zipkin", Elements(), ` [ {"id":"1"} , {"tags":{"a":"]"}},{}]`, 3, ""},
	{"nothing", Elements(), ``, 0, ""},
	{"an empty array", Elements(), `[]`, 0, ""},
	{"a comma too many", Elements(), `[{},]`, 1, "where a value was to come"},
	{"no comma", Elements(), `[{}{}]`, 1, "was to come"},
	{"lines of objects", Elements(), "{\"a\":1}\n{\"a\":2}\n\n[1,2]\n", 4, ""},
	{"below keys", Elements("batch", "events"), `{"events":[1],"batch":{"n":1,"events":["a","b"]}}`, 2, ""},
	{"an object where an array could be", Elements("events"), `{"events":{"id":1}}`, 1, ""},
	{"null", Elements("events"), `{"events":null}`, 0, ""},
	{"long strings", Elements(), `["` + strings.Repeat(`x\"`, 5000) + `","\\"]`, 2, ""},
	{"a string without end", Elements(), `["` + strings.Repeat(`x\"`, 5000), 0, "unexpected EOF"},
	{"too deep", Elements("a"), `{"b":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, 0, "nested more than"},
	{"arrays without end", Elements("a"), strings.Repeat("[", 300), 0, "nested more than"},
	{"objects without end", Elements(), strings.Repeat(`{"a":`, 300), 0, "nested more than"},
	{"spans without end", SpansJSON, strings.Repeat(`[`, 150) + `{"resourceSpans":` + strings.Repeat(`[`, 150), 0, "nested more than"},
	{"lines without end", Elastic, `{"span":` + strings.Repeat(`{"a":[`, 300), 0, "nested more than"},
	{"envelopes without end", ApplicationInsights, `{"x":` + strings.Repeat(`[`, 300), 0, "nested more than"},
	{"as deep as may be", Elements("a"), `{"b":` + nested(200) + `}`, 0, ""},
	{"one deeper", Elements("a"), `{"b":` + nested(201) + `}`, 0, "nested more than"},
	{"arrays as deep as may be", Elements("a"), nested(200), 0, ""},
	{"arrays one deeper", Elements("a"), nested(201), 0, "nested more than"},
	{"no array", Elements(), `7`, 0, ""},
	{"words", Elements(), `[aa,zz,AA,ZZ,09,+-.1e5]`, 6, ""},
	{"before the letters", Elements(), "[\x60]", 0, "where a value was to come"},
	{"behind the letters", Elements(), `[{]`, 0, "was to come"},
	{"behind the digits", Elements(), `[9:]`, 1, "':' where"},
	{"before the digits", Elements(), `[0/]`, 1, "'/' where"},
	{"a word with a sign behind", Elements(), `[1"a"]`, 1, "was to come"},
	{"white space", Elements(), "\t\r\n [\t1\r,\n2 ]\t\r\n ", 2, ""},
	{"no colon", Elements(), `{"a",1}`, 0, "where ':' was to come"},
	{"no key", Elements(), `{1:1}`, 0, "'1' where '\"' was to come"},
	{"no end of an object", Elements(), `{"a":1]`, 0, "']' where ',' or '}' was to come"},
	{"a key that begins like ours", Elements("events"), `{"eventsX":[1],"event":[1],"events":[1]}`, 1, ""},
	{"a long key", Elements(longest), `{"` + longest + `":[1,2]}`, 2, ""},
	{"a list without end", Elements("a"), `{"a":[1,2`, 2, "unexpected EOF"},
	{"a word", Elements(), `nonsense!`, 0, "was to come"},
	{"Elastic", Elastic, elasticLines, 3, ""},
	{"half a line of Elastic", Elastic, elasticLines[:80], 0, "unexpected EOF"},
	{"Application Insights", ApplicationInsights, insights, 2, ""},
	{"in an array", ApplicationInsights, "[" + strings.ReplaceAll(insights, "}\n", "},\n") + "]", 2, ""},
	{"Datadog 0.4", Datadog04, string(datadogs(false, 3, 0, 2)), 5, ""},
	{"Datadog 0.5", Datadog05, string(datadogs(true, 3, 0, 2)), 5, ""},
	{"0.5 for 0.4", Datadog04, string(datadogs(true, 3)), 0, "not Datadog's traces"},
	{"0.4 for 0.5", Datadog05, string(datadogs(false, 3, 1, 1)), 0, "want strings and traces"},
	{"half of Datadog", Datadog04, string(datadogs(false, 3)[:12]), 0, "unexpected EOF"},
	{"Datadog announces", Datadog04, "\xdd\xff\xff\xff\xff\xdd\xff\xff\xff\xff\x80", 1, "unexpected EOF"},
	{"Datadog without end", Datadog04, "\xdd\x00\x00\x00\x01\x91\x81" + strings.Repeat("\x91", 300), 0, "recursion"},
	{"strings without end", Datadog05, "\x92" + strings.Repeat("\x91", 300), 0, "recursion"},
	{"a string of 4 GiB", Datadog05, "\x92\xdb\xff\xff\xff\xffabc", 0, "unexpected EOF"},
	{"SkyWalking", Segment, string(slices.Concat(message(1, []byte("trace")), message(3, []byte("\x08\x01")), message(3, nil), message(4, []byte("service")))), 2, ""},
	{"half of a segment", Segment, string(message(3, []byte("\x08\x01"))[:3]), 0, "not a SegmentObject"},
	{"gRPC", GRPC(Spans, 1<<20), string(append(call(spans(2), false), call(spans(3), true)...)), 5, ""},
	{"gRPC, half a head", GRPC(Spans, 1<<20), "\x00\x00", 0, "no whole head"},
	{"gRPC, half a message", GRPC(Spans, 1<<20), string(call(spans(2), false)[:9]), 0, "unexpected EOF"},
	{"gRPC, packed otherwise", GRPC(Spans, 1<<20), "\x07\x00\x00\x00\x00", 0, "want 0 or 1"},
	{"gRPC, unpacked too long", GRPC(Spans, 10), string(call(spans(9), true)), 0, "more than 10 bytes, unpacked"},
	{"gRPC, together too long", GRPC(Spans, 32), strings.Repeat(string(call(spans(2), true)), 3), 4, "more than 32 bytes, unpacked"},
	{"gRPC, just as long", GRPC(Spans, 32), strings.Repeat(string(call(spans(2), true)), 2), 4, ""},
	{"gRPC, announced too long", GRPC(Spans, 1<<20), "\x00\xff\xff\xff\xff\x0a\x00", 0, "unexpected EOF"},
	{"one upload", Once, "whatever", 1, ""},
}

// TestCounts counts each body whole, and byte by byte.
func TestCounts(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, in := range []*bufio.Reader{
				bufio.NewReader(strings.NewReader(c.in)),
				bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(c.in)), 16),
			} {
				n, err := c.count(in)
				if n != c.want {
					t.Errorf("%d records, want %d", n, c.want)
				}
				if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %q", err, c.err)
				}
			}
		})
	}
}

// TestElementsOfAnything: whatever values are drawn, their number comes back.
func TestElementsOfAnything(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"1", "-2.5e+3", `""`, `"]}\"\\"`, "null", "[]", "[[1,2],{}]", `{"events":[1,2]}`, "true"}).Draw(t, "value")
	})
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(value, 0, 20).Draw(t, "values")
		space := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "space")
		body := fmt.Sprintf(`{"a":%s,"b":{"events":%s[%s]},"c":[]}`, value.Draw(t, "a"), space, strings.Join(values, space+","+space))
		n, err := Elements("b", "events")(bufio.NewReader(strings.NewReader(body)))
		if n != int64(len(values)) || err != nil {
			t.Fatalf("%d of %d in %s: %v", n, len(values), body, err)
		}
	})
}

// TestCountsAllocateLittle: what is counted is not kept.
func TestCountsAllocateLittle(t *testing.T) {
	many := strings.Repeat(`{"span":{"id":"0123456789abcdef","context":{"tags":{"a":"b"}}}},`, 20_000)
	for name, c := range map[string]struct {
		count func(*bufio.Reader) (int64, error)
		in    []byte
	}{
		"json":    {Elements(), []byte("[" + strings.TrimSuffix(many, ",") + "]")},
		"elastic": {Elastic, []byte(strings.ReplaceAll(many, "},", "}\n"))},
		"spans":   {Spans, spans(20_000)},
		"datadog": {Datadog04, datadogs(false, 20_000)},
	} {
		in, buffered := bytes.NewReader(nil), bufio.NewReaderSize(nil, 32<<10)
		allocated := testing.AllocsPerRun(1, func() {
			in.Reset(c.in)
			buffered.Reset(in)
			if n, err := c.count(buffered); n != 20_000 || err != nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		})
		if allocated > 100_000 {
			t.Errorf("%s: %v allocations", name, allocated)
		}
	}
}

func FuzzCounts(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, c := range cases {
			if n, _ := c.count(bufio.NewReader(bytes.NewReader(in))); n > int64(len(in))+1 {
				t.Fatalf("%s: %d records in %d bytes", c.name, n, len(in))
			}
		}
	})
}

func BenchmarkSpans(b *testing.B) { benchmark(b, Spans, spans(512)) }

func BenchmarkSpansJSON(b *testing.B) {
	benchmark(b, Elements("spans"), []byte(`{"spans":[`+strings.Repeat(`{"traceId":"0123456789abcdef0123456789abcdef","name":"Plain.monitoredMethod","attributes":[]},`, 511)+`{}]}`))
}

func benchmark(b *testing.B, count func(*bufio.Reader) (int64, error), body []byte) {
	in, buffered := bytes.NewReader(nil), bufio.NewReaderSize(nil, 32<<10)
	b.ReportAllocs()
	for b.Loop() {
		in.Reset(body)
		buffered.Reset(in)
		if n, err := count(buffered); n != 512 || err != nil {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/512, "ns/record")
}
