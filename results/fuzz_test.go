package results

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// read returns a file of a campaign that was written as usual.
func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// edited is data after some edits: each number but 0 draws one, which replaces up to
// 64 bytes by one byte, by a piece from elsewhere in the data, by one of the texts, or
// by nothing. go test -fuzz shortens each new input of bytes byte by byte, for up to a
// minute where it is long, and tries nothing else meanwhile; numbers it takes as they
// are. So long files are fuzzed by their edits.
func edited(data []byte, texts []string, edits ...uint64) []byte {
	for _, seed := range edits {
		if seed == 0 {
			continue
		}
		draw := rand.New(rand.NewPCG(seed, 0))
		piece := func() (from, to int) {
			from = draw.IntN(len(data) + 1)
			return from, min(from+draw.IntN(65), len(data))
		}
		var put []byte
		switch draw.IntN(4) {
		case 0:
			put = []byte{byte(draw.Uint32())}
		case 1:
			from, to := piece()
			put = data[from:to]
		case 2:
			put = []byte(texts[draw.IntN(len(texts))])
		}
		from, to := piece()
		data = slices.Concat(data[:from], put, data[to:])
	}
	return data
}

// addEdits are seeds all over the edits: the fuzzer goes on from them in small steps.
func addEdits(f *testing.F) {
	for n := range uint64(100) {
		f.Add(n*1000, uint64(0), uint64(0), uint64(0))
	}
}

// jsonTexts are values, and what makes others of those beside them.
var jsonTexts = []string{"-", "0", "1e999", "9223372036854775808", "null", "true", `""`, "[]", "{}", `"x":`, ",", "-1", ".5", "]", "}", `\u0000`, `"late"`}

// FuzzCampaign reads a campaign.json that anybody may have changed. What is opened
// must be possible to write, and then to open again.
func FuzzCampaign(f *testing.F) {
	full, err := marshal(campaignFile, fullCampaign())
	if err != nil {
		f.Fatal(err)
	}
	addEdits(f)
	f.Fuzz(func(t *testing.T, e1, e2, e3, e4 uint64) {
		c := new(Campaign)
		if c.decode(campaignFile, edited(full, jsonTexts, e1, e2, e3, e4)) != nil {
			return
		}
		again, err := marshal(campaignFile, c)
		if err != nil {
			t.Fatal(err)
		}
		if err := new(Campaign).decode(campaignFile, again); err != nil {
			t.Error(err)
		}
	})
}

func FuzzInvocation(f *testing.F) {
	s := newStore(f)
	id := Identity{1, 2, 0}
	inv := sealOne(f, s, id, 10)
	whole := read(f, s.path(invocationsDir, inv.Identity.String(), invocationFile))
	addEdits(f)
	f.Fuzz(func(t *testing.T, e1, e2, e3, e4 uint64) {
		inv, err := DecodeInvocation(invocationFile, edited(whole, jsonTexts, e1, e2, e3, e4), id)
		if err != nil {
			return
		}
		if inv.Identity != id || checkSeries(inv.Series) != nil {
			t.Errorf("%+v was let through", inv)
		}
	})
}

// FuzzSamples reads a sample file that anybody may have changed: it has exactly
// the samples that the invocation says, or is an error.
func FuzzSamples(f *testing.F) {
	s := newStore(f)
	inv := sealOne(f, s, Identity{1, 2, 0}, 300)
	whole := read(f, s.path(invocationsDir, inv.Identity.String(), samplesFile))
	inv.Series[0].Dump = ""
	addEdits(f)
	texts := []string{"\x00", "\xff\xff\xff\xff\x0f", "\x80\x80\x01", "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", "PAR1"}
	f.Fuzz(func(t *testing.T, e1, e2, e3, e4 uint64) {
		data := edited(whole, texts, e1, e2, e3, e4)
		sum := newSummariser(inv.Series)
		err := readSamples(bytes.NewReader(data), int64(len(data)), inv.Series, func(_, column int, values []int64) error {
			sum.add(0, column, values)
			return nil
		})
		if err != nil {
			return
		}
		if _, err := sum.columns(); err != nil {
			t.Error(err)
		}
	})
}

func FuzzReadDump(f *testing.F) {
	series := testSeries
	series.Count = 3
	var raw bytes.Buffer
	if err := WriteDump(&raw, series, []int64{1, 2, 3}, []int64{4, 5, 6}); err != nil {
		f.Fatal(err)
	}
	f.Add(raw.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		rows := int64(0)
		err := readDump(bytes.NewReader(data), "fuzz", series, func(columns [][]int64) error {
			rows += int64(len(columns[0]))
			return nil
		})
		if err == nil && rows != series.Count {
			t.Errorf("%d rows", rows)
		}
	})
}
