package control

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Bounds of what the daemon may send.
const (
	// maxMessage is the longest message that is read: the word of a command's end has
	// its whole output, of which Codex keeps a megabyte, six where all is escaped.
	maxMessage = 8 << 20
	// maxSkipped is the longest that is passed over instead; the daemon sends whole
	// results of others' turns to who listens. Above it the talk ends.
	maxSkipped = 64 << 20
	// maxControl is the longest ping or close (RFC 6455, 5.5).
	maxControl = 125
)

// The kinds of frames.
const (
	opMore  = 0
	opText  = 1
	opBytes = 2
	opClose = 8
	opPing  = 9
	opPong  = 10
)

// errFrame: what came is no frame that a server may send.
var errFrame = errors.New("it sent what is no message")

// errTooLong: a message is longer than any that is passed over.
var errTooLong = fmt.Errorf("it sent a message of more than %d MB", maxSkipped>>20)

// frames is one side of a WebSocket: that of a client.
type frames struct {
	r *bufio.Reader
	w io.Writer
}

// head is the start of a frame.
type head struct {
	last bool
	op   byte
	size uint64
}

func (f *frames) head() (head, error) {
	var b [8]byte
	if _, err := io.ReadFull(f.r, b[:2]); err != nil {
		return head{}, err
	}
	h := head{last: b[0]&0x80 != 0, op: b[0] & 0x0f, size: uint64(b[1] & 0x7f)}
	if b[0]&0x70 != 0 || b[1]&0x80 != 0 { // compressed, or masked: not agreed on
		return h, errFrame
	}
	var err error
	switch h.size {
	case 126:
		_, err = io.ReadFull(f.r, b[:2])
		h.size = uint64(binary.BigEndian.Uint16(b[:2]))
	case 127:
		_, err = io.ReadFull(f.r, b[:8])
		h.size = binary.BigEndian.Uint64(b[:8])
	}
	return h, err
}

// text is the next message of text; one that is too long is passed over. Pings are
// answered. The end of the talk is io.EOF.
func (f *frames) text() ([]byte, error) {
	var msg []byte
	var size uint64
	begun, drop := false, false
	for {
		h, err := f.head()
		if err != nil {
			return nil, err
		}
		if h.op >= opClose {
			if err := f.control(h); err != nil {
				return nil, err
			}
			continue
		}
		if h.op > opBytes || begun != (h.op == opMore) {
			return nil, errFrame
		}
		if !begun {
			drop, msg, size = h.op != opText, nil, 0
		}
		if h.size > maxSkipped || size+h.size > maxSkipped {
			return nil, errTooLong
		}
		size += h.size
		if drop = drop || size > maxMessage; drop {
			msg = nil
			_, err = io.CopyN(io.Discard, f.r, int64(h.size))
		} else {
			at := len(msg)
			msg = append(msg, make([]byte, h.size)...)
			_, err = io.ReadFull(f.r, msg[at:])
		}
		if err != nil {
			return nil, err
		}
		if begun = !h.last; !begun && !drop {
			return msg, nil
		}
	}
}

// control takes a frame that stands between messages.
func (f *frames) control(h head) error {
	if h.size > maxControl || !h.last || h.op > opPong {
		return errFrame
	}
	b := make([]byte, h.size)
	if _, err := io.ReadFull(f.r, b); err != nil {
		return err
	}
	switch h.op {
	case opClose:
		return io.EOF
	case opPing:
		return f.write(opPong, b)
	}
	return nil
}

// write sends one frame, masked as those of a client are.
func (f *frames) write(op byte, b []byte) error {
	out := make([]byte, 0, len(b)+14)
	out = append(out, 0x80|op)
	switch {
	case len(b) < 126:
		out = append(out, 0x80|byte(len(b)))
	case len(b) <= 0xffff:
		out = binary.BigEndian.AppendUint16(append(out, 0x80|126), uint16(len(b)))
	default:
		out = binary.BigEndian.AppendUint64(append(out, 0x80|127), uint64(len(b)))
	}
	var mask [4]byte
	if _, err := rand.Read(mask[:]); err != nil {
		return fmt.Errorf("make a mask: %w", err)
	}
	out = append(out, mask[:]...)
	for i, c := range b {
		out = append(out, c^mask[i%4])
	}
	_, err := f.w.Write(out)
	return err
}
