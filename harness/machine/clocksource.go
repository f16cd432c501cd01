package machine

import "io/fs"

const (
	clocksourceDir  = "sys/devices/system/clocksource/clocksource0"
	clocksourceFile = clocksourceDir + "/current_clocksource"
)

// clocksource decides what a stamp costs: all but tsc (and arch_sys_counter on
// Arm) are several times dearer.
type clocksource struct{}

func (clocksource) Name() string { return "clocksource" }

func (clocksource) About() About {
	return About{
		Title: "clock source",
		Does:  "decides what reading the time costs",
		Cost:  "every sample holds two readings: all clocks but tsc are several times dearer",
		Fixed: "",
	}
}

func (clocksource) Observe(root fs.FS, _ Placement) (State, error) {
	v, err := read(root, clocksourceFile, "/sys does not tell it here")
	return State{Value: v}, err
}
