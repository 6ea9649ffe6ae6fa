package control

import (
	"context"
	"errors"
)

// Daemon is the daemon of one folder of Codex.
type Daemon struct {
	// Home is the folder of Codex on this machine.
	Home string
}

// Terminal is one command of a thread that runs: in the background, or still
// waited for.
type Terminal struct {
	Thread string `json:"-"`
	// Item is the id of the command's item, the same as in the rollout and in the
	// environment of its processes.
	Item string `json:"itemId"`
	// Process is the daemon's number of it, no pid.
	Process string `json:"processId"`
	Command string `json:"command"`
	Cwd     string `json:"cwd"`
}

// Bounds of one list.
const (
	maxThreads   = 200
	maxPages     = 10
	pageSize     = 100
	maxTerminals = 1000
	maxID        = 128
)

// Listing is what the daemon said in one talk.
type Listing struct {
	// Threads are those that are loaded; Terminals the commands that run in them.
	Threads   map[string]bool
	Terminals []Terminal
}

// List asks for all that runs. ErrNone where no daemon listens. A thread that ends
// between two questions is left out. All of it takes no longer than Patience.
func (d Daemon) List(ctx context.Context) (Listing, error) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	t, err := d.talk(ctx)
	if err != nil {
		return Listing{}, err
	}
	defer t.close()
	threads, err := t.threads(ctx)
	if err != nil {
		return Listing{}, err
	}
	out := Listing{Threads: map[string]bool{}}
	for _, id := range threads {
		list, err := t.terminals(ctx, id)
		var no *Refusal
		if errors.As(err, &no) {
			continue
		}
		if err != nil {
			return Listing{}, err
		}
		out.Threads[id] = true
		out.Terminals = append(out.Terminals, list...)
		if len(out.Terminals) >= maxTerminals {
			break
		}
	}
	return out, nil
}

// talk opens a connection to the socket, if it is safe to.
func (d Daemon) talk(ctx context.Context) (*talk, error) {
	path, err := Find(d.Home)
	if err != nil {
		return nil, err
	}
	return open(ctx, path)
}

// threads are the ids of the loaded threads.
func (t *talk) threads(ctx context.Context) ([]string, error) {
	var out []string
	cursor := ""
	for range maxPages {
		var page struct {
			Data []string `json:"data"`
			Next string   `json:"nextCursor"`
		}
		if err := t.ask(ctx, loaded, paged(map[string]any{}, cursor), &page); err != nil {
			return nil, err
		}
		for _, id := range page.Data {
			if len(id) <= maxID && len(out) < maxThreads {
				out = append(out, id)
			}
		}
		if cursor = page.Next; cursor == "" || len(out) >= maxThreads {
			break
		}
	}
	return out, nil
}

// terminals are the running commands of one thread.
func (t *talk) terminals(ctx context.Context, thread string) ([]Terminal, error) {
	var out []Terminal
	cursor := ""
	for range maxPages {
		var page struct {
			Data []Terminal `json:"data"`
			Next string     `json:"nextCursor"`
		}
		if err := t.ask(ctx, terminals, paged(map[string]any{"threadId": thread, "limit": pageSize}, cursor), &page); err != nil {
			return nil, err
		}
		for _, x := range page.Data {
			if x.Item == "" || len(x.Item) > maxID || len(x.Process) > maxID || len(out) >= maxTerminals {
				continue
			}
			x.Thread = thread
			out = append(out, x)
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	return out, nil
}

func paged(params map[string]any, cursor string) map[string]any {
	if cursor != "" {
		params["cursor"] = cursor
	}
	return params
}

// ErrGone: the daemon does not have the command any more.
var ErrGone = errors.New("the daemon does not have it any more")

// End has the daemon kill the command of an item, and looks that it is gone from
// its list. The daemon kills the whole group of the command at once, with no word
// before; what left the group lives on.
func (d Daemon) End(ctx context.Context, thread, item string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*Patience)
	defer cancel()
	t, err := d.talk(ctx)
	if err != nil {
		return err
	}
	defer t.close()
	x, err := t.find(ctx, thread, item)
	if err != nil {
		return err
	}
	var did struct {
		Terminated bool `json:"terminated"`
	}
	if err := t.ask(ctx, terminate, map[string]any{"threadId": thread, "processId": x.Process}, &did); err != nil {
		return err
	}
	if _, err := t.find(ctx, thread, item); !errors.Is(err, ErrGone) {
		return errors.New("it was asked to end it and still lists it")
	}
	return nil
}

// find is the terminal of an item, by what the daemon says now: its number is not
// kept, for it could be another's by then.
func (t *talk) find(ctx context.Context, thread, item string) (Terminal, error) {
	list, err := t.terminals(ctx, thread)
	var no *Refusal
	if errors.As(err, &no) {
		return Terminal{}, ErrGone
	}
	if err != nil {
		return Terminal{}, err
	}
	for _, x := range list {
		if x.Item == item {
			return x, nil
		}
	}
	return Terminal{}, ErrGone
}
