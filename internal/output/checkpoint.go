package output

import (
	"encoding/binary"
	"errors"

	"offstage/internal/tail"
	"offstage/testparse"
)

// Checkpoint is what the lane knows of a file up to a place, so that a later
// program goes on from there. It is good only for the file it was taken of, as
// its Identity says. Test names in it are as the log has them: it belongs in a
// private place; addresses in it are masked.
type Checkpoint struct {
	Identity tail.Identity
	Data     []byte
}

// checkpointVersion changes when the form of Data does.
const checkpointVersion = 1

// ErrCheckpoint: stored bytes are no checkpoint of this version; count anew.
var ErrCheckpoint = errors.New("read a checkpoint: not of this version")

// MarshalBinary gives the checkpoint as bytes for the store.
func (c *Checkpoint) MarshalBinary() ([]byte, error) {
	id, err := c.Identity.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return append(append([]byte{checkpointVersion, byte(len(id))}, id...), c.Data...), nil
}

// UnmarshalBinary reads what MarshalBinary gave, ErrCheckpoint for anything else.
func (c *Checkpoint) UnmarshalBinary(b []byte) error {
	if len(b) < 2 || b[0] != checkpointVersion || len(b) < 2+int(b[1]) {
		return ErrCheckpoint
	}
	n := 2 + int(b[1])
	if err := c.Identity.UnmarshalBinary(b[2:n]); err != nil {
		return ErrCheckpoint
	}
	c.Data = append([]byte(nil), b[n:]...)
	return nil
}

// Checkpoint is the lane's state now; false while there is nothing to keep.
func (l *Log) Checkpoint() (*Checkpoint, bool) {
	l.news.mu.Lock()
	c := l.state.lane
	l.news.mu.Unlock()
	if c == nil || c.src.fresh() != nil {
		return nil, false
	}
	data, err := c.save()
	if err != nil {
		return nil, false
	}
	return &Checkpoint{Identity: c.src.f.Identity(), Data: data}, true
}

// save gives the state up to the start of the line at hand.
func (c *lane) save() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	scan, err := c.scan.Save()
	if err != nil {
		return nil, err
	}
	b := binary.AppendUvarint(nil, uint64(c.pos))
	b = c.idx.marshal(b)
	b = binary.AppendUvarint(b, uint64(len(c.urls.shown)))
	for i, u := range c.urls.shown {
		b = binary.AppendUvarint(b, uint64(c.urls.at[i]))
		b = binary.AppendUvarint(b, uint64(len(u)))
		b = append(b, u...)
	}
	return append(b, scan...), nil
}

// restore takes a checkpoint up if it is of this file and this version.
func (c *lane) restore(k *Checkpoint) bool {
	if c.src.gen != 0 || !c.src.f.Is(k.Identity) {
		return false
	}
	pos, n := binary.Uvarint(k.Data)
	if n <= 0 || int64(pos) > c.src.f.Size() || int64(pos) < c.src.head {
		return false
	}
	var idx index
	b, ok := idx.unmarshal(k.Data[n:])
	if !ok {
		return false
	}
	var urls addresses
	if b, ok = urls.unmarshal(b); !ok {
		return false
	}
	scan, err := testparse.Restore(b, testparse.Options{Command: c.cmd})
	if err != nil {
		return false
	}
	c.pos, c.seen, c.idx, c.urls, c.scan = int64(pos), int64(pos), idx, urls, scan
	c.rev, c.tests = scan.Rev(), testsOf(scan)
	return true
}

// unmarshal reads the addresses and gives what is left.
func (a *addresses) unmarshal(b []byte) ([]byte, bool) {
	num := func() (uint64, bool) {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, false
		}
		b = b[n:]
		return v, true
	}
	count, ok := num()
	if !ok || count > maxURLs {
		return nil, false
	}
	for range count {
		at, ok := num()
		if !ok {
			return nil, false
		}
		n, ok := num()
		if !ok || n > uint64(len(b)) {
			return nil, false
		}
		a.shown, a.at, a.full = append(a.shown, string(b[:n])), append(a.at, int64(at)), append(a.full, "")
		b = b[n:]
	}
	return b, true
}
