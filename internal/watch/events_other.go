//go:build !linux

package watch

import "errors"

// haveEvents is false where a watch on a folder costs an open file for each
// file in it (kqueue), or tells of a write only when the file is closed.
const haveEvents = false

func openEvents() (events, error) {
	return nil, errors.New("no events on this system")
}
