package dominate_test

import (
	"testing"

	"taskinstr/optimize/passtest"
)

func TestComments(t *testing.T) {
	passtest.Comments(t, "dominate", "dominate.go", "calls.go", "neighbours.go", "available.go")
	passtest.UnitComments(t, "dominate", "generic.go")
}
