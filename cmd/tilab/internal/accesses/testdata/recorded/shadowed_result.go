package main

import "errors"

var errStep = errors.New("step")

//go:noinline
func step() (bool, error) { return true, errStep }

//go:noinline
func steps(hand chan *error) (err error) {
	hand <- &err
	if ok, err := step(); ok {
		return err // want(racy/ShadowedResult) race: -
	}
	return nil
}

func (racy) ShadowedResult() {
	hand := make(chan *error)
	parallel(
		func() { sink(steps(hand)) },
		func() { sink(*<-hand) }, // want(racy/ShadowedResult) race: *<-hand
	)
}
