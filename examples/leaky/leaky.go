// Package leaky has a function that leaves a goroutine behind in some schedules. `go test -race` passes;
// `taskinstr test -explore=100 -explore-leaks ./examples/leaky` finds the goroutine.
package leaky

import "context"

// Ask returns the answer, or an error if ctx is done first. Nobody receives the answer then, and the channel has no
// room for it.
func Ask(ctx context.Context, question func() string) (string, error) {
	answer := make(chan string)
	go func() { answer <- question() }()
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// AskFixed is Ask with room for the answer.
func AskFixed(ctx context.Context, question func() string) (string, error) {
	answer := make(chan string, 1)
	go func() { answer <- question() }()
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
