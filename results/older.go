package results

import (
	"slices"
	"strings"
)

// Passes returns Path, Body and Change. For campaigns older than these keys it derives them from the launch of
// moobench's own fixtures; it guesses nothing about other agents. In those campaigns Kieker's probe had a body
// in each mode.
func (c *Cell) Passes() (path []string, body, change string) {
	if len(c.Path) > 0 || c.Change != "" {
		return c.Path, c.Body, c.Change
	}
	switch l := &c.Launch; {
	case l.Target == "moobench.probes.Manual":
		return c.launched("check"), "probe", ChangeSwitched
	case l.Target == "moobench.probes.Listed":
		return c.launched("list"), "probe", ChangeSwitched
	case l.Target == "moobench.bridge.kieker.Manual":
		if c.has("-Dmoobench.swapper=moobench.bridge.kieker.AdaptiveSwapper") {
			change = ChangeSwitched
		}
		asks := []string{"enabled", "check"}
		if c.has("-Dkieker.monitoring.adaptiveMonitoring.enabled=true") {
			asks = append(asks, "list")
		}
		return c.launched(asks...), c.Mode, change
	case c.agent() == "":
		return nil, "", ""
	}
	if c.Launch.Activate != "" {
		change = ChangeSwapped
	}
	switch {
	case c.agent() == "kieker":
		return c.launched("enabled"), c.Mode, change
	case c.has("-Dmoobench.hotswap.linger="):
		return c.launched("switch"), "probe", change
	}
	return c.launched(), "probe", change
}

// agent returns whose records moobench's agent makes, moobench's or kieker's; "" without that agent.
func (c *Cell) agent() string {
	for _, whose := range []string{"moobench", "kieker"} {
		loaded := c.has("-Dmoobench.hotswap.probe=" + whose)
		if loaded || strings.HasPrefix(c.Launch.Attach, "{fixture.hotswap}=probe="+whose) {
			return whose
		}
	}
	return ""
}

// launched derives the path of the cell from the arguments of its JVM: the given steps, which ask, and the ones
// that follow. It is empty for a probe that was never put in, or was taken out.
func (c *Cell) launched(asks ...string) []string {
	dormant := c.agent() != "" && c.Launch.Activate == "" && !c.has("-Dmoobench.probe.load=")
	asks = slices.Clip(asks)
	switch {
	case c.has("-Dkieker.monitoring.enabled=false"):
		return []string{"enabled"}
	case dormant || c.Launch.Deactivate != "":
		return nil
	case c.has("-Dmoobench.probe.stage=inactive") && c.agent() != "":
		return []string{"check"}
	case c.has("-Dmoobench.probe.stage=inactive") || c.Proof.Kind == ProofZero:
		return asks
	case c.has("-Dmoobench.probe.stage=collect"),
		c.has("-Dkieker.monitoring.writer=moobench.bridge.kieker.CountingWriter"):
		return append(asks, "collect")
	case c.has("-Dmoobench.probe.stage=write") || c.has("-Dkieker.monitoring.writer="):
		return append(asks, "collect", "write")
	}
	return nil
}

// has reports whether an argument of the JVM has this prefix.
func (c *Cell) has(argument string) bool {
	return slices.ContainsFunc(c.Launch.JVMArgs, func(a string) bool { return strings.HasPrefix(a, argument) })
}
