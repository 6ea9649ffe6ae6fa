// Command show opens the window on the scripted engine, so that every screen
// can be looked at without an agent: go run ./ui/uitest/show [-empty] [-ascii]
// [-light] [-own] [-plain] [-one]. It touches nothing on the machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"offstage/task"
	"offstage/ui"
	"offstage/ui/uitest"
)

func main() {
	empty := flag.Bool("empty", false, "nothing left running")
	one := flag.Bool("one", false, "one session only")
	ascii := flag.Bool("ascii", false, "marks in ASCII")
	own := flag.Bool("own", false, "a task of our own that asks something and fills the disk")
	light := flag.Bool("light", false, "the light theme")
	plain := flag.Bool("plain", false, "plain mode")
	mono := flag.Bool("mono", false, "no colour")
	grace := flag.Duration("grace", 7*time.Second, "how long a stop takes")
	flag.Parse()
	s := uitest.Sample(time.Now())
	if *empty {
		s = uitest.Empty(time.Now())
	}
	if *one {
		s.Sessions, s.Tasks = s.Sessions[:1], s.Tasks[:9]
	}
	if *own {
		s.Tasks = append([]task.Task{asking(s.Tasks[0])}, s.Tasks...)
	}
	e := uitest.New(s, time.Now)
	e.Grace = *grace
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if !*empty {
		go grow(ctx, e)
	}
	o := ui.Options{Engine: e, Look: ui.Look{ASCII: *ascii, Mouse: true}, NoColor: *mono, Where: "/home/ada/shop-api", Home: "/home/ada"}
	if *light {
		o.Theme = "light"
	}
	var err error
	if *plain {
		err = ui.RunPlain(ctx, o, os.Stdout)
	} else {
		err = ui.Run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// asking is a task of our own in the place of another one.
func asking(t task.Task) task.Task {
	t.ID, t.Source, t.Title, t.Command = "own:t1", "own", "create the app", "offstage run --tty npm create vite"
	t.Can = task.Can{Read: true, Stop: true, Answer: true}
	t.Waiting, t.WaitingLine = "waiting for input", "Target directory is not empty. Overwrite? (y/n)"
	t.Disk = &task.DiskNote{Bytes: 38e9, Free: 12e9, Limit: 5e9, Action: "warn", CanFreeze: true, CanTrim: true}
	return t
}

// grow lets the sample live: output comes, a test run gets on and ends.
func grow(ctx context.Context, e *uitest.Engine) {
	for i := 1; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(700 * time.Millisecond):
		}
		line := fmt.Sprintf("transforming (%d) %d%%", 1184+i, min(71+i/4, 100))
		e.Output("claude:vitest").Grow(line)
		e.Output("claude:vite").Grow(fmt.Sprintf("hmr update /src/cart.tsx (x%d)", i))
		e.SetTask("claude:vitest", func(t *task.Task) {
			t.Activity, t.Output.LastWrite = line, time.Now()
		})
	}
}
