// Package controltest is a daemon of Codex for tests: a WebSocket on a unix socket
// that says what a test, or a recording, has it say. Only tests import it.
package controltest

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Server is one daemon.
type Server struct {
	// Socket is where it listens.
	Socket string

	mu    sync.Mutex
	asked []string
	open  int
	most  int
	conns []net.Conn
}

// Call is a message of a client.
type Call struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Thread  string `json:"threadId"`
		Process string `json:"processId"`
	} `json:"params"`
}

// Client is one connection, after the upgrade.
type Client struct {
	net.Conn
	r *bufio.Reader
	s *Server
}

// Start lets a daemon listen below the Codex folder home, as the real one does: a
// link into a private folder with a short name. It ends with the test.
func Start(t *testing.T, home string, talk func(c *Client)) *Server {
	t.Helper()
	return StartRaw(t, home, func(c *Client) {
		if c.Upgrade() {
			talk(c)
		}
	})
}

// StartRaw is Start without the upgrade.
func StartRaw(t *testing.T, home string, talk func(c *Client)) *Server {
	t.Helper()
	dir, err := os.MkdirTemp("", "cx")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &Server{Socket: filepath.Join(dir, "s")}
	l, err := net.Listen("unix", s.Socket)
	must(t, err)
	link := filepath.Join(home, "app-server-control", "app-server-control.sock")
	must(t, os.MkdirAll(filepath.Dir(link), 0o700))
	_ = os.Remove(link)
	must(t, os.Symlink(s.Socket, link))
	var done sync.WaitGroup
	t.Cleanup(func() {
		_ = l.Close()
		s.Hang()
		done.Wait()
	})
	done.Add(1)
	go func() {
		defer done.Done()
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.enter(conn)
			done.Add(1)
			go func() {
				defer done.Done()
				defer s.leave(conn)
				talk(&Client{Conn: conn, r: bufio.NewReader(conn), s: s})
			}()
		}
	}()
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s *Server) enter(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	s.most = max(s.most, s.open)
	s.conns = append(s.conns, c)
}

func (s *Server) leave(c net.Conn) {
	_ = c.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
}

// Hang closes all connections.
func (s *Server) Hang() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		_ = c.Close()
	}
	s.conns = nil
}

// Open is how many connections there are now; Asked is all that was ever asked.
func (s *Server) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

// Asked are the methods that clients said, in order.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Upgrade answers the upgrade.
func (c *Client) Upgrade() bool {
	req, err := http.ReadRequest(c.r)
	if err != nil {
		return false
	}
	sum := sha1.Sum([]byte(req.Header.Get("Sec-Websocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	_, err = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: "+
		base64.StdEncoding.EncodeToString(sum[:])+"\r\nx-codex-websocket-max-unfragmented-message-bytes: 16777216\r\n\r\n")
	return err == nil
}

// Read is the next call; false at the end of the talk. Pongs are passed over.
func (c *Client) Read() (Call, bool) {
	for {
		var h [8]byte
		if _, err := io.ReadFull(c.r, h[:2]); err != nil {
			return Call{}, false
		}
		op, size := h[0]&15, int(h[1]&127)
		if size == 126 {
			if _, err := io.ReadFull(c.r, h[:2]); err != nil {
				return Call{}, false
			}
			size = int(binary.BigEndian.Uint16(h[:2]))
		}
		b := make([]byte, 4+size)
		if _, err := io.ReadFull(c.r, b); err != nil {
			return Call{}, false
		}
		mask, b := b[:4], b[4:]
		for i := range b {
			b[i] ^= mask[i%4]
		}
		if op != 1 {
			continue
		}
		var call Call
		if json.Unmarshal(b, &call) != nil {
			return Call{}, false
		}
		c.s.mu.Lock()
		c.s.asked = append(c.s.asked, call.Method)
		c.s.mu.Unlock()
		return call, true
	}
}

// Frame makes a frame of a server; a size other than that of b may be claimed.
func Frame(first byte, b []byte, size uint64) []byte {
	out := []byte{first}
	switch {
	case size < 126:
		out = append(out, byte(size))
	case size <= 0xffff:
		out = binary.BigEndian.AppendUint16(append(out, 126), uint16(size))
	default:
		out = binary.BigEndian.AppendUint64(append(out, 127), size)
	}
	return append(out, b...)
}

// Send sends a text.
func (c *Client) Send(text string) { _, _ = c.Write(Frame(0x81, []byte(text), uint64(len(text)))) }

// Answer answers a call with a result.
func (c *Client) Answer(call Call, result string) {
	c.Send(`{"id":` + string(call.ID) + `,"result":` + result + `}`)
}

// Refuse answers a call with a no.
func (c *Client) Refuse(call Call) {
	c.Send(`{"error":{"code":-32600,"message":"thread not found"},"id":` + string(call.ID) + `}`)
}

// World is what a daemon knows: the terminals of each thread, as JSON.
type World struct {
	mu      sync.Mutex
	threads map[string]map[string]string // thread → process → terminal
	heard   []*Client
	// Kill, where set, is called for the item that is terminated.
	Kill func(item string)
}

// Run adds a running command.
func (w *World) Run(thread, item, process, command, cwd string) {
	b, _ := json.Marshal(map[string]any{"itemId": item, "processId": process, "command": command, "cwd": cwd, "osPid": nil, "cpuPercent": nil, "rssKb": nil})
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.threads == nil {
		w.threads = map[string]map[string]string{}
	}
	if w.threads[thread] == nil {
		w.threads[thread] = map[string]string{}
	}
	w.threads[thread][process] = string(b)
}

// Say tells all who listen of a piece of output.
func (w *World) Say(thread, item, delta string) {
	b, _ := json.Marshal(map[string]any{"method": "item/commandExecution/outputDelta", "params": map[string]string{"threadId": thread, "turnId": "t", "itemId": item, "delta": delta}})
	w.tell(string(b))
}

func (w *World) tell(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.heard {
		c.Send(text)
	}
}

// Listeners is how many listen.
func (w *World) Listeners() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.heard)
}

