package results

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
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

// FuzzOpen reads a campaign.json that anybody may have written. What is opened
// must be possible to write, and then to open again.
func FuzzOpen(f *testing.F) {
	s := newStore(f)
	f.Add(read(f, s.path(campaignFile)))
	*s.Campaign() = *fullCampaign()
	if err := s.SaveCampaign(); err != nil {
		f.Fatal(err)
	}
	f.Add(read(f, s.path(campaignFile)))
	f.Add([]byte(`{"format":1,"scenarios":[{"window":"late","sizing":{"pilot":-1},"questions":[{"alpha":7,"margin":{"share":-1}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := errors.Join(os.Mkdir(filepath.Join(dir, invocationsDir), 0o777), os.WriteFile(filepath.Join(dir, campaignFile), data, 0o666)); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir)
		if err != nil {
			return
		}
		if err := s.SaveCampaign(); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); err != nil {
			t.Error(err)
		}
	})
}

func FuzzReadInvocation(f *testing.F) {
	s := newStore(f)
	inv := sealOne(f, s, Identity{1, 2, 0}, 10)
	f.Add(read(f, s.path(invocationsDir, inv.Identity.String(), invocationFile)))
	f.Add([]byte(`{"format":1,"block":1,"slot":2,"repeat":0,"series":[{"name":"x","count":-1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := filepath.Join(t.TempDir(), "b0001.s02.r0")
		if err := errors.Join(os.Mkdir(dir, 0o777), os.WriteFile(filepath.Join(dir, invocationFile), data, 0o666)); err != nil {
			t.Fatal(err)
		}
		inv, err := readInvocation(dir)
		if err != nil {
			return
		}
		if inv.Identity != (Identity{1, 2, 0}) || checkSeries(inv.Series) != nil {
			t.Errorf("%+v was let through", inv)
		}
	})
}

// FuzzSamples reads a sample file that anybody may have written: it has exactly
// the samples that the invocation says, or is an error.
func FuzzSamples(f *testing.F) {
	s := newStore(f)
	inv := sealOne(f, s, Identity{1, 2, 0}, 300)
	f.Add(read(f, s.path(invocationsDir, inv.Identity.String(), samplesFile)))
	inv.Series[0].Dump = ""
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := newSummariser(inv.Series[0])
		err := readSamples(bytes.NewReader(data), int64(len(data)), inv.Series, func(_, column int, values []int64) error {
			sum.addColumn(column, values)
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
