package proc

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// Listener is one listening TCP socket of a process.
type Listener struct {
	PID, Port int
}

// Ports are the TCP ports on which the processes of pids listen, in order. An
// error means that it could not be looked at, never "none".
func (t *Table) Ports(pids []int) ([]int, error) {
	who, err := t.Listeners(pids)
	if err != nil {
		return nil, err
	}
	ports := make([]int, 0, len(who))
	for _, l := range who {
		ports = append(ports, l.Port)
	}
	slices.Sort(ports)
	return slices.Compact(ports), nil
}

// Listeners is Ports with the process of each; a socket that two processes
// share is listed for both.
func (t *Table) Listeners(pids []int) ([]Listener, error) {
	if len(pids) == 0 {
		return nil, nil
	}
	return t.host.listeners(pids)
}

func (r recording) listeners(pids []int) ([]Listener, error) {
	table, err := r.listening()
	if err != nil {
		return nil, ErrNoProcs
	}
	return r.join(pids, table), nil
}

// join looks up the socket inodes of each process in table. They are unique on
// a machine, network namespaces or not.
func (r recording) join(pids []int, table map[uint64]int) []Listener {
	var out []Listener
	for _, pid := range pids {
		fds, err := pidNames(r.path(pid, "fd"))
		if err != nil {
			continue
		}
		for _, name := range fds {
			fd, _ := strconv.Atoi(name) // pidNames gives digits only
			inode, ok := socketInode(r.link(pid, fd))
			if !ok {
				continue
			}
			if l := (Listener{PID: pid, Port: table[inode]}); l.Port != 0 && !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out
}

// listening maps socket inodes to the ports on which they listen.
func (r recording) listening() (map[uint64]int, error) {
	table := make(map[uint64]int)
	v4, err := readFile(r.dir+"/net/tcp", maxNetFile)
	if err != nil {
		return nil, err
	}
	parseNetTCP(v4, table)
	if v6, err := readFile(r.dir+"/net/tcp6", maxNetFile); err == nil {
		parseNetTCP(v6, table)
	}
	return table, nil
}

// parseNetTCP reads net/tcp or net/tcp6 (proc_net(5)): columns of "sl
// local:port remote:port st …", inode in the tenth; state 0A is listening.
func parseNetTCP(b []byte, into map[uint64]int) {
	for line := range bytes.Lines(b) {
		f := bytes.Fields(line)
		if len(f) < 10 || string(f[3]) != "0A" {
			continue
		}
		colon := bytes.LastIndexByte(f[1], ':')
		port, err1 := strconv.ParseUint(string(f[1][colon+1:]), 16, 16)
		inode, err2 := strconv.ParseUint(string(f[9]), 10, 64)
		if err1 == nil && err2 == nil && inode != 0 {
			into[inode] = int(port)
		}
	}
}

// socketInode reads "socket:[12345]".
func socketInode(text string) (uint64, bool) {
	rest, ok := strings.CutPrefix(text, "socket:[")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSuffix(rest, "]"), 10, 64)
	return n, err == nil
}
