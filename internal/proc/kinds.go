package proc

import "os"

// IsAgent says that pid runs a known coding agent, by the program's name or by
// the script that an interpreter runs.
func (t *Table) IsAgent(pid int) bool {
	p, ok := t.Get(pid)
	return ok && knownAgent(p, t.Args(pid))
}

// IsService says that pid holds people's sessions or serves the whole machine: a
// terminal multiplexer, a login, an init, a container daemon.
func (t *Table) IsService(pid int) bool {
	p, ok := t.Get(pid)
	return ok && service(p.Comm)
}

// Own says that p belongs to the user who asks; where owners mean nothing (under
// a root, on Windows) everything does.
func (t *Table) Own(p Proc) bool { return t.recorded || p.UID < 0 || p.UID == os.Geteuid() }
