package ui

import (
	"context"
	"io"
	"time"

	"offstage/task"
)

// Engine is where the window gets its data and takes its actions: the registry,
// or a script in tests. Every method may be called from any goroutine.
type Engine interface {
	// Next waits for a snapshot newer than rev and returns the newest one. Its
	// error, other than that of ctx, is shown, and Next is called again later.
	Next(ctx context.Context, rev uint64) (task.Snapshot, error)
	// Open gives the output of a task; the window closes it.
	Open(ctx context.Context, id string) (task.Output, error)
	// PlanStop says what a stop would end.
	PlanStop(ctx context.Context, id string) (task.StopPlan, error)
	// Stop carries out the plan that was shown, with KILL at once where now is
	// set, and returns when every process is proven dead or that has failed.
	Stop(ctx context.Context, plan task.StopPlan, now bool, progress func(task.StopProgress)) (task.StopReport, error)
	// Seen records that a person looked at the task's console.
	Seen(id string)
	// Spare keeps record and output of an ended task beyond their time, or no longer.
	Spare(id string, on bool) error
	// Hide takes a row out of the list, or brings it back.
	Hide(id string, hidden bool)
	// Everywhere asks for the tasks of other projects too.
	Everywhere(on bool)
	// Ended asks for every ended task that is still kept.
	Ended(on bool)
}

// Options are what the window is started with. Only Engine is needed.
type Options struct {
	Engine Engine
	// Now is the clock; nil is the machine's.
	Now func() time.Time
	// Look is what the settings say at the start; Looks brings them anew when they
	// changed. Nil: nobody follows them.
	Look
	Looks <-chan Look
	// NoColor leaves attributes only.
	NoColor bool
	// Plain and PlainWhy choose RunPlain in the caller; PlainWhy says what chose
	// it ("--plain", "TERM=dumb"), "" is the flag.
	Plain    bool
	PlainWhy string
	// Demo: what runs ends with the window, so nothing is said to run on.
	Demo bool
	// Open is the ID of a task whose console opens as soon as it is listed.
	Open string
	// Everywhere and Ended say what the engine lists at the start, so that A and H
	// turn it round.
	Everywhere, Ended bool
	// Where is the project, for the empty page (A2). Home is shown as "~".
	Where, Home string
	// Copy puts text on the native clipboard and names it ("xclip"); nil leaves
	// OSC 52 alone to do it.
	Copy func(text string) (string, error)
	// Pager is the argument list of the pager, Editor that of the editor for a file
	// at a line (0: none); nil where there is none.
	Pager  []string
	Editor func(path string, line int64) []string
	// GoToPane shows the terminal pane of an agent, as its session names it; nil
	// where there is no way.
	GoToPane func(pane string) error
	// OpenURL opens a browser; nil where there is none.
	OpenURL func(url string) error
	// Rest is told when nothing but the clock has moved for restAfter, and when
	// something moves again; nil for nobody.
	Rest func(on bool)
	// TellEnds has a person told of the ends of tasks, by id (N4); each is asked for
	// once. Raw is what is to be written to the terminal as it is, words a sentence
	// for the hint line; "" for nothing. Nil tells nobody.
	TellEnds func(ids []string) (raw, words string)
	// In and Out replace the terminal, for tests; nil is the terminal.
	In  io.Reader
	Out io.Writer
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Look = o.Look.withDefaults()
	return o
}
