package stationary_test

import (
	"testing"

	"taskinstr/optimize/passtest"
)

func TestComments(t *testing.T) {
	passtest.UnitComments(t, "stationary", "fields.go")
}
