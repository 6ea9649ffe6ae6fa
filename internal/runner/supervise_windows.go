package runner

import (
	"fmt"
	"os"

	"offstage/internal/taskdir"
	"offstage/internal/world"
)

// SuperviseOptions are what main hands in.
type SuperviseOptions struct {
	Ended func(End)
	Step  func(name string)
}

// End is what is told of an end.
type End struct {
	Dir    taskdir.Dir
	Record taskdir.Record
	Exit   taskdir.Exit
}

// Supervise has nothing to do on a system where Start refuses.
func Supervise(*world.World, string, SuperviseOptions) int {
	_, _ = fmt.Fprintln(os.Stderr, "offstage: a task of our own cannot be started on Windows: start it inside WSL")
	return 2
}
