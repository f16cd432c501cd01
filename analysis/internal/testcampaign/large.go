package testcampaign

import (
	"fmt"
	"strconv"

	"moobench/results"
)

// Large is a campaign of 1,000 cells and 100 second baselines: nine variants and
// the baseline at each of ten depths and ten numbers of threads. Two variants
// lose records, some invocations failed, and some were disturbed.
func Large() *Store {
	var cells []results.Cell
	var behaves []Behaviour
	for depth := 1; depth <= 10; depth++ {
		for threads := 1; threads <= 10; threads++ {
			none := len(cells)
			cells = append(append(cells, Baselines()...), largeVariants()...)
			for k := none; k < len(cells); k++ {
				c := &cells[k]
				c.ID = fmt.Sprintf("c%04d", k)
				if c.Baseline != "" {
					c.Baseline = fmt.Sprintf("c%04d", none)
				}
				c.Factors = []results.Value{
					{Name: "depth", Value: strconv.Itoa(depth), Unit: "calls"},
					{Name: "threads", Value: strconv.Itoa(threads), Unit: "threads"},
				}
				c.Parameters = c.Factors
				behaves = append(behaves, largeBehaviour(k-none, depth, threads))
			}
		}
	}
	return many(Plan{Seed: 1000, Blocks: 6, Resources: 1, Samples: 60, Cells: cells, Behaves: behaves})
}

// Broad is a campaign with the largest number of cells that are all shown in detail: one level, and
// 15 blocks.
func Broad() *Store {
	cells, behaves := Baselines(), []Behaviour{{Mean: 561}, {Mean: 561}}
	for i := 2; i < 48; i++ {
		c := Variant(i, fmt.Sprintf("opentelemetry/bci/otlp-%02d", i), count("otlp"))
		place(&c, "opentelemetry", "bci", fmt.Sprintf("otlp-%02d", i))
		cells, behaves = append(cells, c), append(behaves, Behaviour{Mean: 561 + 100*float64(i), Arrives: 1})
	}
	return many(Plan{Seed: 48, Blocks: 15, Resources: 3, Samples: 2000, Cells: cells, Behaves: behaves})
}

// many executes a plan, with as many metrics and as long command lines as in a real campaign.
func many(p Plan) *Store {
	s := Make(p)
	s.observeMore()
	for i, inv := range s.Runs {
		inv.Command = append([]string{
			"/usr/lib/jvm/java-17/bin/java", "-XX:+UseSerialGC", "-Xms256m", "-Xmx256m",
			fmt.Sprintf("-Dmoobench.control=127.0.0.1:%d", 32768+i%28000),
			"-Dmoobench.dir=/tmp/moobench/" + inv.Identity.String(),
		}, inv.Command[1:]...)
	}
	return s
}

func largeVariants() []results.Cell {
	var cells []results.Cell
	for _, mode := range []string{"manual", "bci", "hotswap"} {
		for _, stage := range []string{"inactive", "collect", "tcp"} {
			c := Variant(0, "kieker/"+mode+"/"+stage, count("kieker-tcp"))
			place(&c, "kieker", mode, stage)
			if stage == "inactive" {
				c.Proof = results.ProofPlan{Kind: results.ProofNone}
			}
			cells = append(cells, c)
		}
	}
	return cells
}

// largeBehaviour returns the behaviour of the k-th cell of a level.
func largeBehaviour(k, depth, threads int) Behaviour {
	base := 20 * float64(depth) * (1 + 0.02*float64(threads))
	if k < 2 {
		return Behaviour{Mean: base}
	}
	mode, stage := (k-2)/3, (k-2)%3
	b := Behaviour{Mean: base + float64(depth)*[]float64{6, 140, 320}[stage]*(1+0.1*float64(mode)), Arrives: 1}
	if stage == 2 && threads > 8 {
		b.Arrives = 0.9
	}
	if k == 5 && depth == 3 {
		b.Fails, b.Disturbed = []int{2}, []int{4}
	}
	return b
}

// observeMore adds metrics, to as many as in a real campaign.
func (s *Store) observeMore() {
	metrics := &s.Made.Scenarios[0].Metrics
	for i, name := range []string{
		"cpu_fixture", "cpu_receivers", "cpu_kernel", "run_delay", "context_switches",
		"minor_faults", "major_faults", "heap_used", "heap_committed", "metaspace_used",
		"classes_loaded", "compile_time", "gc_pause", "safepoint_time",
		"bytes_written", "bytes_sent", "threads_peak", "files_open",
	} {
		*metrics = append(*metrics, results.Metric{
			Name: name, Unit: []string{"ns", "1", "B"}[i%3], Better: results.Lower,
			About: "made up like all others", Profile: results.ProfileTiming,
		})
		for k, inv := range s.Runs {
			if inv.Scalars != nil {
				inv.Scalars[name] = float64(1000*(i+1)) * (1 + 0.01*float64(k%7))
			}
		}
	}
}
