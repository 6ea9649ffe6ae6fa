package tmux

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"offstage/internal/setup"
)

// ask runs tmux; none of these commands starts a server but where one runs.
func ask(e setup.Env, args ...string) (string, error) {
	if e.Ask == nil {
		return "", fmt.Errorf("tmux is not asked here")
	}
	return e.Ask("tmux", append([]string{"-N"}, args...)...)
}

// Running says that a server runs that a plain `tmux` would speak to.
func (host) Running(e setup.Env) bool {
	_, err := ask(e, "list-sessions")
	return err == nil
}

// live are the keys of a running server; none where none runs.
func live(e setup.Env) []binding {
	if !(host{}).Running(e) {
		return nil
	}
	var out []binding
	for _, table := range []string{"prefix", "root"} {
		text, err := ask(e, "list-keys", "-T", table)
		if err == nil {
			out = append(out, bindings(text)...)
		}
	}
	return out
}

// Tell lets the server read our block alone: the whole file would do again what
// it does only once, like adding to a list.
func (host) Tell(e setup.Env) error {
	f, err := setup.Read(path(e))
	if err != nil {
		return err
	}
	without, err := setup.BlockDrop(f.Text, "#")
	if err != nil {
		return err
	}
	block := blockOf(f.Text, without)
	if len(block) == 0 {
		return nil
	}
	tmp, err := os.CreateTemp("", "offstage-tmux-*.conf")
	if err != nil {
		return fmt.Errorf("tell the running tmux: %w", err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.Write(block)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("tell the running tmux: %w", err)
	}
	if err := forgetKeys(e); err != nil { // of an older setup
		return err
	}
	if _, err = ask(e, "source-file", tmp.Name()); err != nil {
		return fmt.Errorf("tell the running tmux: %w", err)
	}
	return nil
}

// blockOf is what one text has more than the other.
func blockOf(with, without []byte) []byte {
	at := 0
	for at < len(without) && with[at] == without[at] {
		at++
	}
	at = bytes.LastIndexByte(with[:at], '\n') + 1
	return with[at : at+len(with)-len(without)]
}

// Untell takes out of the server what a setup told it, and nothing that the person
// set since.
func (host) Untell(e setup.Env) error {
	if err := forgetKeys(e); err != nil {
		return err
	}
	var steps [][]string
	if now, err := ask(e, "show-options", "-gv", "status-right"); err == nil && strings.Contains(now, inStatus) {
		steps = append(steps, []string{"set-option", "-g", "status-right", strings.ReplaceAll(strings.TrimSuffix(now, "\n"), inStatus, "")})
	}
	if old, err := ask(e, "show-options", "-gqv", "@offstage_right_length"); err == nil && strings.TrimSpace(old) != "" {
		if now, err := ask(e, "show-options", "-gv", "status-right-length"); err == nil && strings.TrimSpace(now) == rightLength {
			steps = append(steps, []string{"set-option", "-g", "status-right-length", strings.TrimSpace(old)})
		}
	}
	steps = append(steps, []string{"set-option", "-gqu", "@offstage_right_length"}, []string{"set-option", "-gqu", "@offstage_pill"})
	for _, s := range steps {
		if _, err := ask(e, s...); err != nil {
			return fmt.Errorf("take it out of the running tmux: %w", err)
		}
	}
	return nil
}

// forgetKeys unbinds what is ours in the server; the click on a window's name is
// what tmux makes of it again.
func forgetKeys(e setup.Env) error {
	for _, b := range live(e) {
		if !strings.Contains(b.does, openVerb) {
			continue
		}
		args := []string{"unbind-key", "-T", b.table, b.key}
		if b.key == "MouseDown1Status" {
			args = append([]string{"bind-key", "-n", b.key}, strings.Fields(windowClick)...)
		}
		if _, err := ask(e, args...); err != nil {
			return fmt.Errorf("take it out of the running tmux: %w", err)
		}
	}
	return nil
}
