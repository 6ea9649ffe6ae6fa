package proc

// ReadsTerminal says whether pid is seen waiting for what somebody types: it
// sleeps in a read of its terminal (spec 1 D4). False too where that cannot be
// seen, as on systems other than Linux.
func (t *Table) ReadsTerminal(pid int) bool {
	h, ok := t.host.(interface{ readsTerminal(pid int) bool })
	return ok && h.readsTerminal(pid)
}
