package trace

// Stock is what a Shelf holds with what was read of each: one T an item, made when
// it is first seen, dropped when it is gone.
type Stock[T any] struct {
	Shelf

	of     map[string]*T
	order  []*T
	listed int
}

// List gives the Ts in the shelf's order. make makes that of a new item, put is
// given each with its item where the shelf changed.
func (s *Stock[T]) List(l *Look, f *Folder, make func(rel string) *T, put func(x *T, it Item)) []*T {
	items := s.Scan(f, l.V.Now, l.More)
	if !s.Complete() {
		l.Later()
	}
	if s.Rev == s.listed {
		return s.order
	}
	known := s.of
	kept, order := map[string]*T{}, []*T(nil)
	for _, it := range items {
		x := known[it.Rel]
		if x == nil {
			x = make(it.Rel)
		}
		put(x, it)
		kept[it.Rel] = x
		order = append(order, x)
	}
	for rel, x := range known {
		if _, here := kept[rel]; !here && l.Left() {
			kept[rel] = x // not all was listed: it may be there
		}
	}
	s.of, s.order, s.listed = kept, order, s.Rev
	return order
}

// Known is how many there are.
func (s *Stock[T]) Known() int { return len(s.of) }
