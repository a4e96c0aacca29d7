package leaky

import (
	"context"
	"testing"
)

// canceled calls ask with a context that another goroutine cancels.
func canceled(t *testing.T, ask func(context.Context, func() string) (string, error)) {
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	if answer, err := ask(ctx, func() string { return "yes" }); err == nil && answer != "yes" {
		t.Errorf("the answer is %q", answer)
	}
}

func TestAsk(t *testing.T) { canceled(t, Ask) }

func TestAskFixed(t *testing.T) { canceled(t, AskFixed) }
