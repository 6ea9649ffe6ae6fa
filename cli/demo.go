package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"offstage/internal/source/demo"
	"offstage/task"
)

func (a *app) demoCommand() *cobra.Command {
	var f panelFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "A tour without any agent: real commands in a throwaway place",
		Long: "Starts real commands that write to files in a temporary folder and opens the panel on them. " +
			"They end with the demo, and the folder goes.",
		Args: args(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runDemo(cmd.Context(), f) },
	}
	cmd.Flags().BoolVar(&f.plain, "plain", false, "one sentence for each change")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "use ASCII marks only")
	cmd.Flags().StringVar(&f.task, "task", "", "open the console of the task `REF` at once")
	return cmd
}

func (a *app) runDemo(ctx context.Context, f panelFlags) error {
	if a.w.Recorded() {
		return usage("a demo starts real commands and so has no use for --root")
	}
	dir, err := os.MkdirTemp("", "offstage-demo-")
	if err != nil {
		return fmt.Errorf("make a place for the demo: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, cancel := context.WithCancel(ctx)
	d := &demoRun{dir: dir, now: a.w.Now}
	// The order matters: first the children are told to end and waited for, then
	// their folder goes.
	defer d.wait()
	defer cancel()
	if err := d.start(ctx); err != nil {
		return err
	}
	a.state = filepath.Join(dir, "state")
	f.demo = dir
	return a.openPanel(ctx, f)
}

// demoScript is one command of the tour: what it is called, and what is run.
type demoScript struct {
	id, title string
	kind      task.Kind
	// child is the name of a part of this program; pipe hands its output through
	// `tail`, in a shell.
	child string
	pipe  bool
}

var demoScripts = []demoScript{
	{"d1server", "Start the dev server", task.Shell, "server", false},
	{"d2tests", "Run the unit tests", task.Shell, "tests", false},
	{"d3build", "Build the bundle", task.Shell, "build", false},
	{"d4seed", "Seed the database", task.Shell, "seed", true},
	{"d5migrate", "Migrate the users table", task.Shell, "migrate", false},
	{"d6watch", "Watch the error log", task.Monitor, "watch", false},
	{"d7types", "Check the types", task.Shell, "types", false},
	{"d8lint", "Lint", task.Shell, "lint", false},
}

var demoPlan = []demo.PlanEntry{
	{ID: "1", Subject: "Reproduce the rounding error", Status: task.Completed},
	{ID: "2", Subject: "Fix the totals in the cart", Status: task.InProgress, Active: "Fixing the totals in the cart"},
	{ID: "3", Subject: "Migrate old orders", Status: task.Pending, Blocked: []string{"2"}},
}

// demoRun is a running demo: its children and the record that it keeps of them.
type demoRun struct {
	dir string
	now func() time.Time
	wg  sync.WaitGroup

	mu  sync.Mutex
	rec demo.Record
}

func (d *demoRun) start(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	cwd, _ := os.Getwd()
	d.rec = demo.Record{PID: os.Getpid(), Session: "tour", Cwd: cwd, Started: d.now(), Plan: demoPlan}
	for _, s := range demoScripts {
		if s.pipe && runtime.GOOS == "windows" {
			continue
		}
		if err := d.launch(ctx, self, s); err != nil {
			return err
		}
	}
	return nil
}

// launch starts one command with its output going straight into a file. A pipe
// that it holds tells it when the demo is gone, however that ended.
func (d *demoRun) launch(ctx context.Context, self string, s demoScript) error {
	out, err := os.OpenFile(filepath.Join(d.dir, s.id+".output"), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("make the output of %s: %w", s.title, err)
	}
	defer func() { _ = out.Close() }()
	c := exec.CommandContext(ctx, self, "demo-child", s.child)
	shown := "offstage demo-child " + s.child
	if s.pipe {
		shown += " | tail -20"
		c = exec.CommandContext(ctx, "sh", "-c", `"$0" demo-child "$1" | tail -20`, self, s.child)
	}
	c.Stdout, c.Stderr = out, out
	c.Env = append(os.Environ(), "OFFSTAGE_DEMO_CHILD=1")
	alive, err := c.StdinPipe()
	if err != nil {
		return fmt.Errorf("start %s: %w", s.title, err)
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.title, err)
	}
	i := d.add(demo.Child{ID: s.id, Kind: s.kind, Title: s.title, Command: shown, Started: d.now()})
	d.wg.Go(func() { d.mourn(c, alive, i) })
	return nil
}

func (d *demoRun) add(c demo.Child) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rec.Tasks = append(d.rec.Tasks, c)
	d.save()
	return len(d.rec.Tasks) - 1
}

// mourn waits for the end of a child and writes it down.
func (d *demoRun) mourn(c *exec.Cmd, alive io.Closer, i int) {
	err := c.Wait()
	_ = alive.Close()
	at := d.now()
	d.mu.Lock()
	defer d.mu.Unlock()
	t := &d.rec.Tasks[i]
	t.Ended, t.Code = &at, c.ProcessState.ExitCode()
	var exit *exec.ExitError
	if errors.As(err, &exit) && t.Code < 0 {
		t.Signal = "killed"
	}
	d.save()
}

// save replaces the record as a whole, so that no reader sees half of it.
func (d *demoRun) save() {
	b, err := json.Marshal(d.rec)
	if err != nil {
		return
	}
	tmp := filepath.Join(d.dir, demo.FileName+".new")
	if os.WriteFile(tmp, b, 0o600) == nil {
		_ = os.Rename(tmp, filepath.Join(d.dir, demo.FileName))
	}
}

func (d *demoRun) wait() { d.wg.Wait() }
