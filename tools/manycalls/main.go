// Manycalls makes up a campaign, to measure the speed and the memory of the analysis of samples: invocations
// with warm-up, skewed noise, spikes, an effect per JVM and a drift between blocks. Nothing in it was measured.
//
//	go run tools/manycalls/main.go DIR INVOCATIONS SAMPLES
//
// It writes the same samples three times: DIR/campaign is a results folder, DIR/text has one file for each
// invocation in MooBench's layout (lines of thread;ns;used heap;collections), and DIR/binary has the ns as
// int32, little endian.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"moobench/results"
	"moobench/results/importer"
)

// cells are the variants with the cost of a call in ns. The second none is the A/A.
var cells = []struct {
	variant string
	ns      float64
}{
	{"none", 60},
	{"none", 60},
	{"probe/bci/inactive", 700},
	{"probe/bci/collect", 2_100},
	{"probe/bci/write", 5_300},
	{"other/bci/write", 9_800},
}

func main() {
	if len(os.Args) != 4 {
		fail(errors.New("want a folder, the number of invocations and the number of samples of each"))
	}
	invocations, err1 := strconv.Atoi(os.Args[2])
	samples, err2 := strconv.Atoi(os.Args[3])
	fail(errors.Join(err1, err2))
	fail(write(os.Args[1], invocations, samples))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "manycalls:", err)
		os.Exit(1)
	}
}

func write(dir string, invocations, samples int) error {
	store, err := results.Create(filepath.Join(dir, "campaign"), campaign(invocations), nil)
	if err != nil {
		return err
	}
	for _, d := range []string{"text", "binary"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o777); err != nil {
			return err
		}
	}
	values := make([]int64, samples)
	for i := range invocations {
		id := results.Identity{Block: i/len(cells) + 1, Slot: i % len(cells)}
		cell := store.Campaign().Blocks[id.Block-1].Order[id.Slot]
		number, err := strconv.Atoi(cell[1:])
		if err != nil {
			return err
		}
		calls(values, cells[number].ns, uint64(id.Block), uint64(number))
		now := time.Now().UTC()
		inv := &results.Invocation{
			Cell: cell, Profile: results.ProfileTiming, Status: results.StatusOK,
			Session: "made-up", Machine: "none", Start: now, End: now, Exit: "0",
		}
		samples := importer.Samples{Series: results.Series{Name: "duration", Batch: 1}}
		samples.Column("t", "ns", results.KindDuration, values)
		if err := importer.Seal(store, id, inv, samples); err != nil {
			return err
		}
		name := fmt.Sprintf("%s-%02d", cell, id.Block)
		if err := errors.Join(
			writeText(filepath.Join(dir, "text", name+".csv"), values),
			writeBinary(filepath.Join(dir, "binary", name+".i32"), values),
		); err != nil {
			return err
		}
	}
	return store.Seal()
}

// campaign plans as many blocks as the invocations need.
func campaign(invocations int) *results.Campaign {
	c := &results.Campaign{
		Name: "manycalls", About: "Made up; nothing here was measured.", Created: time.Now().UTC(), Source: "moobench",
		Design: results.DesignBlocks, Seed: 1,
		Scenarios: []results.Scenario{{
			Label: "overhead", Use: "overhead",
			Metrics: []results.Metric{{
				Name: "duration", Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming, Primary: true,
				Series: "duration", Column: "t", About: "one call",
			}},
		}},
	}
	for i, cell := range cells {
		id := fmt.Sprintf("c%02d", i)
		n := results.Cell{
			ID: id, Scenario: "overhead", Variant: cell.variant, Role: results.RoleVariant, Baseline: "c00",
			Proof: results.ProofPlan{Kind: results.ProofNone},
		}
		if i < 2 {
			n.Role, n.Proof.Kind = []results.Role{results.RoleBaseline, results.RoleAA}[i], results.ProofBaseline
		} else {
			c.Scenarios[0].Questions = append(c.Scenarios[0].Questions, results.Question{
				ID: "cost-" + id, Text: "What does " + cell.variant + " cost per call?",
				Metric: "duration", A: id, B: "c00", Family: "overhead/duration",
			})
		}
		if i == 0 {
			n.Baseline = ""
		}
		c.Cells = append(c.Cells, n)
	}
	for b := range (invocations + len(cells) - 1) / len(cells) {
		block := results.Block{Number: b + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming}
		for _, i := range rand.New(rand.NewPCG(1, uint64(b))).Perm(len(cells)) {
			block.Order = append(block.Order, c.Cells[i].ID)
		}
		c.Blocks = append(c.Blocks, block)
	}
	return c
}

// calls fills one invocation: the first twentieth is warm-up, and one call in 10,000 is
// delayed by about a millisecond.
func calls(values []int64, ns float64, block, cell uint64) {
	drift := 1 + 0.03*rand.New(rand.NewPCG(2, block)).NormFloat64()
	r := rand.New(rand.NewPCG(block, cell))
	ns *= drift * (1 + 0.01*r.NormFloat64())
	warm := float64(len(values)) / 100
	for i := range values {
		v := ns * (0.85 + 0.15*r.ExpFloat64())
		if i < len(values)/20 {
			v += 4 * ns * math.Exp(-float64(i)/warm)
		}
		if r.Uint32N(10_000) == 0 {
			v += 1e6 * r.ExpFloat64()
		}
		values[i] = int64(v)
	}
}

// writeText writes calls in MooBench's layout.
func writeText(path string, values []int64) error {
	const young, perCall = 200_000_000, 480 // bytes
	heap := 0
	return writeFile(path, values, func(buf []byte, v int64) []byte {
		collections := (heap + perCall) / young
		heap = (heap + perCall) % young
		buf = strconv.AppendInt(append(buf, "1;"...), v, 10)
		buf = strconv.AppendInt(append(buf, ';'), int64(20_000_000+heap), 10)
		return append(strconv.AppendInt(append(buf, ';'), int64(collections), 10), '\n')
	})
}

// writeBinary writes calls as int32.
func writeBinary(path string, values []int64) error {
	return writeFile(path, values, func(buf []byte, v int64) []byte {
		return binary.LittleEndian.AppendUint32(buf, uint32(int32(v)))
	})
}

func writeFile(path string, values []int64, appendValue func([]byte, int64) []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	var buf []byte
	for _, v := range values {
		buf = appendValue(buf[:0], v)
		if _, err := w.Write(buf); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return errors.Join(w.Flush(), f.Close())
}
