package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Addresses knows the whole of an address that is masked wherever it is shown (A8).
// An Engine that has this method is asked before a browser is.
type Addresses interface {
	FullURL(ctx context.Context, id, shown string) (string, error)
}

// openURL opens an address that a task printed: the web's only, for anything else
// could start a program.
func (m *Model) openURL(id, url string) tea.Cmd {
	if !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
		m.say("Only http and https addresses are opened.")
		return nil
	}
	if m.o.OpenURL == nil {
		return m.fx.copy(url, "No browser here: copied the address")
	}
	return m.fx.browse(id, url)
}

// browsable is an address as a browser takes it: a server on all interfaces is
// reached at this one.
func browsable(url string) string {
	for _, scheme := range []string{"http://", "https://"} {
		if rest, ok := strings.CutPrefix(url, scheme+"0.0.0.0"); ok {
			return scheme + "localhost" + rest
		}
	}
	return url
}
