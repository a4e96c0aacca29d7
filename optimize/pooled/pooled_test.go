package pooled_test

import (
	"testing"

	"taskinstr/optimize/passtest"
)

func TestComments(t *testing.T) {
	passtest.UnitComments(t, "pooled", "pools.go", "lists.go")
}
