package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"offstage/internal/registry"
	"offstage/task"
)

// tool is one of our tools: its schema is data, so that the golden file and the
// words about unknown fields come from one place.
type tool struct {
	name, about string
	fields      []field
	// readOnly and destructive are hints for clients that ask their person.
	readOnly, destructive bool
	do                    func(ctx context.Context, c *call) (*result, error)
}

// field is one input of a tool.
type field struct {
	name, kind, about string
	required          bool
	// oneOf are the words allowed; items the kind of an array's elements.
	oneOf []string
	items string
}

func (f field) schema() map[string]any {
	m := map[string]any{"type": f.kind, "description": f.about}
	if f.oneOf != nil {
		m["enum"] = f.oneOf
	}
	if f.kind == "array" {
		m["items"] = map[string]any{"type": f.items}
	}
	if f.kind == "any" {
		m = map[string]any{"description": f.about}
	}
	return m
}

// schema is the whole input of a tool.
func (t tool) schema() map[string]any {
	props, required := map[string]any{}, []string{}
	for _, f := range t.fields {
		props[f.name] = f.schema()
		if f.required {
			required = append(required, f.name)
		}
	}
	m := map[string]any{"type": "object", "properties": props, "additionalProperties": false}
	if len(required) > 0 {
		m["required"] = required
	}
	return m
}

// call is one call of a tool.
type call struct {
	req  *mcp.CallToolRequest
	args map[string]json.RawMessage
	who  caller
	// notes are sentences about the call itself, such as that a time was cut.
	notes []string
	// said are the tasks whose end the result itself tells of.
	said map[string]bool
}

// says notes that the result tells of the end of a task: the news need not.
func (c *call) says(id string) {
	if c.said == nil {
		c.said = map[string]bool{}
	}
	c.said[id] = true
}

// result is what a tool answers: a text, and the same as data.
type result struct {
	text string
	data any
}

// errInput is a wrong input; nothing was done.
type errInput struct{ text string }

func (e errInput) Error() string { return e.text }

func wrong(format string, args ...any) error { return errInput{fmt.Sprintf(format, args...)} }

// add puts a tool before the client.
func (s *Server) add(t tool) {
	no := false
	s.mcp.AddTool(&mcp.Tool{
		Name: t.name, Description: t.about, InputSchema: t.schema(),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: t.readOnly, DestructiveHint: &t.destructive, OpenWorldHint: &no},
	}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return s.answer(ctx, t, req), nil
	})
}

// answer carries a call out. What goes wrong is told in the result, so that the
// model can do better; nothing of it ends the connection.
func (s *Server) answer(ctx context.Context, t tool, req *mcp.CallToolRequest) *mcp.CallToolResult {
	c := &call{req: req}
	out, err := s.carryOut(ctx, t, c)
	if err != nil {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: s.news(ctx, c) + sentence(err)}}}
	}
	news, text := s.news(ctx, c), out.text
	for _, n := range c.notes {
		text = n + "\n" + text
	}
	words := words{News: strings.TrimSpace(news), Notes: c.notes}
	data := out.data
	if w, ok := data.(worded); ok {
		data = w.data
		if !showsBoth(nameOf(req.ClientInfo())) {
			words.Text = out.text
		}
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: news + text}}, StructuredContent: withWords(data, words)}
}

// worded is data that lacks something that its text says.
type worded struct{ data any }

// words are what stands before the data of a result.
type words struct {
	News  string   `json:"news,omitempty"`
	Notes []string `json:"notes,omitempty"`
	Text  string   `json:"text,omitempty"`
}

// withWords puts words before a result's data. Of a result with both, Claude Code
// and Codex show their model the data alone, Gemini the text alone, Qwen and Kimi
// both: what is told once, and what only the text says, has to stand in either.
func withWords(data any, w words) any {
	head, err := json.Marshal(w)
	if err != nil || string(head) == "{}" {
		return data
	}
	b, err := json.Marshal(data)
	switch {
	case err != nil || len(b) < 2 || b[0] != '{':
		return data
	case string(b) == "{}":
		return json.RawMessage(head)
	}
	return json.RawMessage(string(head[:len(head)-1]) + "," + string(b[1:]))
}

func (s *Server) carryOut(ctx context.Context, t tool, c *call) (*result, error) {
	if err := t.decode(c); err != nil {
		return nil, err
	}
	c.who = s.callerOf(ctx, c.req)
	return t.do(ctx, c)
}

// decode takes the arguments apart. An unknown one is an error that names those
// there are (M1).
func (t tool) decode(c *call) error {
	c.args = map[string]json.RawMessage{}
	if raw := bytes.TrimSpace(c.req.Params.Arguments); len(raw) > 0 && !bytes.Equal(raw, []byte("null")) {
		if err := json.Unmarshal(raw, &c.args); err != nil {
			return wrong("%s takes an object with the fields %s", t.name, t.names())
		}
	}
	for name := range c.args {
		if !slices.ContainsFunc(t.fields, func(f field) bool { return f.name == name }) {
			if len(t.fields) == 0 {
				return wrong("%s takes no input, and %q was given", t.name, name)
			}
			return wrong("%s has no field %q: it takes %s", t.name, name, t.names())
		}
	}
	for _, f := range t.fields {
		if v, ok := c.args[f.name]; f.required && (!ok || string(v) == "null") {
			return wrong("%s needs the field %q: %s", t.name, f.name, f.about)
		}
	}
	return nil
}

func (t tool) names() string {
	var out []string
	for _, f := range t.fields {
		out = append(out, f.name)
	}
	return strings.Join(out, ", ")
}

// get decodes a field into v; a missing one leaves v as it is.
func (c *call) get(name string, v any, want string) error {
	raw, ok := c.args[name]
	if !ok || string(raw) == "null" {
		return nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return wrong("%s has to be %s", name, want)
	}
	return nil
}

func (c *call) text(name string) (string, error) {
	var v string
	return v, c.get(name, &v, "a text")
}

func (c *call) flag(name string) (bool, error) {
	var v bool
	return v, c.get(name, &v, "true or false")
}

// number is a whole number; a text that is one is taken too, for models write
// both.
func (c *call) number(name string, usual, low, high int) (int, error) {
	var v json.Number
	if err := c.get(name, &v, "a number"); err != nil {
		return 0, err
	}
	if v == "" {
		return usual, nil
	}
	n, err := v.Int64()
	if err != nil || n < int64(low) || n > int64(high) {
		return 0, wrong("%s has to be a whole number from %d to %d", name, low, high)
	}
	return int(n), nil
}

// list is a list of texts; one text is a list of one.
func (c *call) list(name string) ([]string, error) {
	var many []string
	if raw, ok := c.args[name]; ok && len(raw) > 0 && raw[0] == '"' {
		var one string
		err := c.get(name, &one, "a list of texts")
		return []string{one}, err
	}
	return many, c.get(name, &many, "a list of texts")
}

// sentence is an error as the model reads it.
func sentence(err error) string {
	var amb *registry.AmbiguousError
	text := err.Error()
	if errors.As(err, &amb) {
		text += ":"
		for _, t := range amb.Candidates {
			text += "\n  " + t.ID + "  " + task.StateWords(t) + "  " + t.Title
		}
		for _, x := range amb.Sessions {
			text += "\n  " + x.ID + "  " + x.Title
		}
	}
	return registry.Mask(text)
}
