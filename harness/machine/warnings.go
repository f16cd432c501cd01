package machine

// Warnings says what a hot variant may have caused itself, and what is
// therefore no reason to drop an invocation. Equal causes have equal texts, so
// that those of many invocations can be counted; the amounts are in the scalars
// that they name.
func (u Usage) Warnings() []string {
	const (
		greatestRiseC    = 10
		leastFrequency   = 0.95 // of that at the beginning
		greatestSteal    = 0.01 // of the measured CPUs' time
		greatestPressure = 0.01 // of the window, by tasks that waited for memory
	)
	var all []string
	for _, w := range []struct {
		holds bool
		text  string
	}{
		{
			u.Heat.Throttled > 0,
			"the measured CPUs were slowed because of heat (throttle_count): cool them, or lower max_frequency in [machine]",
		},
		{
			u.Heat.EndC-u.Heat.BeginC >= greatestRiseC,
			"the CPUs grew hotter by 10 °C or more within the window (temperature_end_c): wait_until_quiet in [machine] lets them cool before each block",
		},
		{
			u.Frequency.EndMHz < leastFrequency*u.Frequency.BeginMHz,
			"the frequency of the measured CPUs fell by more than 5 % within the window (frequency_end_mhz): profile \"fixed-hardware\" keeps it level",
		},
		{
			u.StealNS > greatestSteal*u.WindowNS,
			"the host of this virtual machine took more than 1 % of the measured CPUs (steal_ns): dedicated hardware is quieter",
		},
		{
			u.MemoryPressureNS > greatestPressure*u.LengthNS,
			"tasks waited for memory for more than 1 % of the window (pressure_memory_ns): free some, or give the JVM a smaller heap",
		},
	} {
		if w.holds {
			all = append(all, w.text)
		}
	}
	return all
}
