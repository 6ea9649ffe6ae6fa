package task

import "time"

// DiskNote is what there is to say of an output that takes much of the disk
// (spec 2 O6): set by the source of a task of our own, or by the registry for
// another's; nil while there is nothing to say.
type DiskNote struct {
	// Bytes that the output takes on the disk, Limit where its guard acts (0: it has
	// none), Free what is left on that disk (0: not known).
	Bytes, Limit, Free int64
	// Action is what the guard does at Limit: "warn", "trim", "freeze", "stop".
	Action string
	// Frozen: the task stands still and can go on. Trimmed: the middle of the output
	// was cut out. Low: it is the disk that is nearly full.
	Frozen, Trimmed, Low bool
	// CanFreeze and CanTrim say what can be done from here besides a stop; an output
	// whose writer does not append cannot be trimmed.
	CanFreeze, CanTrim bool
}

// LargeOutput is the size from which an output is warned of, in bytes (O6), and
// largeQuiet for how long after it grew where nobody guards it: a large file that
// nobody writes fills nothing.
const (
	LargeOutput = 1 << 30
	largeQuiet  = 10 * time.Minute
)

// DiskOf is what there is to say of the disk for a task at now: its note, or, for
// one that nobody guards, that it wrote much and goes on. Nil for nothing.
func DiskOf(t Task, now time.Time) *DiskNote {
	switch {
	case t.Disk != nil:
		return t.Disk
	case t.Status.Ended(), t.Output.Bytes < LargeOutput, QuietFor(t, now) > largeQuiet:
		return nil
	}
	return &DiskNote{Bytes: t.Output.Bytes}
}

// DiskWords is the note as one line and its tone: "output takes 38 GB · 12 GB
// free"; what was done about it comes first.
func DiskWords(n *DiskNote) (string, Tone) {
	words, tone := "output takes "+Size(n.Bytes), Amber
	if n.Free > 0 {
		words += " · " + Size(n.Free) + " free"
	}
	switch {
	case n.Limit <= 0 || n.Frozen || n.Trimmed:
	case n.Bytes >= n.Limit:
		words += " · over " + Size(n.Limit)
	case n.Action != "":
		words += " · at " + Size(n.Limit) + ": " + n.Action
	}
	switch {
	case n.Frozen:
		words = "frozen: it stands still · " + words
	case n.Trimmed:
		words = "trimmed: its first and last part stay · " + words
	}
	if n.Low {
		words, tone = "the disk is nearly full · "+words, Bad
	}
	return words, tone
}
