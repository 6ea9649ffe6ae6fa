package testparse

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// stateVersion rises with every change of what Save writes or of what it means.
const stateVersion = 3

// ErrVersion is the answer of Restore to a state of another version of this
// package: the log has to be read again from its first line.
var ErrVersion = errors.New("saved test state is of another version")

type savedScanner struct {
	Version  int                    `json:"v"`
	NextID   int64                  `json:"next,omitempty"`
	Rev      uint64                 `json:"rev,omitempty"`
	Redraws  bool                   `json:"redraws,omitempty"`
	Mono     bool                   `json:"mono,omitempty"`
	Fence    int64                  `json:"fence,omitempty"`
	Runs     []*runState            `json:"runs,omitempty"`
	Standing []int64                `json:"standing,omitempty"`
	Main     savedStream            `json:"main"`
	Streams  map[string]savedStream `json:"streams,omitempty"`
}

type savedStream struct {
	Package string                  `json:"package,omitempty"`
	Where   string                  `json:"where,omitempty"`
	Rows    int64                   `json:"rows,omitempty"`
	Owner   int                     `json:"owner,omitempty"`
	Rival   int                     `json:"rival,omitempty"`
	Talkers map[int]json.RawMessage `json:"talkers,omitempty"`
}

// Save gives the whole state, for a checkpoint: some kilobytes, more only where
// many failures are kept. Restore with the same Options goes on from there as if
// nothing had happened. It is JSON with its CRC-32 behind it, so that what a disk or
// another program did to it is found out.
func (s *Scanner) Save() ([]byte, error) {
	out := savedScanner{
		Version: stateVersion, NextID: s.nextID, Rev: s.rev, Redraws: s.redraws, Mono: s.mono, Fence: s.fence,
	}
	seen := map[int64]bool{}
	keep := func(r *runState) {
		if r != nil && !seen[r.ID] {
			seen[r.ID] = true
			out.Runs = append(out.Runs, r)
		}
	}
	for _, r := range s.runs {
		keep(r)
		out.Standing = append(out.Standing, r.ID)
	}
	var err error
	if out.Main, err = s.main.save(keep); err != nil {
		return nil, err
	}
	for prefix, st := range s.streams {
		if out.Streams == nil {
			out.Streams = map[string]savedStream{}
		}
		if out.Streams[prefix], err = st.save(keep); err != nil {
			return nil, err
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("save test state: %w", err)
	}
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)), nil
}

func (s *stream) save(keep func(*runState)) (savedStream, error) {
	out := savedStream{Package: s.Package, Where: s.Where, Rows: s.Rows, Owner: s.Owner, Rival: s.Rival}
	for i, r := range s.talkers {
		b, err := json.Marshal(r)
		if err != nil {
			return out, fmt.Errorf("save test state: %w", err)
		}
		if string(b) == "{}" {
			continue
		}
		if out.Talkers == nil {
			out.Talkers = map[int]json.RawMessage{}
		}
		out.Talkers[i] = b
		keep(r.base().run)
	}
	return out, nil
}

// Restore makes a scanner from what Save gave. A state of another version gives
// ErrVersion, a damaged one another error.
func Restore(b []byte, o Options) (*Scanner, error) {
	if len(b) > 0 && b[len(b)-1] == '}' && json.Valid(b) {
		return nil, fmt.Errorf("restore test state: %w", ErrVersion) // before sums
	}
	end := len(b) - 4
	if end < 0 || crc32.ChecksumIEEE(b[:end]) != binary.BigEndian.Uint32(b[end:]) {
		return nil, errors.New("restore test state: it is damaged")
	}
	return restore(b[:end], o)
}

func restore(b []byte, o Options) (*Scanner, error) {
	var in savedScanner
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, fmt.Errorf("restore test state: %w", err)
	}
	if in.Version != stateVersion {
		return nil, fmt.Errorf("restore test state %d: %w", in.Version, ErrVersion)
	}
	s := New(o)
	s.nextID, s.rev, s.redraws, s.mono, s.fence = in.NextID, in.Rev, in.Redraws, in.Mono, in.Fence
	byID := make(map[int64]*runState, len(in.Runs))
	for _, r := range in.Runs {
		if r == nil {
			continue
		}
		if !r.Report.fits(r) || r.Next < 0 {
			return nil, fmt.Errorf("restore test state: run %d tells of failures that it has not", r.ID)
		}
		byID[r.ID] = r
	}
	for _, id := range in.Standing {
		if r := byID[id]; r != nil {
			s.runs = append(s.runs, r)
		}
	}
	if err := s.main.restore(in.Main, byID); err != nil {
		return nil, err
	}
	for prefix, saved := range in.Streams {
		st := newStream(s, saved.Package)
		if err := st.restore(saved, byID); err != nil {
			return nil, err
		}
		st.prefix = prefix
		s.streams[prefix] = st
	}
	return s, nil
}

func (s *stream) restore(in savedStream, byID map[int64]*runState) error {
	s.Package, s.Where, s.Rows = in.Package, in.Where, in.Rows
	if in.Owner >= 0 && in.Owner <= len(s.talkers) {
		s.Owner = in.Owner
	}
	if in.Rival >= 0 && in.Rival <= len(s.talkers) {
		s.Rival = in.Rival
	}
	for i, b := range in.Talkers {
		if i < 0 || i >= len(s.talkers) {
			return fmt.Errorf("restore test state: no runner %d: %w", i, ErrVersion)
		}
		if err := json.Unmarshal(b, s.talkers[i]); err != nil {
			return fmt.Errorf("restore test state: %w", err)
		}
		t := s.bases[i]
		if t.run = byID[t.RunID]; t.run == nil && t.RunID != 0 {
			return fmt.Errorf("restore test state: run %d is missing", t.RunID)
		}
		if t.run != nil {
			t.seen = t.run.visible
		}
		s.mark(i, t)
		s.heard |= 1 << i
	}
	return nil
}
