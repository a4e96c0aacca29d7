package fresh_test

import (
	"testing"

	"taskinstr/optimize/passtest"
)

func TestComments(t *testing.T) { passtest.Comments(t, "fresh", "fresh.go") }
