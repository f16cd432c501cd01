package fleet

import (
	"fmt"
	"slices"
	"strings"

	"moobench/results"
)

// nameAmong returns the shown name of a model among others: the CPU alone, if no other model has it.
func nameAmong(all []results.CPUModel, m results.CPUModel) string {
	alike := slices.DeleteFunc(slices.Clone(all), func(o results.CPUModel) bool { return o.CPU != m.CPU })
	if len(alike) == 1 && m.CPU != "" {
		return m.CPU
	}
	return m.String()
}

// split gives each cell of a campaign a copy for each CPU model that it was measured on. The model becomes a
// factor; each level has its own baseline, A/A and answers. The machine of a block decides which copies the
// block holds. With one model nothing changes.
func split(c *results.Campaign, machines []*results.Machine, machineOf map[int]string) {
	of := map[string]results.CPUModel{}
	var models []results.CPUModel
	for _, m := range machines {
		of[m.ID] = m.Model()
		if !slices.Contains(models, of[m.ID]) {
			models = append(models, of[m.ID])
		}
	}
	if len(models) < 2 {
		return
	}
	slices.SortFunc(models, func(a, b results.CPUModel) int { return strings.Compare(a.String(), b.String()) })
	for _, m := range models {
		var ids []string
		for _, machine := range machines {
			if of[machine.ID] == m && !slices.Contains(ids, machine.ID) {
				ids = append(ids, machine.ID)
			}
		}
		slices.Sort(ids)
		c.Merged.Models = append(c.Merged.Models, results.Model{CPU: nameAmong(models, m), Machines: ids})
	}
	on := func(id string, i int) string {
		if id == "" {
			return ""
		}
		return c.Merged.CellOn(id, c.Merged.Models[i].Machines[0])
	}
	c.Cells = eachModel(c, c.Cells, func(cell results.Cell, i int) results.Cell {
		cell.ID, cell.Baseline = on(cell.ID, i), on(cell.Baseline, i)
		factor := results.Value{Name: results.FactorModel, Value: c.Merged.Models[i].CPU}
		cell.Factors = append(slices.Clone(cell.Factors), factor)
		cell.Parameters = append(slices.Clone(cell.Parameters), factor)
		cell.Beside = slices.Clone(cell.Beside)
		for _, p := range cell.Proofs() {
			p.Cell = on(p.Cell, i)
		}
		return cell
	})
	c.Scenarios = slices.Clone(c.Scenarios)
	for j := range c.Scenarios {
		s := &c.Scenarios[j]
		s.Questions = eachModel(c, s.Questions, func(q results.Question, i int) results.Question {
			q.ID, q.A, q.B = fmt.Sprintf("%s on %s", q.ID, c.Merged.Models[i].CPU), on(q.A, i), on(q.B, i)
			return q
		})
	}
	for j := range c.Blocks {
		b := &c.Blocks[j]
		b.Order = results.Each(b.Order, func(id string) string { return c.Merged.CellOn(id, machineOf[b.Number]) })
	}
	c.GivenUp = givenUpOn(c, machineOf)
	c.Influences = eachModel(c, c.Influences, func(x results.Influence, i int) results.Influence {
		x.Cell = on(x.Cell, i)
		return x
	})
}

// givenUpOn maps cells that shards gave up to the models on which they were left out; a shard that was moved in
// between may have two.
func givenUpOn(c *results.Campaign, machineOf map[int]string) (all []results.GivenUp) {
	for _, g := range c.GivenUp {
		for _, b := range c.Blocks {
			one := g
			one.Cell = c.Merged.CellOn(g.Cell, machineOf[b.Number])
			if b.Shard == g.Shard && b.Number >= g.Block && !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}

// eachModel returns a copy of all for each model.
func eachModel[T any](c *results.Campaign, all []T, on func(x T, i int) T) []T {
	var copies []T
	for i := range c.Merged.Models {
		for _, x := range all {
			copies = append(copies, on(x, i))
		}
	}
	return copies
}
