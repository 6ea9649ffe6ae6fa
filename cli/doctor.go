package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"offstage/internal/registry"
	"offstage/internal/setup"
	"offstage/internal/setup/hosts"
	"offstage/task"
)

// doctorWire is what `doctor --json` prints.
type doctorWire struct {
	Version  string        `json:"version"`
	Agents   []agentWire   `json:"agents"`
	Trouble  []string      `json:"troubles"`
	Terminal terminalWire  `json:"terminal"`
	SetUp    []string      `json:"set_up"`
	Ledger   string        `json:"ledger"`
	Found    []findingWire `json:"findings"`
	Fixed    []findingWire `json:"fixed"`
	Untold   []string      `json:"undelivered"`
}

// agentWire is one agent, or place, and how well it is seen (spec 6 D).
type agentWire struct {
	Source   string   `json:"source"`
	Name     string   `json:"name"`
	Found    bool     `json:"found"`
	Looked   []string `json:"looked"`
	Sessions int      `json:"sessions"`
	Running  int      `json:"running"`
	Ended    int      `json:"ended"`
	Unseen   []string `json:"unseen"`
	Sees     seesWire `json:"sees"`
}

// seesWire is task.Sight on the wire.
type seesWire struct {
	Versions     string `json:"versions,omitempty"`
	Sessions     string `json:"sessions,omitempty"`
	Tasks        string `json:"tasks,omitempty"`
	Output       string `json:"output,omitempty"`
	Exit         string `json:"exit,omitempty"`
	Stop         string `json:"stop,omitempty"`
	Subagents    string `json:"subagents,omitempty"`
	Plan         string `json:"plan,omitempty"`
	Experimental bool   `json:"experimental,omitempty"`
}

// findingWire is one thing in the ledger that looks wrong (R10).
type findingWire struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Subject  string `json:"subject"`
	AgeMS    int64  `json:"age_ms"`
	Text     string `json:"text"`
	CanFix   bool   `json:"can_fix"`
}

