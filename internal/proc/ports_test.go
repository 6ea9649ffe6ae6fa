//go:build unix

package proc

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"slices"
	"testing"
)

// Lines as proc_net(5) of a Linux 6.18 shows them: a listener, a connection, v6.
const netTCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1435 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 367097 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1435 0100007F:D2F0 01 00000000:00000000 00:00000000 00000000  1000        0 367099 1 0000000000000000 20 4 30 10 -1
   2: bad
`
const netTCP6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:0BB8 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 367100 1 0000000000000000 100 0 0 10 0
`

func TestParseNetTCP(t *testing.T) {
	got := map[uint64]int{}
	parseNetTCP([]byte(netTCP), got)
	parseNetTCP([]byte(netTCP6), got)
	if len(got) != 2 || got[367097] != 5173 || got[367100] != 3000 {
		t.Errorf("got %v", got)
	}
}

// K4: which ports a task holds, and that they are free again.
func TestPortsAreSeenAndFreed(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("no %s here: %v", address, err)
			continue
		}
		port := l.Addr().(*net.TCPAddr).Port
		table, err := Scan(thisWorld(t))
		if err != nil {
			t.Fatal(err)
		}
		ports, err := table.Ports([]int{os.Getpid()})
		if err != nil || !slices.Contains(ports, port) {
			t.Errorf("%s: ports %v, %v, want %d among them", address, ports, err, port)
		}
		if PortFree(port) {
			t.Errorf("%s: port %d is held and was said to be free", address, port)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if !PortFree(port) {
			t.Errorf("%s: port %d was closed and was said to be held", address, port)
		}
	}
}

// K3, K4: a server under npm-like shells: its port stands in the plan, and the
// report proves that it is free.
func TestStopFreesThePort(t *testing.T) {
	a := newAgent(t, "PROC_TEST_ROLE=server "+os.Args[0])
	var port int
	table := a.settled(2)
	for {
		f, err := os.Open(a.output)
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fscanf(bufio.NewReader(f), "port %d", &port)
		_ = f.Close()
		if err == nil {
			break
		}
		table = a.settled(2)
	}
	plan, r := a.stop(table, a.target(), StopOptions{})
	if !slices.Equal(plan.Ports, []int{port}) || !slices.Equal(r.PortsFreed, []int{port}) || len(r.PortsHeld) > 0 {
		t.Errorf("port %d: plan %v, freed %v, held %v", port, plan.Ports, r.PortsFreed, r.PortsHeld)
	}
	if said := a.next(); said != "exit 0" {
		t.Errorf("the server ended by itself with 0, the agent read %q", said)
	}
}
