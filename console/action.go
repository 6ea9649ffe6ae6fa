package console

import "offstage/task"

// Action is what the root is asked to do after a key or a click; nil asks for
// nothing. The types below are all there are.
type Action interface{ isAction() }

type (
	// Close asks to close the console (Esc, q, ‹, ×).
	Close struct{}
	// Stop asks for the plan of a stop, which comes back by SetStop.
	Stop struct{}
	// ConfirmStop carries the plan that the person saw and said yes to.
	ConfirmStop struct{ Plan task.StopPlan }
	// StopNow is ConfirmStop without graces: KILL at once.
	StopNow struct{ Plan task.StopPlan }
	// CancelStop takes the question, or the proof, off the screen.
	CancelStop struct{}
	// Copy is text for the clipboard: Rows lines of it, with Redacted values
	// hidden in them.
	Copy struct {
		Text           string
		Rows, Redacted int
	}
	// NextTask and PrevTask ask for the neighbour in the list, console open.
	NextTask struct{}
	// PrevTask is the other way.
	PrevTask struct{}
	// OpenURL asks for the browser.
	OpenURL struct{ URL string }
	// OpenPager asks for a masked copy of the whole output in the person's pager.
	OpenPager struct{}
	// OpenCopy asks for it in the person's editor.
	OpenCopy struct{}
	// Save asks for a new file at Path, as it was typed: of all rows, those of
	// Filter where it is set, or of the selection Text, which has Rows lines with
	// Redacted values hidden in them. ANSI keeps the colours.
	Save struct {
		Path           string
		ANSI           bool
		Filter         *task.Filter
		Selection      bool
		Text           string
		Rows, Redacted int
	}
	// OpenEditor asks for a file in the person's editor; Line 0 is its start.
	OpenEditor struct {
		Path string
		Line int64
	}
	// Find asks for a search over the whole output from the byte From outward; what
	// it finds comes back by SetFound with Seq. One that runs ends.
	Find struct {
		Query task.Query
		From  int64
		Seq   int
	}
	// EndFind ends the search that runs.
	EndFind struct{}
	// Whole asks for the row at a byte offset without the display limit, which
	// comes back by SetWhole.
	Whole struct{ Offset int64 }
	// Toast is one sentence to show for a moment.
	Toast struct{ Text string }
	// Answer is a line for a task that reads its terminal (S3), without its newline;
	// Text may be empty and is never shown or kept.
	Answer struct{ Text string }
	// Restart asks for the task's command once more (K8).
	Restart struct{}
	// Guard asks for something against an output that grows too large (O6): What is
	// GuardFreeze, GuardThaw or GuardTrim.
	Guard struct{ What string }
	// Details asks for the card with all that is known of the task.
	Details struct{}
	// FirstFailure says that the view went, or is about to go, to a failed test
	// at a 1-based line. The console carries the jump out itself, by Want where
	// the line is not loaded; the root may ignore it.
	FirstFailure struct{ Line int64 }
)

func (Close) isAction()        {}
func (Stop) isAction()         {}
func (ConfirmStop) isAction()  {}
func (StopNow) isAction()      {}
func (CancelStop) isAction()   {}
func (Copy) isAction()         {}
func (NextTask) isAction()     {}
func (PrevTask) isAction()     {}
func (OpenURL) isAction()      {}
func (OpenPager) isAction()    {}
func (OpenEditor) isAction()   {}
func (OpenCopy) isAction()     {}
func (Save) isAction()         {}
func (Find) isAction()         {}
func (EndFind) isAction()      {}
func (Whole) isAction()        {}
func (Toast) isAction()        {}
func (Answer) isAction()       {}
func (Restart) isAction()      {}
func (Guard) isAction()        {}
func (Details) isAction()      {}
func (FirstFailure) isAction() {}

// StopPhase is how far a stop of the shown task has come.
type StopPhase int

// The phases in their order. Finding is between the key and the plan.
const (
	StopNone StopPhase = iota
	StopFinding
	StopAsking
	StopRunning
	StopDone
)

// StopView is what the console shows of a stop. Plan belongs to StopAsking,
// Progress to StopRunning, Report to StopDone. A view whose plan, progress or
// report is of another task is not shown.
type StopView struct {
	Phase    StopPhase
	Plan     task.StopPlan
	Progress task.StopProgress
	Report   task.StopReport
}

// MouseKind is what the mouse did.
type MouseKind int

// The kinds of mouse events. Drag is a move with the left button held.
const (
	MousePress MouseKind = iota
	MouseRelease
	MouseDrag
	WheelUp
	WheelDown
)

// Mouse buttons, as far as the console tells them apart.
const (
	LeftButton = iota
	MiddleButton
	RightButton
)

// MouseEvent is one event at a cell relative to the console's upper left
// corner. Clicks counts quick presses on one place: 1, 2 (word), 3 (line).
// Notches is how many wheel steps a coalesced event stands for; 0 means one.
type MouseEvent struct {
	X, Y    int
	Kind    MouseKind
	Button  int
	Clicks  int
	Notches int
}

// Binding is one line of the key table.
type Binding struct {
	// ID is the stable name for remapping: "console.wrap".
	ID string
	// Keys as Bubble Tea v2 prints them; the first is the one to show.
	Keys []string
	// Words say what it does, for help and the manual.
	Words string
	// Group is the heading in the help overlay.
	Group string
	// Hint is the word for the hint line; "" keeps it out of there.
	Hint string
}