func (a *app) doctorCommand() *cobra.Command {
	var asJSON, fix bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is seen, what is not and why, and what looks wrong in the ledger",
		Long: "Looks at every agent's traces, at this terminal and at the ledger. With --fix it repairs in the ledger what can be repaired. " +
			"Exit code 1 says that a trace could not be read, or that a fault in the ledger is still there.",
		Args: args(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, done, err := a.registry(view{everywhere: true, ended: true, writes: fix})
			if err != nil {
				return err
			}
			defer done()
			d, err := a.examine(cmd.Context(), r, fix)
			if err != nil {
				return err
			}
			if asJSON {
				err = a.printJSON(d)
			} else {
				err = a.sayDoctor(d)
			}
			if err == nil && (len(d.Trouble) > 0 || wrong(d)) {
				return exitError(ExitFailed)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&fix, "fix", false, "repair in the ledger what can be repaired")
	return cmd
}

// wrong says whether a fault was found that is still there.
func wrong(d doctorWire) bool {
	fixed := map[string]bool{}
	for _, f := range d.Fixed {
		fixed[f.Code+f.Subject] = true
	}
	for _, f := range d.Found {
		if f.Severity == "error" && !fixed[f.Code+f.Subject] {
			return true
		}
	}
	return false
}

// examine looks at everything once.
func (a *app) examine(ctx context.Context, r *registry.Registry, fix bool) (doctorWire, error) {
	snap, err := r.Scan(ctx, 0)
	if err != nil {
		return doctorWire{}, err
	}
	d := doctorWire{
		Version: a.wire.Version, Agents: agents(r.Declared(), snap), Trouble: []string{}, Terminal: a.terminal(), SetUp: a.setUp(ctx),
		Ledger: "ok", Found: []findingWire{}, Fixed: []findingWire{}, Untold: []string{},
	}
	for _, t := range snap.Troubles {
		d.Trouble = append(d.Trouble, t.Text)
	}
	return d, a.examineLedger(ctx, r, &d, fix)
}

func (a *app) examineLedger(ctx context.Context, r *registry.Registry, d *doctorWire, fix bool) error {
	found, err := r.Audit(ctx)
	if errors.Is(err, registry.ErrNoLedger) {
		d.Ledger = "none"
		return nil
	}
	if err != nil {
		return err
	}
	d.Found = findings(found)
	if fix {
		fixed, err := r.Fix(ctx, found)
		if err != nil {
			return err
		}
		d.Fixed = findings(fixed)
	}
	untold, err := r.Undelivered()
	for _, rec := range untold {
		d.Untold = append(d.Untold, rec.ID)
	}
	return err
}

// agents says of every source what it declares and what it found.
func agents(list []registry.Declared, snap task.Snapshot) []agentWire {
	out := make([]agentWire, 0, len(list))
	at := map[string]int{}
	for _, s := range list {
		at[s.Name] = len(out)
		out = append(out, agentWire{Source: s.Name, Name: s.Sees.Agent, Looked: []string{}, Unseen: []string{}, Sees: seesWire{
			s.Sees.Versions, s.Sees.Sessions, s.Sees.Tasks, s.Sees.Output, s.Sees.Exit, s.Sees.Stop, s.Sees.Subagents, s.Sees.Plan, s.Sees.Experimental,
		}})
	}
	of := func(source string, f func(*agentWire)) {
		if i, ok := at[source]; ok {
			f(&out[i])
		}
	}
	for _, p := range snap.Looked {
		of(p.Source, func(a *agentWire) { a.Looked = append(a.Looked, p.Path); a.Found = a.Found || p.Found })
	}
	for _, s := range snap.Sessions {
		of(s.Agent, func(a *agentWire) {
			a.Found = true
			a.Sessions++
			if s.Trouble != "" {
				a.Unseen = append(a.Unseen, s.Native+": "+s.Trouble+howThere(s))
			}
		})
	}
	for _, t := range snap.Tasks {
		of(t.Source, func(a *agentWire) { a.count(t) })
	}
	return out
}

// howThere is the command that opens the panel where the processes of a session can
// be seen (G6), "" for one that is seen from here. The names are not known here.
func howThere(s task.Session) string {
	if !strings.HasPrefix(s.Trouble, task.CannotSee) {
		return ""
	}
	open := "offstage --session " + s.Native
	return " In a container: docker exec -it NAME " + open + " (podman and kubectl alike); on another host: ssh -t HOST " + open + "."
}

// maxUnseen bounds the sentences about one agent; more of the same say no more.
const maxUnseen = 10

func (a *agentWire) count(t task.Task) {
	a.Found = true
	if t.Status.Ended() {
		a.Ended++
	} else {
		a.Running++
		if t.Can.WhyNot != "" && len(a.Unseen) < maxUnseen {
			a.Unseen = append(a.Unseen, t.Native+": "+t.Can.WhyNot)
		}
	}
	if t.Trouble != "" && len(a.Unseen) < maxUnseen {
		a.Unseen = append(a.Unseen, t.Native+": "+t.Trouble)
	}
}

func findings(list []registry.Finding) []findingWire {
	out := make([]findingWire, 0, len(list))
	for _, f := range list {
		out = append(out, findingWire{f.Code, string(f.Severity), maskText(f.Subject), f.Age.Milliseconds(), maskText(f.Text), f.CanFix})
	}
	return out
}

// setUp names the hosts that hold all that setup puts into them.
func (a *app) setUp(ctx context.Context) []string {
	out := []string{}
	if a.w.Recorded() {
		return out
	}
	e := setup.Env{Home: a.w.Home(), Getenv: a.getenv, Ask: asker(ctx)}
	if a.stayingProgram(&e, nil, true) != nil {
		return out
	}
	for _, h := range hosts.All() {
		changes, err := setup.Add(h, e)
		if err != nil || len(changes) == 0 {
			continue
		}
		whole := true
		for _, c := range changes {
			whole = whole && c.None()
		}
		if whole {
			out = append(out, h.Name())
		}
	}
	return out
}
