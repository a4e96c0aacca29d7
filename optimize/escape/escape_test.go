package escape_test

import (
	"testing"

	"taskinstr/optimize/passtest"
)

func TestComments(t *testing.T) {
	passtest.Comments(t, "escape", "escape.go")
	passtest.UnitComments(t, "escape", "returned.go")
	passtest.Comments(t, "escape,gather", "sorted.go")
}
