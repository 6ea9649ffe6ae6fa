package proc

import (
	"net"
	"testing"
)

// TestListening is A8: a port is told while somebody listens, with another number for
// another socket, and not afterwards.
func TestListening(t *testing.T) {
	open := func(at string) (net.Listener, int) {
		l, err := net.Listen("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		return l, l.Addr().(*net.TCPAddr).Port
	}
	l, port := open("127.0.0.1:0")
	first, err := Listening()
	if err != nil {
		t.Skip("who listens cannot be seen here: ", err)
	}
	if first[port] == 0 {
		t.Fatal("a port that we listen on is not told")
	}
	_ = l.Close()
	if now, err := Listening(); err != nil || now[port] != 0 {
		t.Errorf("closed, it is still told: %d %v", now[port], err)
	}
}

func BenchmarkListening(b *testing.B) {
	for b.Loop() {
		if _, err := Listening(); err != nil {
			b.Skip("who listens cannot be seen here: ", err)
		}
	}
}
