package registry

import (
	"sync"

	"offstage/internal/output"
	"offstage/task"
)

// taskSecrets has the Secrets of every task that the sources told of: what one
// text of a task tells, its command line before all, is hidden in all others and
// in its output (D5). Safe for concurrent use.
type taskSecrets struct {
	mu sync.Mutex
	of map[string]*output.Secrets
}

// get gives the Secrets of a task as its source told of it, with what the task's
// command says.
func (k *taskSecrets) get(t task.Task) *output.Secrets {
	k.mu.Lock()
	s := k.of[t.ID]
	if s == nil {
		if k.of == nil {
			k.of = map[string]*output.Secrets{}
		}
		s = output.NewSecrets()
		k.of[t.ID] = s
	}
	k.mu.Unlock()
	s.Learn(clean(t.Command))
	return s
}

// keep forgets the tasks that are not among those listed.
func (k *taskSecrets) keep(tasks []task.Task) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.of) <= len(tasks) {
		return
	}
	known := make(map[string]bool, len(tasks))
	for _, t := range tasks {
		known[t.ID] = true
	}
	for id := range k.of {
		if !known[id] {
			delete(k.of, id)
		}
	}
}

// Mask hides what is secret in a text that belongs to no task, and what a terminal
// would act on: for words of a face that quote an argument, a path, an error.
func Mask(text string) string { return output.Mask(clean(text)) }

// Remask has everything that is shown masked again: the person's patterns changed.
func (r *Registry) Remask() {
	r.facts.remask("")
	r.Wake()
}
