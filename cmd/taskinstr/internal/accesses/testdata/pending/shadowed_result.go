package main

import "errors"

// Class: shadowed result

var errStep = errors.New("step")

//go:noinline
func step() (bool, error) { return true, errStep }

//go:noinline
func steps(s *slot[error]) (err error) {
	s.put(&err)
	if ok, err := step(); ok {
		return err
	}
	return nil
}

func (racy) ShadowedResult() {
	var s slot[error]
	parallel(
		func() { sink(steps(&s)) },
		func() { sink(*s.await()) },
	)
}
