package proc

// InterruptGroup: there are no process groups of that kind here.
func InterruptGroup(int) error { return ErrGone }
