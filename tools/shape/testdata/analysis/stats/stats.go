package stats

type settled int
