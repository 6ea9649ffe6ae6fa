package proc

// SignalNumber is 0: no process of this system ends by a signal.
func SignalNumber(string) int { return 0 }