// End ends a command and tells so.
func (w *World) End(thread, process string) bool {
	w.mu.Lock()
	b, ok := w.threads[thread][process]
	delete(w.threads[thread], process)
	w.mu.Unlock()
	if !ok {
		return false
	}
	var x struct{ ItemID string }
	_ = json.Unmarshal([]byte(b), &x)
	if w.Kill != nil {
		w.Kill(x.ItemID)
	}
	w.tell(`{"method":"item/completed","params":{"item":{"type":"commandExecution","id":"` + x.ItemID + `","status":"failed"}}}`)
	return true
}

// Talk answers as the real daemon does.
func (w *World) Talk(c *Client) {
	defer func() {
		w.mu.Lock()
		w.heard = slices.DeleteFunc(w.heard, func(x *Client) bool { return x == c })
		w.mu.Unlock()
	}()
	for {
		call, ok := c.Read()
		if !ok {
			return
		}
		w.answer(c, call)
	}
}

func (w *World) answer(c *Client, call Call) {
	w.mu.Lock()
	list, known := w.threads[call.Params.Thread]
	var threads, terminals []string
	for id := range w.threads {
		threads = append(threads, `"`+id+`"`)
	}
	for _, x := range list {
		terminals = append(terminals, x)
	}
	w.mu.Unlock()
	switch call.Method {
	case "initialize":
		c.Answer(call, `{"userAgent":"codex-tui/0.171.0","codexHome":"/home/dev/.codex"}`)
		c.Send(`{"method":"remoteControl/status/changed","params":{"status":"disabled"}}`)
	case "initialized":
	case "thread/loaded/list":
		c.Answer(call, `{"data":[`+strings.Join(threads, ",")+`],"nextCursor":null}`)
	case "thread/backgroundTerminals/list":
		if !known {
			c.Refuse(call)
			return
		}
		c.Answer(call, `{"data":[`+strings.Join(terminals, ",")+`],"nextCursor":null}`)
	case "thread/backgroundTerminals/terminate":
		if !w.End(call.Params.Thread, call.Params.Process) {
			c.Answer(call, `{"terminated":false}`)
			return
		}
		c.Answer(call, `{"terminated":true}`)
	case "thread/resume":
		w.mu.Lock()
		w.heard = append(w.heard, c)
		w.mu.Unlock()
		c.Answer(call, `{"thread":{"id":"x"}}`)
	default:
		c.Refuse(call)
	}
}
