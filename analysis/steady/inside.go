package steady

// Inside is a metric over one invocation, from its first sample to its last.
type Inside struct {
	// Trace is the primary metric over the invocation in up to 100 steps of
	// equal numbers of samples, warm-up included.
	Trace []float64 `json:"trace,omitempty"`
	// Class is flat, warmup, slowdown or no steady state; absent if unknown.
	Class string  `json:"class,omitempty"`
	From  float64 `json:"window_from,omitempty"` // share of the samples before the window
	// SteadyFrom is the share of the samples before the steady state that was found, whatever the window;
	// absent if none was found.
	SteadyFrom *float64 `json:"steady_from,omitempty"`
}
