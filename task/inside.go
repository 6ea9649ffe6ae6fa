package task

import (
	"strconv"
	"time"
)

// Inside is what goes on inside a running task at one moment: its processes with
// what they use. It is looked at only while a person looks at the task's details.
type Inside struct {
	Task string
	At   time.Time
	// Processes of the task in tree order.
	Processes []ProcessUse
	// CPU is what all of them use, in percent of one core, since the look before; −1
	// at the first look. Memory is what they hold, in bytes, 0 where that is not known.
	CPU    float64
	Memory int64
	// Rate is how fast its output grows, in bytes a second.
	Rate float64
	// Trouble is one sentence where its processes cannot be seen.
	Trouble string
}

// ProcessUse is a process with what it uses, in the units of Inside.
type ProcessUse struct {
	Process
	CPU    float64
	Memory int64
}

// UseWords say what is used: "12 % CPU · 48 MB"; what is not known is left out.
func UseWords(cpu float64, memory int64) string {
	words := ""
	if cpu >= 0 {
		prec := 0
		if cpu < 10 {
			prec = 1
		}
		words = strconv.FormatFloat(cpu, 'f', prec, 64) + " % CPU"
	}
	if memory > 0 {
		if words != "" {
			words += " · "
		}
		words += Size(memory)
	}
	return words
}
