package task

// NothingGoesOn says that all is idle in a snapshot (spec 1 I3): no session runs a
// turn, waits for its person, or has background work that it does not report, and
// no task is open. What was left behind is nobody's work and does not count: it
// would never end.
func NothingGoesOn(s Snapshot) bool {
	for _, x := range s.Sessions {
		if x.Unreported || x.State != Idle && x.State != EndedSession && x.State != "" {
			return false
		}
	}
	for _, t := range s.Tasks {
		if !t.Status.Ended() && !t.LeftBehind {
			return false
		}
	}
	return true
}
