package mcpserver

import (
	"context"
	"encoding/json"
)

// Lists keeps the task lists of agents (spec 4). Each answer is the text that the
// agent reads and the same as data; a refusal is one sentence and changed nothing.
type Lists interface {
	// Do carries out one of listTools for a session. Agent is the name of the one
	// that asks, where several work in one session.
	Do(ctx context.Context, session, agent, tool string, input map[string]json.RawMessage) (text string, data any, err error)
}

// listTools are the tools of spec 4, by the names that models know.
var listTools = []string{"TaskCreate", "TaskList", "TaskGet", "TaskUpdate"}

func (s *Server) listTools() []tool {
	if s.o.Lists == nil || s.o.Todo == "off" {
		return nil
	}
	do := func(name string) func(context.Context, *call) (*result, error) {
		return func(ctx context.Context, c *call) (*result, error) {
			text, data, err := s.o.Lists.Do(ctx, c.who.session, nameOf(c.req.ClientInfo()), name, c.args)
			if err != nil {
				return nil, err
			}
			return &result{text, worded{data}}, nil
		}
	}
	id := field{name: "taskid", kind: "any", about: "the entry's number, as it was given"}
	alias := []field{{name: "taskId", kind: "any", about: "the same as taskid"}, {name: "task_id", kind: "any", about: "the same as taskid"}}
	words := []field{
		{name: "subject", kind: "string", about: "one line"},
		{name: "description", kind: "string", about: "what is to be done"},
		{name: "activeForm", kind: "string", about: "what is shown while it is in progress, such as \"Running the tests\""},
		{name: "owner", kind: "string", about: "who works on it"},
		{name: "metadata", kind: "object", about: "anything else to keep with it"},
	}
	create := append([]field(nil), words...)
	create[0].required, create[1].required = true, true
	links := []field{
		{name: "blocks", kind: "array", items: "integer", about: "entries that wait for this one"},
		{name: "blockedBy", kind: "array", items: "integer", about: "entries that this one waits for"},
	}
	update := append(append([]field{id}, alias...), words...)
	update = append(update, field{name: "status", kind: "string", about: "pending, inprogress, completed, or deleted to withdraw it"},
		field{name: "addBlocks", kind: "array", items: "integer", about: "entries that wait for this one from now on"},
		field{name: "addBlockedBy", kind: "array", items: "integer", about: "entries that this one waits for from now on"})
	return []tool{
		{name: "TaskCreate", about: "Add an entry to your task list. It survives compaction and restarts.", fields: append(create, links...), do: do("TaskCreate")},
		{name: "TaskList", about: "Your whole task list, completed and withdrawn entries too.", readOnly: true, do: do("TaskList")},
		{name: "TaskGet", about: "One entry of your task list.", fields: append([]field{id}, alias...), readOnly: true, do: do("TaskGet")},
		{name: "TaskUpdate", about: "Change an entry: its status, words, owner, or what it waits for.", fields: update, do: do("TaskUpdate")},
	}
}
